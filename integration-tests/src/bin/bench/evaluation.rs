//! Evaluating: one payload in process against the bare engine, and a batch over HTTP against a loop that parses and asks.

use crate::report;
use integration_tests::server::Server;
use integration_tests::{http, shared};
use payload_schema::{Evaluator, Input, Limits};
use serde_json::{Value, json};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;
use worker_types::{Bundle, Outcome, Task, content_hash};

const EVALUATIONS: usize = 50_000;
const TASKS: usize = 10_000;

/// A payload schema in the manner of container workers.
fn schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": false, "required": ["image", "maxRunTime"],
        "properties": {
            "image": {"oneOf": [{"type": "string", "minLength": 1}, {"type": "object", "required": ["type", "path"], "additionalProperties": false,
                "properties": {"type": {"enum": ["task-image", "indexed-image"]}, "path": {"type": "string"}, "taskId": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"}}}]},
            "command": {"type": "array", "items": {"type": "string"}},
            "env": {"type": "object", "additionalProperties": {"type": "string"}},
            "cache": {"type": "object", "additionalProperties": {"type": "string"}},
            "maxRunTime": {"type": "integer", "minimum": 1, "maximum": 86400},
            "features": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "artifacts": {"type": "object", "additionalProperties": {"type": "object", "required": ["type", "path"], "additionalProperties": false,
                "properties": {"type": {"enum": ["file", "directory"]}, "path": {"type": "string"}, "expires": {"type": "string", "format": "date-time"}}}},
        },
    })
}

fn payload() -> Value {
    let env: serde_json::Map<String, Value> =
        (0..45).map(|n| (format!("VARIABLE_{n}"), json!(format!("the value of variable {n}")))).collect();
    json!({
        "image": {"type": "task-image", "path": "public/image.tar.zst", "taskId": "fN1SbArXTPSVFNUvaOlinQ"},
        "command": ["/bin/bash", "-cx", "make check"], "env": env, "cache": {"checkouts": "/builds/worker/checkouts"},
        "maxRunTime": 3600, "features": {"taskclusterProxy": true},
        "artifacts": {"public/build": {"type": "directory", "path": "/builds/worker/artifacts", "expires": "2027-11-30T08:00:00.000Z"}},
    })
}

/// Payloads with their schemas: ours of 2.5 kB, and the largest valid one of a real generic worker where the shared data is.
fn subjects() -> Vec<(Value, Value)> {
    let mut subjects = vec![(schema(), payload())];
    let Some((folder, mut payloads)) = shared::corpus("payload") else { return subjects };
    let text = |file: &Value, field: &str| file[field].as_str().unwrap_or_default().to_owned();
    payloads.retain(|file| file["verdict"] == "valid" && text(file, "schema").contains("generic-worker"));
    let read = |file: &Value| {
        (shared::json(&folder.join(text(file, "schema"))), shared::json(&folder.join(text(file, "file"))))
    };
    subjects.extend(payloads.iter().map(read).max_by_key(|(_, payload)| payload.to_string().len()));
    subjects
}

fn bundle(schema: &Value) -> Bundle {
    let hash = content_hash(schema);
    serde_json::from_value(json!({
        "workerTypeId": "bench/evaluate", "generation": 1, "validation": "enforce", "rollout": null,
        "revisions": [{"revision": 1, "contentHash": hash, "validation": "enforce", "acceptance": "any", "lifecycle": {"state": "active"},
            "variants": [{"name": "default", "payloadSchema": {"hash": hash, "dialect": "draft-07"}}]}],
        "schemas": {hash.as_str(): schema},
    }))
    .expect("a bundle")
}

/// Microseconds for one of `count` runs.
fn micros(count: usize, mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..count).for_each(|_| run());
    start.elapsed().as_secs_f64() * 1e6 / count as f64
}

/// The bare engine, with the settings that the service uses.
fn bare(schema: &Value) -> jsonschema::Validator {
    let mut schema = schema.clone();
    // Taskcluster's own metaschema is draft-06; the engine does not know its URL.
    if schema["$schema"].as_str().is_some_and(|uri| uri.starts_with('/')) {
        schema["$schema"] = "http://json-schema.org/draft-06/schema#".into();
    }
    let options =
        jsonschema::options().should_validate_formats(true).with_pattern_options(jsonschema::PatternOptions::regex());
    options.build(&schema).expect("it compiles")
}

/// Both comparisons.
pub fn measure() {
    for (schema, payload) in subjects() {
        one_payload(&schema, &payload);
    }
    batch();
}

fn one_payload(schema: &Value, payload: &Value) {
    let prepared = Evaluator::new(Limits::default(), 10).prepare(Arc::new(bundle(schema))).expect("it compiles");
    let engine = bare(schema);
    let judge = || black_box(prepared.evaluate(Input::Payload(black_box(payload)))).verdict;
    assert_eq!(judge(), Outcome::Valid);
    report::compare(
        &format!("validate in process, a valid payload of {} bytes", payload.to_string().len()),
        "µs",
        "≤ 1.2",
        || micros(EVALUATIONS, || assert_eq!(judge(), Outcome::Valid)),
        || micros(EVALUATIONS, || assert!(black_box(engine.is_valid(black_box(payload))))),
    );
}

fn batch() {
    let engine = bare(&schema());
    let server = Server::dev();
    let definition = json!({"description": "x", "variants": [{"name": "default", "payloadSchema": schema()}]});
    assert_eq!(server.publish("bench/evaluate", &definition).status, 201);
    let line = json!({"taskQueueId": "bench/evaluate", "payload": payload()}).to_string() + "\n";
    let lines = line.repeat(TASKS);
    let url = server.api("/tasks/validate");
    let over_http = || {
        let request = http::request("POST", &url).header("content-type", "application/x-ndjson").body(lines.clone());
        let start = Instant::now();
        let answer = http::send(request);
        let elapsed = start.elapsed();
        assert_eq!(answer.text().matches("\"verdict\":\"valid\"").count(), TASKS);
        TASKS as f64 / elapsed.as_secs_f64()
    };
    let in_a_loop = || {
        let start = Instant::now();
        for line in lines.lines() {
            let task: Value = serde_json::from_str(line).expect("JSON");
            assert!(engine.is_valid(&task["payload"]));
            black_box(Task::normalised(task).is_ok());
        }
        TASKS as f64 / start.elapsed().as_secs_f64()
    };
    report::compare("NDJSON batch of 10,000 tasks over HTTP", "tasks/s", "≥ 0.7", over_http, in_a_loop);
}
