//! What two keywords ask that no value can be is a warning; what some value can be is none.

use crate::shared;
use payload_schema::{Limits, inspect};
use serde_json::{Value, json};
use std::str::FromStr;
use worker_types::Dialect;

/// Where the warnings stand and what they say.
fn never(dialect: &str, schema: &Value) -> Vec<(String, String)> {
    let inspection = inspect(schema, Some(Dialect::from_str(dialect).unwrap()), &Limits::default());
    assert_eq!(inspection.errors, [], "{schema}");
    let never = inspection.warnings.into_iter().filter(|item| item.problem == "never-matches");
    never.map(|item| (item.pointer, item.message)).collect()
}

#[test]
fn each_kind_of_contradiction_is_told_at_its_place() {
    for (schema, pointer, message) in [
        (
            json!({"minimum": 5, "maximum": 3}),
            "/minimum",
            "no number is accepted: \"minimum\" 5 leaves nothing below \"maximum\" 3",
        ),
        (
            json!({"exclusiveMinimum": 3, "maximum": 3}),
            "/exclusiveMinimum",
            "no number is accepted: \"exclusiveMinimum\" 3 leaves nothing below \"maximum\" 3",
        ),
        (
            json!({"minLength": 3, "maxLength": 2}),
            "/minLength",
            "no text is accepted: \"minLength\" asks for 3 at least, and \"maxLength\" allows 2 at most",
        ),
        (
            json!({"minItems": 3, "maxItems": 2}),
            "/minItems",
            "no array is accepted: \"minItems\" asks for 3 at least, and \"maxItems\" allows 2 at most",
        ),
        (
            json!({"items": [{}], "additionalItems": false, "minItems": 2}),
            "/minItems",
            "no array is accepted: \"minItems\" asks for 2 at least, and \"additionalItems\" allows 1 at most",
        ),
        (
            json!({"contains": {}, "maxItems": 0}),
            "/contains",
            "no array is accepted: \"contains\" asks for 1 at least, and \"maxItems\" allows 0 at most",
        ),
        (
            json!({"required": ["a", "b"], "maxProperties": 1}),
            "/required",
            "no object is accepted: \"required\" asks for 2 at least, and \"maxProperties\" allows 1 at most",
        ),
        (
            json!({"type": "integer", "enum": ["a", "b"]}),
            "/enum",
            "no value is accepted: none of the 2 of \"enum\" fits beside it; \"a\" must be an integer, not a string",
        ),
        (
            json!({"type": "string", "const": 1}),
            "/const",
            "no value is accepted: the one of \"const\" does not fit beside it; 1 must be a string, not a number",
        ),
        (
            json!({"enum": ["A"], "pattern": "^[a-z]$"}),
            "/enum",
            "no value is accepted: the one of \"enum\" does not fit beside it; \"A\" must match the pattern ^[a-z]$",
        ),
        (
            json!({"properties": {"old": false}, "required": ["old"]}),
            "/required",
            "no object is accepted: the property \"old\" is required, and \"properties\" refuses it",
        ),
        (
            json!({"propertyNames": {"pattern": "^[a-z]+$"}, "required": ["ok", "Not"]}),
            "/required",
            "no object is accepted: the property \"Not\" is required, and \"propertyNames\" refuses the name",
        ),
        (
            json!({"allOf": [{"type": "string"}, {"type": "integer"}]}),
            "/allOf/1/type",
            "no value is accepted: it must be of type integer, and of type string by \"type\" in /allOf/0",
        ),
        (
            json!({"type": "string", "oneOf": [{"pattern": "a"}, {"type": ["integer", "null"]}]}),
            "/oneOf/1/type",
            "this branch never matches: it is for type integer or null, and \"type\" in the schema's root asks for type string",
        ),
        (
            json!({"allOf": [{"properties": {"a": {}}, "additionalProperties": false}, {"required": ["b"]}]}),
            "/allOf/1/required",
            "no object is accepted: the property \"b\" is required, and \"additionalProperties\" in /allOf/0 refuses it",
        ),
        (
            json!({"definitions": {"small": {"maximum": 3}}, "allOf": [{"$ref": "#/definitions/small"}], "minimum": 4}),
            "/minimum",
            "no number is accepted: \"minimum\" 4 leaves nothing below \"maximum\" in /definitions/small 3",
        ),
    ] {
        let around = json!({"properties": {"x": {"items": schema}}});
        assert_eq!(never("draft-07", &schema), [(pointer.to_owned(), message.to_owned())], "{schema}");
        // A definition that is referred to by its place is not found below another one.
        if schema.get("definitions").is_none() {
            let inner = never("draft-07", &around);
            assert_eq!(inner.len(), 1, "{around}");
            assert_eq!(inner[0].0, format!("/properties/x/items{pointer}"));
        }
    }
}

