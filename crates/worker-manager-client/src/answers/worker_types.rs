//! Worker types: the list's entries, the live definition, and what is derived from it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker_types::{
    Compatibility, ContentHash, Generation, Implementation, Item, LifecycleState, ReleaseId, RevisionNumber,
    RolloutPolicy, ValidationMode, WorkerTypeId,
};

/// An entry of the list of worker types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerTypeSummary {
    /// Which.
    pub worker_type_id: WorkerTypeId,
    /// One line.
    #[serde(default)]
    pub description: String,
    /// Who answers for it.
    #[serde(default)]
    pub owner: Option<String>,
    /// For searching.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Where it stands in its life.
    #[serde(default)]
    pub lifecycle: LifecycleState,
    /// What a queue does with an invalid payload.
    pub validation: ValidationMode,
    /// The programs that run its tasks.
    #[serde(default)]
    pub implementations: Vec<Implementation>,
    /// The releases that its variants refer to.
    #[serde(default)]
    pub releases: Vec<ReleaseId>,
    /// Counts every change of what is live.
    pub generation: Generation,
    /// The newest live revision.
    pub revision: RevisionNumber,
    /// When it was published: RFC 3339, UTC.
    #[serde(default)]
    pub published_at: Option<String>,
    /// While a rollout is open; servers before 0.4.0 do not say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rollout: Option<RolloutRef>,
}

/// One page of the list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorkerTypeList {
    pub(crate) worker_types: Vec<WorkerTypeSummary>,
    #[serde(default)]
    pub(crate) continuation_token: Option<String>,
    #[serde(default)]
    pub(crate) cursor: Option<String>,
}

/// The live definition of a worker type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerType {
    /// Which.
    pub worker_type_id: WorkerTypeId,
    /// For the next `If-Match`.
    pub generation: Generation,
    /// The newest live revision.
    pub revision: RevisionNumber,
    /// Of the definition.
    pub content_hash: ContentHash,
    /// RFC 3339, UTC; none after a dry run.
    #[serde(default)]
    pub published_at: Option<String>,
    /// The caller who published it; none after a dry run.
    #[serde(default)]
    pub published_by: Option<String>,
    /// Why.
    #[serde(default)]
    pub message: Option<String>,
    /// The revision whose content a rollback brought back.
    #[serde(default)]
    pub rollback_of: Option<RevisionNumber>,
    /// While a rollout is open.
    #[serde(default)]
    pub rollout: Option<RolloutRef>,
    /// The definition as its author wrote it. Read it with [`worker_types::Definition`].
    pub definition: Value,
    /// What the publish gate remarked.
    #[serde(default)]
    pub warnings: Vec<Item>,
    /// The comparison with what was live before; none where nothing was, or where nobody asked.
    #[serde(default)]
    pub compatibility: Option<Compatibility>,
}

/// An open rollout: two revisions are live.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RolloutRef {
    /// The older one.
    pub from: RevisionNumber,
    /// The one that takes over.
    pub to: RevisionNumber,
    /// How they decide together; servers before 0.3.0 do not say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy: Option<RolloutPolicy>,
    /// When it was opened: RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub started_at: Option<String>,
    /// When it completes by itself; none where somebody completes it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub completes_at: Option<String>,
}

/// What a write brought about.
#[derive(Clone, Debug, PartialEq)]
pub struct Written<T> {
    /// Whether something came into being (or back from its tombstone) that was not there before.
    pub created: bool,
    /// The state afterwards.
    pub value: T,
}

/// What is left of a deleted worker type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tombstone {
    /// Which.
    pub worker_type_id: WorkerTypeId,
    /// Counts every change of what is live.
    pub generation: Generation,
    /// Numbering goes on from it.
    pub last_revision: RevisionNumber,
    /// RFC 3339, UTC.
    #[serde(default)]
    pub deleted_at: Option<String>,
    /// The caller.
    #[serde(default)]
    pub deleted_by: Option<String>,
}

/// The payload schema of a worker type or of one of its variants.
#[derive(Clone, Debug, PartialEq)]
pub struct PayloadSchema {
    /// A self-contained JSON Schema.
    pub schema: Value,
    /// For a conditional request.
    pub etag: Option<String>,
}

/// The answer to a conditional request (RFC 9110 §13.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conditional<T> {
    /// Another representation than the one that the caller has.
    Fresh {
        /// The representation.
        value: T,
        /// For the next request.
        etag: Option<String>,
    },
    /// The caller's is the current one.
    NotModified,
}

impl<T> Conditional<T> {
    /// The new representation, if there is one.
    pub fn fresh(self) -> Option<T> {
        match self {
            Self::Fresh { value, .. } => Some(value),
            Self::NotModified => None,
        }
    }
}
