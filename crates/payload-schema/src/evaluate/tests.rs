//! The rules of a verdict, one test each, in the order in which the documentation tells them.

use crate::{Evaluator, Input, Limits, Prepared};
use serde_json::{Value, json};
use std::sync::Arc;
use worker_types::{Bundle, Outcome, Task, UncheckedReason, Verdict, content_hash};

/// A worker type in the making: revisions of variants whose schemas are written in place.
struct Given {
    bundle: Value,
}

fn hash_of(schema: &Value) -> String {
    content_hash(schema).to_string()
}

fn given(variants: Value) -> Given {
    let bundle = json!({"workerTypeId": "p/w", "generation": 3, "validation": "enforce", "rollout": null, "revisions": [], "schemas": {}});
    Given { bundle }.revision(variants)
}

impl Given {
    fn revision(mut self, mut variants: Value) -> Self {
        for variant in variants.as_array_mut().unwrap() {
            for place in ["appliesWhen", "taskSchema", "payloadSchema"] {
                self.refer(variant, place);
            }
            for constraints in variant["constraints"].as_array_mut().into_iter().flatten() {
                self.refer(constraints, "payloadSchema");
                self.refer(constraints, "taskSchema");
            }
            let variant = variant.as_object_mut().unwrap();
            variant.entry("name").or_insert("default".into());
            variant.retain(|_, value| !value.is_null());
        }
        let number = self.bundle["revisions"].as_array().unwrap().len() + 1;
        self.bundle["revisions"].as_array_mut().unwrap().push(json!({
            "revision": number, "contentHash": hash_of(&variants), "validation": "enforce", "acceptance": "any",
            "lifecycle": {"state": "active"}, "variants": variants,
        }));
        self
    }

    /// Moves a schema to `schemas` and leaves a reference.
    fn refer(&mut self, owner: &mut Value, place: &str) {
        let Some(schema) = owner.get(place).cloned().filter(|schema| !schema.is_null()) else { return };
        owner[place] = json!({"hash": hash_of(&schema), "dialect": "draft-07"});
        let hash = hash_of(&schema);
        self.bundle["schemas"][hash] = schema;
    }

    fn with(mut self, field: &str, value: Value) -> Self {
        self.bundle["revisions"].as_array_mut().unwrap().last_mut().unwrap()[field] = value;
        self
    }

    fn rollout(mut self, policy: &str) -> Self {
        self.bundle["rollout"] = json!({"policy": policy});
        self
    }

    fn prepared(&self) -> Prepared {
        let bundle: Bundle = serde_json::from_value(self.bundle.clone()).unwrap();
        Evaluator::new(Limits::default(), 10).prepare(Arc::new(bundle)).unwrap()
    }

    fn task(&self, mut task: Value) -> Verdict {
        task["taskQueueId"] = "p/w".into();
        self.verdict(Input::Task(&Task::normalised(task).unwrap()))
    }

    fn payload(&self, payload: &Value) -> Verdict {
        self.verdict(Input::Payload(payload))
    }

    /// The verdict; the short way to it, where there is one, says the same as the long one.
    fn verdict(&self, input: Input<'_>) -> Verdict {
        let prepared = self.prepared();
        let verdict = prepared.evaluate(input).into_owned();
        assert_eq!(verdict, prepared.evaluate_all(input, input.into()));
        verdict
    }
}

fn property(name: &str, kind: &str) -> Value {
    json!({"type": "object", "required": [name], "properties": {name: {"type": kind}}, "additionalProperties": false})
}

fn scope(name: &str) -> Value {
    json!({"properties": {"scopes": {"contains": {"const": name}}}})
}

fn problems(verdict: &Verdict) -> Vec<(&str, &str)> {
    verdict.errors.iter().map(|item| (item.problem.as_str(), item.pointer.as_str())).collect()
}

fn outcome(verdict: &Verdict) -> (Outcome, Option<UncheckedReason>) {
    (verdict.verdict, verdict.reason)
}

const VALID: (Outcome, Option<UncheckedReason>) = (Outcome::Valid, None);
const INVALID: (Outcome, Option<UncheckedReason>) = (Outcome::Invalid, None);
const NO_SCHEMA: (Outcome, Option<UncheckedReason>) = (Outcome::Unchecked, Some(UncheckedReason::NoSchema));
const NEEDS_TASK: (Outcome, Option<UncheckedReason>) = (Outcome::Unchecked, Some(UncheckedReason::NeedsTask));

