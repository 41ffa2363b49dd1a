//! The tasks of one worker type: its names, and what its live definition accepts.

use crate::Refused;
use crate::effective::EffectiveError;
use crate::effective::combine::{all_of, any_of, nothing, titled};
use crate::effective::shelf::Shelf;
use crate::effective::variant::Asking;
use crate::evaluate::lifecycle_words;
use serde_json::{Value, json};
use worker_types::{
    Acceptance, Bundle, BundleRevision, LifecycleState, Object, RolloutPolicy, Task, ValidationMode, WorkerTypeId,
};

/// A time of which only that it is one matters.
const SOME_DEADLINE: &str = "2027-01-01T00:00:00.000Z";

/// The branch of one task queue.
pub(super) fn write(shelf: &mut Shelf<'_>, bundle: &Bundle) -> Result<Value, EffectiveError> {
    let id = &bundle.worker_type_id;
    let mut words = Vec::new();
    let defaults = defaults(id);
    let mut asking = Asking { shelf, bundle, defaults: &defaults, words: &mut words };
    let revisions = bundle.revisions.iter().map(|each| revision(&mut asking, each)).collect::<Result<_, _>>()?;
    let accepted = combined(bundle, revisions);
    let mut branch = json!({"title": id});
    if let Some(notes) = notes(bundle, &words) {
        branch["description"] = notes.into();
    }
    if bundle.revisions.last().is_some_and(|newest| newest.lifecycle.state == LifecycleState::Deprecated) {
        branch["deprecated"] = true.into();
    }
    branch["properties"] = names(id);
    if accepted != json!({}) {
        branch["allOf"] = json!([accepted]);
    }
    Ok(branch)
}

/// The branch of a task queue whose schemas cannot be written here.
pub(super) fn free(bundle: &Bundle, why: &Refused) -> Value {
    let id = &bundle.worker_type_id;
    json!({"title": id, "description": format!("Checked by the service, not by this schema: {why}."), "properties": names(id)})
}

/// The two ways of naming a worker type; that one of them is used is asked of every task.
fn names(id: &WorkerTypeId) -> Value {
    json!({
        "taskQueueId": {"const": id},
        "provisionerId": {"const": id.provisioner_id()},
        "workerType": {"const": id.worker_type()},
    })
}

fn revision(asking: &mut Asking<'_, '_>, revision: &BundleRevision) -> Result<Value, EffectiveError> {
    if revision.lifecycle.state == LifecycleState::Retired {
        return Ok(nothing(&lifecycle_words("retired", revision, &asking.bundle.worker_type_id)));
    }
    let alone = revision.variants.len() == 1;
    let mut variants = Vec::new();
    for variant in &revision.variants {
        let accepts = asking.of_task(variant)?;
        let accepts = if alone { accepts } else { titled(accepts, &variant.name) };
        variants.push((asking.applies_when(variant)?, accepts));
    }
    Ok(match revision.acceptance {
        Acceptance::Any => any_of(variants.into_iter().map(|(applies, accepts)| both(applies, accepts)).collect()),
        Acceptance::All => every_one(variants),
    })
}

fn both(applies: Option<Value>, accepts: Value) -> Value {
    match applies {
        Some(applies) => all_of(vec![applies, accepts]),
        None => accepts,
    }
}

/// At least one variant applies, and each that does accepts.
fn every_one(variants: Vec<(Option<Value>, Value)>) -> Value {
    let mut parts = Vec::new();
    if variants.iter().all(|(applies, _)| applies.is_some()) {
        parts.push(any_of(variants.iter().filter_map(|(applies, _)| applies.clone()).collect()));
    }
    parts.extend(variants.into_iter().map(|(applies, accepts)| match applies {
        Some(applies) => json!({"if": applies, "then": accepts}),
        None => accepts,
    }));
    all_of(parts)
}

/// What the live revisions accept together.
pub(in crate::effective) fn combined(bundle: &Bundle, revisions: Vec<Value>) -> Value {
    let strict = bundle.rollout.is_some_and(|rollout| rollout.policy == RolloutPolicy::Strict);
    if strict { all_of(revisions) } else { any_of(revisions) }
}

/// What a queue fills into the tasks of a worker type.
pub(in crate::effective) fn defaults(id: &WorkerTypeId) -> Object {
    let named = json!({"taskQueueId": id, "deadline": SOME_DEADLINE});
    let filled = Task::normalised(named).map(Task::into_value).unwrap_or_default();
    let Value::Object(mut filled) = filled else { return Object::new() };
    filled.shift_remove("deadline");
    filled
}

/// What authors should know beside the schema, if anything.
pub(in crate::effective) fn notes(bundle: &Bundle, words: &[String]) -> Option<String> {
    let mut notes = Vec::new();
    if let Some(newest) = bundle.revisions.last()
        && newest.lifecycle.state == LifecycleState::Deprecated
    {
        notes.push(format!("{}.", capitalised(&lifecycle_words("deprecated", newest, &bundle.worker_type_id))));
    }
    if !words.is_empty() {
        notes.push(format!("Checked by the service, not by this schema: {}.", words.join("; ")));
    }
    match bundle.validation {
        ValidationMode::Enforce => {}
        ValidationMode::Warn => notes.push("Queues only warn of tasks that do not fit.".to_owned()),
        ValidationMode::Off => notes.push("Queues take tasks that do not fit: validation is off.".to_owned()),
    }
    (!notes.is_empty()).then(|| notes.join(" "))
}

fn capitalised(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
