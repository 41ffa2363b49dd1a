//! Examples that are made from a schema: accepted, and worth reading.

use crate::shared;
use payload_schema::{Fullness, Limits, Schema, example};
use serde_json::{Value, json};
use worker_types::Dialect;

fn made(schema: &Value, fullness: Fullness) -> Value {
    let limits = Limits::default();
    let value = example(schema, Dialect::Draft07, fullness, &limits).unwrap_or_else(|| panic!("none for {schema}"));
    assert!(Schema::compile(schema, Some(Dialect::Draft07), &limits).unwrap().is_valid(&value), "{schema}: {value}");
    value
}

#[test]
fn every_real_schema_has_a_minimal_and_a_full_example() {
    let Some(folder) = shared::folder("data/taskcluster/payload-schemas") else { return };
    for file in shared::json_files(&folder) {
        let schema = shared::json(&file);
        let (minimal, full) = (made(&schema, Fullness::Minimal), made(&schema, Fullness::Full));
        assert!(minimal.to_string().len() <= full.to_string().len(), "{}: {minimal} {full}", file.display());
        println!("{}\n  {minimal}\n  {full}", file.display());
    }
}

#[test]
fn an_example_shows_what_the_author_gave() {
    let schema = json!({"type": "object", "required": ["image", "n", "more"], "properties": {
        "image": {"type": "string", "examples": ["ubuntu:24.04"]}, "n": {"type": "integer", "minimum": 3, "multipleOf": 2},
        "optional": {"type": "boolean", "default": true},
        "more": {"$ref": "#/definitions/list"}}, "definitions": {"list": {"type": "array", "minItems": 1,
            "items": {"oneOf": [{"properties": {"kind": {"const": "file"}}, "required": ["kind"]}, {"type": "null"}]}}}});
    assert_eq!(made(&schema, Fullness::Minimal), json!({"image": "ubuntu:24.04", "n": 4, "more": [{"kind": "file"}]}));
    assert_eq!(made(&schema, Fullness::Full)["optional"], json!(true));
}

#[test]
fn recursion_patterns_and_what_only_blind_trying_finds_are_made_too() {
    made(&json!({"properties": {"next": {"$ref": "#"}}, "required": []}), Fullness::Full);
    made(&json!({"type": "string", "pattern": "^[A-Z]{3}-[0-9]+$"}), Fullness::Minimal);
    made(&json!({"not": {"type": "object"}, "type": ["object", "array"]}), Fullness::Minimal);
    made(&json!({"anyOf": [{"const": 1}, {"const": 2}], "minimum": 2}), Fullness::Minimal);
    assert_eq!(example(&json!(false), Dialect::Draft07, Fullness::Full, &Limits::default()), None);
}
