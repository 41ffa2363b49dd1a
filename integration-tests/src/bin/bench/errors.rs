//! Invalid payloads with explained errors, against ajv's `allErrors` on the same ones: ajv names every rule that every
//! branch breaks, without words of ours, without suggestions and without a choice among branches.

use crate::report;
use integration_tests::shared;
use payload_schema::{Limits, Schema};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 300;

/// A schema with the payloads that it refuses.
struct Subject {
    json: Value,
    schema: Schema,
    payloads: Vec<Value>,
}

/// Every invalid payload of the corpus, and of each valid one some with one member misspelt, missing, or of another type.
fn subjects() -> Option<Vec<Subject>> {
    let (folder, entries) = shared::corpus("payload")?;
    let mut subjects: BTreeMap<String, Subject> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let [file, schema] = ["file", "schema"].map(|field| entry[field].as_str().unwrap_or_default());
        let subject = subjects.entry(schema.to_owned()).or_insert_with(|| {
            let json = shared::json(&folder.join(schema));
            let schema = Schema::compile(&json, None, &Limits::default()).expect("a schema of the corpus compiles");
            Subject { json, schema, payloads: Vec::new() }
        });
        let payload = shared::json(&folder.join(file));
        let spoilt = [&payload].into_iter().cloned().chain(spoilt(&payload, index));
        subject.payloads.extend(spoilt.filter(|payload| !subject.schema.is_valid(payload)));
    }
    Some(subjects.into_values().collect())
}

/// The payload with one of its members spoilt in three ways.
fn spoilt(payload: &Value, seed: usize) -> Vec<Value> {
    let Some(members) = payload.as_object().filter(|members| !members.is_empty()) else { return Vec::new() };
    let Some((name, value)) = members.iter().nth(seed % members.len()) else { return Vec::new() };
    let mut without = members.clone();
    without.shift_remove(name);
    let with = |name: String, value: Value| {
        let mut changed = without.clone();
        changed.insert(name, value);
        Value::Object(changed)
    };
    let other = if value.is_string() { json!(5) } else { json!("text") };
    vec![Value::Object(without.clone()), with(format!("{name}e"), value.clone()), with(name.clone(), other)]
}

/// Microseconds that all payloads take once.
fn ours(subjects: &[Subject]) -> f64 {
    let limits = Limits::default();
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for Subject { schema, payloads, .. } in subjects {
            for payload in payloads {
                if !schema.is_valid(black_box(payload)) {
                    black_box(schema.explain(payload, "/payload", &limits));
                }
            }
        }
    }
    start.elapsed().as_secs_f64() * 1e6 / ROUNDS as f64
}

/// The same of ajv; none where the packages from npm are not installed.
fn ajv(input: &str) -> Option<f64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/ajv-errors.mjs");
    let mut node = Command::new("node");
    node.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = node.spawn().ok()?;
    // A script that cannot load ajv ends without reading.
    let _ = child.stdin.take()?.write_all(input.as_bytes());
    let output = child.wait_with_output().ok()?;
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).ok()?;
    assert!(answers.iter().all(|answer| answer["errors"].as_u64() > Some(0)), "ajv takes what the service refuses");
    Some(answers.iter().filter_map(|answer| answer["micros"].as_f64()).sum())
}

/// The comparison.
pub fn measure() {
    let Some(subjects) = subjects() else { return };
    let cases: Vec<Value> =
        subjects.iter().map(|subject| json!({"schema": subject.json, "payloads": subject.payloads})).collect();
    let input = json!({"rounds": ROUNDS, "cases": cases}).to_string();
    if ajv(&input).is_none() {
        println!("skipped: explained errors against ajv (WM_TEST_NODE_FOLDER names no packages from npm)");
        return;
    }
    let count: usize = subjects.iter().map(|subject| subject.payloads.len()).sum();
    report::compare(
        &format!("{count} invalid payloads explained, in process, against ajv"),
        "µs",
        "≤ 2",
        || ours(&subjects),
        || ajv(&input).expect("it ran before"),
    );
}
