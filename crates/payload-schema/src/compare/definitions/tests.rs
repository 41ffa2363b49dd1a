//! What a change of a definition means for its tasks, one rule each; every answer is held against the verdict.

use crate::{Comparer, Evaluator, Input, Limits, Prepared};
use serde_json::{Value, json};
use std::sync::Arc;
use worker_types::{Bundle, Compatibility, CompatibilityVerdict, Effect, Outcome, Task, content_hash};

/// A definition that is live alone, with its schemas written in place.
fn given(acceptance: &str, variants: Value) -> Prepared {
    let mut schemas = serde_json::Map::new();
    let mut refer = |owner: &mut Value, place: &str| {
        if let Some(schema) = owner.get(place).cloned() {
            let hash = content_hash(&schema).to_string();
            owner[place] = json!({"hash": hash, "dialect": "draft-07"});
            schemas.insert(hash, schema);
        }
    };
    let mut variants = variants;
    for variant in variants.as_array_mut().unwrap() {
        ["appliesWhen", "taskSchema", "payloadSchema"].into_iter().for_each(|place| refer(variant, place));
        for constraints in variant.get_mut("constraints").and_then(Value::as_array_mut).into_iter().flatten() {
            ["taskSchema", "payloadSchema"].into_iter().for_each(|place| refer(constraints, place));
        }
    }
    let hash = content_hash(&variants);
    let bundle = json!({"workerTypeId": "p/w", "generation": 1, "validation": "enforce", "rollout": null, "schemas": schemas,
        "revisions": [{"revision": 1, "contentHash": hash, "validation": "enforce", "acceptance": acceptance,
            "lifecycle": {"state": "active"}, "variants": variants}]});
    let bundle: Bundle = serde_json::from_value(bundle).unwrap();
    Evaluator::new(Limits::default(), 50).prepare(Arc::new(bundle)).unwrap()
}

/// The comparison; a witness must be one.
fn compare(old: &Prepared, new: &Prepared) -> Compatibility {
    let report = Comparer::new(Limits::default()).bundles(old, new);
    assert_eq!(report.witness.is_some(), report.verdict == CompatibilityVerdict::Breaking, "{report:?}");
    if let Some(witness) = &report.witness {
        let verdict = |prepared: &Prepared| {
            if report.witness_is_task {
                let task = Task::normalised_for(witness.clone(), &prepared.bundle().worker_type_id).unwrap();
                prepared.evaluate(Input::Task(&task)).verdict
            } else {
                prepared.evaluate(Input::Payload(witness)).verdict
            }
        };
        assert_ne!(verdict(old), Outcome::Invalid, "{witness}");
        assert_eq!(verdict(new), Outcome::Invalid, "{witness}");
    }
    report
}

#[track_caller]
fn expect(old: &Prepared, new: &Prepared, verdict: CompatibilityVerdict) -> Compatibility {
    let report = compare(old, new);
    assert_eq!(report.verdict, verdict, "{report:#?}");
    report
}

const COMPATIBLE: CompatibilityVerdict = CompatibilityVerdict::Compatible;
const BREAKING: CompatibilityVerdict = CompatibilityVerdict::Breaking;

fn closed(name: &str, kind: &str) -> Value {
    json!({"type": "object", "required": [name], "properties": {name: {"type": kind}}, "additionalProperties": false})
}

fn with_scope(scope: &str) -> Value {
    json!({"properties": {"scopes": {"contains": {"const": scope}}}})
}

#[test]
fn a_payload_schema_that_tightens_breaks_with_a_payload() {
    let old = given("any", json!([{"name": "default", "payloadSchema": {"type": "object"}}]));
    let new = given("any", json!([{"name": "default", "payloadSchema": {"type": "object", "required": ["image"]}}]));
    let report = expect(&old, &new, BREAKING);
    assert!(!report.witness_is_task);
    let finding = &report.findings[0];
    assert_eq!((finding.effect, finding.pointer.as_str()), (Effect::Tightened, "/payload/image"));
    assert_eq!(finding.variant.as_deref(), Some("default"));
    expect(&new, &old, COMPATIBLE);
}

#[test]
fn no_schema_takes_objects_and_nothing_else() {
    let old = given("any", json!([{"name": "default"}]));
    let new = given("any", json!([{"name": "default", "payloadSchema": {"type": "object"}}]));
    expect(&old, &new, COMPATIBLE);
    expect(&new, &old, COMPATIBLE);
}

