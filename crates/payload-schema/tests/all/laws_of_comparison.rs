//! Laws of comparisons, over pairs of small schemas of every keyword, held against every value of a small world.

use payload_schema::{Comparer, Contract, Limits, Schema};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use worker_types::{CompatibilityVerdict, Dialect};

/// Texts, numbers and the rest from which larger values are put together.
fn scalars() -> Vec<Value> {
    let mut values = vec![json!(null), json!(true), json!(false), json!(1.0), json!(0.5), json!(1.5), json!(2.5)];
    values.extend((-2..8).map(|number| json!(number)));
    values.extend(["", "a", "b", "ab", "abc", "x-1", "192.0.2.1"].map(|text| json!(text)));
    values
}

/// A small world: every scalar, arrays of up to three of a few of them, objects of up to four members.
pub fn world() -> Vec<Value> {
    let few = [json!(1), json!("a"), json!(null), json!({"a": 1}), json!([])];
    let mut values = scalars();
    values.push(json!([]));
    for a in scalars() {
        values.push(json!([a]));
        values.push(json!([[a]]));
    }
    for a in &few {
        for b in &few {
            values.push(json!([a, b]));
            few.iter().for_each(|c| values.push(json!([a, b, c])));
        }
    }
    values.push(json!({}));
    for name in ["a", "b", "c", "x-1", "d"] {
        scalars().into_iter().for_each(|value| values.push(json!({name: value})));
        values.push(json!({name: {}}));
        values.push(json!({name: {"a": 1}}));
        values.push(json!({name: [1]}));
    }
    for a in &few {
        for b in &few {
            for (left, right) in [("a", "b"), ("a", "c"), ("b", "c"), ("a", "x-1"), ("a", "d")] {
                values.push(json!({left: a, right: b}));
            }
            values.push(json!({"a": a, "b": b, "c": 1}));
            values.push(json!({"a": a, "b": b, "c": "a", "d": 1}));
        }
    }
    values
}

