//! What changed, in commit order: the entries of the change feed.

use crate::{Generation, ReleaseId, RevisionNumber, WorkerTypeId};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

use crate::settings::UnknownSetting;

/// The kinds of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EventKind {
    /// A revision became live.
    WorkerTypePublished,
    /// The content of an earlier revision became live again, as a new revision.
    WorkerTypeRolledBack,
    /// A revision became live beside the one before: a rollout is open.
    RolloutStarted,
    /// The newer revision of a rollout is live alone.
    RolloutCompleted,
    /// The older revision of a rollout is live alone again.
    RolloutAborted,
    /// The worker type became a tombstone.
    WorkerTypeDeleted,
    /// A release came into being.
    ReleasePublished,
    /// A release was deprecated or withdrawn, or its mark was taken away.
    ReleaseMarked,
    /// A change of a kind that only a newer version knows: what the event names may have changed.
    Unknown,
}

impl EventKind {
    /// Every spelling.
    pub const NAMES: &'static [&'static str] = &[
        "worker-type-published",
        "worker-type-rolled-back",
        "rollout-started",
        "rollout-completed",
        "rollout-aborted",
        "worker-type-deleted",
        "release-published",
        "release-marked",
        "unknown",
    ];

    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WorkerTypePublished => "worker-type-published",
            Self::WorkerTypeRolledBack => "worker-type-rolled-back",
            Self::RolloutStarted => "rollout-started",
            Self::RolloutCompleted => "rollout-completed",
            Self::RolloutAborted => "rollout-aborted",
            Self::WorkerTypeDeleted => "worker-type-deleted",
            Self::ReleasePublished => "release-published",
            Self::ReleaseMarked => "release-marked",
            Self::Unknown => "unknown",
        }
    }
}

impl FromStr for EventKind {
    type Err = UnknownSetting;

    fn from_str(text: &str) -> Result<Self, UnknownSetting> {
        const ALL: [EventKind; 9] = [
            EventKind::WorkerTypePublished,
            EventKind::WorkerTypeRolledBack,
            EventKind::RolloutStarted,
            EventKind::RolloutCompleted,
            EventKind::RolloutAborted,
            EventKind::WorkerTypeDeleted,
            EventKind::ReleasePublished,
            EventKind::ReleaseMarked,
            EventKind::Unknown,
        ];
        ALL.into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| UnknownSetting { given: text.to_owned(), known: Self::NAMES })
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
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