#[test]
fn a_variant_accepts_when_payload_task_and_constraints_fit() {
    let given = given(json!([{
        "payloadSchema": {"properties": {"n": {"type": "integer"}}}, "taskSchema": {"required": ["metadata"]},
        "constraints": [{"payloadSchema": {"required": ["n"]}, "taskSchema": {"properties": {"priority": {"const": "low"}}},
            "rules": [{"rule": "atMost", "path": "/payload/n", "limit": 5}]}],
    }]));
    let fits = json!({"payload": {"n": 5}, "metadata": {}, "priority": "low"});
    assert_eq!(outcome(&given.task(fits.clone())), VALID);
    for (pointer, value, problem) in [
        ("/payload", json!({"n": "5"}), ("type", "/payload/n")),
        ("/payload", json!({}), ("required", "/payload")),
        ("/payload", json!({"n": 6}), ("atMost", "/payload/n")),
        ("/priority", json!("high"), ("const", "/priority")),
    ] {
        let mut task = fits.clone();
        *task.pointer_mut(pointer).unwrap() = value;
        let verdict = given.task(task);
        assert_eq!((outcome(&verdict), problems(&verdict)), (INVALID, vec![problem]));
        assert_eq!((verdict.errors[0].variant.as_deref(), verdict.errors[0].revision), (Some("default"), Some(1)));
        let narrowed =
            verdict.errors[0].schema_pointer.as_deref().is_some_and(|pointer| pointer.starts_with("/constraints/"));
        assert_eq!(narrowed, ["required", "const"].contains(&problem.0), "{problem:?}");
    }
}

#[test]
fn a_payload_is_an_object() {
    let given = given(json!([{}]));
    assert_eq!(problems(&given.task(json!({"payload": []}))), [("type", "/payload")]);
    assert_eq!(problems(&given.payload(&json!("text"))), [("type", "/payload")]);
    assert_eq!(problems(&given.task(json!({}))), [("required", "")]);
}

#[test]
fn none_applies_is_invalid_and_says_what_each_asked_for() {
    let given = given(json!([{"name": "a", "appliesWhen": scope("s:a")}, {"name": "b", "appliesWhen": scope("s:b")}]));
    let verdict = given.task(json!({"payload": {}, "scopes": ["s:c"]}));
    assert_eq!(outcome(&verdict), INVALID);
    assert!(verdict.variants.is_empty());
    let asked: Vec<_> = verdict.errors.iter().map(|item| (item.problem.as_str(), item.variant.as_deref())).collect();
    assert_eq!(asked, [("no-variant-applies", Some("a")), ("no-variant-applies", Some("b"))]);
    assert!(verdict.errors[0].message.contains("s:a"), "{}", verdict.errors[0].message);
}

#[test]
fn a_variant_that_does_not_apply_neither_accepts_nor_refuses() {
    let given = given(json!([
        {"name": "a", "appliesWhen": scope("s:a"), "payloadSchema": property("x", "integer")},
        {"name": "b", "appliesWhen": scope("s:b"), "payloadSchema": property("y", "integer")},
    ]));
    let verdict = given.task(json!({"payload": {"y": 1}, "scopes": ["s:a"]}));
    assert_eq!((outcome(&verdict), &*verdict.variants), (INVALID, &["a".to_owned()][..]));
    assert_eq!(outcome(&given.task(json!({"payload": {"y": 1}, "scopes": ["s:b"]}))), VALID);
}

#[test]
fn any_needs_one_and_lists_those_that_refuse() {
    let given = given(json!([
        {"name": "a", "payloadSchema": property("x", "integer")}, {"name": "b", "payloadSchema": property("y", "integer")},
    ]));
    let verdict = given.task(json!({"payload": {"y": 1}}));
    assert_eq!(outcome(&verdict), VALID);
    assert_eq!(verdict.rejected_by, ["a"]);
    let warning = &verdict.warnings[0];
    assert_eq!((warning.problem.as_str(), warning.revision), ("rejected-by-variant", Some(1)));
    assert_eq!(warning.message, "the variant a applies too, and refuses this task");
    assert_eq!(outcome(&given.payload(&json!({"x": 1}))), VALID);
}