/// A keyword with its value, of any dialect.
fn keyword(inner: BoxedStrategy<Value>) -> BoxedStrategy<(&'static str, Value)> {
    let types = prop::sample::select(vec!["string", "integer", "number", "boolean", "array", "object", "null"]);
    let name = prop::sample::select(vec!["a", "b", "c", "x-1"]);
    let names = prop::collection::vec(name.clone(), 1..3);
    let values = || prop::collection::vec(prop::sample::select(scalars()), 1..5);
    let pattern = prop::sample::select(vec!["^a", "b$", "^[a-c]+$", "^x-", "", "^ab?c?$"]);
    let list = || prop::collection::vec(inner.clone(), 1..4);
    let object = |names: Vec<&'static str>, schemas: Vec<Value>| -> Value {
        names
            .into_iter()
            .zip(schemas)
            .map(|(name, schema)| (name.to_owned(), schema))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    prop_oneof![
        4 => types.clone().prop_map(|name| ("type", json!(name))),
        2 => prop::collection::vec(types, 1..4).prop_map(|mut names| { names.sort_unstable(); names.dedup(); ("type", json!(names)) }),
        2 => values().prop_map(|values| ("enum", unique(values))),
        1 => prop::sample::select(scalars()).prop_map(|value| ("const", value)),
        1 => (-2..6).prop_map(|limit| ("minimum", json!(limit))),
        1 => (-2..6).prop_map(|limit| ("maximum", json!(limit))),
        1 => (-2..6).prop_map(|limit| ("exclusiveMinimum", json!(limit))),
        1 => (-2..6).prop_map(|limit| ("exclusiveMaximum", json!(limit))),
        1 => prop::sample::select(vec![json!(1), json!(2), json!(3), json!(0.5)]).prop_map(|by| ("multipleOf", by)),
        1 => (0..4).prop_map(|limit| ("minLength", json!(limit))),
        1 => (0..4).prop_map(|limit| ("maxLength", json!(limit))),
        1 => pattern.clone().prop_map(|pattern| ("pattern", json!(pattern))),
        1 => (0..3).prop_map(|limit| ("minItems", json!(limit))),
        1 => (0..3).prop_map(|limit| ("maxItems", json!(limit))),
        1 => Just(("uniqueItems", json!(true))),
        1 => (0..3).prop_map(|limit| ("minProperties", json!(limit))),
        1 => (0..4).prop_map(|limit| ("maxProperties", json!(limit))),
        3 => names.clone().prop_map(|mut names| { names.sort_unstable(); names.dedup(); ("required", json!(names)) }),
        5 => (names.clone(), list()).prop_map(move |(names, schemas)| ("properties", object(names, schemas))),
        1 => (pattern, inner.clone()).prop_map(|(pattern, schema)| ("patternProperties", json!({pattern: schema}))),
        2 => inner.clone().prop_map(|schema| ("additionalProperties", schema)),
        2 => Just(("additionalProperties", json!(false))),
        1 => inner.clone().prop_map(|schema| ("propertyNames", schema)),
        2 => inner.clone().prop_map(|schema| ("items", schema)),
        1 => list().prop_map(|schemas| ("prefixItems", json!(schemas))),
        1 => inner.clone().prop_map(|schema| ("contains", schema)),
        1 => (0..3).prop_map(|limit| ("minContains", json!(limit))),
        1 => (0..3).prop_map(|limit| ("maxContains", json!(limit))),
        1 => list().prop_map(|schemas| ("allOf", json!(schemas))),
        2 => list().prop_map(|schemas| ("anyOf", json!(schemas))),
        2 => list().prop_map(|schemas| ("oneOf", json!(schemas))),
        1 => inner.clone().prop_map(|schema| ("not", schema)),
        1 => inner.clone().prop_map(|schema| ("if", schema)),
        1 => inner.clone().prop_map(|schema| ("then", schema)),
        1 => inner.clone().prop_map(|schema| ("else", schema)),
        1 => (name.clone(), names).prop_map(|(name, names)| ("dependentRequired", json!({name: unique(names.into_iter().map(Value::from).collect())}))),
        1 => (name, inner.clone()).prop_map(|(name, schema)| ("dependentSchemas", json!({name: schema}))),
        1 => Just(("unevaluatedProperties", json!(false))),
        1 => Just(("unevaluatedItems", json!(false))),
        1 => Just(("format", json!("ipv4"))),
    ]
    .boxed()
}

fn unique(values: Vec<Value>) -> Value {
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        let same = |known: &Value| known == &value || (value.is_number() && known.as_f64() == value.as_f64());
        if !kept.iter().any(same) {
            kept.push(value);
        }
    }
    kept.into()
}

/// Small schemas of every keyword.
fn schema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        6 => Just(json!({})),
        1 => Just(json!(true)),
        1 => Just(json!(false)),
        3 => Just(json!({"type": "string"})),
        3 => Just(json!({"type": "integer"})),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop::collection::vec(keyword(inner.boxed()), 1..5).prop_map(|keywords| {
            keywords.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<serde_json::Map<_, _>>().into()
        })
    })
    .boxed()
}

/// A schema, and the same with a keyword changed somewhere, or another one.
fn pair() -> BoxedStrategy<(Value, Value)> {
    let changed = (schema(), schema(), any::<prop::sample::Index>()).prop_map(|(old, graft, index)| {
        let mut new = old.clone();
        let mut places = Vec::new();
        places_of(&old, String::new(), &mut places);
        let place = index.get(&places);
        if let (Some(there), Some(graft)) = (new.pointer_mut(place).and_then(Value::as_object_mut), graft.as_object()) {
            for (name, value) in graft.iter().take(1) {
                there.insert(name.clone(), value.clone());
            }
        }
        (old, new)
    });
    prop_oneof![3 => changed.clone(), 3 => changed.prop_map(|(old, new)| (new, old)), 2 => (schema(), schema())].boxed()
}

