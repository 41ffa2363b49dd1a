//! From a task to the worker type that it names: `taskQueueId`, or `provisionerId` and `workerType`.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use worker_types::WorkerTypeId;

/// How the branches of a task schema stand together. All forms accept the same tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// `oneOf` with constant names, as Taskcluster's RFC 105 asks for.
    #[default]
    OneOf,
    /// A list of `if` and `then`: an error is never one of a branch that was not meant.
    IfThen,
}

/// The branches, and a free one for every other task queue.
pub(super) fn write(branches: Vec<(&WorkerTypeId, Value)>, form: Form) -> Value {
    match form {
        Form::OneOf => {
            let known = named(branches.iter().map(|(id, _)| *id));
            let other = json!({
                "title": "Another task queue",
                "description": "Nothing is said here of what its payload must be.",
                "not": known,
            });
            json!({"oneOf": branches.into_iter().map(|(_, branch)| branch).chain([other]).collect::<Vec<_>>()})
        }
        Form::IfThen => {
            let conditional = |(id, branch)| json!({"if": named([id]), "then": branch});
            match branches.len() {
                0 => json!({}),
                _ => json!({"allOf": branches.into_iter().map(conditional).collect::<Vec<_>>()}),
            }
        }
    }
}

/// Tasks that name one of `ids`, in either way.
fn named<'i>(ids: impl IntoIterator<Item = &'i WorkerTypeId>) -> Value {
    let (mut whole, mut parts) = (Vec::new(), BTreeMap::<&str, Vec<&str>>::new());
    for id in ids {
        whole.push(id.as_str());
        parts.entry(id.provisioner_id()).or_default().push(id.worker_type());
    }
    let mut ways = vec![json!({"properties": {"taskQueueId": {"enum": whole}}, "required": ["taskQueueId"]})];
    ways.extend(parts.into_iter().map(|(provisioner, workers)| {
        json!({
            "properties": {"provisionerId": {"const": provisioner}, "workerType": {"enum": workers}},
            "required": ["provisionerId", "workerType"],
        })
    }));
    json!({"anyOf": ways})
}
