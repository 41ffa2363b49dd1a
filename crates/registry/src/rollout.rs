//! A rollout: two revisions are live, and the newer takes over; and what came of it.

use crate::store::{RevisionRecord, RolloutStep, Step};
use crate::time::rfc3339;
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use worker_types::{RevisionNumber, Rollout, RolloutEnd, RolloutPolicy};

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
        Self::of(older, newer, rollout_of(newer))
    }
}

fn rollout_of(revision: &RevisionRecord) -> Rollout {
    Rollout::of(&serde_json::from_str(&revision.definition).unwrap_or_default())
}

/// A rollout that a revision opened, as the history tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRollout {
    /// How the two revisions decided together.
    pub policy: RolloutPolicy,
    /// What came of it.
    pub outcome: RolloutOutcome,
}

/// What came of a rollout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RolloutOutcome {
    /// Nothing yet.
    Open,
    /// It was completed or aborted.
    Ended(RolloutEnd, Ending),
    /// The worker type was deleted.
    Deleted(Ending),
    /// The next revision opened one in its place: it went on with another newer revision.
    Replaced(RevisionNumber),
    /// The next revision brought an earlier one back.
    RolledBack(RevisionNumber),
    /// The next revision became live alone.
    Superseded(RevisionNumber),
}

/// Who ended a rollout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// When.
    pub at: Timestamp,
    /// The caller's name.
    pub by: String,
    /// Why.
    pub message: Option<String>,
}

impl RolloutOutcome {
    /// In one word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Ended(end, _) => end.participle(),
            Self::Deleted(_) => "deleted",
            Self::Replaced(_) => "replaced",
            Self::RolledBack(_) => "rolled-back",
            Self::Superseded(_) => "superseded",
        }
    }

    /// Who ended it, where no revision says so.
    pub fn ending(&self) -> Option<&Ending> {
        match self {
            Self::Ended(_, ending) | Self::Deleted(ending) => Some(ending),
            _ => None,
        }
    }

    /// The revision that ended it or took its place; it says by whom, when and why.
    pub fn next_revision(&self) -> Option<RevisionNumber> {
        match self {
            Self::Replaced(revision) | Self::RolledBack(revision) | Self::Superseded(revision) => Some(*revision),
            _ => None,
        }
    }
}

/// What came of the rollouts that `revisions` opened. They are newest first, `newer` is the one after them; `steps` are
/// those of their time, in the order in which they were committed.
///
/// An end belongs to the rollout that began before it in that order, whatever the clocks of two replicas say.
pub(crate) fn past_rollouts(
    revisions: &[RevisionRecord],
    newer: Option<&RevisionRecord>,
    steps: &[RolloutStep],
) -> BTreeMap<RevisionNumber, PastRollout> {
    let started = steps.iter().enumerate().filter(|(_, step)| step.step == Step::Started);
    let begun: BTreeMap<Timestamp, usize> = started.map(|(place, step)| (step.at, place)).collect();
    let newer_ones = std::iter::once(newer).chain(revisions.iter().map(Some));
    let opened = |(revision, newer): (&RevisionRecord, Option<&RevisionRecord>)| {
        let next = steps.get(begun.get(&revision.published_at)? + 1);
        let ending = |step: &RolloutStep| Ending { at: step.at, by: step.by.clone(), message: step.message.clone() };
        let outcome = match (next.map(|next| (next.step, next)), newer) {
            (Some((Step::Ended(end), next)), _) => RolloutOutcome::Ended(end, ending(next)),
            (Some((Step::Deleted, next)), _) => RolloutOutcome::Deleted(ending(next)),
            (_, None) => RolloutOutcome::Open,
            (_, Some(newer)) if newer.rollback_of.is_some() => RolloutOutcome::RolledBack(newer.revision),
            (Some((Step::Started, next)), Some(newer)) if next.at == newer.published_at => {
                RolloutOutcome::Replaced(newer.revision)
            }
            (_, Some(newer)) => RolloutOutcome::Superseded(newer.revision),
        };
        Some((revision.revision, PastRollout { policy: rollout_of(revision).policy, outcome }))
    };
    revisions.iter().zip(newer_ones).filter_map(opened).collect()
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