#[test]
fn any_explains_the_variant_that_was_most_likely_meant() {
    let given = given(json!([
        {"name": "native", "payloadSchema": property("command", "array")},
        {"name": "container", "payloadSchema": property("image", "string")},
    ]));
    let verdict = given.task(json!({"payload": {"image": 5}}));
    assert_eq!(problems(&verdict), [("type", "/payload/image")]);
    assert_eq!(verdict.errors[0].variant.as_deref(), Some("container"));
}

#[test]
fn all_needs_every_one_that_applies() {
    let given = given(json!([
        {"name": "a", "payloadSchema": {"required": ["x"]}}, {"name": "b", "payloadSchema": {"required": ["y"]}},
        {"name": "c", "appliesWhen": scope("s:c"), "payloadSchema": false},
    ]))
    .with("acceptance", json!("all"));
    assert_eq!(outcome(&given.task(json!({"payload": {"x": 1, "y": 1}}))), VALID);
    let verdict = given.task(json!({"payload": {}}));
    let by: Vec<_> = verdict.errors.iter().filter_map(|item| item.variant.as_deref()).collect();
    assert_eq!((outcome(&verdict), by), (INVALID, vec!["a", "b"]));
    assert_eq!(outcome(&given.task(json!({"payload": {"x": 1, "y": 1}, "scopes": ["s:c"]}))), INVALID);
}

#[test]
fn all_is_not_true_by_vacuity() {
    let given = given(json!([{"appliesWhen": scope("s:a")}])).with("acceptance", json!("all"));
    assert_eq!(outcome(&given.task(json!({"payload": {}}))), INVALID);
}

#[test]
fn without_a_schema_nothing_was_checked() {
    assert_eq!(outcome(&given(json!([{}])).task(json!({"payload": {"x": 1}}))), NO_SCHEMA);
    let rules = json!([{"constraints": [{"rules": [{"rule": "atMost", "path": "/payload/n", "limit": 5}]}]}]);
    assert_eq!(outcome(&given(rules.clone()).task(json!({"payload": {"n": 1}}))), NO_SCHEMA);
    assert_eq!(outcome(&given(rules).task(json!({"payload": {"n": 6}}))), INVALID);
    let one_of_two = given(json!([{"name": "a"}, {"name": "b", "payloadSchema": property("x", "integer")}]));
    assert_eq!(outcome(&one_of_two.task(json!({"payload": {"x": 1}}))), VALID);
    let verdict = one_of_two.task(json!({"payload": {"y": 1}}));
    assert_eq!((outcome(&verdict), verdict.rejected_by), (NO_SCHEMA, vec!["b".to_owned()]));
    assert_eq!(outcome(&one_of_two.with("acceptance", json!("all")).task(json!({"payload": {"x": 1}}))), NO_SCHEMA);
}

#[test]
fn a_payload_alone_is_valid_only_when_nothing_more_is_needed() {
    let plain = property("x", "integer");
    let needs_nothing = given(json!([{"payloadSchema": plain}]));
    assert_eq!(outcome(&needs_nothing.payload(&json!({"x": 1}))), VALID);
    assert_eq!(outcome(&needs_nothing.payload(&json!({}))), INVALID);
    let may_apply = given(json!([{"appliesWhen": scope("s:a"), "payloadSchema": plain}]));
    let verdict = may_apply.payload(&json!({"x": 1}));
    assert_eq!((outcome(&verdict), &*verdict.variants), (NEEDS_TASK, &["default".to_owned()][..]));
    assert_eq!(outcome(&may_apply.payload(&json!({"y": 1}))), INVALID);
    let may_accept = given(json!([{"payloadSchema": plain, "taskSchema": {"required": ["metadata"]}}]));
    assert_eq!(outcome(&may_accept.payload(&json!({"x": 1}))), NEEDS_TASK);
    assert_eq!(outcome(&may_accept.payload(&json!({"x": "1"}))), INVALID);
    let one_needs = given(
        json!([{"name": "a", "appliesWhen": scope("s:a"), "payloadSchema": plain}, {"name": "b", "payloadSchema": plain}]),
    );
    assert_eq!(outcome(&one_needs.payload(&json!({"x": 1}))), VALID);
    let rule = json!([{"payloadSchema": {}, "constraints": [{"rules": [{"rule": "notAfter", "path": "/payload/e", "other": "/expires"}]}]}]);
    assert_eq!(outcome(&given(rule.clone()).payload(&json!({"e": "2027-01-01T00:00:00Z"}))), NEEDS_TASK);
    assert_eq!(outcome(&given(rule).payload(&json!({}))), VALID);
}

