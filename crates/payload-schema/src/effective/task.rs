//! Whole tasks for one or many worker types: what every queue asks, and a branch for each task queue.

mod branch;
mod dispatch;

pub use dispatch::Form;

pub(super) use branch::{combined, defaults, notes};

use super::shelf::Shelf;
use super::{EffectiveError, Strictness, create_task_schema};
use serde_json::{Value, json};
use worker_types::Bundle;

/// The root of the document.
pub(super) fn write<'b>(
    shelf: &mut Shelf<'_>,
    bundles: impl IntoIterator<Item = &'b Bundle>,
    form: Form,
    strictness: Strictness,
) -> Result<Value, EffectiveError> {
    let every_task = shelf.own("createTask", create_task_schema()).map_err(EffectiveError::CreateTask)?;
    let mut branches = Vec::new();
    for bundle in bundles {
        let branch = match (branch::write(shelf, bundle), strictness) {
            (Err(EffectiveError::Refused { source, .. }), Strictness::LeaveFree) => branch::free(bundle, &source),
            (branch, _) => branch?,
        };
        branches.push((&bundle.worker_type_id, branch));
    }
    let dispatch = dispatch::write(branches, form);
    Ok(json!({"title": "Task definition", "allOf": [every_task, dispatch]}))
}
