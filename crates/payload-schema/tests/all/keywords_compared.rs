//! Two changes of each keyword that lose nothing and two that do, in each dialect that has it, as the specifications say.
//! A small world of values, gone through whole, says the same.

use crate::laws_of_comparison::world;
use payload_schema::{Comparer, Contract, Limits, Schema};
use serde_json::{Value, json};
use worker_types::CompatibilityVerdict::{self, Breaking, Compatible};
use worker_types::Dialect::{self, Draft04, Draft06, Draft07, Draft201909, Draft202012};

/// The dialects from one to another.
fn dialects(from: Dialect, to: Dialect) -> impl Iterator<Item = Dialect> {
    [Draft04, Draft06, Draft07, Draft201909, Draft202012]
        .into_iter()
        .filter(move |dialect| (from..=to).contains(dialect))
}

/// The changes of one keyword: those after which everything is still accepted, and those after which it is not.
struct Changes {
    keyword: &'static str,
    dialects: (Dialect, Dialect),
    compatible: Vec<(Value, Value)>,
    breaking: Vec<(Value, Value)>,
}

fn changes(
    keyword: &'static str,
    dialects: (Dialect, Dialect),
    compatible: [(Value, Value); 2],
    breaking: [(Value, Value); 2],
) -> Changes {
    Changes { keyword, dialects, compatible: compatible.into(), breaking: breaking.into() }
}

