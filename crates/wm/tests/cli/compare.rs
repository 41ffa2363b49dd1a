//! `wm compare`: two schemas, no server.

use crate::given::{Said, wm_in};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// A folder with `old.yml` and `new.json`.
fn given(old: &str, new: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    fs::write(folder.path().join("old.yml"), old).expect("there is room");
    fs::write(folder.path().join("new.json"), new).expect("there is room");
    folder
}

fn compare(folder: &TempDir, more: &[&str]) -> Said {
    wm_in(folder.path(), &[&["compare", "old.yml", "new.json"], more].concat())
}

const OLD: &str = "type: object\nrequired: [command]\nproperties:\n  command: {type: array, items: {type: string}}\n  maxRunTime:\n    description: in seconds\n    type: integer\n    maximum: 86400\n";

#[test]
fn what_stays_accepted_is_said_and_what_loosens_is_shown() {
    let folder = given(
        OLD,
        r#"{"type": "object", "required": ["command"], "properties": {
        "command": {"type": "array", "items": {"type": "string"}},
        "maxRunTime": {"description": "in seconds", "type": "integer", "maximum": 90000}}}"#,
    );
    let said = compare(&folder, &[]);
    assert_eq!(said.status, 0, "{said:?}");
    insta::assert_snapshot!("compare-compatible", said.out);
}

#[test]
fn what_breaks_comes_with_a_witness_and_both_places() {
    let folder = given(
        OLD,
        r#"{"type": "object", "required": ["command", "image"], "properties": {
        "command": {"type": "array", "items": {"type": "string"}},
        "image": {"type": "string"},
        "maxRunTime": {"type": "integer", "maximum": 3600}}}"#,
    );
    let said = compare(&folder, &[]);
    assert_eq!(said.status, 1, "{said:?}");
    insta::assert_snapshot!("compare-breaking", said.out);
    let said = compare(&folder, &["--output", "json"]);
    let report: worker_types::Compatibility = serde_json::from_str(&said.out).unwrap();
    assert_eq!((said.status, report.verdict.as_str()), (1, "breaking"));
    let witness = report.witness.unwrap();
    let accepts = |schema: &Value| jsonschema::validator_for(schema).unwrap().is_valid(&witness);
    let old: Value = serde_json::from_str(
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["command"], "properties": {
            "command": {"type": "array", "items": {"type": "string"}}, "maxRunTime": {"type": "integer", "maximum": 86400}}}"#,
    )
    .unwrap();
    let new: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("new.json")).unwrap()).unwrap();
    assert!(accepts(&old) && !accepts(&new), "another engine agrees on {witness}");
}

#[test]
fn what_is_no_schema_is_a_fault_of_its_file() {
    let folder = given("type: objekt\n", "{}");
    let said = compare(&folder, &[]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("old.yml:1:7:"), "{}", said.err);
    let folder = given("{}", "{\"$ref\": \"#/definitions/gone\"}");
    let said = compare(&folder, &[]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("new.json:1:"), "{}", said.err);
    assert_eq!(wm_in(folder.path(), &["compare", "none.json", "new.json"]).status, 2);
    assert_eq!(compare(&folder, &["--dialect", "draft-05"]).status, 2);
}

#[test]
fn a_definition_is_not_taken_for_a_schema() {
    let folder = given(OLD, r#"{"description": "x", "variants": [{"name": "a"}]}"#);
    let said = compare(&folder, &[]);
    assert_eq!((said.status, said.out.as_str()), (2, ""), "{said:?}");
    assert!(said.err.contains("new.json:1:22: this is a definition"), "{}", said.err);
}
