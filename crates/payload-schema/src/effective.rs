//! Effective schemas: what a worker type accepts now, as one self-contained JSON Schema for editors and other engines.
//!
//! They are derived from the validation bundle, so that they and the verdict have one source. A document accepts exactly
//! what the verdict does not call invalid, but for what JSON Schema cannot say: there it accepts, and says so in words.

mod combine;
mod payload;
mod queue;
mod rules;
mod shelf;
mod task;
mod variant;

pub use queue::create_task_schema;
pub use task::Form;

use crate::upgrade::document;
use crate::{Limits, Refused, Target};
use combine::commented;
use serde_json::Value;
use shelf::Shelf;
use thiserror::Error;
use worker_types::{Bundle, WorkerTypeId};

/// Why there is no effective schema.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EffectiveError {
    /// A schema of the bundle cannot be written in the draft that was asked for.
    #[error("the schema of {worker_type_id}, variant {variant}: {source}")]
    Refused {
        /// Whose bundle.
        worker_type_id: WorkerTypeId,
        /// Which variant.
        variant: String,
        /// Why.
        source: Refused,
    },
    /// The queue's own schema cannot be written; a fault of this crate.
    #[error("the schema of createTask: {0}")]
    CreateTask(#[source] Refused),
    /// The bundle refers to a schema that it does not carry.
    #[error("the bundle of {worker_type_id} lacks the schema {hash}")]
    MissingSchema {
        /// Whose bundle.
        worker_type_id: WorkerTypeId,
        /// Which schema.
        hash: String,
    },
}

/// What becomes of a worker type, among many, whose schemas have no equal in the draft that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// There is no document.
    Refuse,
    /// Its tasks are held against the queue's rules alone, and the document says why.
    LeaveFree,
}

/// What every document says of itself.
const READING: &str = "Derived from the live definition. Where `format` stands here it is asserted: a value that does \
                       not fit it is refused.";

/// The schema of the payloads of one worker type: it accepts a payload unless nothing that the rest of the task could
/// say would make it acceptable. Milliseconds; keep it off threads that serve.
///
/// # Errors
/// A schema of the bundle has no equal in `target`, or is missing.
pub fn effective_payload_schema(bundle: &Bundle, target: Target, limits: &Limits) -> Result<Value, EffectiveError> {
    let mut shelf = Shelf::new(target, limits);
    let root = payload::write(&mut shelf, bundle)?;
    Ok(document(commented(root, READING), shelf.into_definitions()))
}

/// The schema of whole tasks, as their authors write them, for one or many worker types: the queue's own rules, and for
/// each task queue named here those of its live definition. A task for another queue is held against the queue's rules
/// alone. As slow as [`effective_payload_schema`] for each of `bundles`.
///
/// # Errors
/// As [`effective_payload_schema`], unless such a worker type is to be left free.
pub fn effective_task_schema<'b>(
    bundles: impl IntoIterator<Item = &'b Bundle>,
    form: Form,
    target: Target,
    strictness: Strictness,
    limits: &Limits,
) -> Result<Value, EffectiveError> {
    let mut shelf = Shelf::new(target, limits);
    let root = task::write(&mut shelf, bundles, form, strictness)?;
    Ok(document(commented(root, READING), shelf.into_definitions()))
}
