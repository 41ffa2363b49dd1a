//! docs/reference/api.md is generated from the OpenAPI documents under schemas/. `UPDATE_GOLDEN=1` writes it.

use integration_tests::shared;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const SERVICES: [(&str, &str); 2] =
    [("worker-manager", "worker-manager-openapi.json"), ("queue", "queue-openapi.json")];
const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn the_api_reference_is_fresh() {
    let mut text = "# API\n\n<!-- Generated from the OpenAPI documents under schemas/. -->\n\n\
        Each service serves its OpenAPI 3.1 document at `/openapi.json` below its prefix. Ids of worker types may be sent as two path segments or as one \
        (`proj%2Flinux`). Refusals are described in [problems](problems.md).\n"
        .to_owned();
    for (service, file) in SERVICES {
        let document = shared::json(&root().join("schemas").join(file));
        let prefix = document["servers"][0]["url"].as_str().unwrap();
        write!(
            text,
            "\n## {service}: `{prefix}`\n\n{}\n",
            document["info"]["description"].as_str().unwrap_or_default()
        )
        .unwrap();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for method in METHODS.iter().filter(|method| operations[**method].is_object()) {
                operation(&mut text, method, path, &operations[*method]);
            }
        }
    }
    let page = root().join("docs/reference/api.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&page, &text).unwrap();
    }
    let written = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(
        written == text,
        "docs/reference/api.md is stale: UPDATE_GOLDEN=1 cargo test -p integration-tests api_reference"
    );
}

fn operation(text: &mut String, method: &str, path: &str, operation: &Value) {
    write!(text, "\n### {} {path}\n\n{}", method.to_uppercase(), operation["summary"].as_str().unwrap_or_default())
        .unwrap();
    if let Some(more) = operation["description"].as_str().filter(|more| !more.is_empty()) {
        write!(text, "\n\n{more}").unwrap();
    }
    let scopes: Vec<&str> =
        operation["x-required-scopes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !scopes.is_empty() {
        write!(text, "\n\nScope: `{}`", scopes.join("`, `")).unwrap();
    }
    text.push_str("\n\n");
    let parameters: Vec<&Value> =
        operation["parameters"].as_array().into_iter().flatten().filter(|p| p["in"] != "path").collect();
    if !parameters.is_empty() {
        text.push_str("| parameter | in | what |\n|---|---|---|\n");
        for parameter in parameters {
            let words = parameter["description"].as_str().unwrap_or_default().replace('\n', " ");
            writeln!(
                text,
                "| `{}` | {} | {words} |",
                parameter["name"].as_str().unwrap_or_default(),
                parameter["in"].as_str().unwrap_or_default()
            )
            .unwrap();
        }
        text.push('\n');
    }
    text.push_str("| status | what |\n|---|---|\n");
    for (status, answer) in operation["responses"].as_object().unwrap() {
        writeln!(text, "| {status} | {} |", answer["description"].as_str().unwrap_or_default().replace('\n', " "))
            .unwrap();
    }
}
