//! Derived schemas: of payloads, of whole tasks, under immutable addresses, and the catalogue that names them.

use crate::harness::{Given, Server, definition, described, task};
use payload_schema::{Limits, Schema, Surroundings};
use serde_json::{Value, json};

const LINUX: &str = "/worker-types/proj/linux";

/// A document as an independent reader takes it, with the formats in it asserted.
fn read(document: &Value) -> Schema {
    let surroundings = Surroundings { documents: None, assert_formats: Some(true) };
    Schema::compile_with(document, None, &Limits::default(), surroundings).unwrap()
}

/// Two variants, one of them for tasks with a scope.
fn two_variants() -> Value {
    let mut two = definition();
    let native = json!({
        "name": "native", "payloadSchema": {"type": "object", "required": ["command"]}, "dialect": "draft-07",
        "appliesWhen": {"properties": {"scopes": {"contains": {"const": "native"}}}},
    });
    two["variants"] = json!([two["variants"][0], native]);
    two
}

/// A definition that draft-07 has no words for.
fn modern() -> Value {
    let payload = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"contains": {}, "minContains": 2}}});
    json!({"description": "modern", "variants": [{"name": "default", "payloadSchema": payload}]})
}

#[tokio::test]
async fn variants_that_differ_come_as_one_document_that_accepts_what_the_service_accepts() {
    let server = Server::local().await;
    server.publish("proj/linux", &two_variants()).await;
    let reply = server.get(&format!("{LINUX}/payload-schema")).send().await.expect(200);
    assert_eq!(reply.header("content-type"), "application/schema+json");
    let schema = read(&reply.json());
    for payload in [json!({"maxRunTime": 1}), json!({"command": []}), json!({}), json!([]), json!({"maxRunTime": "1"})]
    {
        let verdict = server.post(&format!("{LINUX}/validate"), &json!({"payload": payload})).send().await.json();
        assert_eq!(schema.is_valid(&payload), verdict["verdict"] != "invalid", "{payload} is {verdict}");
    }
    let alone = server.get(&format!("{LINUX}/payload-schema?variant=native&dialect=2020-12")).send().await.expect(200);
    assert!(!read(&alone.json()).is_valid(&json!({"maxRunTime": 1})));
}

#[tokio::test]
async fn a_revision_is_derived_as_if_it_were_live_alone() {
    let server = Server::local().await;
    server.publish("proj/linux", &two_variants()).await;
    server.publish("proj/linux", &definition()).await;
    let first = server.get(&format!("{LINUX}/payload-schema?revision=1")).send().await.expect(200).json();
    let second =
        server.get(&format!("{LINUX}/payload-schema?revision=2&dialect=draft-07")).send().await.expect(200).json();
    assert!(read(&first).is_valid(&json!({"command": []})) && !read(&second).is_valid(&json!({"command": []})));
    assert_eq!(second["$schema"], "http://json-schema.org/draft-07/schema#");
}

#[tokio::test]
async fn what_an_older_draft_cannot_say_is_refused_with_the_keyword() {
    let server = Server::local().await;
    server.publish("proj/linux", &modern()).await;
    for path in [
        format!("{LINUX}/payload-schema?dialect=draft-07"),
        "/task-schema?workerType=proj/linux&dialect=draft-07".to_owned(),
    ] {
        let problem = server.get(&path).send().await.refused(406, "not-acceptable");
        assert_eq!(problem["keyword"], "minContains", "{problem}");
    }
    // Among all of them, one does not take the others away.
    let all = server.get("/task-schema?dialect=draft-07").send().await.expect(200).json();
    let said = all["allOf"][1]["oneOf"][0]["description"].as_str().unwrap();
    assert!(said.contains("minContains"), "{said}");
    assert!(read(&all).is_valid(&task("proj/linux", &json!({"a": [1]}))));
}

#[tokio::test]
async fn the_task_schema_dispatches_on_the_task_queue_in_both_forms() {
    let server = Server::local().await;
    server.publish("proj/linux", &two_variants()).await;
    server.publish("proj/bare", &json!({"description": "nothing known"})).await;
    let mut native = task("proj/linux", &json!({"command": []}));
    native["scopes"] = json!(["native"]);
    let tasks = [
        (task("proj/linux", &json!({"maxRunTime": 1})), true),
        (task("proj/linux", &json!({"maxRunTime": "1"})), false),
        (task("proj/linux", &json!({"command": []})), false),
        (native, true),
        (task("proj/bare", &json!({"anything": 1})), true),
        (task("proj/unknown", &json!({"anything": 1})), true),
        (task("proj/unknown", &json!([])), false),
    ];
    for query in
        ["", "?form=if-then", "?workerType=proj/linux,proj/bare", "?workerType=proj/linux&form=one-of&dialect=draft-07"]
    {
        let document = server.get(&format!("/task-schema{query}")).send().await.expect(200).json();
        let schema = read(&document);
        for (task, accepted) in &tasks {
            assert_eq!(schema.is_valid(task), *accepted, "{query}: {task}");
        }
    }
}