#[test]
fn a_payload_alone_under_all() {
    let plain = property("x", "integer");
    let variants = json!([{"name": "a", "payloadSchema": plain}, {"name": "b", "appliesWhen": scope("s:b"), "payloadSchema": property("y", "integer")}]);
    let given_all = given(variants).with("acceptance", json!("all"));
    assert_eq!(outcome(&given_all.payload(&json!({"x": 1}))), NEEDS_TASK);
    assert_eq!(outcome(&given_all.payload(&json!({"y": 1}))), INVALID);
    let only_maybe =
        given(json!([{"appliesWhen": scope("s:b"), "payloadSchema": plain}])).with("acceptance", json!("all"));
    assert_eq!(outcome(&only_maybe.payload(&json!({"x": 1}))), NEEDS_TASK);
    assert_eq!(outcome(&only_maybe.payload(&json!({"y": 1}))), INVALID);
}

#[test]
fn a_rollout_is_lenient_or_strict() {
    let two = || {
        given(json!([{"payloadSchema": property("x", "integer")}]))
            .revision(json!([{"payloadSchema": property("y", "integer")}]))
    };
    let both = json!({"payload": {"x": 1, "y": 1}});
    for (policy, old, new, neither) in [("lenient", VALID, VALID, INVALID), ("strict", INVALID, INVALID, INVALID)] {
        let given = two().rollout(policy);
        assert_eq!(outcome(&given.task(json!({"payload": {"x": 1}}))), old, "{policy}");
        assert_eq!(outcome(&given.task(json!({"payload": {"y": 1}}))), new, "{policy}");
        assert_eq!(outcome(&given.task(both.clone())), neither, "{policy}");
    }
    let strict = two().rollout("strict").task(json!({"payload": {"y": 1}}));
    assert_eq!(strict.errors[0].revision, Some(1));
    let lenient = two().rollout("lenient").task(both.clone());
    assert_eq!(lenient.errors[0].revision, Some(2));
    assert_eq!(lenient.revisions.iter().map(|reference| reference.revision.0).collect::<Vec<_>>(), [1, 2]);
    let said = |verdict: &Verdict| {
        let rollout = verdict.rollout.as_ref().unwrap();
        rollout.revisions.iter().map(|one| (one.revision.0, one.verdict)).collect::<Vec<_>>()
    };
    assert_eq!(said(&strict), [(1, Outcome::Invalid), (2, Outcome::Valid)]);
    assert_eq!(said(&lenient), [(1, Outcome::Invalid), (2, Outcome::Invalid)]);
    assert_eq!(
        said(&two().rollout("lenient").task(json!({"payload": {"x": 1}}))),
        [(1, Outcome::Valid), (2, Outcome::Invalid)]
    );
    let open = |a: &str| {
        given(json!([{"payloadSchema": {"required": [a]}}])).revision(json!([{"payloadSchema": {}}])).rollout("strict")
    };
    assert_eq!(outcome(&open("x").task(both)), VALID);
}