/// Where objects stand that are schemas, mostly.
fn places_of(value: &Value, place: String, places: &mut Vec<String>) {
    places.push(place.clone());
    if let Value::Object(members) = value {
        for (name, member) in members {
            let below = format!("{place}/{name}");
            match name.as_str() {
                "properties" | "patternProperties" | "dependentSchemas" => {
                    for (name, member) in member.as_object().into_iter().flatten() {
                        places_of(member, format!("{below}/{}", name.replace('~', "~0").replace('/', "~1")), places);
                    }
                }
                "enum" | "const" | "required" | "dependentRequired" => {}
                _ => match member {
                    Value::Array(schemas) => {
                        schemas
                            .iter()
                            .enumerate()
                            .for_each(|(i, schema)| places_of(schema, format!("{below}/{i}"), places));
                    }
                    schema => places_of(schema, below, places),
                },
            }
        }
    }
}

fn check((old, new): (Value, Value), dialects: (Dialect, Dialect)) -> Result<CompatibilityVerdict, TestCaseError> {
    let limits = Limits::default();
    let compile = |schema: &Value, dialect| Schema::compile(schema, Some(dialect), &limits);
    let (Ok(before), Ok(after)) = (compile(&old, dialects.0), compile(&new, dialects.1)) else {
        return Err(TestCaseError::reject("does not compile"));
    };
    let report = Comparer::new(limits.clone())
        .schemas(
            Contract { schema: &old, dialect: Some(dialects.0) },
            Contract { schema: &new, dialect: Some(dialects.1) },
        )
        .unwrap();
    let counterexample = world().into_iter().find(|value| before.is_valid(value) && !after.is_valid(value));
    match report.verdict {
        CompatibilityVerdict::Compatible => {
            prop_assert_eq!(counterexample, None, "called compatible: {} -> {}", old, new);
        }
        CompatibilityVerdict::Breaking => {
            let witness = report.witness.unwrap();
            prop_assert!(before.is_valid(&witness) && !after.is_valid(&witness), "{} is no witness", witness);
        }
        CompatibilityVerdict::Unknown => {
            let known = if counterexample.is_some() { "missed" } else { "open" };
            println!(
                "{known}: {old} -> {new}\n    {:?}",
                report.findings.iter().map(|f| &f.message).collect::<Vec<_>>()
            );
        }
    }
    Ok(report.verdict)
}

/// How many pairs are tried: few in every run, many by `make laws`.
fn cases() -> u32 {
    std::env::var("WM_LAWS").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

/// No verdict of any pair is contradicted by a value of the small world, and few are left open.
#[track_caller]
fn hold(dialects: (Dialect, Dialect)) {
    let config = ProptestConfig { cases: cases(), max_global_rejects: 1_000_000, ..ProptestConfig::default() };
    let counts: RefCell<BTreeMap<CompatibilityVerdict, u32>> = RefCell::default();
    TestRunner::new(config)
        .run(&pair(), |pair| {
            let verdict = check(pair, dialects)?;
            *counts.borrow_mut().entry(verdict).or_insert(0) += 1;
            Ok(())
        })
        .unwrap();
    let counts = counts.into_inner();
    let of = |verdict| counts.get(&verdict).copied().unwrap_or(0);
    println!("{counts:?}");
    assert!(of(CompatibilityVerdict::Breaking) * 10 > cases(), "the pairs show little: {counts:?}");
    assert!(of(CompatibilityVerdict::Unknown) * 50 < cases(), "too many are left open: {counts:?}");
}

#[test]
fn no_verdict_is_contradicted() {
    hold((Dialect::Draft202012, Dialect::Draft202012));
}

#[test]
fn no_verdict_is_contradicted_in_an_older_dialect() {
    hold((Dialect::Draft07, Dialect::Draft07));
}

#[test]
fn no_verdict_across_dialects_is_contradicted() {
    hold((Dialect::Draft07, Dialect::Draft201909));
    hold((Dialect::Draft202012, Dialect::Draft06));
    hold((Dialect::Draft06, Dialect::Draft04));
}
