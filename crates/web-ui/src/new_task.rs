//! The task that an empty editor begins with: one that the worker type accepts, if one is known.

use crate::web_ui::State;
use payload_schema::Input;
use registry::{Registry, View};
use serde_json::{Value, json};
use worker_types::{Definition, Example, Outcome, ReleaseId, Subject, Task, VariantSource, WorkerTypeId};

/// The fields that depend on the worker type: `taskQueueId`, `payload`, and what an example has beside them. Times and
/// metadata are its author's. Milliseconds of work: keep it off threads that serve.
pub(crate) fn fields(state: &State, view: &View, id: &WorkerTypeId) -> Value {
    let registry = &state.registry;
    let shown = examples(registry, &view.definition).into_iter().filter(|example| example.valid);
    let mut generated = view.live.as_ref().map(|live| state.examples.of_live(&live.validation)).unwrap_or_default();
    if generated.is_empty() {
        generated.push(json!({}));
    }
    let count = generated.len();
    let subjects = generated.into_iter().map(Subject::Payload).chain(shown.map(|example| example.subject));
    let tasks: Vec<Value> = subjects.map(|subject| as_task(subject, id)).collect();
    let accepted = |task: &&Value| {
        let Ok(task) = Task::normalised_for((*task).clone(), id) else { return false };
        registry.verdict(id, Input::Task(&task)).is_ok_and(|verdict| verdict.verdict != Outcome::Invalid)
    };
    // What was written by hand is read more easily than what is made; of that, the shortest asks for the least.
    let (made, shown) = tasks.split_at(count);
    let length = |task: &&Value| task.to_string().len();
    let shortest = shown.iter().filter(accepted).min_by_key(length);
    shortest.or(made.iter().find(accepted)).or(made.first()).cloned().unwrap_or_default()
}

/// The examples of the definition, then those of its releases: who knows the pool knows better.
fn examples(registry: &Registry, definition: &Definition) -> Vec<Example> {
    let own = definition.variants.iter().flat_map(|variant| variant.examples.iter().cloned());
    let releases = definition.variants.iter().filter_map(|variant| match &variant.source {
        VariantSource::Release { id, .. } => Some(id),
        VariantSource::Inline { .. } => None,
    });
    own.chain(releases.flat_map(|release| released(registry, release))).collect()
}

fn released(registry: &Registry, id: &ReleaseId) -> Vec<Example> {
    let Ok(live) = registry.release(id) else { return Vec::new() };
    live.release.variants.iter().flat_map(|variant| variant.examples.iter().cloned()).collect()
}

fn as_task(subject: Subject, id: &WorkerTypeId) -> Value {
    let mut task = match subject {
        Subject::Payload(payload) => json!({"payload": payload}),
        Subject::Task(task) => task,
    };
    if let Some(fields) = task.as_object_mut() {
        for own in ["provisionerId", "workerType", "created", "deadline", "expires"] {
            fields.remove(own);
        }
        fields.insert("taskQueueId".to_owned(), id.as_str().into());
    }
    task
}
