//! Implementations, their releases, and what an import did.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker_types::{ContentHash, Item, ReleaseId, ReleaseState, WorkerTypeId};

/// One release, as it was published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// Which.
    pub release: ReleaseId,
    /// Of the content.
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
    /// The release as its author wrote it. Read it with [`worker_types::Release`].
    pub content: Value,
    /// What the publish gate remarked.
    #[serde(default)]
    pub warnings: Vec<Item>,
    /// What was said of it afterwards.
    #[serde(default)]
    pub mark: Option<ReleaseMark>,
}

/// What was said of a release after it was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseMark {
    /// Deprecated or withdrawn.
    pub state: ReleaseState,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
    /// What to use instead.
    #[serde(default)]
    pub replaced_by: Option<ReleaseId>,
    /// RFC 3339, UTC.
    pub at: String,
    /// The caller.
    pub by: String,
}

/// An implementation that has a release or that a live worker type names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImplementationSummary {
    /// Its name.
    pub name: String,
    /// Its releases' versions, oldest first.
    #[serde(default)]
    pub versions: Vec<String>,
    /// How many live worker types run it.
    #[serde(default)]
    pub worker_types: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImplementationList {
    pub(crate) implementations: Vec<ImplementationSummary>,
}

/// One release in the list of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseSummary {
    /// Which.
    pub release: ReleaseId,
    /// One line.
    #[serde(default)]
    pub description: Option<String>,
    /// Of the content.
    pub content_hash: ContentHash,
    /// RFC 3339, UTC.
    pub published_at: String,
    /// The caller who published it.
    pub published_by: String,
    /// Why.
    #[serde(default)]
    pub message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseList {
    pub(crate) releases: Vec<ReleaseSummary>,
}

/// A worker type whose definition names a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsedBy {
    /// Which.
    pub worker_type_id: WorkerTypeId,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsedByList {
    pub(crate) worker_types: Vec<UsedBy>,
    #[serde(default)]
    pub(crate) continuation_token: Option<String>,
}

/// What an import did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// Records that were read.
    pub records: u64,
    /// Records that were not there before.
    pub new: u64,
}
