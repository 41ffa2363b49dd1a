//! The law over generated definitions: any and all, with and without `appliesWhen`, one revision or a rollout.

use super::given::{FORMS, TARGETS, bundle, payload_schema, prepared, queue, read, service_accepts, task, task_schema};
use payload_schema::Input;
use proptest::prelude::*;
use serde_json::{Value, json};
use worker_types::{Outcome, Task};

fn one_of(values: &[Value]) -> impl Strategy<Value = Value> + use<> {
    prop::sample::select(values.to_vec())
}

fn payload() -> impl Strategy<Value = Value> {
    one_of(&[
        json!({}),
        json!({"x": 1}),
        json!({"x": "1"}),
        json!({"y": 2}),
        json!({"x": 7, "y": 3}),
        json!({"x": [9, {"n": 9}]}),
        json!({"x": {"n": 9}, "y": "2027-01-01"}),
        json!([]),
        json!("text"),
    ])
}

fn payload_schemas() -> impl Strategy<Value = Value> {
    one_of(&[
        Value::Null,
        json!({}),
        json!(false),
        json!({"required": ["x"], "properties": {"x": {"type": "integer"}}}),
        json!({"properties": {"x": {"minimum": 0, "exclusiveMinimum": true}, "y": {"format": "date"}}, "additionalProperties": false, "$schema": "http://json-schema.org/draft-04/schema#"}),
        json!({"properties": {"x": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"type": ["integer", "array"]}}, "$id": "same"}),
        json!({"properties": {"x": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"type": ["string", "object"]}}, "$id": "same"}),
        json!({"anyOf": [{"required": ["y"]}, {"properties": {"x": true}}], "unevaluatedProperties": false, "$schema": "https://json-schema.org/draft/2020-12/schema"}),
        json!({"properties": {"y": {"format": "date"}}, "$schema": "https://json-schema.org/draft/2019-09/schema"}),
    ])
}

/// Schemas on the normalised task.
fn task_schemas() -> impl Strategy<Value = Value> {
    one_of(&[
        Value::Null,
        Value::Null,
        json!({}),
        json!({"properties": {"scopes": {"contains": {"const": "a"}}}}),
        json!({"not": {"properties": {"scopes": {"contains": {"const": "a"}}}}}),
        json!({"required": ["scopes", "dependencies", "expires", "payload"]}),
        json!({"required": ["taskGroupId"]}),
        json!({"properties": {"retries": {"maximum": 3}}}),
        json!({"not": {"properties": {"retries": {"const": 5}}}}),
        json!({"oneOf": [{"required": ["priority"]}, {"required": ["schedulerId"]}, {"required": ["taskGroupId"]}]}),
        json!({"dependencies": {"priority": {"properties": {"scopes": {"minItems": 1}}}, "extra": ["tags", "routes"]}}),
        json!({"if": {"properties": {"priority": {"const": "lowest"}}}, "then": {"$ref": "#/definitions/low"}, "definitions": {"low": {"properties": {"retries": {"maximum": 4}}}}}),
        json!({"patternProperties": {"^s": {"maxLength": 1, "maxItems": 1}}, "properties": {"workerType": {"const": "w"}}}),
        json!({"properties": {"payload": {"required": ["x"]}, "self": {"$ref": "#"}}, "required": ["provisionerId"]}),
    ])
}

fn rules() -> impl Strategy<Value = Value> {
    one_of(&[
        json!([]),
        json!([]),
        json!([{"rule": "atMost", "path": "/payload/x", "limit": 5}]),
        json!([{"rule": "atMost", "path": "/payload/*/*", "limit": 8}, {"rule": "atMost", "path": "/payload/x/1/n", "limit": 8}]),
        json!([{"rule": "atMost", "path": "/retries", "limit": 3}]),
        json!([{"rule": "atMost", "path": "/payload/x/0", "limit": 8}]),
    ])
}

fn variant() -> impl Strategy<Value = Value> {
    (task_schemas(), task_schemas(), payload_schemas(), payload_schemas(), task_schemas(), rules()).prop_map(
        |(applies, on_task, on_payload, narrowed, narrowed_task, rules)| {
            json!({"appliesWhen": applies, "taskSchema": on_task, "payloadSchema": on_payload,
                "constraints": [{"payloadSchema": narrowed, "taskSchema": narrowed_task, "rules": rules}]})
        },
    )
}

/// Some of the fields are left as they are, most variants say little.
fn quiet(mut variant: Value, keep: u8) -> Value {
    for (bit, name) in ["appliesWhen", "taskSchema", "payloadSchema", "constraints"].iter().enumerate() {
        if keep & (1 << bit) == 0 {
            variant[name] = Value::Null;
        }
    }
    variant
}

