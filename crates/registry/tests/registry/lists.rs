//! The list of worker types and of implementations.

use crate::given::{Given, a_registry};
use registry::{ListFilter, ReadError};
use serde_json::json;
use worker_types::LifecycleState;

async fn three() -> Given {
    let given = a_registry();
    let variant = json!([{"name": "default", "implementation": {"name": "docker-worker", "version": "44.2.0"}}]);
    given.published("a/linux", &json!({"description": "Builds in containers", "owner": "builds@example.com", "tags": ["linux"], "variants": variant})).await;
    given.published("a/old", &json!({"description": "Old builds", "lifecycle": {"state": "deprecated"}})).await;
    given.published("b/phones", &json!({"description": "Phones on a shelf", "tags": ["hardware"]})).await;
    given
}

fn ids(given: &Given, filter: &ListFilter) -> Vec<String> {
    let page = given.registry.list(filter, 100, None).unwrap();
    page.worker_types.iter().map(|live| live.record.id.to_string()).collect()
}

#[tokio::test]
async fn each_filter_narrows_and_all_must_hold() {
    let given = three().await;
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(ids(&given, &ListFilter::default()), ["a/linux", "a/old", "b/phones"]);
    assert_eq!(ids(&given, &ListFilter { query: some("BUILDS a/"), ..ListFilter::default() }), ["a/linux", "a/old"]);
    assert_eq!(ids(&given, &ListFilter { query: some("hardware"), ..ListFilter::default() }), ["b/phones"]);
    assert_eq!(ids(&given, &ListFilter { provisioner_id: some("b"), ..ListFilter::default() }), ["b/phones"]);
    assert_eq!(
        ids(&given, &ListFilter { implementation: some("docker-worker"), ..ListFilter::default() }),
        ["a/linux"]
    );
    assert_eq!(
        ids(&given, &ListFilter { lifecycle: Some(LifecycleState::Deprecated), ..ListFilter::default() }),
        ["a/old"]
    );
    assert_eq!(
        ids(&given, &ListFilter { tag: some("linux"), provisioner_id: some("b"), ..ListFilter::default() }),
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn pages_join_up_and_keep_the_cursor_of_the_first() {
    let given = three().await;
    let all = ListFilter::default();
    let first = given.registry.list(&all, 2, None).unwrap();
    given.published("b/new", &json!({"description": "New"})).await;
    let second = given.registry.list(&all, 2, first.continuation.as_deref()).unwrap();
    let names =
        |page: &registry::ListPage| page.worker_types.iter().map(|live| live.record.id.to_string()).collect::<Vec<_>>();
    assert_eq!(
        (names(&first), names(&second)),
        (vec!["a/linux".to_owned(), "a/old".to_owned()], vec!["b/new".to_owned(), "b/phones".to_owned()])
    );
    assert_eq!((&second.cursor, second.continuation), (&first.cursor, None));
}

#[tokio::test]
async fn a_token_belongs_to_its_query() {
    let given = three().await;
    let token = given.registry.list(&ListFilter::default(), 1, None).unwrap().continuation;
    let other = ListFilter { tag: Some("linux".to_owned()), ..ListFilter::default() };
    assert!(matches!(given.registry.list(&other, 1, token.as_deref()), Err(ReadError::InvalidContinuation)));
    assert!(matches!(given.registry.list(&other, 1, Some("rubbish")), Err(ReadError::InvalidContinuation)));
}

#[tokio::test]
async fn implementations_count_releases_and_the_worker_types_that_run_them() {
    let given = three().await;
    given.release("docker-worker@44.2.0", &json!({"variants": [{"name": "default"}]})).await;
    given.release("docker-worker@45.0.0", &json!({"variants": [{"name": "default"}]})).await;
    let all = given.registry.implementations();
    let found: Vec<_> = all.iter().map(|one| (one.name.as_str(), one.versions.len(), one.worker_types)).collect();
    assert_eq!(found, [("docker-worker", 2, 1)]);
    assert!(given.registry.releases_of("none").is_err());
}
