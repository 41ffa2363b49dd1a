//! The immutable history of a worker type.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker_types::{Compatibility, ContentHash, Item, RevisionNumber, WorkerTypeId};

/// One revision, as it was published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// Of which worker type.
    pub worker_type_id: WorkerTypeId,
    /// Its number.
    pub revision: RevisionNumber,
    /// Of the definition.
    pub content_hash: ContentHash,
    /// RFC 3339, UTC.
    pub published_at: String,
    /// The caller who published it.
    pub published_by: String,
    /// Why.
    #[serde(default)]
    pub message: Option<String>,
    /// The revision whose content a rollback brought back.
    #[serde(default)]
    pub rollback_of: Option<RevisionNumber>,
    /// The definition as its author wrote it.
    pub definition: Value,
    /// What the publish gate remarked.
    #[serde(default)]
    pub warnings: Vec<Item>,
    /// The comparison with what was live before it.
    #[serde(default)]
    pub compatibility: Option<Compatibility>,
}

/// One revision in the list of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RevisionSummary {
    /// Its number.
    pub revision: RevisionNumber,
    /// Of the definition.
    pub content_hash: ContentHash,
    /// RFC 3339, UTC.
    pub published_at: String,
    /// The caller who published it.
    pub published_by: String,
    /// Why.
    #[serde(default)]
    pub message: Option<String>,
    /// The revision whose content a rollback brought back.
    #[serde(default)]
    pub rollback_of: Option<RevisionNumber>,
    /// What came of the rollout that it opened; servers before 0.4.0 do not say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rollout: Option<RolloutSummary>,
}

/// A rollout in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RolloutSummary {
    /// How the two revisions decided together; a newer server may know more.
    pub policy: String,
    /// `open`, `completed`, `aborted`, `deleted`, `replaced`, `superseded` or `rolled-back`; a newer server may know more.
    pub outcome: String,
    /// When it was completed or aborted, or the worker type deleted. RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ended_at: Option<String>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ended_by: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
    /// The next revision, where that ended it or took its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_revision: Option<RevisionNumber>,
}

/// One page of the list of revisions, newest first.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevisionList {
    pub(crate) revisions: Vec<RevisionSummary>,
    #[serde(default)]
    pub(crate) continuation_token: Option<String>,
}

/// How two revisions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// The one.
    pub from: RevisionNumber,
    /// The other.
    pub to: RevisionNumber,
    /// A unified diff of the two definitions as indented JSON; empty when they are equal.
    pub unified: String,
    /// Whether the newer accepts all that the older accepts; none from a server that does not compare.
    #[serde(default)]
    pub compatibility: Option<Compatibility>,
}
