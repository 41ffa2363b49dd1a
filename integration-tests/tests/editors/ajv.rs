//! Another engine on the published documents: over the real payloads and tasks its verdict is the service's.

use super::node;
use integration_tests::server::Server;
use integration_tests::{http, shared};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Where ajv is known to err, as `file` and what it says: none on these.
const FAULTS: &[(&str, bool)] = &[];

/// One worker type for each distinct schema of `files`: schema path → worker type id.
fn publish_all(server: &Server, kind: &str, place: &str) -> Option<Vec<(String, String, Value)>> {
    let (folder, files) = shared::corpus(kind)?;
    let mut ids = BTreeMap::new();
    let mut values = Vec::new();
    for file in &files {
        let schema = file["schema"].as_str().unwrap();
        let next = format!("{kind}/w{}", ids.len());
        let id = ids.entry(schema.to_owned()).or_insert(next).clone();
        let definition = json!({"description": schema, "validation": "enforce",
            "variants": [{"name": "default", place: shared::json(&folder.join(schema))}]});
        assert!(matches!(server.publish(&id, &definition).status, 200 | 201), "{schema}");
        let name = file["file"].as_str().unwrap();
        values.push((name.to_owned(), id, shared::json(&folder.join(name))));
    }
    Some(values)
}

/// Holds each worker type's values against its document, in both drafts, and against the service.
fn compare(server: &Server, values: &[(String, String, Value)], word: &str, document: impl Fn(&str, &str) -> String) {
    let mut by_id: BTreeMap<&str, Vec<&(String, String, Value)>> = BTreeMap::new();
    for value in values {
        by_id.entry(&value.1).or_default().push(value);
    }
    let verdict = |id: &str, value: &Value| {
        let url = server.api(&format!("/worker-types/{id}/validate"));
        http::post(&url, &json!({word: value})).expect(200).json()["verdict"] != "invalid"
    };
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for dialect in ["2020-12", "draft-07"] {
        for (id, values) in &by_id {
            let schema = http::get(&server.api(&document(id, dialect))).expect(200).json();
            let list: Vec<&Value> = values.iter().map(|(_, _, value)| value).collect();
            cases.push(json!({"schema": schema, "values": list}));
            expected
                .push((dialect, values.iter().map(|(name, id, value)| (name, verdict(id, value))).collect::<Vec<_>>()));
        }
    }
    let answers = node::ask("ajv.mjs", &Value::from(cases));
    let mut differing = Vec::new();
    for (answer, (dialect, expected)) in answers.as_array().unwrap().iter().zip(&expected) {
        let Some(verdicts) = answer.as_array() else { panic!("{dialect} {:?}: {answer}", expected[0].0) };
        for (said, (name, accepted)) in verdicts.iter().zip(expected) {
            let known = FAULTS.iter().any(|(file, says)| file == name && said == says);
            if said != accepted && !known {
                differing.push(format!("{name} in {dialect}: the service says {accepted}, ajv {said}"));
            }
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    println!("{} values of {} worker types, each in two drafts", values.len(), by_id.len());
}

#[test]
fn ajv_gives_the_services_verdict_on_every_real_payload() {
    if !node::is_there() {
        return;
    }
    let server = Server::dev();
    let Some(payloads) = publish_all(&server, "payload", "payloadSchema") else { return };
    assert_eq!(payloads.len(), 254);
    compare(&server, &payloads, "payload", |id, dialect| {
        format!("/worker-types/{id}/payload-schema?dialect={dialect}")
    });
}

/// The tasks of the corpus are fragments: what every task has is filled in, and names that no queue takes are replaced.
fn whole(fragment: &Value, id: &str) -> Value {
    let mut task = integration_tests::task::task(id, &fragment["payload"]);
    let count = fragment["dependencies"].as_array().map_or(0, Vec::len);
    if count > 0 {
        task["dependencies"] = (0..count).map(|index| json!(format!("AAAAAAA{index}QACAAAAAAAAAAA"))).collect();
    }
    for name in ["scopes", "extra", "tags"].into_iter().filter(|name| fragment.get(name).is_some()) {
        task[name] = fragment[name].clone();
    }
    task
}

#[test]
fn ajv_gives_the_services_verdict_on_every_real_task_by_one_document_for_all() {
    if !node::is_there() {
        return;
    }
    let server = Server::dev();
    let Some(tasks) = publish_all(&server, "task", "taskSchema") else { return };
    let tasks: Vec<_> =
        tasks.into_iter().map(|(name, id, fragment)| (name, id.clone(), whole(&fragment, &id))).collect();
    assert_eq!(tasks.len(), 34);
    compare(&server, &tasks, "task", |_, dialect| format!("/task-schema?dialect={dialect}"));
    compare(&server, &tasks, "task", |id, dialect| {
        format!("/task-schema?workerType={id}&form=if-then&dialect={dialect}")
    });
}

#[test]
fn ajv_takes_one_document_over_every_real_schema() {
    if !node::is_there() {
        return;
    }
    let server = Server::dev();
    let Some((folder, schemas)) = shared::corpus("payload-schema") else { return };
    for (index, file) in schemas.iter().enumerate() {
        let place = if file["level"] == "task" { "taskSchema" } else { "payloadSchema" };
        let name = file["file"].as_str().unwrap();
        let variant = json!({"name": "default", place: shared::json(&folder.join(name))});
        server.publish(&format!("real/w{index}"), &json!({"description": name, "variants": [variant]})).expect(201);
    }
    let documents: Vec<Value> = ["one-of&dialect=2020-12", "if-then&dialect=draft-07"]
        .iter()
        .map(|query| http::get(&server.api(&format!("/task-schema?form={query}"))).expect(200).json())
        .map(|schema| json!({"schema": schema, "values": [integration_tests::task::task("real/unknown", &json!({}))]}))
        .collect();
    // Patterns too, in ECMAScript's strict mode, which refuses 29 of them as their authors wrote them.
    assert_eq!(node::ask("ajv.mjs", &Value::from(documents)), json!([[true], [true]]));
}
