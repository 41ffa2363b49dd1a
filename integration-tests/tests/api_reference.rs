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
                operation(&mut text, &document, method, path, &operations[*method]);
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

fn operation(text: &mut String, document: &Value, method: &str, path: &str, operation: &Value) {
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
            let (name, place) = (parameter["name"].as_str().unwrap(), parameter["in"].as_str().unwrap());
            let words = words(document, parameter, &parameter["schema"]);
            writeln!(text, "| `{name}` | {place} | {words} |").unwrap();
        }
        text.push('\n');
    }
    body(text, document, &operation["requestBody"]);
    text.push_str("| status | what |\n|---|---|\n");
    for (status, answer) in operation["responses"].as_object().unwrap() {
        writeln!(text, "| {status} | {} |", answer["description"].as_str().unwrap_or_default().replace('\n', " "))
            .unwrap();
    }
}

fn body(text: &mut String, document: &Value, body: &Value) {
    let Some((media, content)) = body["content"].as_object().and_then(|content| content.iter().next()) else { return };
    writeln!(text, "Body, `{media}`: {}\n", body["description"].as_str().unwrap()).unwrap();
    let schema = resolved(document, &content["schema"]);
    let Some(members) = schema["properties"].as_object() else { return };
    text.push_str("| member | what |\n|---|---|\n");
    for (name, member) in members {
        let is_required =
            schema["required"].as_array().is_some_and(|required| required.contains(&name.as_str().into()));
        let required = if is_required { " (required)" } else { "" };
        writeln!(text, "| `{name}`{required} | {} |", words(document, member, member)).unwrap();
    }
    text.push('\n');
}

/// What is said of it, or else of what it refers to; and its values, where it has a few.
fn words(document: &Value, described: &Value, schema: &Value) -> String {
    let target = resolved(document, schema);
    let words = described["description"].as_str().or(target["description"].as_str()).unwrap_or_default();
    let words = words.trim().replace('\n', " ").replace('|', "\\|");
    // One schema for each value is how an enumeration whose values are described is written.
    let each = target["oneOf"].as_array().into_iter().flatten().flat_map(|one| one["enum"].as_array());
    let values = target["enum"].as_array().into_iter().chain(each).flatten().filter_map(Value::as_str);
    let values: Vec<String> = values.map(|value| format!("`{value}`")).collect();
    match (words.is_empty(), values.is_empty()) {
        (_, true) => words,
        (true, false) => values.join(", "),
        (false, false) => format!("{}: {}", words.trim_end_matches('.'), values.join(", ")),
    }
}

fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    let name = schema["$ref"].as_str().and_then(|target| target.strip_prefix("#/components/schemas/"));
    name.map_or(schema, |name| &document["components"]["schemas"][name])
}
