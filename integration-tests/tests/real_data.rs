//! Real schemas, payloads and tasks, end to end.

use integration_tests::server::Server;
use integration_tests::{http, shared, task};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Schemas of the corpus that are rightly refused: none. A schema that stops publishing fails the test.
const REFUSED: &[(&str, &str)] = &[];

fn variant_of(file: &Value, schema: &Value) -> Value {
    let place = if file["level"] == "task" { "taskSchema" } else { "payloadSchema" };
    json!({"name": "default", place: schema})
}

#[test]
fn every_real_schema_and_every_revision_of_it_publishes() {
    let Some((folder, schemas)) = shared::corpus("payload-schema") else { return };
    let Some((_, history)) = shared::corpus("history") else { return };
    let server = Server::dev();
    let mut wrong = Vec::new();
    for (index, file) in schemas.iter().chain(&history).enumerate() {
        let name = file["file"].as_str().unwrap();
        let definition =
            json!({"description": name, "variants": [variant_of(file, &shared::json(&folder.join(name)))]});
        let answer = server.publish(&format!("real/w{index}"), &definition);
        let expected = REFUSED.iter().find(|(refused, _)| *refused == name);
        match (answer.status, expected) {
            (201, None) => {}
            (422, Some((_, reason))) if answer.text().contains(reason) => {}
            _ => wrong.push(format!("{name}: {} {}", answer.status, answer.text())),
        }
    }
    assert!(schemas.len() >= 60 && history.len() >= 200, "the corpus is smaller than it was");
    assert!(wrong.is_empty(), "{} schemas:\n{}", wrong.len(), wrong.join("\n"));
}

/// One worker type for each distinct schema of `files`, in enforce mode: schema path → worker type id.
fn publish_all(server: &Server, folder: &Path, files: &[Value], place: &str) -> BTreeMap<String, String> {
    let mut ids = BTreeMap::new();
    for file in files {
        let schema = file["schema"].as_str().unwrap();
        let next = format!("real/w{}", ids.len());
        let id = ids.entry(schema.to_owned()).or_insert(next).clone();
        let definition = json!({"description": schema, "validation": "enforce",
            "variants": [{"name": "default", place: shared::json(&folder.join(schema))}]});
        assert!(matches!(server.publish(&id, &definition).status, 200 | 201), "{schema}");
    }
    ids
}

#[test]
fn every_real_payload_gets_its_verdict_at_create_task_and_at_validate() {
    let Some((folder, payloads)) = shared::corpus("payload") else { return };
    let server = Server::dev();
    let ids = publish_all(&server, &folder, &payloads, "payloadSchema");
    let mut wrong = Vec::new();
    for file in &payloads {
        let name = file["file"].as_str().unwrap();
        let id = &ids[file["schema"].as_str().unwrap()];
        let payload = shared::json(&folder.join(name));
        let task = task::task(id, &payload);
        let created = http::send(http::with_json("PUT", &server.queue(&format!("/task/{}", task::task_id())), &task));
        let as_payload =
            http::post(&server.api(&format!("/worker-types/{id}/validate")), &json!({"payload": payload})).json();
        let as_task = http::post(&server.api(&format!("/worker-types/{id}/validate")), &json!({"task": task})).json();
        let expected = if file["verdict"] == "valid" { (200, "valid") } else { (400, "invalid") };
        let found = (created.status, created.header("payload-verdict"), &as_payload["verdict"], &as_task["verdict"]);
        let right =
            created.status == expected.0 && as_payload["verdict"] == expected.1 && as_task["verdict"] == expected.1;
        let told =
            created.status == 200 || created.json()["errors"].as_array().is_some_and(|errors| !errors.is_empty());
        if !right || !told {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?} {}", created.text()));
        }
    }
    assert!(payloads.len() >= 250, "the corpus is smaller than it was");
    assert!(wrong.is_empty(), "{} payloads:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_real_task_gets_its_verdict_at_validate() {
    let Some((folder, tasks)) = shared::corpus("task") else { return };
    let server = Server::dev();
    let ids = publish_all(&server, &folder, &tasks, "taskSchema");
    let mut wrong = Vec::new();
    for file in &tasks {
        let name = file["file"].as_str().unwrap();
        let id = &ids[file["schema"].as_str().unwrap()];
        let body = json!({"task": shared::json(&folder.join(name))});
        let verdict = http::post(&server.api(&format!("/worker-types/{id}/validate")), &body).json();
        if verdict["verdict"] != file["verdict"] {
            wrong.push(format!(
                "{name}: expected {}, found {verdict}; the index says {}",
                file["verdict"], file["errors"]
            ));
        }
    }
    assert!(tasks.len() >= 30, "the corpus is smaller than it was");
    assert!(wrong.is_empty(), "{} tasks:\n{}", wrong.len(), wrong.join("\n"));
}
