//! Comparisons at the edges: what once fooled the proof, and what would take for ever or take the process along.

use payload_schema::{Comparer, Contract, Limits, Schema};
use serde_json::{Map, Value, json};
use worker_types::CompatibilityVerdict::{self, Compatible};
use worker_types::Dialect::{self, Draft04, Draft06, Draft07, Draft202012};

fn verdict(old: (&Value, Dialect), new: (&Value, Dialect)) -> CompatibilityVerdict {
    let contract = |(schema, dialect)| Contract { schema, dialect: Some(dialect) };
    let report = Comparer::new(Limits::default()).schemas(contract(old), contract(new)).unwrap();
    report.verdict
}

/// A value that the old schema takes and the new one does not: whatever the comparison says, it is not `compatible`.
#[track_caller]
fn loses(old: (&Value, Dialect), new: (&Value, Dialect), value: &str) {
    // Through a text: how a number is written counts.
    let value: Value = serde_json::from_str(value).unwrap();
    let takes =
        |(schema, dialect)| Schema::compile(schema, Some(dialect), &Limits::default()).unwrap().is_valid(&value);
    assert!(takes(old) && !takes(new), "{value} shows nothing");
    assert_ne!(verdict(old, new), Compatible, "{} -> {}", old.0, new.0);
}