fn table() -> Vec<Changes> {
    let ever = (Draft04, Draft202012);
    let since_06 = (Draft06, Draft202012);
    let since_07 = (Draft07, Draft202012);
    let since_2019 = (Draft201909, Draft202012);
    let string = || json!({"type": "string"});
    let integer = || json!({"type": "integer"});
    vec![
        changes(
            "type",
            ever,
            [
                (json!({"type": "integer"}), json!({"type": "number"})),
                (json!({"type": "string"}), json!({"type": ["null", "string"]})),
            ],
            [(json!({"type": "number"}), json!({"type": "integer"})), (json!({}), json!({"type": "object"}))],
        ),
        changes(
            "enum",
            ever,
            [
                (json!({"enum": [1, "a"]}), json!({"enum": ["a", 2, 1]})),
                (json!({"enum": [1, 2]}), json!({"type": "number"})),
            ],
            [
                (json!({"enum": [1, "a"]}), json!({"enum": [1]})),
                (json!({"type": "string"}), json!({"enum": ["a", "b"]})),
            ],
        ),
        changes(
            "const",
            since_06,
            [(json!({"const": 1}), json!({"const": 1.0})), (json!({"const": "a"}), json!({"enum": ["a", "b"]}))],
            [(json!({"const": 1}), json!({"const": 2})), (json!({"enum": ["a", "b"]}), json!({"const": "a"}))],
        ),
        changes(
            "minimum",
            ever,
            [
                (json!({"minimum": 3}), json!({"minimum": 2})),
                (json!({"type": "string"}), json!({"type": "string", "minimum": 5})),
            ],
            [(json!({"minimum": 2}), json!({"minimum": 3})), (json!({}), json!({"minimum": 0}))],
        ),
        changes(
            "maximum",
            ever,
            [
                (json!({"maximum": 3}), json!({"maximum": 4})),
                (json!({"type": "integer", "maximum": 3}), json!({"type": "integer", "maximum": 3.5})),
            ],
            [(json!({"maximum": 4}), json!({"maximum": 3})), (json!({"maximum": 3}), json!({"maximum": 2.5}))],
        ),
        changes(
            "exclusiveMinimum",
            since_06,
            [
                (json!({"type": "integer", "exclusiveMinimum": 0}), json!({"type": "integer", "minimum": 1})),
                (json!({"minimum": 1}), json!({"exclusiveMinimum": 0})),
            ],
            [
                (json!({"exclusiveMinimum": 0}), json!({"minimum": 1})),
                (json!({"minimum": 0}), json!({"exclusiveMinimum": 0})),
            ],
        ),
        changes(
            "exclusiveMaximum",
            since_06,
            [
                (json!({"exclusiveMaximum": 3}), json!({"maximum": 3})),
                (json!({"type": "integer", "exclusiveMaximum": 3}), json!({"type": "integer", "maximum": 2})),
            ],
            [
                (json!({"maximum": 3}), json!({"exclusiveMaximum": 3})),
                (json!({"exclusiveMaximum": 3}), json!({"maximum": 2})),
            ],
        ),
        changes(
            "exclusiveMinimum and exclusiveMaximum as booleans",
            (Draft04, Draft04),
            [
                (json!({"minimum": 0, "exclusiveMinimum": true}), json!({"minimum": 0})),
                (json!({"maximum": 3, "exclusiveMaximum": true}), json!({"maximum": 3, "exclusiveMaximum": false})),
            ],
            [
                (json!({"minimum": 0}), json!({"minimum": 0, "exclusiveMinimum": true})),
                (json!({"maximum": 3}), json!({"maximum": 3, "exclusiveMaximum": true})),
            ],
        ),
        changes(
            "multipleOf",
            ever,
            [
                (json!({"multipleOf": 6}), json!({"multipleOf": 3})),
                (json!({"type": "integer"}), json!({"type": "integer", "multipleOf": 0.5})),
            ],
            [
                (json!({"multipleOf": 3}), json!({"multipleOf": 6})),
                (json!({"type": "number"}), json!({"type": "number", "multipleOf": 0.5})),
            ],
        ),
        changes(
            "minLength",
            ever,
            [
                (json!({"minLength": 2}), json!({"minLength": 1})),
                (json!({"pattern": "^ab?c?$"}), json!({"pattern": "^ab?c?$", "minLength": 1})),
            ],
            [
                (json!({"minLength": 1}), json!({"minLength": 2})),
                (json!({"type": "string"}), json!({"type": "string", "minLength": 1})),
            ],
        ),
        changes(
            "maxLength",
            ever,
            [
                (json!({"maxLength": 2}), json!({"maxLength": 3})),
                (json!({"pattern": "^ab?c?$"}), json!({"maxLength": 3})),
            ],
            [
                (json!({"maxLength": 3}), json!({"maxLength": 2})),
                (json!({"pattern": "^ab?c?$"}), json!({"maxLength": 2})),
            ],
        ),
        changes(
            "pattern",
            ever,
            [
                (json!({"pattern": "^ab"}), json!({"pattern": "^a"})),
                (json!({"enum": ["a", "ab"]}), json!({"pattern": "^a"})),
            ],
            [
                (json!({"pattern": "^a"}), json!({"pattern": "^ab"})),
                (json!({"type": "string"}), json!({"pattern": "^[a-c]*$"})),
            ],
        ),
        changes(
            "format where it is asserted",
            (Draft04, Draft07),
            [
                (json!({"format": "ipv4"}), json!({})),
                (json!({"type": "integer"}), json!({"type": "integer", "format": "ipv4"})),
            ],
            [
                (json!({}), json!({"format": "ipv4"})),
                (json!({"type": "string", "minLength": 2}), json!({"type": "string", "format": "ipv4"})),
            ],
        ),
        changes(
            "items",
            ever,
            [
                (json!({"items": integer()}), json!({"items": {"type": "number"}})),
                (json!({"maxItems": 0}), json!({"items": string()})),
            ],
            [
                (json!({"items": {"type": "number"}}), json!({"items": integer()})),
                (json!({}), json!({"items": string()})),
            ],
        ),
        changes(
            "items as a list",
            (Draft04, Draft201909),
            [
                (json!({"items": [integer(), integer()]}), json!({"items": [integer()]})),
                (json!({"items": integer()}), json!({"items": [integer(), {"type": "number"}]})),
            ],
            [
                (json!({"items": [integer()]}), json!({"items": [integer(), integer()]})),
                (json!({"items": [integer()]}), json!({"items": integer()})),
            ],
        ),
        changes(
            "additionalItems",
            (Draft04, Draft201909),
            [
                (json!({"items": [{}], "additionalItems": false}), json!({"maxItems": 1})),
                (json!({}), json!({"additionalItems": false})),
            ],
            [
                (json!({"items": [{}]}), json!({"items": [{}], "additionalItems": false})),
                (json!({"items": [{}]}), json!({"items": [{}], "additionalItems": string()})),
            ],
        ),
        changes(
            "prefixItems",
            (Draft202012, Draft202012),
            [
                (json!({"prefixItems": [integer(), integer()]}), json!({"prefixItems": [integer()]})),
                (json!({"items": integer()}), json!({"prefixItems": [{"type": "number"}]})),
            ],
            [
                (json!({"prefixItems": [integer()]}), json!({"prefixItems": [integer(), integer()]})),
                (json!({"prefixItems": [integer()]}), json!({"prefixItems": [integer()], "items": false})),
            ],
        ),
        changes(
            "minItems",
            ever,
            [
                (json!({"minItems": 2}), json!({"minItems": 1})),
                (json!({"enum": [[1], [1, 2]]}), json!({"minItems": 1})),
            ],
            [
                (json!({"minItems": 1}), json!({"minItems": 2})),
                (json!({"type": "array"}), json!({"type": "array", "minItems": 1})),
            ],
        ),
        changes(
            "maxItems",
            ever,
            [(json!({"maxItems": 1}), json!({"maxItems": 2})), (json!({"type": "string"}), json!({"maxItems": 0}))],
            [(json!({"maxItems": 2}), json!({"maxItems": 1})), (json!({}), json!({"maxItems": 2}))],
        ),
        changes(
            "uniqueItems",
            ever,
            [(json!({"uniqueItems": true}), json!({})), (json!({"maxItems": 1}), json!({"uniqueItems": true}))],
            [
                (json!({}), json!({"uniqueItems": true})),
                (json!({"items": integer(), "maxItems": 2}), json!({"uniqueItems": true})),
            ],
        ),
        changes(
            "contains",
            since_06,
            [
                (json!({"contains": integer()}), json!({"contains": {"type": "number"}})),
                (json!({"items": integer(), "minItems": 1}), json!({"contains": integer()})),
            ],
            [
                (json!({"contains": {"type": "number"}}), json!({"contains": string()})),
                (json!({"items": integer()}), json!({"contains": integer()})),
            ],
        ),
        changes(
            "minContains",
            since_2019,
            [
                (json!({"contains": integer(), "minContains": 2}), json!({"contains": integer()})),
                (json!({}), json!({"contains": integer(), "minContains": 0})),
            ],
            [
                (json!({"contains": integer()}), json!({"contains": integer(), "minContains": 2})),
                (json!({"contains": integer(), "minContains": 0}), json!({"contains": integer()})),
            ],
        ),
        changes(
            "maxContains",
            since_2019,
            [
                (json!({"contains": integer(), "maxContains": 1}), json!({"contains": integer(), "maxContains": 2})),
                (json!({"contains": integer(), "maxItems": 2}), json!({"contains": integer(), "maxContains": 2})),
            ],
            [
                (json!({"contains": integer(), "maxContains": 2}), json!({"contains": integer(), "maxContains": 1})),
                (json!({"contains": integer()}), json!({"contains": integer(), "maxContains": 2})),
            ],
        ),
        changes(
            "unevaluatedItems",
            since_2019,
            [
                (json!({"unevaluatedItems": false}), json!({"unevaluatedItems": integer()})),
                (json!({"maxItems": 0}), json!({"unevaluatedItems": false})),
            ],
            [
                (json!({}), json!({"unevaluatedItems": false})),
                (json!({"unevaluatedItems": integer()}), json!({"unevaluatedItems": string()})),
            ],
        ),
        changes(
            "properties",
            ever,
            [
                (json!({"properties": {"a": integer()}}), json!({"properties": {"a": {"type": "number"}}})),
                (json!({"properties": {"a": integer(), "b": string()}}), json!({"properties": {"a": integer()}})),
            ],
            [
                (json!({"properties": {"a": {"type": "number"}}}), json!({"properties": {"a": integer()}})),
                (json!({"type": "object"}), json!({"properties": {"a": integer()}})),
            ],
        ),
        changes(
            "patternProperties",
            ever,
            [
                (json!({"patternProperties": {"^x-": integer()}}), json!({"patternProperties": {"^x-1": integer()}})),
                (json!({"additionalProperties": integer()}), json!({"patternProperties": {"^x-": integer()}})),
            ],
            [
                (json!({"patternProperties": {"^x-1": integer()}}), json!({"patternProperties": {"^x-": integer()}})),
                (json!({"properties": {"x-1": integer()}}), json!({"patternProperties": {"^x-": string()}})),
            ],
        ),
        changes(
            "additionalProperties",
            ever,
            [
                (json!({"additionalProperties": false}), json!({"additionalProperties": integer()})),
                (
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                    json!({"properties": {"a": {}, "b": integer()}, "additionalProperties": false}),
                ),
            ],
            [
                (json!({"properties": {"a": {}}}), json!({"properties": {"a": {}}, "additionalProperties": false})),
                (
                    json!({"properties": {"a": {}, "b": {}}, "additionalProperties": false}),
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                ),
            ],
        ),
        changes(
            "unevaluatedProperties",
            since_2019,
            [
                (
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                    json!({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}),
                ),
                (json!({"unevaluatedProperties": integer()}), json!({"unevaluatedProperties": {"type": "number"}})),
            ],
            [
                (
                    json!({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}),
                    json!({"allOf": [{"properties": {"a": {}}}], "additionalProperties": false}),
                ),
                (
                    json!({"anyOf": [{"properties": {"a": {}}}, {}], "unevaluatedProperties": false}),
                    json!({"unevaluatedProperties": false}),
                ),
            ],
        ),
        changes(
            "propertyNames",
            since_06,
            [
                (json!({"propertyNames": {"maxLength": 1}}), json!({"propertyNames": {"maxLength": 2}})),
                (
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                    json!({"propertyNames": {"pattern": "^a"}}),
                ),
            ],
            [
                (json!({"propertyNames": {"maxLength": 3}}), json!({"propertyNames": {"maxLength": 1}})),
                (json!({"type": "object"}), json!({"type": "object", "propertyNames": {"pattern": "^[a-c]$"}})),
            ],
        ),
        changes(
            "required",
            ever,
            [
                (json!({"required": ["a", "b"]}), json!({"required": ["a"]})),
                (json!({"type": "array"}), json!({"type": "array", "required": ["a"]})),
            ],
            [
                (json!({"required": ["a"]}), json!({"required": ["a", "b"]})),
                (json!({"type": "object"}), json!({"required": ["a"]})),
            ],
        ),
        changes(
            "minProperties",
            ever,
            [
                (json!({"minProperties": 2}), json!({"minProperties": 1})),
                (json!({"required": ["a", "b"]}), json!({"minProperties": 2})),
            ],
            [
                (json!({"minProperties": 1}), json!({"minProperties": 2})),
                (json!({"required": ["a"]}), json!({"minProperties": 2})),
            ],
        ),
        changes(
            "maxProperties",
            ever,
            [
                (json!({"maxProperties": 1}), json!({"maxProperties": 2})),
                (json!({"properties": {"a": {}, "b": {}}, "additionalProperties": false}), json!({"maxProperties": 2})),
            ],
            [
                (json!({"maxProperties": 2}), json!({"maxProperties": 1})),
                (json!({"properties": {"a": {}, "b": {}}, "additionalProperties": false}), json!({"maxProperties": 1})),
            ],
        ),
        changes(
            "dependencies",
            (Draft04, Draft07),
            [
                (json!({"dependencies": {"a": ["b", "c"]}}), json!({"dependencies": {"a": ["b"]}})),
                (json!({"required": ["b"]}), json!({"dependencies": {"a": ["b"]}})),
            ],
            [
                (json!({"dependencies": {"a": ["b"]}}), json!({"dependencies": {"a": ["b", "c"]}})),
                (json!({}), json!({"dependencies": {"a": {"required": ["b"]}}})),
            ],
        ),
        changes(
            "dependentRequired",
            since_2019,
            [
                (json!({"dependentRequired": {"a": ["b", "c"]}}), json!({"dependentRequired": {"a": ["c"]}})),
                (json!({"required": ["b"]}), json!({"dependentRequired": {"a": ["b"]}})),
            ],
            [
                (json!({"dependentRequired": {"a": ["b"]}}), json!({"dependentRequired": {"a": ["b", "c"]}})),
                (json!({}), json!({"dependentRequired": {"a": ["b"]}})),
            ],
        ),
        changes(
            "dependentSchemas",
            since_2019,
            [
                (json!({"required": ["b"]}), json!({"dependentSchemas": {"a": {"required": ["b"]}}})),
                (
                    json!({"dependentSchemas": {"a": {"maxProperties": 1}}}),
                    json!({"dependentSchemas": {"a": {"maxProperties": 2}}}),
                ),
            ],
            [
                (json!({}), json!({"dependentSchemas": {"a": {"required": ["b"]}}})),
                (
                    json!({"dependentSchemas": {"a": {"maxProperties": 2}}}),
                    json!({"dependentSchemas": {"a": {"maxProperties": 1}}}),
                ),
            ],
        ),
        changes(
            "allOf",
            ever,
            [
                (json!({"allOf": [integer(), {"minimum": 0}]}), json!({"type": "integer"})),
                (json!({"type": "integer", "minimum": 0}), json!({"allOf": [{"minimum": 0}, {"type": "number"}]})),
            ],
            [
                (json!({"allOf": [{"minimum": 0}]}), json!({"allOf": [{"minimum": 0}, {"maximum": 3}]})),
                (json!({"type": "number"}), json!({"allOf": [integer()]})),
            ],
        ),
        changes(
            "anyOf",
            ever,
            [
                (json!({"anyOf": [integer(), string()]}), json!({"type": ["string", "number"]})),
                (json!({"type": ["string", "integer"]}), json!({"anyOf": [{"type": "number"}, string()]})),
            ],
            [
                (json!({"anyOf": [integer(), string()]}), json!({"anyOf": [integer()]})),
                (json!({"type": ["string", "number"]}), json!({"anyOf": [integer(), string()]})),
            ],
        ),
        changes(
            "oneOf",
            ever,
            [
                (json!({"oneOf": [integer(), string()]}), json!({"oneOf": [integer(), string(), {"type": "null"}]})),
                (json!({"type": "string"}), json!({"oneOf": [string(), {"type": "boolean"}]})),
            ],
            [
                (json!({"anyOf": [{"type": "number"}, integer()]}), json!({"oneOf": [{"type": "number"}, integer()]})),
                (json!({"oneOf": [integer(), string()]}), json!({"oneOf": [integer(), {"type": "null"}]})),
            ],
        ),
        changes(
            "not",
            ever,
            [
                (json!({"not": {"type": ["string", "null"]}}), json!({"not": string()})),
                (json!({"type": "integer"}), json!({"not": string()})),
            ],
            [
                (json!({"not": string()}), json!({"not": {"type": ["string", "null"]}})),
                (json!({}), json!({"not": {"required": ["a"]}})),
            ],
        ),
        changes(
            "if, then, else",
            since_07,
            [
                (json!({"if": integer(), "then": {"minimum": 2}}), json!({"if": integer(), "then": {"minimum": 1}})),
                (json!({"type": "string"}), json!({"if": integer(), "then": false})),
            ],
            [
                (json!({"if": integer(), "then": {"minimum": 1}}), json!({"if": integer(), "then": {"minimum": 2}})),
                (json!({}), json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {}})),
            ],
        ),
        changes(
            "$ref",
            ever,
            [
                (
                    json!({"definitions": {"n": integer()}, "properties": {"a": {"$ref": "#/definitions/n"}}}),
                    json!({"properties": {"a": {"type": "number"}}}),
                ),
                (
                    json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}),
                    json!({"properties": {"a": {"$ref": "#"}, "b": {}}, "additionalProperties": false}),
                ),
            ],
            [
                (
                    json!({"definitions": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/definitions/n"}}}),
                    json!({"definitions": {"n": integer()}, "properties": {"a": {"$ref": "#/definitions/n"}}}),
                ),
                (
                    json!({"properties": {"a": {"$ref": "#"}, "b": {}}, "additionalProperties": false}),
                    json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}),
                ),
            ],
        ),
    ]
}

