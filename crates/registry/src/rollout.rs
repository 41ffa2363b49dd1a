//! A rollout: two revisions are live, and the newer takes over; and what came of it.

use crate::store::{RevisionRecord, Step};
use crate::time::rfc3339;
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use worker_types::{EventKind, RevisionNumber, Rollout, RolloutEnd, RolloutPolicy};

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

/// What came of the rollouts that `revisions` opened. They are newest first, `newer` is the one after them; `steps` are the
/// changes of their time in commit order: the change after its beginning ended a rollout, whatever the clocks of two
/// replicas say. `open` is the one that is.
pub(crate) fn past_rollouts(
    revisions: &[RevisionRecord],
    newer: Option<&RevisionRecord>,
    steps: &[Step],
    open: Option<OpenRollout>,
) -> BTreeMap<RevisionNumber, PastRollout> {
    let by_time: BTreeMap<Timestamp, &RevisionRecord> =
        revisions.iter().map(|each| (each.published_at, each)).collect();
    // The first change of all may be an import: with the last of its revisions it opened a rollout, later than that was published.
    let imported = |at| {
        let last = revisions.iter().find(|each| each.published_at < at);
        last.filter(|_| newer.is_none_or(|newer| newer.published_at > at))
    };
    let told = |(place, (step, next)): (usize, (&Step, Option<&Step>))| {
        if step.kind != EventKind::RolloutStarted {
            return None;
        }
        let first = (place == 0).then_some(step.at);
        let revision = by_time.get(&step.at).copied().or_else(|| imported(first?))?;
        Some((revision.revision, PastRollout { policy: rollout_of(revision).policy, outcome: came_of(revision, next) }))
    };
    let nexts = steps.iter().skip(1).map(Some).chain([None]);
    let mut past: BTreeMap<_, _> = steps.iter().zip(nexts).enumerate().filter_map(told).collect();
    if let Some(open) = open.filter(|open| revisions.iter().any(|revision| revision.revision == open.to)) {
        past.entry(open.to).or_insert(PastRollout { policy: open.policy, outcome: RolloutOutcome::Open });
    }
    past
}

/// What the `next` change made of the rollout that `revision` opened.
fn came_of(revision: &RevisionRecord, next: Option<&Step>) -> RolloutOutcome {
    let Some(next) = next else { return RolloutOutcome::Open };
    let ending = || Ending { at: next.at, by: next.by.clone(), message: next.message.clone() };
    let number = revision.revision.next();
    match next.kind {
        EventKind::RolloutCompleted => RolloutOutcome::Ended(RolloutEnd::Completed, ending()),
        EventKind::RolloutAborted => RolloutOutcome::Ended(RolloutEnd::Aborted, ending()),
        EventKind::WorkerTypeDeleted => RolloutOutcome::Deleted(ending()),
        EventKind::RolloutStarted => RolloutOutcome::Replaced(number),
        EventKind::WorkerTypeRolledBack => RolloutOutcome::RolledBack(number),
        _ => RolloutOutcome::Superseded(number),
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

#[cfg(test)]
mod tests {
    use super::{OpenRollout, RolloutOutcome, past_rollouts};
    use crate::store::{RevisionRecord, Step};
    use jiff::Timestamp;
    use std::collections::BTreeMap;
    use worker_types::{EventKind, RevisionNumber, RolloutEnd, RolloutPolicy};

    fn second(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// Each with a lenient rollout in its definition.
    fn revision(number: u32, at: i64) -> RevisionRecord {
        let definition = r#"{"description": "a", "rollout": {"policy": "lenient"}}"#;
        RevisionRecord {
            revision: RevisionNumber(number),
            content_hash: worker_types::content_hash(&number.into()),
            definition: definition.to_owned(),
            warnings: "[]".to_owned(),
            published_at: second(at),
            published_by: "ann".to_owned(),
            message: None,
            rollback_of: None,
            compatibility: None,
        }
    }

    fn step(kind: EventKind, at: i64) -> Step {
        Step { kind, at: second(at), by: "bob".to_owned(), message: None }
    }

    fn words(
        revisions: &[RevisionRecord],
        newer: Option<&RevisionRecord>,
        steps: &[Step],
        open: Option<OpenRollout>,
    ) -> BTreeMap<u32, String> {
        let told = past_rollouts(revisions, newer, steps, open).into_iter();
        told.map(|(number, past)| (number.0, past.outcome.as_str().to_owned())).collect()
    }

    #[test]
    fn the_next_change_in_commit_order_ended_a_rollout_whatever_the_clocks_say() {
        let revisions = [revision(2, 20), revision(1, 10)];
        for next in [5, 20, 90] {
            let ended = [step(EventKind::RolloutStarted, 20), step(EventKind::RolloutAborted, next)];
            let past = past_rollouts(&revisions, None, &ended, None);
            let outcome = &past[&RevisionNumber(2)].outcome;
            assert!(matches!(outcome, RolloutOutcome::Ended(RolloutEnd::Aborted, by) if by.at == second(next)));
        }
        let long_over = [
            step(EventKind::RolloutStarted, 20),
            step(EventKind::WorkerTypeRolledBack, 15),
            step(EventKind::WorkerTypeDeleted, 99),
        ];
        let (newer, older) = (revision(3, 15), &revisions[..]);
        for (page, newer) in [(older, Some(&newer)), (&[revision(3, 15), revision(2, 20)][..], None)] {
            assert_eq!(words(page, newer, &long_over, None), BTreeMap::from([(2, "rolled-back".to_owned())]));
        }
    }

    #[test]
    fn an_imported_rollout_belongs_to_the_last_revision_that_was_imported() {
        let (one, two, three) = (revision(1, 10), revision(2, 20), revision(3, 70));
        let imported = [step(EventKind::RolloutStarted, 50), step(EventKind::RolloutCompleted, 60)];
        let completed = BTreeMap::from([(2, "completed".to_owned())]);
        assert_eq!(words(&[two.clone(), one.clone()], None, &imported, None), completed);
        let later = [&imported[..], &[step(EventKind::RolloutStarted, 70)]].concat();
        let both = BTreeMap::from([(2, "completed".to_owned()), (3, "open".to_owned())]);
        assert_eq!(words(&[three.clone(), two.clone(), one.clone()], None, &later, None), both);
        assert_eq!(words(&[two.clone(), one.clone()], Some(&three), &later, None), completed);
        assert_eq!(words(std::slice::from_ref(&one), Some(&two), &later, None), BTreeMap::new());
        let (policy, started_at) = (RolloutPolicy::Lenient, second(20));
        let open = OpenRollout { from: one.revision, to: two.revision, policy, started_at, completes_at: None };
        let untold = words(&[two.clone(), one.clone()], None, &[], Some(open));
        assert_eq!(untold, BTreeMap::from([(2, "open".to_owned())]));
        assert_eq!(words(&[one], Some(&two), &[], Some(open)), BTreeMap::new());
    }
}
