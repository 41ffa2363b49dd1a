//! Faults that were reported of other systems: the verdicts of the `validate` and `task` cases, the gate of the `publish` cases.

use integration_tests::server::Server;
use integration_tests::{http, shared};
use serde_json::{Value, json};

/// Cases whose expectation is a choice that this project makes otherwise: none.
const OTHERWISE: &[&str] = &[];

fn each(kind: &str, check: impl Fn(&Server, usize, &Value) -> Result<(), String>) {
    let Some(cases) = shared::cases(kind) else { return };
    let server = Server::dev();
    let run = |(index, case): (usize, &Value)| {
        let id = case["id"].as_str().unwrap_or_default();
        let outcome = check(&server, index, case);
        outcome.err().filter(|_| !OTHERWISE.contains(&id)).map(|words| format!("{id}: {words}"))
    };
    let wrong: Vec<String> = cases.iter().enumerate().filter_map(run).collect();
    assert!(!cases.is_empty());
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

fn same(expected: &Value, found: &Value, whole: &Value) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("expected {expected}, found {found} in {whole}")) }
}

/// The errors of a verdict are at the place, by the keyword, and in the words that a case asks for.
fn words(expected: &Value, verdict: &Value) -> Result<(), String> {
    let errors = &verdict["errors"];
    // Fields that are empty say nothing.
    let said = errors.to_string().replace(":null", ":");
    let texts = |name: &str| -> Vec<String> {
        expected[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let has = |field: &str, wanted: &str| {
        errors.as_array().is_some_and(|items| items.iter().any(|item| item[field] == wanted))
    };
    for (name, field) in [("instancePath", "pointer"), ("keyword", "problem"), ("suggestion", "suggestion")] {
        if expected[name].as_str().is_some_and(|wanted| !has(field, wanted)) {
            return Err(format!("no {field} is {} in {said}", expected[name]));
        }
    }
    for (name, field) in [("instancePathAnyOf", "pointer"), ("keywordsAnyOf", "problem")] {
        let wanted = texts(name);
        if !wanted.is_empty() && !wanted.iter().any(|wanted| has(field, wanted)) {
            return Err(format!("no {field} is one of {wanted:?} in {said}"));
        }
    }
    if let Some(missing) = texts("suggestionsAnyOrder").iter().find(|wanted| !has("suggestion", wanted)) {
        return Err(format!("{missing} is not suggested in {said}"));
    }
    if let Some(missing) = texts("mentions").iter().find(|text| !said.contains(text.as_str())) {
        return Err(format!("{missing} is not said in {said}"));
    }
    if let Some(unwanted) = texts("mustNotMention").iter().find(|text| said.contains(text.as_str())) {
        return Err(format!("{unwanted} is said in {said}"));
    }
    Ok(())
}

#[test]
fn validate_cases_get_their_verdict() {
    each("validate", |server, index, case| {
        let id = format!("cases/v{index}");
        let mut variant = json!({"name": "default", "payloadSchema": case["input"]["schema"]});
        if !case["input"]["dialect"].is_null() {
            variant["dialect"] = case["input"]["dialect"].clone();
        }
        let published = server.publish(&id, &json!({"description": "A case", "variants": [variant]}));
        if published.status != 201 {
            return Err(format!("refused: {}", published.text()));
        }
        let body = json!({"payload": case["input"]["payload"]});
        let verdict = http::post(&server.api(&format!("/worker-types/{id}/validate")), &body).json();
        same(&case["expected"]["verdict"], &verdict["verdict"], &verdict)?;
        words(&case["expected"], &verdict)
    });
}

#[test]
fn task_cases_get_their_verdict() {
    each("task", |server, _, case| {
        let id = case["input"]["workerTypeId"].as_str().unwrap_or_default();
        let published = server.publish(id, &case["input"]["definition"]);
        if !matches!(published.status, 200 | 201) {
            return Err(format!("refused: {}", published.text()));
        }
        let line = case["input"]["task"].to_string() + "\n";
        let request = http::request("POST", &server.api("/tasks/validate"))
            .header("content-type", "application/x-ndjson")
            .body(line);
        let verdict: Value = serde_json::from_slice(&http::send(request).bytes).map_err(|error| error.to_string())?;
        same(&case["expected"]["verdict"], &verdict["verdict"], &verdict)?;
        if !case["expected"]["variants"].is_null() {
            same(&case["expected"]["variants"], &verdict["variants"], &verdict)?;
        }
        words(&case["expected"], &verdict)
    });
}

#[test]
fn publish_cases_get_their_gate() {
    each("publish", |server, index, case| {
        let definition = &case["input"]["definition"];
        let published = server.publish(&format!("cases/p{index}"), definition);
        let gate = if published.status == 201 { "ok" } else { "rejected" };
        let body = published.json();
        same(&case["expected"]["gate"], &gate.into(), &body)?;
        let checked =
            http::post(&server.api(&format!("/worker-types/cases/p{index}/check")), &json!({"definition": definition}))
                .json();
        same(&(gate == "ok").into(), &checked["gate"]["ok"], &checked)?;
        for (wanted, found) in [("problems", &body["errors"]), ("warnings", &checked["gate"]["warnings"])] {
            for expected in case["expected"][wanted].as_array().into_iter().flatten() {
                if !found.as_array().is_some_and(|items| items.iter().any(|item| fits(item, expected))) {
                    return Err(format!("no item fits {expected} in {found}"));
                }
            }
        }
        for (unwanted, found) in [("noProblemAt", &body["errors"]), ("noWarningAt", &checked["gate"]["warnings"])] {
            for pointer in case["expected"][unwanted].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let at = |item: &Value| item["pointer"].as_str().is_some_and(|found| found.starts_with(pointer));
                if found.as_array().is_some_and(|items| items.iter().any(at)) {
                    return Err(format!("an item stands at {pointer} in {found}"));
                }
            }
        }
        Ok(())
    });
}

/// Whether an item is what a case asks for.
fn fits(item: &Value, expected: &Value) -> bool {
    let pointer = item["pointer"].as_str().unwrap_or_default();
    let at = expected["pointer"].as_str().is_none_or(|wanted| pointer == wanted);
    let below = expected["pointerPrefix"].as_str().is_none_or(|wanted| pointer.starts_with(wanted));
    let suggestion = expected["suggestion"].is_null() || expected["suggestion"] == item["suggestion"];
    let text = item.to_string();
    let mentions =
        expected["mentions"].as_array().into_iter().flatten().filter_map(Value::as_str).all(|word| text.contains(word));
    at && below && suggestion && mentions
}