/// The verdict, confirmed by the world as far as it reaches.
fn verdict(old: &Value, new: &Value, dialect: Dialect, world: &[Value]) -> CompatibilityVerdict {
    let limits = Limits::default();
    let contract = |schema| Contract { schema, dialect: Some(dialect) };
    let report = Comparer::new(limits.clone()).schemas(contract(old), contract(new)).unwrap();
    let compile = |schema| Schema::compile(schema, Some(dialect), &limits).unwrap();
    let (before, after) = (compile(old), compile(new));
    let lost = world.iter().find(|value| before.is_valid(value) && !after.is_valid(value));
    match report.verdict {
        Compatible => assert_eq!(lost, None, "{old} -> {new}"),
        Breaking => {
            let witness = report.witness.unwrap();
            assert!(before.is_valid(&witness) && !after.is_valid(&witness), "{witness}");
        }
        CompatibilityVerdict::Unknown => {}
    }
    report.verdict
}

#[test]
fn every_keyword_is_judged_as_its_specification_says() {
    let world = world();
    let (mut count, mut wrong) = (0, Vec::new());
    for Changes { keyword, dialects: (from, to), compatible, breaking } in table() {
        for dialect in dialects(from, to) {
            let cases =
                compatible.iter().map(|pair| (pair, Compatible)).chain(breaking.iter().map(|pair| (pair, Breaking)));
            for ((old, new), expected) in cases {
                count += 1;
                let found = verdict(old, new, dialect, &world);
                if found != expected {
                    wrong.push(format!("{keyword} in {dialect}: {found}, not {expected}: {old} -> {new}"));
                }
            }
        }
    }
    assert!(count > 600, "{count}");
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
}
