//! The OpenAPI document: the copy that is kept, and the table that it is made of.

use crate::harness::Server;
use serde_json::Value;
use service::{Access, COMMON, openapi_text};
use std::collections::BTreeSet;
use std::path::Path;
use worker_manager::{OPERATIONS, openapi_document};

fn document() -> Value {
    serde_json::from_str(&openapi_text(&openapi_document())).unwrap()
}

#[test]
fn the_kept_copy_is_the_document_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/worker-manager-openapi.json");
    let text = openapi_text(&openapi_document());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "schemas/worker-manager-openapi.json is not current; set UPDATE_GOLDEN=1 and run this test again"
    );
}

#[tokio::test]
async fn the_document_is_served() {
    let server = Server::local().await;
    let reply = server.get("/openapi.json").send().await.expect(200);
    assert_eq!(reply.json(), document());
    assert!(reply.json()["openapi"].as_str().unwrap().starts_with("3.1"));
}

#[test]
fn the_document_and_the_table_have_the_same_operations_and_scopes() {
    let document = document();
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            described.insert(format!("{} {path}", method.to_uppercase()));
            let id = operation["operationId"].as_str().unwrap();
            let row = OPERATIONS.iter().chain(COMMON).find(|row| row.id == id).unwrap();
            let scopes = operation.get("x-required-scopes");
            match row.access {
                Access::Public => assert_eq!(scopes, None, "{id}"),
                Access::Scope(scope) | Access::Each(scope) => assert_eq!(scopes.unwrap()[0], scope, "{id}"),
            }
        }
    }
    let rows: BTreeSet<String> =
        OPERATIONS.iter().chain(COMMON).map(|row| format!("{} {}", row.method.as_str(), row.path)).collect();
    assert_eq!(described, rows);
}

#[test]
fn operation_ids_are_unique_and_every_schema_that_is_named_is_there() {
    let ids: BTreeSet<&str> = OPERATIONS.iter().chain(COMMON).map(|row| row.id).collect();
    assert_eq!(ids.len(), OPERATIONS.len() + COMMON.len());
    let text = openapi_text(&openapi_document());
    let document = document();
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
    }
}

#[test]
fn the_table_can_be_written_as_json() {
    let table = serde_json::to_value(OPERATIONS).unwrap();
    assert_eq!(table[0]["id"], "getPayloadSchema");
    assert_eq!(table[0]["access"]["scope"], "worker-manager:get:<workerTypeId>");
}