#[test]
fn the_only_variant_may_be_renamed() {
    let old = given("any", json!([{"name": "a", "payloadSchema": closed("n", "integer")}]));
    let new = given("any", json!([{"name": "b", "payloadSchema": closed("n", "number")}]));
    expect(&old, &new, COMPATIBLE);
    expect(&new, &old, BREAKING);
}

#[test]
fn under_any_a_variant_that_goes_takes_its_tasks_with_it() {
    let both = json!([{"name": "a", "payloadSchema": closed("n", "integer")},
        {"name": "b", "payloadSchema": closed("text", "string")}]);
    let one = json!([{"name": "a", "payloadSchema": closed("n", "integer")}]);
    let report = expect(&given("any", both.clone()), &given("any", one.clone()), BREAKING);
    assert!(report.findings.iter().any(|finding| finding.message.contains("the variant b is gone")));
    expect(&given("any", one), &given("any", both), COMPATIBLE);
}

#[test]
fn under_any_another_variant_may_take_over() {
    let old = given(
        "any",
        json!([{"name": "a", "payloadSchema": closed("n", "integer")},
        {"name": "b", "payloadSchema": closed("n", "number")}]),
    );
    let new = given("any", json!([{"name": "b", "payloadSchema": closed("n", "number")}]));
    expect(&old, &new, COMPATIBLE);
}

#[test]
fn under_all_a_variant_that_comes_may_refuse() {
    let one = json!([{"name": "a", "payloadSchema": {"type": "object"}}]);
    let both = json!([{"name": "a", "payloadSchema": {"type": "object"}},
        {"name": "b", "payloadSchema": closed("n", "integer")}]);
    expect(&given("all", one.clone()), &given("all", both.clone()), BREAKING);
    expect(&given("all", both.clone()), &given("all", one), COMPATIBLE);
    expect(&given("all", both.clone()), &given("any", both.clone()), COMPATIBLE);
    expect(&given("any", both.clone()), &given("all", both), BREAKING);
}

#[test]
fn a_variant_that_applies_to_fewer_tasks_leaves_some_without_one() {
    let old = given("any", json!([{"name": "a", "payloadSchema": {"type": "object"}}]));
    let new = given(
        "any",
        json!([{"name": "a", "payloadSchema": {"type": "object"}, "appliesWhen": {"required": ["routes", "scopes"], "properties": {"scopes": {"minItems": 1}}}}]),
    );
    let report = expect(&old, &new, BREAKING);
    assert!(report.witness_is_task);
    expect(&new, &old, COMPATIBLE);
}

#[test]
fn a_task_schema_that_tightens_breaks_with_a_task() {
    let schema = |most: u64| json!({"properties": {"scopes": {"maxItems": most}}});
    let definition =
        |most| given("any", json!([{"name": "a", "payloadSchema": {"type": "object"}, "taskSchema": schema(most)}]));
    let report = expect(&definition(3), &definition(1), BREAKING);
    assert!(report.witness_is_task);
    expect(&definition(1), &definition(3), COMPATIBLE);
}

#[test]
fn variants_chosen_by_scopes_are_compared_each() {
    let definition = |kind: &str| {
        given(
            "any",
            json!([{"name": "sign", "appliesWhen": with_scope("sign"), "payloadSchema": closed("n", kind)},
            {"name": "push", "appliesWhen": with_scope("push"), "payloadSchema": closed("text", "string")}]),
        )
    };
    let report = expect(&definition("number"), &definition("integer"), BREAKING);
    assert!(report.witness_is_task, "a payload alone leaves open which variant applies");
    expect(&definition("integer"), &definition("number"), COMPATIBLE);
}

#[test]
fn a_limit_that_falls_breaks_and_one_that_rises_does_not() {
    let schema = json!({"type": "object", "required": ["maxRunTime"], "properties": {"maxRunTime": {"type": "integer", "minimum": 1}}});
    let definition = |limit: u64| {
        given(
            "any",
            json!([{"name": "a", "payloadSchema": schema, "constraints": [{"rules": [
            {"rule": "atMost", "path": "/payload/maxRunTime", "limit": limit}]}]}]),
        )
    };
    let report = expect(&definition(7200), &definition(3600), BREAKING);
    assert_eq!(report.findings[0].pointer, "/payload/maxRunTime");
    assert_eq!(report.findings[0].effect, Effect::Tightened);
    expect(&definition(3600), &definition(7200), COMPATIBLE);
    let free = given("any", json!([{"name": "a", "payloadSchema": schema}]));
    expect(&definition(3600), &free, COMPATIBLE);
    expect(&free, &definition(3600), BREAKING);
}

