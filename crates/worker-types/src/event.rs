//! What changed, in commit order: the entries of the change feed.

use crate::{Generation, ReleaseId, RevisionNumber, WorkerTypeId};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

use crate::settings::{UnknownSetting, vocabulary};

vocabulary! {
    /// The kinds of change.
    EventKind {
        /// A revision became live.
        WorkerTypePublished = "worker-type-published",
        /// The content of an earlier revision became live again, as a new revision.
        WorkerTypeRolledBack = "worker-type-rolled-back",
        /// A revision became live beside the one before: a rollout is open.
        RolloutStarted = "rollout-started",
        /// The newer revision of a rollout is live alone.
        RolloutCompleted = "rollout-completed",
        /// The older revision of a rollout is live alone again.
        RolloutAborted = "rollout-aborted",
        /// The worker type became a tombstone.
        WorkerTypeDeleted = "worker-type-deleted",
        /// A release came into being.
        ReleasePublished = "release-published",
        /// A release was deprecated or withdrawn, or its mark was taken away.
        ReleaseMarked = "release-marked",
        /// A change of a kind that only a newer version knows: what the event names may have changed.
        Unknown = "unknown",
    }
}

impl EventKind {
    /// The names of those that a reader of the feed may ask for: of another kind only a newer version knows what it is.
    pub const TOLD: &'static [&'static str] = match Self::NAMES.split_last() {
        Some((_unknown, told)) => told,
        None => &[],
    };
}

/// One change, as the feed sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Resume after this event with this cursor. Opaque.
    pub cursor: String,
    /// What happened.
    pub kind: EventKind,
    /// To which worker type.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worker_type_id: Option<WorkerTypeId>,
    /// To which release.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub release: Option<ReleaseId>,
    /// The worker type's generation afterwards.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generation: Option<Generation>,
    /// The revision that became live, or the last one of a tombstone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub revision: Option<RevisionNumber>,
    /// RFC 3339, UTC.
    pub at: String,
}
