//! What is not wrong with a task, or not wrong with it alone, and should be known: the worker type is deprecated, a
//! variant refuses what another accepts, and which of two live revisions says what.

use super::explain::lifecycle_item;
use super::revision::{Decision, RevisionCheck};
use super::{Input, Prepared};
use worker_types::{BundleRevision, BundleRollout, Item, LifecycleState, Outcome, RolloutPolicy, Verdict};

/// Adds the warnings to a verdict.
pub(super) fn add(answer: &mut Verdict, prepared: &Prepared, checks: &[RevisionCheck], input: Input<'_>) {
    let revisions = &prepared.bundle.revisions;
    let Some(newest) = revisions.last() else { return };
    if let Input::Task(task) = input
        && let Some(named) = task.names_another()
    {
        let message = format!("the task names {named}; it was held against {}", answer.worker_type_id);
        answer.warnings.push(Item::new("other-worker-type", "/taskQueueId", message));
    }
    if newest.lifecycle.state == LifecycleState::Deprecated {
        answer.warnings.push(lifecycle_item("deprecated", newest, &answer.worker_type_id));
    }
    let rollout = match (prepared.bundle.rollout, revisions.as_slice(), checks) {
        (Some(rollout), [older, newer], [of_older, of_newer]) => {
            let said = [(older, of_older.decision), (newer, of_newer.decision)];
            in_rollout(rollout, said, noun(input))
        }
        _ => None,
    };
    let refusal_is_told = rollout.is_some();
    answer.warnings.extend(rollout);
    if answer.verdict != Outcome::Invalid {
        for (revision, check) in revisions.iter().zip(checks) {
            // What a revision refuses as a whole is told already.
            if !(refusal_is_told && check.decision == Decision::Rejects) {
                answer.warnings.extend(by_variants(revision, check, input, revisions.len() > 1));
            }
        }
    }
}

fn noun(input: Input<'_>) -> &'static str {
    match input {
        Input::Task(_) => "this task",
        Input::Payload(_) => "this payload",
    }
}

/// Which of the two revisions of an open rollout refuses, and what the other says: who is told by the one to change
/// something would be told by the other to change it back.
fn in_rollout(rollout: BundleRollout, said: [(&BundleRevision, Decision); 2], noun: &str) -> Option<Item> {
    let [(older, of_older), (newer, of_newer)] = said.map(|(revision, decision)| (revision.revision, decision));
    let refusing = if of_newer == Decision::Rejects { newer } else { older };
    let says = match (of_older, of_newer) {
        (Decision::Rejects, Decision::Rejects) => {
            format!("both refuse {noun}, and the errors are those of revision {newer}")
        }
        (Decision::Rejects, other) => format!("revision {older} refuses {noun}, revision {newer} {} it", verb(other)),
        (other, Decision::Rejects) => format!("revision {older} {} {noun}, revision {newer} refuses it", verb(other)),
        _ => return None,
    };
    let (article, asks) = match rollout.policy {
        RolloutPolicy::Strict => ("a strict", "both revisions have to accept"),
        RolloutPolicy::Lenient | RolloutPolicy::Immediate => {
            ("a lenient", "it is enough that one of the revisions accepts")
        }
    };
    let message = format!("{article} rollout from revision {older} to revision {newer} is open, and {asks}: {says}");
    Some(Item { revision: Some(refusing.0), ..Item::new("rejected-by-revision", "", message) })
}

fn verb(decision: Decision) -> &'static str {
    match decision {
        Decision::NeedsTask => "may accept",
        Decision::Rejects => "refuses",
        Decision::AcceptsUnchecked | Decision::Accepts => "accepts",
    }
}

/// Variants that apply and refuse, where their revision does not.
fn by_variants<'a>(
    revision: &'a BundleRevision,
    check: &'a RevisionCheck,
    input: Input<'_>,
    name_revision: bool,
) -> impl Iterator<Item = Item> + 'a {
    let applies = match input {
        Input::Task(_) => "applies too, and refuses this task",
        Input::Payload(_) => "may apply too, and refuses this payload",
    };
    let number = revision.revision;
    let of = if name_revision { format!(" of revision {number}") } else { String::new() };
    check.rejecting.iter().map(move |index| {
        let name = &revision.variants[*index].name;
        let message = format!("the variant {name}{of} {applies}");
        Item { variant: Some(name.clone()), revision: Some(number.0), ..Item::new("rejected-by-variant", "", message) }
    })
}
