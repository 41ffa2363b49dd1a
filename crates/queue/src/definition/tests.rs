//! The rules on shape: each fault with its place, and agreement with the schema that Taskcluster publishes.

use crate::definition::{MAX_DEPENDENCIES, check};
use crate::testing::{definition, definition_with, task_id};
use payload_schema::{Limits, Schema, create_task_schema};
use serde_json::{Value, json};

fn faults(fields: Value) -> Vec<(String, String, Option<String>)> {
    let items = check(&definition_with(fields)).items;
    items.into_iter().map(|item| (item.problem, item.pointer, item.suggestion)).collect()
}

fn fault(problem: &str, pointer: &str) -> (String, String, Option<String>) {
    (problem.to_owned(), pointer.to_owned(), None)
}

#[test]
fn what_every_task_must_have_is_enough() {
    assert!(check(&definition()).items.is_empty());
    let names: Vec<String> = check(&json!({})).items.into_iter().map(|item| item.message).collect();
    assert_eq!(
        names,
        ["created", "deadline", "payload", "metadata"].map(|name| format!("task must have the field {name:?}"))
    );
    assert_eq!(check(&json!([])).items[0].message, "task must be an object, not an array");
}

#[test]
fn all_faults_are_named_at_once() {
    let wrong = json!({
        "priorty": "low", "priority": "lowst", "retries": 50, "dependencies": ["x"], "routes": ["a", "a", ""],
        "scopes": ["ok", "n\u{f6}"], "tags": {"a": 1, "b/c": "ok"}, "created": "today", "payload": "true", "schedulerId": "a b",
        "projectId": "", "metadata": {"name": "n", "description": 5, "owner": "o", "source": "example.com", "more": 1},
    });
    let suggested =
        |problem: &str, pointer: &str, word: &str| (problem.to_owned(), pointer.to_owned(), Some(word.to_owned()));
    assert_eq!(
        faults(wrong),
        [
            suggested("unknown-field", "/priorty", "priority"),
            fault("invalid-value", "/schedulerId"),
            fault("invalid-value", "/projectId"),
            fault("invalid-value", "/dependencies/0"),
            fault("invalid-value", "/routes/1"),
            fault("invalid-value", "/routes/2"),
            suggested("invalid-value", "/priority", "lowest"),
            fault("invalid-value", "/retries"),
            fault("invalid-value", "/created"),
            fault("invalid-value", "/scopes/1"),
            fault("wrong-type", "/payload"),
            fault("unknown-field", "/metadata/more"),
            fault("wrong-type", "/metadata/description"),
            fault("invalid-value", "/metadata/source"),
            fault("wrong-type", "/tags/a"),
        ]
    );
}

#[test]
fn the_former_priority_is_refused_with_the_one_that_it_became() {
    let items = check(&definition_with(json!({"priority": "normal"}))).items;
    assert_eq!(items[0].suggestion.as_deref(), Some("lowest"));
    assert!(items[0].message.contains("the former normal is lowest now"), "{}", items[0].message);
}

#[test]
fn a_list_of_faults_has_an_end() {
    let wrong: Vec<&str> = vec!["x"; MAX_DEPENDENCIES];
    let faults = check(&definition_with(json!({ "dependencies": wrong })));
    assert_eq!(faults.items.len(), 100);
    assert_eq!(faults.more, 2 * MAX_DEPENDENCIES - 1 - 100);
    let many: Vec<String> = (0..=MAX_DEPENDENCIES).map(|_| task_id().to_string()).collect();
    let items = check(&definition_with(json!({ "dependencies": many }))).items;
    assert_eq!(items[0].message, "task.dependencies has 10001 entries; the limit is 10000");
}

#[test]
fn messages_carry_no_long_values() {
    let items = check(&definition_with(json!({"priority": "x".repeat(5000), "created": "y".repeat(5000)}))).items;
    assert!(items.iter().all(|item| item.message.len() < 300 && item.actual.as_ref().unwrap().len() < 300));
}

