//! Lists in pages.

use super::{answering, hash, id, last, line};
use crate::fake::{json, problem};
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use worker_manager_client::{ListQuery, WorkerTypeSummary};
use worker_types::{Generation, LifecycleState, RevisionNumber, ValidationMode};

fn entry(id: &str) -> Value {
    json!({"workerTypeId": id, "description": "d", "owner": "o@example.com", "tags": ["t"],
        "lifecycle": "deprecated", "validation": "enforce", "implementations": [{"name": "gw", "version": null}], "releases": ["gw@1.0.0"],
        "generation": 4, "revision": 3, "publishedAt": "2027-01-01T00:00:00Z"})
}

fn page(id: &str, token: Option<&str>, cursor: &str) -> Value {
    json!({"workerTypes": [entry(id)], "continuationToken": token, "cursor": cursor})
}

#[tokio::test]
async fn every_page_is_asked_for_and_the_cursor_is_that_of_the_first() {
    let pages = [page("p/a", Some("t 1"), "c1"), page("p/b", Some("t2"), "c2"), page("p/c", None, "c3")];
    let (fake, client) = answering(pages.iter().map(|page| json(200, page))).await;
    let mut list = client.worker_types(&ListQuery { limit: Some(1), ..ListQuery::default() });
    assert_eq!(list.cursor(), None);
    let ids: Vec<_> = list.all().await.unwrap().into_iter().map(|entry| entry.worker_type_id.to_string()).collect();
    assert_eq!((ids, list.cursor()), (vec!["p/a".into(), "p/b".into(), "p/c".into()], Some("c1")));
    let tokens: Vec<_> = fake.requests().iter().map(|request| request.query("continuationToken")).collect();
    assert_eq!(tokens, [None, Some("t 1".to_owned()), Some("t2".to_owned())]);
    assert!(list.next_page().await.unwrap().is_none());
}

#[tokio::test]
async fn an_entry_has_every_field() {
    let (_fake, client) = answering([json(200, &page("p/a", None, "c"))]).await;
    let entries: Vec<WorkerTypeSummary> =
        client.worker_types(&ListQuery::default()).into_stream().try_collect().await.unwrap();
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!((entry.generation, entry.revision), (Generation(4), RevisionNumber(3)));
    assert_eq!((entry.lifecycle, entry.validation), (LifecycleState::Deprecated, ValidationMode::Enforce));
    assert_eq!((entry.implementations[0].name.as_str(), entry.releases[0].to_string()), ("gw", "gw@1.0.0".into()));
}

#[tokio::test]
async fn filters_are_sent_and_what_is_not_set_is_not() {
    let (fake, client) = answering([json(200, &page("p/a", None, "c"))]).await;
    let query = ListQuery {
        query: Some("große worker".to_owned()),
        provisioner_id: Some("p".to_owned()),
        implementation: Some("gw".to_owned()),
        release: Some("gw@1.0.0+b".parse().unwrap()),
        lifecycle: Some(LifecycleState::Active),
        tag: Some("a&b".to_owned()),
        limit: None,
    };
    client.worker_types(&query).next_page().await.unwrap();
    let expected = "GET /worker-types?query=gro%C3%9Fe+worker&provisionerId=p&implementation=gw&release=gw%401.0.0%2Bb&lifecycle=active&tag=a%26b";
    assert_eq!(line(&fake), expected);
}

#[tokio::test]
async fn a_server_that_repeats_its_token_does_not_keep_us_for_ever() {
    let (_fake, client) = answering((0..3).map(|_| json(200, &page("p/a", Some("again"), "c")))).await;
    assert_eq!(client.worker_types(&ListQuery::default()).all().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_page_that_failed_is_asked_for_again() {
    let answers = [
        json(200, &page("p/a", Some("t"), "c")),
        problem(503, "not-ready", "no", None),
        json(200, &page("p/b", None, "c")),
    ];
    let (fake, client) = answering(answers).await;
    let mut list = client.worker_types(&ListQuery::default());
    list.next_page().await.unwrap();
    list.next_page().await.unwrap_err();
    assert_eq!(list.next_page().await.unwrap().unwrap().len(), 1);
    assert_eq!(last(&fake).query("continuationToken").as_deref(), Some("t"));
}

#[tokio::test]
async fn revisions_come_in_pages_too() {
    let revision = |n| json!({"revision": n, "contentHash": hash(), "publishedAt": "t", "publishedBy": "me", "message": null, "rollbackOf": null});
    let answers = [json!({"revisions": [revision(2)], "continuationToken": "x"}), json!({"revisions": [revision(1)]})];
    let (fake, client) = answering(answers.iter().map(|page| json(200, page))).await;
    let revisions = client.revisions(&id()).all().await.unwrap();
    assert_eq!(revisions.iter().map(|entry| entry.revision.0).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(last(&fake).target, "/worker-types/p/w/revisions?continuationToken=x");
}
