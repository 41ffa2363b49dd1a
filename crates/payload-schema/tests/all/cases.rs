//! Small cases after public reports: the verdicts, and the words that an author needs.

use crate::shared;
use payload_schema::{Explanation, Inspection, Limits, Schema, inspect};
use serde_json::Value;
use std::str::FromStr;
use worker_types::{Dialect, Item};

fn cases(kind: &str) -> Vec<Value> {
    let Some(folder) = shared::folder("cases") else { return Vec::new() };
    let all = shared::json(&folder.join("cases.json"));
    all.as_array().unwrap().iter().filter(|case| case["kind"] == kind).cloned().collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn payloads_get_their_verdict_and_the_words_that_help() {
    for case in cases("validate") {
        let id = case["id"].as_str().unwrap();
        let input = &case["input"];
        let dialect = input["dialect"].as_str().map(|name| Dialect::from_str(name).unwrap());
        let schema = Schema::compile(&input["schema"], dialect, &Limits::default()).unwrap();
        let valid = case["expected"]["verdict"] == "valid";
        assert_eq!(schema.is_valid(&input["payload"]), valid, "{id}");
        let explanation = schema.explain(&input["payload"], "/payload", &Limits::default());
        assert_eq!(explanation.errors.is_empty(), valid, "{id}: {explanation:?}");
        if !valid {
            check_words(id, &case["expected"], &explanation);
        }
    }
}

fn check_words(id: &str, expected: &Value, explanation: &Explanation) {
    let errors = &explanation.errors;
    let everything = serde_json::to_string(errors).unwrap().replace(":null", ":");
    let mentioned = |text: &str| everything.contains(text);
    let pointers: Vec<_> = errors.iter().map(|item| item.pointer.as_str()).collect();
    if let Some(path) = expected["instancePath"].as_str() {
        assert!(pointers.contains(&path), "{id}: {pointers:?}");
    }
    if expected["instancePathAnyOf"].is_array() {
        assert!(texts(&expected["instancePathAnyOf"]).iter().any(|path| pointers.contains(path)), "{id}: {pointers:?}");
    }
    let mut keywords = texts(&expected["keywordsAnyOf"]);
    keywords.extend(expected["keyword"].as_str());
    assert!(
        keywords.is_empty() || errors.iter().any(|item| keywords.contains(&item.problem.as_str())),
        "{id}: {errors:?}"
    );
    for text in texts(&expected["mentions"]) {
        assert!(mentioned(text), "{id} mentions {text}: {everything}");
    }
    for text in texts(&expected["mustNotMention"]) {
        assert!(!mentioned(text), "{id} must not mention {text}: {everything}");
    }
    let any = texts(&expected["mentionsAnyOf"]);
    assert!(any.is_empty() || any.iter().any(|text| mentioned(text)), "{id}: {everything}");
    if let Some(count) = expected["errorCount"].as_u64() {
        assert_eq!(errors.len() as u64, count, "{id}: {errors:?}");
    }
    let suggestions: Vec<_> = errors.iter().filter_map(|item| item.suggestion.as_deref()).collect();
    if let Some(suggestion) = expected["suggestion"].as_str() {
        assert!(suggestions.contains(&suggestion), "{id}: {suggestions:?}");
    }
    for suggestion in texts(&expected["suggestionsAnyOrder"]) {
        assert!(suggestions.contains(&suggestion), "{id}: {suggestions:?}");
    }
}

#[test]
fn definitions_get_their_faults_and_warnings_at_their_places() {
    for case in cases("publish") {
        let id = case["id"].as_str().unwrap();
        let mut found = Inspection { errors: Vec::new(), warnings: Vec::new(), dialect: Dialect::Draft07 };
        for (index, variant) in case["input"]["definition"]["variants"].as_array().unwrap().iter().enumerate() {
            let inspection = inspect(&variant["payloadSchema"], None, &Limits::default());
            let prefix = format!("/variants/{index}/payloadSchema");
            found.errors.extend(inspection.errors.into_iter().map(|item| item.below(&prefix)));
            found.warnings.extend(inspection.warnings.into_iter().map(|item| item.below(&prefix)));
        }
        let expected = &case["expected"];
        // What examples say is the gate's business, not the schema's.
        let of_schemas = |problem: &&Value| !problem.to_string().contains("/examples/");
        let problems = expected["problems"].as_array().into_iter().flatten().filter(of_schemas);
        problems.for_each(|problem| find(id, problem, &found.errors));
        expected["warnings"].as_array().into_iter().flatten().for_each(|warning| find(id, warning, &found.warnings));
        if expected["gate"] == "ok" || id.contains("example") {
            assert_eq!(found.errors, [], "{id}");
        }
        for place in texts(&expected["noProblemAt"]).into_iter().chain(texts(&expected["noWarningAt"])) {
            let all = found.errors.iter().chain(&found.warnings);
            assert!(!all.into_iter().any(|item| item.pointer.starts_with(place)), "{id}: {place}");
        }
    }
}

fn find(id: &str, expected: &Value, items: &[Item]) {
    let fits = |item: &&Item| {
        expected["pointer"].as_str().is_none_or(|pointer| item.pointer == pointer)
            && expected["pointerPrefix"].as_str().is_none_or(|prefix| item.pointer.starts_with(prefix))
            && expected["suggestion"].as_str().is_none_or(|meant| item.suggestion.as_deref() == Some(meant))
            && texts(&expected["mentions"]).iter().all(|text| item.message.contains(text))
    };
    assert!(items.iter().any(|item| fits(&item)), "{id}: {expected} is not in {items:#?}");
}
