//! Publishing, going back, deleting, releasing.

use super::{answering, definition_answer, hash, id, last, line};
use crate::fake::{json, problem};
use serde_json::json;
use worker_manager_client::{Precondition, PublishOptions};
use worker_types::{Generation, Problem, RevisionNumber};

#[tokio::test]
async fn each_precondition_has_its_header() {
    for (precondition, if_match, if_none_match) in [
        (Precondition::Generation(Generation(9)), Some("\"g9\""), None),
        (Precondition::Any, Some("*"), None),
        (Precondition::Absent, None, Some("*")),
    ] {
        let (fake, client) = answering([json(201, &definition_answer(&json!({})))]).await;
        let written = client.put_worker_type(&id(), "{}", precondition, &PublishOptions::default()).await.unwrap();
        assert!(written.created);
        assert_eq!(line(&fake), "PUT /worker-types/p/w");
        let request = last(&fake);
        assert_eq!((request.header("if-match"), request.header("if-none-match")), (if_match, if_none_match));
    }
}

#[tokio::test]
async fn a_definition_is_sent_as_its_author_wrote_it() {
    let (fake, client) = answering([json(200, &definition_answer(&json!({})))]).await;
    let text = "{ \"z\": 1.0,\n  \"a\": \"\\u00e4\" }";
    let options = PublishOptions {
        message: Some("why & how".to_owned()),
        dry_run: true,
        replace_rollout: true,
        allow_breaking: true,
    };
    let written = client.put_worker_type(&id(), text, None, &options).await.unwrap();
    assert!(!written.created);
    assert_eq!((last(&fake).header("if-match"), last(&fake).header("if-none-match")), (None, None));
    assert_eq!(last(&fake).body, text);
    assert_eq!(last(&fake).header("content-type"), Some("application/json"));
    assert_eq!(
        last(&fake).target,
        "/worker-types/p/w?message=why+%26+how&dryRun=true&rollout=replace&allowBreaking=true"
    );
}

#[tokio::test]
async fn a_lost_race_is_told_from_other_refusals() {
    let (_fake, client) = answering([problem(412, "precondition-failed", "it is g10 now", None)]).await;
    let error = client
        .put_worker_type(&id(), &json!({}), Precondition::Generation(Generation(9)), &PublishOptions::default())
        .await
        .unwrap_err();
    assert_eq!(error.problem(), Some(Problem::PreconditionFailed));
    assert!(!error.is_transient());
    assert_eq!(error.to_string(), "it is g10 now (request r-1)");
}

#[tokio::test]
async fn going_back_and_deleting() {
    let tombstone =
        json!({"workerTypeId": "p/w", "generation": 11, "lastRevision": 8, "deletedAt": "t", "deletedBy": "me"});
    let (fake, client) = answering([json(200, &definition_answer(&json!({}))), json(200, &tombstone)]).await;
    let precondition = Precondition::Generation(Generation(9));
    client.rollback(&id(), RevisionNumber(2), precondition, Some("oops")).await.unwrap();
    assert_eq!(line(&fake), "POST /worker-types/p/w/rollback");
    assert_eq!(last(&fake).body, r#"{"revision":2,"message":"oops"}"#);
    assert_eq!(last(&fake).header("if-match"), Some("\"g9\""));
    let left = client.delete_worker_type(&id(), Precondition::Any, Some("done")).await.unwrap();
    assert_eq!((left.generation, left.last_revision), (Generation(11), RevisionNumber(8)));
    assert_eq!(
        (last(&fake).method.as_str(), last(&fake).target.as_str()),
        ("DELETE", "/worker-types/p/w?message=done")
    );
}

#[tokio::test]
async fn a_release_is_published_under_its_name() {
    let release = json!({"release": "gw@1.0.0", "contentHash": hash(), "publishedAt": null, "publishedBy": null,
        "message": null, "content": {}, "warnings": []});
    let (fake, client) = answering([json(201, &release)]).await;
    let id = "gw@1.0.0".parse().unwrap();
    let written = client.put_release(&id, &json!({"variants": []}), &PublishOptions::default()).await.unwrap();
    assert!(written.created);
    assert_eq!(line(&fake), "PUT /implementations/gw/releases/1.0.0");
    assert_eq!(last(&fake).body, r#"{"variants":[]}"#);
}