#[test]
fn one_name_that_is_refused_does_not_speak_for_all_others() {
    let strings = json!({"additionalProperties": {"type": "string"}});
    for (names, lost) in [
        (json!({"not": {"const": "other"}}), r#"{"abc": 1}"#),
        (json!({"anyOf": [{"pattern": "^a"}, {"pattern": "^b"}]}), r#"{"abc": 1}"#),
        (json!({"format": "ipv4"}), r#"{"1.2.3.4": 1}"#),
    ] {
        loses((&json!({"propertyNames": names}), Draft07), (&strings, Draft07), lost);
    }
}

#[test]
fn what_leans_on_an_open_question_falls_with_it() {
    let new = json!({
        "definitions": {
            "g": {"type": "string"},
            "t": {"type": "object", "properties": {"child": {"$ref": "#/definitions/t"}},
                "not": {"allOf": [{"properties": {"child": {"$ref": "#/definitions/g"}}}, {"required": ["zzz"]}]}},
        },
        "if": {"$ref": "#/definitions/t"},
        "then": {"properties": {"child": {"anyOf": [{"$ref": "#/definitions/g"}, {"type": "null"}]}}},
    });
    loses((&json!({}), Draft07), (&new, Draft07), r#"{"child": {}}"#);
}

#[test]
fn long_lists_are_not_looked_at_in_part() {
    let list = |last: Value| {
        let mut items = vec![json!(true); 69];
        items.push(last);
        json!({"prefixItems": items})
    };
    let zeros = Value::from(vec![0; 70]).to_string();
    loses((&list(json!(true)), Draft202012), (&list(json!({"type": "string"})), Draft202012), &zeros);
    let mut branches = vec![json!({"type": "string"})];
    branches.extend((0..64).map(|n| json!({"type": "integer", "minimum": 10 * n, "maximum": 10 * n + 1})));
    branches.push(json!({"type": "string", "pattern": "^x"}));
    loses((&json!({"type": "string"}), Draft07), (&json!({"oneOf": branches}), Draft07), "\"x\"");
}

#[test]
fn draft_04_reads_how_a_number_is_written() {
    let integers = json!({"items": {"type": "integer"}});
    loses((&json!({"enum": [[1]]}), Draft04), (&integers, Draft04), "[1.0]");
    let a = json!({"properties": {"a": {"type": "integer"}}});
    loses((&json!({"enum": [{"a": 1}]}), Draft04), (&a, Draft04), r#"{"a": 1.0}"#);
    let whole: Value = serde_json::from_str(r#"{"enum": [1.0]}"#).unwrap();
    loses((&whole, Draft04), (&json!({"not": {"type": "integer"}}), Draft04), "1");
}

#[test]
fn a_length_beyond_all_bounds_is_none() {
    let old: Value = serde_json::from_str(r#"{"pattern": "^a", "maxLength": 18446744073709551616}"#).unwrap();
    loses((&old, Draft07), (&json!({"maxLength": 5}), Draft07), "\"aaaaaaaa\"");
}

#[test]
fn host_names_are_stricter_since_draft_07() {
    let hostname = json!({"format": "hostname"});
    loses((&hostname, Draft06), (&hostname, Draft07), "\"ab--cd.e\"");
}

/// Definitions that refer to one another in a circle.
fn circle(length: usize, kind: &str) -> Value {
    let definition = |n: usize| {
        let next = json!({"$ref": format!("#/definitions/d{}", (n + 1) % length)});
        (format!("d{n}"), json!({"properties": {"n": next, "v": {"type": kind}}}))
    };
    json!({"$ref": "#/definitions/d0", "definitions": (0..length).map(definition).collect::<Map<_, _>>()})
}

/// Definitions each of which refers to the next.
fn chain(length: usize, leaf: &Value) -> Value {
    let definition = |n: usize| {
        let next = if n + 1 == length { leaf.clone() } else { json!({"$ref": format!("#/definitions/d{}", n + 1)}) };
        (format!("d{n}"), json!({"properties": {"n": next}}))
    };
    json!({"$ref": "#/definitions/d0", "definitions": (0..length).map(definition).collect::<Map<_, _>>()})
}

/// Pairs that once ended the process or went on for minutes. Each is decided or left open, on the small stack of a test.
#[test]
fn nothing_takes_for_ever_or_takes_the_process_along() {
    let integer = json!({"type": "integer"});
    let bounds = |keyword: &str| json!({"allOf": (0..200).map(|n| json!({keyword: n})).collect::<Vec<_>>()});
    let branches = |count: usize| {
        let branch =
            |n: usize| json!({"required": [format!("r{n}")], "properties": {format!("p{n}"): {"type": "string"}}});
        json!({"oneOf": (0..count).map(branch).collect::<Vec<_>>()})
    };
    let nots = |depth: usize, leaf: Value| {
        (0..depth).fold(leaf, |inner, n| json!({"not": {"properties": {format!("p{n}"): inner}}}))
    };
    let patterns = |kind: &str| {
        let patterns = (7..12).map(|n| (format!("(a|b|c)*a(a|b|c){{{n}}}"), json!({"type": kind})));
        json!({"patternProperties": patterns.collect::<Map<_, _>>()})
    };
    let wide = |most: usize| json!({"properties": (0..most).map(|n| (format!("p{n}"), integer.clone())).collect::<Map<_, _>>()});
    let listed = |count: usize| {
        let values: Vec<String> = (0..count).map(|n| format!("value-{n}")).collect();
        json!({"type": "object", "properties": {"a": {"enum": values}}, "minProperties": count % 2})
    };
    let closed = |most: usize| {
        let properties = wide(most)["properties"].clone();
        let names: Vec<String> = (0..most).map(|n| format!("p{n}")).collect();
        json!({"properties": properties, "required": names, "additionalProperties": false})
    };
    for (old, new) in [
        (json!({"properties": {"a": {"type": "string"}}}), listed(50_000)),
        (listed(50_000), listed(50_001)),
        (listed(50_001), listed(50_000)),
        (closed(15_000), json!({"allOf": [closed(15_000)], "minProperties": 1})),
        (circle(61, "number"), circle(67, "number")),
        (json!({"type": "object"}), chain(500, &json!({}))),
        (chain(250, &json!({"type": "number"})), chain(250, &integer)),
        (bounds("minimum"), bounds("maximum")),
        (branches(20), branches(21)),
        (nots(20, json!({"type": "number"})), nots(20, integer.clone())),
        (patterns("number"), patterns("integer")),
        (json!({"required": ["command"]}), wide(5_000)),
    ] {
        verdict((&old, Draft07), (&new, Draft07));
    }
}