#[test]
fn later_drafts_contradict_themselves_too() {
    for (schema, pointer) in [
        (json!({"contains": {}, "minContains": 3, "maxContains": 2}), "/minContains"),
        (json!({"contains": {}, "minContains": 3, "maxItems": 2}), "/minContains"),
        (json!({"prefixItems": [{}], "items": false, "minItems": 2}), "/minItems"),
        (json!({"$defs": {"a": {"type": "null"}}, "$ref": "#/$defs/a", "type": "string"}), "/$defs/a/type"),
    ] {
        let places: Vec<_> = never("2020-12", &schema).into_iter().map(|(pointer, _)| pointer).collect();
        assert_eq!(places, [pointer], "{schema}");
    }
}

#[test]
fn what_some_value_can_be_is_no_contradiction() {
    for schema in [
        json!({"minimum": 3, "maximum": 3}),
        json!({"minLength": 2, "maxLength": 2, "minItems": 3, "maxItems": 3}),
        json!({"allOf": [{"type": "integer"}, {"type": "number"}]}),
        json!({"allOf": [{"type": ["string", "null"]}, {"type": "null"}]}),
        json!({"type": "integer", "enum": ["a", 1]}),
        json!({"enum": [1.0], "type": "integer"}),
        json!({"items": [{}], "additionalItems": {}, "minItems": 2}),
        json!({"properties": {"old": false}, "required": ["new"]}),
        json!({"patternProperties": {"^x-": {}}, "additionalProperties": false, "required": ["x-a"]}),
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"not": {"type": "string"}, "properties": {"a": {"not": {}}}}),
        json!({"definitions": {"never": false}}),
        json!({"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "null"}}}),
    ] {
        assert_eq!(never("draft-07", &schema), [], "{schema}");
    }
}

/// Whether a warning about the schema's root leaves room for `value`.
fn leaves(message: &str, value: &Value) -> bool {
    let refused = message.strip_prefix("no ").and_then(|rest| rest.split(' ').next());
    match refused {
        Some("value") => false,
        Some("number") => !value.is_number(),
        Some("text") => !value.is_string(),
        Some("array") => !value.is_array(),
        Some("object") => !value.is_object(),
        _ => true,
    }
}

#[test]
fn nothing_that_the_public_suite_accepts_is_said_to_be_impossible() {
    let Some(suite) = shared::folder("data/json-schema-test-suite/tests") else { return };
    let drafts = [
        ("draft4", "draft-04"),
        ("draft6", "draft-06"),
        ("draft7", "draft-07"),
        ("draft2019-09", "2019-09"),
        ("draft2020-12", "2020-12"),
    ];
    let mut warned = 0;
    for (folder, dialect) in drafts {
        for group in shared::json_files(&suite.join(folder)).iter().flat_map(|file| {
            let groups = shared::json(file);
            groups.as_array().unwrap().clone()
        }) {
            let dialect = Some(Dialect::from_str(dialect).unwrap());
            let warnings = inspect(&group["schema"], dialect, &Limits::default()).warnings;
            // Of the root, or of what the root applies to the same value in any case.
            let of_root = |pointer: &str| {
                let mut tokens = pointer.split('/').skip(1).collect::<Vec<_>>();
                tokens.pop();
                tokens.iter().all(|token| *token == "allOf" || token.parse::<usize>().is_ok())
            };
            for item in warnings.iter().filter(|item| item.problem == "never-matches" && of_root(&item.pointer)) {
                warned += 1;
                let tests = group["tests"].as_array().unwrap();
                for test in tests.iter().filter(|test| test["valid"] == true) {
                    assert!(leaves(&item.message, &test["data"]), "{item:?} and {}", test["data"]);
                }
            }
        }
    }
    println!("{warned} warnings about whole schemas");
    assert!(warned > 0);
}