fn revision() -> impl Strategy<Value = Value> {
    let variants = prop::collection::vec((variant(), any::<u8>()), 1..4);
    (variants, any::<bool>(), prop::sample::select(vec!["active", "active", "active", "deprecated", "retired"]))
        .prop_map(|(variants, all, state)| {
            let variants = variants.into_iter().enumerate().map(|(index, (variant, keep))| {
                let mut variant = quiet(variant, keep);
                variant["name"] = format!("v{index}").into();
                variant
            });
            json!({"acceptance": if all { "all" } else { "any" }, "lifecycle": {"state": state},
                "variants": variants.collect::<Vec<_>>()})
        })
}

fn definition() -> impl Strategy<Value = (Option<&'static str>, Vec<Value>)> {
    let rollout = prop::sample::select(vec![None, Some("lenient"), Some("strict")]);
    (rollout, revision(), revision()).prop_map(|(rollout, first, second)| match rollout {
        None => (None, vec![first]),
        Some(policy) => (Some(policy), vec![first, second]),
    })
}

/// Tasks with some of the fields that a queue would fill in.
fn tasks() -> impl Strategy<Value = Value> {
    let named = one_of(&[
        json!({"taskQueueId": "p/w"}),
        json!({"taskQueueId": "p/w"}),
        json!({"provisionerId": "p", "workerType": "w"}),
        json!({"taskQueueId": "p/other"}),
        json!({"provisionerId": "p", "workerType": "other"}),
        json!({"taskQueueId": "p/unknown"}),
        json!({"taskQueueId": "p/w", "provisionerId": "p", "workerType": "other"}),
        json!({"taskQueueId": "p/w", "workerType": "v"}),
        json!({"provisionerId": "p"}),
    ]);
    let scopes = one_of(&[Value::Null, json!([]), json!(["a"]), json!(["b", "a"])]);
    let retries = one_of(&[Value::Null, json!(5), json!(3), json!(50)]);
    let priority = one_of(&[Value::Null, json!("lowest"), json!("high")]);
    let group = one_of(&[Value::Null, json!("AAAAAAAAQACAAAAAAAAAAA")]);
    let scheduler = one_of(&[Value::Null, json!("-"), json!("taskcluster")]);
    (named, payload(), scopes, retries, priority, (group, scheduler)).prop_map(
        |(named, payload, scopes, retries, priority, (group, scheduler))| {
            let mut fields = named;
            for (name, value) in [
                ("payload", payload),
                ("scopes", scopes),
                ("retries", retries),
                ("priority", priority),
                ("taskGroupId", group),
                ("schedulerId", scheduler),
            ] {
                fields[name] = value;
            }
            task(fields)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_payload_schema_accepts_what_the_service_does_not_refuse((rollout, revisions) in definition(), payloads in prop::collection::vec(payload(), 6)) {
        let bundle = bundle("p/w", rollout, &revisions);
        let prepared = prepared(&bundle);
        for target in TARGETS {
            let Ok(document) = payload_schema::effective_payload_schema(&bundle, target, &payload_schema::Limits::default()) else {
                prop_assert_eq!(target, payload_schema::Target::Draft07);
                continue;
            };
            let schema = read(&document);
            for payload in &payloads {
                let verdict = prepared.evaluate(Input::Payload(payload)).into_owned();
                prop_assert_eq!(schema.is_valid(payload), verdict.verdict != Outcome::Invalid, "{} by {} is {:?}", payload, document, verdict);
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_task_schema_accepts_what_the_service_does_not_refuse(one in definition(), other in definition(), tasks in prop::collection::vec(tasks(), 12)) {
        let bundles = [bundle("p/w", one.0, &one.1), bundle("p/other", other.0, &other.1)];
        let known = bundles.clone().map(|bundle| (bundle.clone(), prepared(&bundle)));
        let queue = queue();
        for (target, form) in TARGETS.into_iter().flat_map(|target| FORMS.map(|form| (target, form))) {
            let written = payload_schema::effective_task_schema(bundles.iter().map(|bundle| &**bundle), form, target, payload_schema::Strictness::Refuse, &payload_schema::Limits::default());
            let Ok(document) = written else {
                prop_assert_eq!(target, payload_schema::Target::Draft07);
                continue;
            };
            let schema = read(&document);
            for task in &tasks {
                let service = service_accepts(&known, &queue, task);
                prop_assert_eq!(schema.is_valid(task), service, "{} by {}", task, document);
                // What the queue fills in changes nothing.
                if let Ok(normalised) = Task::normalised(task.clone()) {
                    prop_assert_eq!(schema.is_valid(normalised.value()), service, "{} by {}", task, document);
                }
            }
        }
    }
}

#[test]
fn a_document_that_is_written_twice_is_the_same() {
    let revision = json!({"variants": [{"payloadSchema": {"properties": {"b": {}, "a": {}}}}]});
    let bundles = [bundle("p/w", None, std::slice::from_ref(&revision)), bundle("p/v", None, &[revision])];
    for target in TARGETS {
        assert_eq!(payload_schema(&bundles[0], target).to_string(), payload_schema(&bundles[0], target).to_string());
        let text = |_| task_schema(&bundles, FORMS[0], target).to_string();
        assert_eq!(text(0), text(1));
    }
}