/// Values of every kind, at and beyond the bounds of the contract.
fn candidates() -> Vec<Value> {
    let slug = "fN1SbArXTPSVFNUvaOlinQ";
    let texts = [
        "",
        "a",
        "A",
        "-",
        "_",
        "a-",
        "a-b",
        "1a",
        "a b",
        "a/b",
        "a/b/c",
        "A/b",
        "a/B",
        "a.b",
        "\u{e9}",
        "~ !",
        "a\nb",
        "normal",
        "lowest",
        "very-high",
        "all-completed",
        "all-resolved",
        slug,
        "fN1SbArXTPSVFNUvaOlinB",
        "fN1SbArXAPSVFNUvaOlinQ",
        "2027-01-02T03:04:05Z",
        "2027-01-02T03:04:05.678Z",
        "2027-01-02T03:04:05+01:00",
        "2027-01-02T03:04:05",
        "2027-01-02",
        "2027-02-30T03:04:05Z",
        "2027-01-02T25:04:05Z",
        "http://example.com",
        "https://example.com/a?b#c",
        "ssh://git@example.com/x",
        "git@example.com:a/b.git",
        "ftp://example.com",
        "https://[",
        "https://example.com/(",
        "http://",
    ];
    let mut all: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    for length in [38, 39, 249, 250, 255, 256, 500, 501, 4096, 4097, 32_768, 32_769] {
        all.push(json!("a".repeat(length)));
        all.push(json!("\u{1f600}".repeat(length)));
        all.push(json!({"a": "b".repeat(length)}));
        all.push(json!(["a".repeat(length)]));
        all.push(json!(format!("https://example.com/{}", "a".repeat(length - 20))));
    }
    all.extend([
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(5.0),
        json!(49),
        json!(50),
        json!(1e30),
        json!([]),
        json!([""]),
        json!([slug]),
        json!([slug, slug]),
        json!(["a", "a"]),
        json!([1]),
        json!([null]),
        json!({}),
        json!({"a": 1}),
        json!({"a": {}}),
        json!((0..64).map(|n| n.to_string()).collect::<Vec<_>>()),
        json!((0..65).map(|n| n.to_string()).collect::<Vec<_>>()),
    ]);
    all
}

const METADATA: [&str; 5] = ["name", "description", "owner", "source", "unknown"];

/// A good request with each field once of each value, or without one; and which field that is.
fn bodies() -> Vec<(&'static str, Value)> {
    let fields = [
        "taskQueueId",
        "provisionerId",
        "workerType",
        "schedulerId",
        "projectId",
        "taskGroupId",
        "dependencies",
        "requires",
        "routes",
        "priority",
        "retries",
        "created",
        "deadline",
        "expires",
        "scopes",
        "payload",
        "metadata",
        "tags",
        "extra",
        "unknown",
    ];
    let mut bodies = Vec::new();
    for candidate in candidates() {
        for field in fields {
            bodies.push((field, definition_with(json!({ field: candidate.clone() }))));
        }
        for field in METADATA {
            let mut body = definition();
            body["metadata"][field] = candidate.clone();
            bodies.push((field, body));
        }
    }
    for field in ["created", "deadline", "payload", "metadata", "taskQueueId"] {
        let mut body = definition();
        body.as_object_mut().unwrap().remove(field);
        bodies.push((field, body));
    }
    assert!(bodies.len() > 2000);
    bodies
}

fn assert_agreement(accepts: impl Fn(&Value) -> bool, schema_accepts: impl Fn(&Value) -> bool) {
    let bodies = bodies();
    let differing: Vec<String> = bodies
        .iter()
        .filter(|(_, body)| accepts(body) != schema_accepts(body))
        .map(|(field, body)| {
            let value = if METADATA.contains(field) { &body["metadata"][field] } else { &body[field] };
            let ours = check(body).items.into_iter().next().map(|item| item.message);
            format!("{field}: {}: ours {ours:?}", value.to_string().chars().take(80).collect::<String>())
        })
        .collect();
    assert!(differing.is_empty(), "{} of {}:\n{}", differing.len(), bodies.len(), differing.join("\n"));
}

#[test]
fn the_rules_agree_with_the_schema_that_taskcluster_publishes() {
    let Some(schema) = crate::tests::contract::schema("create-task-request") else { return };
    assert_agreement(|body| check(body).items.is_empty(), |body| schema.is_valid(body));
}

#[test]
fn the_rules_agree_with_the_schema_that_effective_task_schemas_stand_on() {
    let schema = Schema::compile(create_task_schema(), None, &Limits::default()).unwrap();
    // That a task names its queue at all is asked a step later.
    let accepts = |body: &Value| {
        let named = body.get("taskQueueId").is_some();
        check(body).items.is_empty() && (named || body.get("provisionerId").and(body.get("workerType")).is_some())
    };
    assert_agreement(accepts, |body| schema.is_valid(body));
}
