//! Laws that hold for every schema and every value, tried on generated ones.

use payload_schema::{Limits, Schema, Surroundings, Target, inspect, rewrite_schema, upgrade};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::str::FromStr;
use worker_types::Dialect;

const NAMES: [&str; 6] = ["image", "command", "env", "type", "n", "odd key/~"];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..8i64).prop_map(Value::from),
        Just(json!(1.0)),
        Just(json!(2.5)),
        prop::sample::select(vec!["", "a", "file", "flie", "directory", "2027-05-06", "2027-05-06T00:00:00Z"])
            .prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            members(inner).prop_map(Value::Object),
        ]
    })
}

fn members(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    let name = prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned);
    prop::collection::vec((name, inner), 0..4).prop_map(Map::from_iter)
}

/// Schemas of keywords that every draft has in the same form, and of some that only later ones have.
fn schema() -> impl Strategy<Value = Value> {
    let types = prop::sample::select(vec!["string", "integer", "number", "boolean", "array", "object", "null"]);
    let names = || {
        prop::collection::btree_set(prop::sample::select(NAMES.to_vec()), 1..3)
            .prop_map(|names| json!(Vec::from_iter(names)))
    };
    let leaf = prop_oneof![
        types.prop_map(|name| json!({"type": name})),
        prop::collection::hash_set("[a-c]|file|directory", 1..3)
            .prop_map(|values| json!({"enum": Vec::from_iter(values)})),
        (0..4u8).prop_map(|n| json!({"minimum": n})),
        (0..4u8).prop_map(|n| json!({"maxLength": n})),
        (0..3u8).prop_map(|n| json!({"minItems": n})),
        (0..3u8).prop_map(|n| json!({"maxProperties": n})),
        prop::sample::select(vec!["^f", "{x}", "\\d", "[^]"]).prop_map(|pattern| json!({"pattern": pattern})),
        Just(json!({"format": "date-time"})),
        Just(json!({"uniqueItems": true})),
        Just(json!({"multipleOf": 0.5})),
        names().prop_map(|names| json!({"required": names})),
        Just(json!({})),
        Just(json!({"$ref": "#/definitions/shared"})),
    ];
    let subschema = leaf.prop_recursive(4, 20, 3, move |inner| {
        let list = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            list().prop_map(|list| json!({"allOf": list})),
            list().prop_map(|list| json!({"anyOf": list})),
            list().prop_map(|list| json!({"oneOf": list})),
            inner.clone().prop_map(|not| json!({"not": not})),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            (members(inner.clone()), any::<bool>()).prop_map(|(named, open)| {
                if open {
                    json!({"properties": named})
                } else {
                    json!({"type": "object", "properties": named, "additionalProperties": {"not": {}}})
                }
            }),
            inner.clone().prop_map(|schema| json!({"patternProperties": {"^[a-e]{1,}$": schema.clone(), "{": schema}})),
            inner.clone().prop_map(|schema| json!({"additionalProperties": schema})),
            (inner.clone(), inner.clone()).prop_map(
                |(left, right)| json!({"dependencies": {"n": left, "type": ["image"]}, "anyOf": [right, {}]})
            ),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| json!({"if": a, "then": b, "else": c})),
            inner.clone().prop_map(|schema| json!({"contains": schema})),
            inner.clone().prop_map(|schema| json!({"propertyNames": schema})),
            (inner.clone(), list()).prop_map(|(schema, list)| json!({"anyOf": list, "unevaluatedProperties": schema})),
        ]
    });
    (subschema, prop::sample::select(vec!["type", "enum", "object"])).prop_map(|(schema, shared)| {
        let shared = match shared {
            "type" => json!({"type": "string"}),
            "enum" => json!({"enum": [1, "a", null]}),
            _ => json!({"type": "object", "properties": {"n": {"$ref": "#/definitions/shared"}}}),
        };
        json!({"allOf": [schema], "definitions": {"shared": shared}})
    })
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(Dialect::NAMES.to_vec()).prop_map(|name| Dialect::from_str(name).unwrap())
}

