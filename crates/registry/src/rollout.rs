//! An open rollout: two revisions are live, and the newer takes over.

use crate::store::RevisionRecord;
use crate::time::rfc3339;
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use worker_types::{RevisionNumber, Rollout, RolloutPolicy};

/// A rollout that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenRollout {
    /// The older live revision.
    pub from: RevisionNumber,
    /// The newer one.
    pub to: RevisionNumber,
    /// How they decide together.
    pub policy: RolloutPolicy,
    /// When the newer one became live.
    #[serde(serialize_with = "text")]
    pub started_at: Timestamp,
    /// When it completes by itself; none where somebody completes it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_text")]
    pub completes_at: Option<Timestamp>,
}

impl OpenRollout {
    /// The rollout that `newer`, with `rollout` in its definition, opened.
    pub(crate) fn of(older: &RevisionRecord, newer: &RevisionRecord, rollout: Rollout) -> Self {
        let started_at = newer.published_at;
        let completes_at = rollout.complete_after.map(|after| started_at.checked_add(after).unwrap_or(Timestamp::MAX));
        Self { from: older.revision, to: newer.revision, policy: rollout.policy, started_at, completes_at }
    }

    /// As [`Self::of`], from the newer revision's text.
    pub(crate) fn read(older: &RevisionRecord, newer: &RevisionRecord) -> Self {
        let definition = serde_json::from_str(&newer.definition).unwrap_or_default();
        Self::of(older, newer, Rollout::of(&definition))
    }
}

fn text<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rfc3339(*at))
}

fn optional_text<S: Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => text(at, serializer),
        None => serializer.serialize_none(),
    }
}
