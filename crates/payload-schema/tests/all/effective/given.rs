//! Worker types for the tests of effective schemas, and the two verdicts that have to agree.

use payload_schema::{
    Evaluator, Form, Input, Limits, Prepared, Schema, Strictness, Surroundings, Target, create_task_schema,
    effective_payload_schema, effective_task_schema,
};
use serde_json::{Value, json};
use std::sync::Arc;
use worker_types::{Bundle, Outcome, Task, content_hash};

/// Every way in which a document is written.
pub const TARGETS: [Target; 2] = [Target::Draft202012, Target::Draft07];
pub const FORMS: [Form; 2] = [Form::OneOf, Form::IfThen];

/// A bundle of revisions whose variants have their schemas in place; more fields of a revision stand beside `variants`.
pub fn bundle(id: &str, rollout: Option<&str>, revisions: &[Value]) -> Arc<Bundle> {
    let mut schemas = json!({});
    let revisions: Vec<Value> = revisions
        .iter()
        .enumerate()
        .map(|(index, revision)| {
            let mut revision = revision.clone();
            for variant in revision["variants"].as_array_mut().unwrap() {
                let dialect = variant.get("dialect").cloned().unwrap_or("draft-07".into());
                for place in ["appliesWhen", "taskSchema", "payloadSchema"] {
                    refer(variant, place, &dialect, &mut schemas);
                }
                for constraints in variant["constraints"].as_array_mut().into_iter().flatten() {
                    refer(constraints, "payloadSchema", &dialect, &mut schemas);
                    refer(constraints, "taskSchema", &dialect, &mut schemas);
                }
                let variant = variant.as_object_mut().unwrap();
                variant.entry("name").or_insert("default".into());
                variant.retain(|_, value| !value.is_null());
            }
            let fields = revision.as_object_mut().unwrap();
            fields.insert("revision".to_owned(), (index + 1).into());
            fields.insert("contentHash".to_owned(), content_hash(&json!(index)).to_string().into());
            for (name, value) in [
                ("validation", json!("enforce")),
                ("acceptance", json!("any")),
                ("lifecycle", json!({"state": "active"})),
            ] {
                fields.entry(name).or_insert(value);
            }
            revision
        })
        .collect();
    let bundle = json!({"workerTypeId": id, "generation": 3, "validation": "enforce", "revisions": revisions,
        "rollout": rollout.map(|policy| json!({"policy": policy})), "schemas": schemas});
    Arc::new(serde_json::from_value(bundle).unwrap())
}

/// Moves a schema to `schemas` and leaves a reference.
fn refer(owner: &mut Value, place: &str, dialect: &Value, schemas: &mut Value) {
    let Some(schema) = owner.get(place).filter(|schema| !schema.is_null()).cloned() else { return };
    let hash = content_hash(&schema).to_string();
    owner[place] = json!({"hash": hash, "dialect": dialect});
    schemas[hash] = schema;
}

pub fn prepared(bundle: &Arc<Bundle>) -> Prepared {
    Evaluator::new(Limits::default(), 100).prepare(bundle.clone()).unwrap()
}

/// A document as an independent reader takes it: by its own `$schema`, with the formats in it asserted.
pub fn read(document: &Value) -> Schema {
    let limits = Limits { depth: 100, ..Limits::default() };
    let surroundings = Surroundings { documents: None, assert_formats: Some(true) };
    Schema::compile_with(document, None, &limits, surroundings)
        .unwrap_or_else(|faults| panic!("{faults:?} in {document}"))
}

pub fn payload_schema(bundle: &Bundle, target: Target) -> Value {
    effective_payload_schema(bundle, target, &Limits::default()).unwrap()
}

pub fn task_schema(bundles: &[Arc<Bundle>], form: Form, target: Target) -> Value {
    effective_task_schema(bundles.iter().map(|bundle| &**bundle), form, target, Strictness::Refuse, &Limits::default())
        .unwrap()
}

/// What the service and the queue say of a task as its author writes it: whether it is one at all, and then whether the
/// worker type that it names, if it is known, accepts it.
pub fn service_accepts(known: &[(Arc<Bundle>, Prepared)], queue: &Schema, task: &Value) -> bool {
    let Ok(normalised) = Task::normalised(task.clone()) else { return false };
    let named = known.iter().find(|(bundle, _)| bundle.worker_type_id == *normalised.worker_type_id());
    let accepted =
        named.is_none_or(|(_, prepared)| prepared.evaluate(Input::Task(&normalised)).verdict != Outcome::Invalid);
    accepted && queue.is_valid(task)
}

/// The queue's own rules.
pub fn queue() -> Schema {
    Schema::compile(create_task_schema(), None, &Limits::default()).unwrap()
}

/// A task that every queue takes, with more fields, or others; `null` takes one away.
pub fn task(fields: Value) -> Value {
    let mut task = json!({
        "created": "2027-01-01T00:00:00.000Z", "deadline": "2027-01-02T00:00:00.000Z", "payload": {},
        "metadata": {"name": "a", "description": "a", "owner": "a@example.com", "source": "https://example.com/a"},
    });
    for (name, value) in fields.as_object().unwrap() {
        task[name] = value.clone();
    }
    task.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    task
}