/// Whether `pointer` leads somewhere in `value`, or to a member that an existing object could have.
fn leads_into(value: &Value, pointer: &str) -> bool {
    let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
    value.pointer(pointer).is_some() || value.pointer(parent).is_some_and(Value::is_object)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_explanation_is_empty_exactly_for_valid_values(schema in schema(), dialect in dialect(), values in prop::collection::vec(value(), 8)) {
        let compiled = Schema::compile(&schema, Some(dialect), &Limits::default());
        prop_assert!(compiled.is_ok(), "{schema} in {dialect}: {:?}", compiled.err());
        let compiled = compiled.unwrap();
        for value in &values {
            let explanation = compiled.explain(value, "/payload", &Limits::default());
            prop_assert_eq!(explanation.errors.is_empty(), compiled.is_valid(value), "{} in {} on {}: {:?}", schema, dialect, value, explanation);
            for item in &explanation.errors {
                prop_assert_ne!(&item.problem, "invalid", "the walk found nothing for {} in {} on {}", schema, dialect, value);
                let below = item.pointer.strip_prefix("/payload").unwrap();
                prop_assert!(leads_into(value, below), "{} is not in {value}", item.pointer);
                let place = item.schema_pointer.as_deref().unwrap();
                prop_assert!(schema.pointer(place).is_some() || place.ends_with("/false"), "{place} is not in {schema}");
            }
        }
    }

    #[test]
    fn a_schema_in_another_draft_gives_the_same_verdicts(schema in schema(), dialect in dialect(), values in prop::collection::vec(value(), 8)) {
        let limits = Limits::default();
        let compiled = Schema::compile(&schema, Some(dialect), &limits).unwrap();
        for target in [Target::Draft202012, Target::Draft07] {
            let written = rewrite_schema(&schema, Some(dialect), target, &limits, Surroundings::default());
            // draft-07 has no word for some of what later drafts say.
            let Ok(written) = written else {
                prop_assert!(target == Target::Draft07 && dialect > Dialect::Draft07, "{schema} in {dialect}: {written:?}");
                continue;
            };
            let asserted = Surroundings { documents: None, assert_formats: Some(true) };
            let written_schema = Schema::compile_with(&written, None, &limits, asserted);
            prop_assert!(written_schema.is_ok(), "{schema} in {dialect} became {written}: {:?}", written_schema.err());
            let written_schema = written_schema.unwrap();
            for value in &values {
                // In draft-04 alone, 1.0 is no integer: no later draft can say that.
                if dialect == Dialect::Draft04 && value.to_string().contains(".0") {
                    continue;
                }
                prop_assert_eq!(written_schema.is_valid(value), compiled.is_valid(value), "{} in {} became {} on {}", schema, dialect, written, value);
            }
        }
    }

    #[test]
    fn what_is_inspected_without_errors_compiles_and_nothing_else(mut schema in schema(), dialect in dialect(), broken in value(), at in 0usize..6) {
        let keyword = ["type", "properties", "$ref", "allOf", "minLength", "$id"][at];
        schema["allOf"][0][keyword] = broken;
        let inspection = inspect(&schema, Some(dialect), &Limits::default());
        let compiled = Schema::compile(&schema, Some(dialect), &Limits::default());
        prop_assert_eq!(inspection.errors.is_empty(), compiled.is_ok(), "{}: {:?}", schema, inspection);
        for item in inspection.errors.iter().chain(&inspection.warnings) {
            prop_assert!(leads_into(&schema, &item.pointer), "{} is not in {schema}", item.pointer);
            prop_assert!(item.problem != "invalid-schema", "{schema}: {}", item.message);
        }
    }
}

/// Every pointer into `value`.
fn places(value: &Value, here: String, found: &mut Vec<String>) {
    let below = |token: &str| format!("{here}/{}", token.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(members) => members.iter().for_each(|(name, member)| places(member, below(name), found)),
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, element)| places(element, below(&index.to_string()), found));
        }
        _ => {}
    }
    found.push(here);
}

/// A value of the kind that stands in schemas.
fn schema_part() -> impl Strategy<Value = Value> {
    let texts = ["#", "#/definitions", "#/properties", "string", "^{a", "(?=a)", "$id", "uri", "\u{0}", "%", "//"];
    prop_oneof![
        value(),
        schema(),
        prop::sample::select(texts.to_vec()).prop_map(Value::from),
        Just(json!({"$ref": "#"})),
        Just(json!([{"$ref": "#/properties"}, true])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_real_schema_with_a_random_change_is_taken_or_refused_with_a_reason(
        file in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), part in schema_part(), payload in value(),
    ) {
        let Some(folder) = crate::shared::folder("data/taskcluster/payload-schemas") else { return Ok(()) };
        let files = crate::shared::json_files(&folder);
        let mut schema = crate::shared::json(&files[file.index(files.len())]);
        let mut found = Vec::new();
        places(&schema, String::new(), &mut found);
        let place = &found[place.index(found.len())];
        *schema.pointer_mut(place).unwrap() = part;
        let inspection = inspect(&schema, None, &Limits::default());
        match Schema::compile(&schema, None, &Limits::default()) {
            Ok(compiled) => {
                prop_assert_eq!(&inspection.errors, &[]);
                let explanation = compiled.explain(&payload, "/payload", &Limits::default());
                prop_assert_eq!(explanation.errors.is_empty(), compiled.is_valid(&payload), "{} {:?}", payload, explanation);
                let upgraded = upgrade(&schema, None, &Limits::default());
                prop_assert!(upgraded.is_ok(), "{:?}", upgraded);
                // A few keywords stand deeper afterwards.
                let limits = Limits { depth: 100, ..Limits::default() };
                let asserted = Surroundings { documents: None, assert_formats: Some(true) };
                let upgraded = Schema::compile_with(&upgraded.unwrap(), None, &limits, asserted);
                prop_assert!(upgraded.is_ok(), "{:?}", upgraded.err());
                prop_assert_eq!(upgraded.unwrap().is_valid(&payload), compiled.is_valid(&payload), "{}", payload);
            }
            Err(faults) => prop_assert_eq!(faults, inspection.errors),
        }
    }
}