#[test]
fn during_a_rollout_it_is_said_which_revision_refuses_and_what_the_other_says() {
    let two = |policy: &str| {
        given(json!([{"payloadSchema": property("x", "integer")}]))
            .revision(json!([{"payloadSchema": property("y", "integer")}]))
            .rollout(policy)
    };
    let lenient =
        "a lenient rollout from revision 1 to revision 2 is open, and it is enough that one of the revisions accepts";
    let strict = "a strict rollout from revision 1 to revision 2 is open, and both revisions have to accept";
    let [old, new, neither] = [json!({"x": 1}), json!({"y": 1}), json!({})];
    for (policy, head) in [("lenient", lenient), ("strict", strict)] {
        for (payload, refusing, says) in [
            (&old, 2, "revision 1 accepts this payload, revision 2 refuses it"),
            (&new, 1, "revision 1 refuses this payload, revision 2 accepts it"),
            (&neither, 2, "both refuse this payload, and the errors are those of revision 2"),
        ] {
            let verdict = two(policy).payload(payload);
            let [warning] = &verdict.warnings[..] else { panic!("{policy} {payload}: {:?}", verdict.warnings) };
            assert_eq!((warning.problem.as_str(), warning.revision), ("rejected-by-revision", Some(refusing)));
            assert_eq!(warning.message, format!("{head}: {says}"));
        }
    }
    let open = given(json!([{"payloadSchema": {}}])).revision(json!([{"payloadSchema": {}}])).rollout("strict");
    assert_eq!(open.payload(&old).warnings, [], "nothing is said where both accept");
}

#[test]
fn a_variant_that_refuses_while_its_revision_accepts_is_named_with_the_revision() {
    let variants =
        json!([{"name": "a", "payloadSchema": property("x", "integer")}, {"name": "b", "payloadSchema": {}}]);
    let given = given(json!([{"payloadSchema": {}}])).revision(variants).rollout("lenient");
    let verdict = given.task(json!({"payload": {}}));
    let said: Vec<_> = verdict.warnings.iter().map(|item| (item.message.as_str(), item.revision)).collect();
    assert_eq!(said, [("the variant a of revision 2 applies too, and refuses this task", Some(2))]);
}

#[test]
fn a_rollout_with_a_revision_without_a_schema() {
    let two = || given(json!([{}])).revision(json!([{"payloadSchema": property("x", "integer")}]));
    assert_eq!(outcome(&two().rollout("lenient").task(json!({"payload": {"x": 1}}))), VALID);
    assert_eq!(outcome(&two().rollout("lenient").task(json!({"payload": {"y": 1}}))), NO_SCHEMA);
    assert_eq!(outcome(&two().rollout("strict").task(json!({"payload": {"x": 1}}))), NO_SCHEMA);
    assert_eq!(outcome(&two().rollout("strict").task(json!({"payload": {"y": 1}}))), INVALID);
}

#[test]
fn deprecated_warns_and_retired_refuses_with_the_replacement() {
    let plain = || given(json!([{"payloadSchema": {}}]));
    let deprecated =
        plain().with("lifecycle", json!({"state": "deprecated", "message": "old kernel", "replacedBy": "p/new"}));
    let verdict = deprecated.task(json!({"payload": {}}));
    assert_eq!(outcome(&verdict), VALID);
    assert_eq!(
        (verdict.warnings[0].problem.as_str(), verdict.warnings[0].suggestion.as_deref()),
        ("deprecated", Some("p/new"))
    );
    let retired = plain().with("lifecycle", json!({"state": "retired", "message": "gone", "replacedBy": "p/new"}));
    for verdict in [retired.task(json!({"payload": {}})), retired.payload(&json!({}))] {
        assert_eq!((outcome(&verdict), problems(&verdict)), (INVALID, vec![("retired", "")]));
        assert!(verdict.errors[0].message.contains("gone") && verdict.errors[0].message.contains("p/new"));
    }
}

#[test]
fn errors_are_capped_and_the_rest_is_counted() {
    let properties: Value =
        (0..150).map(|n| (format!("p{n}"), json!({"type": "integer"}))).collect::<serde_json::Map<_, _>>().into();
    let payload: Value = (0..150).map(|n| (format!("p{n}"), json!("x"))).collect::<serde_json::Map<_, _>>().into();
    let verdict = given(json!([{"payloadSchema": {"properties": properties}}])).payload(&payload);
    assert_eq!((verdict.errors.len(), verdict.more_errors), (100, 50));
}

#[test]
fn a_task_that_names_another_worker_type_is_held_against_the_one_asked() {
    let task = Task::normalised_for(json!({"taskQueueId": "p/other", "payload": {}}), &"p/w".parse().unwrap()).unwrap();
    let verdict = given(json!([{"payloadSchema": {}}])).verdict(Input::Task(&task));
    assert_eq!(outcome(&verdict), VALID);
    assert_eq!(verdict.warnings[0].problem, "other-worker-type");
}