#[test]
fn constraints_narrow_what_the_contract_takes() {
    let contract = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
    let definition = |narrowed: Option<Value>| {
        let constraints: Vec<Value> = narrowed.into_iter().map(|schema| json!({"payloadSchema": schema})).collect();
        given("any", json!([{"name": "a", "payloadSchema": contract, "constraints": constraints}]))
    };
    let narrow = Some(json!({"properties": {"size": {"maximum": 5}}}));
    let wider = Some(json!({"properties": {"size": {"maximum": 9}}}));
    expect(&definition(None), &definition(narrow.clone()), BREAKING);
    expect(&definition(narrow.clone()), &definition(None), COMPATIBLE);
    expect(&definition(narrow.clone()), &definition(wider.clone()), COMPATIBLE);
    expect(&definition(wider), &definition(narrow), BREAKING);
}

/// Two definitions that are live together, older first.
fn during(policy: &str, older: &Prepared, newer: &Prepared) -> Prepared {
    let mut bundle = (**older.bundle()).clone();
    bundle.rollout = serde_json::from_value(json!({"policy": policy})).unwrap();
    bundle.revisions.extend(newer.bundle().revisions.clone());
    bundle.schemas.extend(newer.bundle().schemas.clone());
    Evaluator::new(Limits::default(), 50).prepare(Arc::new(bundle)).unwrap()
}

/// A worker type whose payloads have an `n` between the two.
fn between(minimum: i64, maximum: i64) -> Prepared {
    let schema = json!({"type": "object", "required": ["n"],
        "properties": {"n": {"type": "integer", "minimum": minimum, "maximum": maximum}}});
    given("any", json!([{"name": "a", "payloadSchema": schema}]))
}

/// Sets of integers stand for the revisions: unions under `lenient`, intersections under `strict`, whose inclusion is known.
#[test]
fn two_live_revisions_accept_together_what_their_rollout_says() {
    let (wide, low, high) = (between(0, 9), between(0, 5), between(5, 9));
    let (lenient, strict) = (during("lenient", &wide, &low), during("strict", &wide, &low));
    expect(&wide, &lenient, COMPATIBLE);
    expect(&wide, &strict, BREAKING);
    expect(&lenient, &low, BREAKING);
    // What both accept is what the narrower accepts.
    expect(&strict, &low, COMPATIBLE);
    expect(&strict, &between(1, 9), BREAKING);
    expect(&lenient, &during("lenient", &low, &wide), COMPATIBLE);
    expect(&during("strict", &low, &high), &during("lenient", &low, &high), COMPATIBLE);
    expect(&during("lenient", &low, &high), &during("strict", &low, &high), BREAKING);
    expect(&during("strict", &low, &high), &between(5, 5), CompatibilityVerdict::Unknown);
    expect(&wide, &during("lenient", &low, &high), CompatibilityVerdict::Unknown);
}

#[test]
fn a_strict_rollout_of_revisions_with_nothing_in_common_is_told() {
    let told = |old: &Prepared, new: &Prepared| {
        let report = expect(old, &during("strict", old, new), BREAKING);
        report.findings[0].message.starts_with("no task at all is accepted")
    };
    let (low, touching, high) = (between(0, 4), between(4, 9), between(5, 9));
    assert!(told(&low, &high));
    assert!(!told(&low, &touching));
    let only = |property: &str| {
        let schema = json!({"type": "object", "required": [property], "additionalProperties": false,
            "properties": {property: {"type": "string"}}});
        given("any", json!([{"name": "a", "payloadSchema": schema}]))
    };
    assert!(told(&only("to"), &only("recipients")));
    let retired = |prepared: &Prepared| {
        let mut bundle = (**prepared.bundle()).clone();
        bundle.revisions[0].lifecycle.state = worker_types::LifecycleState::Retired;
        Evaluator::new(Limits::default(), 50).prepare(Arc::new(bundle)).unwrap()
    };
    assert!(!told(&low, &retired(&low)), "nothing is accepted on purpose");
    let lenient = compare(&low, &during("lenient", &low, &high));
    assert!(lenient.findings.iter().all(|finding| !finding.message.contains("no task at all")));
}