#[tokio::test]
async fn worker_types_that_are_asked_for_must_be_there() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let problem =
        server.get("/task-schema?workerType=proj/linux,proj/linus").send().await.refused(404, "unknown-worker-type");
    assert_eq!(problem["suggestion"], "proj/linux");
    server.get("/task-schema?workerType=-").send().await.refused(400, "invalid-query");
    server.request(reqwest::Method::DELETE, LINUX).header("if-match", "*").send().await.expect(200);
    server.get("/task-schema?workerType=proj/linux").send().await.refused(410, "deleted");
}

#[tokio::test]
async fn the_index_leads_to_documents_that_never_change() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    server.publish("proj/other", &definition()).await;
    let index = server.get("/schemas").send().await.expect(200);
    let unchanged = server.get("/schemas").header("if-none-match", index.header("etag")).send().await.expect(304);
    assert_eq!(unchanged.header("etag"), index.header("etag"));
    let index = index.json();
    let url = |name: &str| format!("/{}", index["schemas"][name]["url"].as_str().unwrap());
    for (name, same) in [
        ("proj/linux/payload", format!("{LINUX}/payload-schema?dialect=2020-12")),
        ("proj/linux/task", "/task-schema?workerType=proj/linux".to_owned()),
    ] {
        let addressed = server.get(&url(name)).send().await.expect(200);
        assert_eq!(addressed.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(addressed.json(), server.get(&same).send().await.expect(200).json(), "{name}");
        server.get(&url(name)).header("if-none-match", addressed.header("etag")).send().await.expect(304);
    }
    assert_ne!(url("proj/linux/payload"), url("proj/other/payload"));
    server.publish("proj/linux", &described("next")).await;
    let next = server.get("/schemas").send().await.json();
    assert_ne!(next["schemas"]["proj/linux/payload"], index["schemas"]["proj/linux/payload"]);
    assert_eq!(next["schemas"]["proj/other/payload"], index["schemas"]["proj/other/payload"]);
    server.get(&url("proj/linux/payload")).send().await.refused(404, "unknown-schema");
    server.get("/schemas/sha256:0").send().await.refused(400, "invalid-id");
}

#[tokio::test]
async fn the_catalogue_names_files_and_absolute_addresses() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let catalog = server.get("/schema-catalog.json").send().await.expect(200).json();
    assert_eq!(catalog["version"], 1);
    let root = server.running.url();
    let entries = catalog["schemas"].as_array().unwrap();
    assert_eq!(entries.len(), 3);
    for entry in entries {
        let path = entry["url"].as_str().unwrap().strip_prefix(&root).unwrap();
        server.get(&format!("/{path}")).send().await.expect(200);
    }
    assert_eq!(entries[0]["fileMatch"], json!(["*.task.json", "*.task.yml", "*.task.yaml"]));
}

#[tokio::test]
async fn a_caller_sees_the_schemas_of_what_it_may_read() {
    let tokens: &[(&str, &[&str])] =
        &[("one", &["worker-manager:get:proj/linux", "worker-manager:list"]), ("all", &["*"])];
    let server = Given::tokens_and(tokens, &[]).server().await.by(Some("all"));
    server.publish("proj/linux", &definition()).await;
    server.publish("proj/secret", &definition()).await;
    let index = server.get("/schemas").send().await.expect(200).json();
    let server = server.by(Some("one"));
    let all = server.get("/task-schema").send().await.expect(200).text();
    assert!(all.contains("proj/linux") && !all.contains("proj/secret"));
    server.get("/task-schema?workerType=proj/secret").send().await.refused(403, "forbidden");
    let url = |name: &str| format!("/{}", index["schemas"][name]["url"].as_str().unwrap());
    server.get(&url("proj/linux/task")).send().await.expect(200);
    server.get(&url("proj/secret/task")).send().await.refused(403, "forbidden");
}
