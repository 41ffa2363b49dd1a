//! Which elements count as evaluated: in 2019-09 (core §9.3.1.3) those of `items` and its kin alone, in 2020-12 (core
//! §11.2) also those that `contains` matches.

use payload_schema::{Comparer, Contract, Limits, Schema, inspect};
use serde_json::{Value, json};
use worker_types::CompatibilityVerdict::{self, Breaking, Compatible};
use worker_types::Dialect::{self, Draft201909, Draft202012};

#[track_caller]
fn judges(schema: &Value, dialect: Dialect, cases: &[(Value, bool)]) {
    let limits = Limits::default();
    let faults = inspect(schema, Some(dialect), &limits).errors;
    assert!(faults.is_empty(), "{faults:?}");
    let compiled = Schema::compile(schema, Some(dialect), &limits).unwrap();
    for (value, valid) in cases {
        assert_eq!(compiled.is_valid(value), *valid, "{schema} {value}");
        assert_eq!(compiled.explain(value, "", &limits).errors.is_empty(), *valid, "{schema} {value}");
    }
}

#[test]
fn contains_evaluates_nothing_before_2020_12() {
    let schema = json!({"contains": {"type": "string"}, "unevaluatedItems": false});
    judges(&schema, Draft201909, &[(json!(["a"]), false), (json!([]), false), (json!("a"), true)]);
    judges(&schema, Draft202012, &[(json!(["a"]), true), (json!(["a", 1]), false), (json!([]), false)]);
}

#[test]
fn what_items_evaluates_may_also_be_contained() {
    let schema = json!({"items": [true, true], "contains": {"const": 1}, "maxContains": 1, "unevaluatedItems": false});
    let cases = [(json!([1]), true), (json!([0, 1]), true), (json!([1, 1]), false), (json!([0]), false)];
    judges(&schema, Draft201909, &cases);
    judges(&schema, Draft201909, &[(json!([0, 0, 1]), false)]);
}

#[test]
fn contains_in_another_subschema_evaluates_nothing_either() {
    let cases = [(json!(["a", "b"]), true), (json!(["b"]), false), (json!(["b", "a"]), false)];
    let beside = json!({"allOf": [{"contains": {"const": "a"}}], "unevaluatedItems": {"const": "b"}});
    let inside =
        json!({"anyOf": [{"items": [{"const": "a"}]}], "contains": {"const": "a"}, "unevaluatedItems": {"const": "b"}});
    judges(&beside, Draft201909, &[(json!(["a", "b"]), false), (json!(["a"]), false)]);
    judges(&inside, Draft201909, &cases);
}

#[test]
fn references_into_contains_lead_where_they_led() {
    let schema = json!({
        "allOf": [{}],
        "properties": {"x": {"$ref": "#/contains/contains"}, "y": {"$ref": "#/contains"}},
        "contains": {"contains": {"const": "é"}, "minContains": 1},
        "unevaluatedItems": true,
    });
    let cases = [
        (json!({"x": "é", "y": ["é"]}), true),
        (json!({"x": "e"}), false),
        (json!({"y": ["e"]}), false),
        (json!([["é"]]), true),
        (json!([["e"]]), false),
    ];
    judges(&schema, Draft201909, &cases);
}

#[test]
fn what_differs_between_the_drafts_is_a_change() {
    let schema = json!({"contains": {"type": "string"}, "unevaluatedItems": false});
    let verdict = |old: (&Value, Dialect), new: (&Value, Dialect)| -> CompatibilityVerdict {
        let contract = |(schema, dialect)| Contract { schema, dialect: Some(dialect) };
        Comparer::new(Limits::default()).schemas(contract(old), contract(new)).unwrap().verdict
    };
    assert_eq!(verdict((&schema, Draft202012), (&schema, Draft201909)), Breaking);
    assert_eq!(verdict((&schema, Draft201909), (&schema, Draft202012)), Compatible);
    let looser = json!({"contains": {}, "unevaluatedItems": false});
    assert_eq!(verdict((&schema, Draft201909), (&looser, Draft201909)), Compatible);
}
