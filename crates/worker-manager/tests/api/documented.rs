//! Holds what the service answers against its OpenAPI document.

use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&service::openapi_text(&worker_manager::openapi_document())).unwrap());

static VALIDATORS: LazyLock<Mutex<BTreeMap<String, jsonschema::Validator>>> = LazyLock::new(Mutex::default);

const PREFIX: &str = "/api/worker-manager/v1";

/// The documented answer to a request, with the name of the operation; none for what no documented route takes.
fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    let path = path.replace("%2F", "/").replace("%2f", "/");
    let below = path.strip_prefix(PREFIX)?;
    let method = if *method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
    let matches = |template: &str| {
        let (template, given): (Vec<&str>, Vec<&str>) = (template.split('/').collect(), below.split('/').collect());
        template.len() == given.len()
            && template.iter().zip(&given).all(|(part, text)| part.starts_with('{') || part == text)
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    // A template without parameters goes before one with them.
    let exact = paths.get(below).into_iter();
    let fitting = exact.chain(paths.iter().filter(|(template, _)| matches(template)).map(|(_, item)| item));
    fitting.filter_map(|item| item.get(&method)).next()
}

/// Fails when the answer is not documented, or when its body is not what is documented.
pub fn check(method: &Method, path: &str, status: u16, media: Option<&str>, body: &[u8]) {
    let Some(operation) = operation(method, path) else { return };
    let id = operation["operationId"].as_str().unwrap();
    record(id, status, body);
    if status >= 400 && *method == Method::HEAD {
        return;
    }
    let Some(answer) = operation["responses"].get(status.to_string()) else {
        panic!("{id} answered {status}, which is not documented: {}", String::from_utf8_lossy(body));
    };
    let media = media.map(|media| media.split(';').next().unwrap());
    if media == Some("application/problem+json") {
        let problem: Value = serde_json::from_slice(body).unwrap();
        let documented = answer["x-problems"].as_array().unwrap();
        assert!(documented.contains(&problem["problem"]), "{id} refused with {problem}, which is not documented");
    }
    let (Some(media), false) = (media, *method == Method::HEAD) else { return };
    if let Some(name) = answer["content"][media]["schema"]["$ref"].as_str() {
        conforms(name, body, id);
    }
}

fn conforms(reference: &str, body: &[u8], id: &str) {
    let value: Value = serde_json::from_slice(body).unwrap();
    // A test that failed here leaves the map as it was.
    let mut validators = VALIDATORS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let validator = validators.entry(reference.to_owned()).or_insert_with(|| {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": reference, "components": DOCUMENT["components"],
        });
        jsonschema::validator_for(&schema).unwrap()
    });
    let faults: Vec<String> =
        validator.iter_errors(&value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{id}: the body is not {reference}: {faults:?}\n{value:#}");
}

/// Notes what was exercised, where a run asks for it.
fn record(id: &str, status: u16, body: &[u8]) {
    let Some(file) = std::env::var_os("WM_API_COVERAGE") else { return };
    let problem =
        serde_json::from_slice::<Value>(body).ok().and_then(|body| Some(body["problem"].as_str()?.to_owned()));
    let line = format!("{id} {status} {}\n", problem.unwrap_or_default());
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
    std::io::Write::write_all(&mut file, line.as_bytes()).unwrap();
}
