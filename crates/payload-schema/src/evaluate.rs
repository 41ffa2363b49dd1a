//! The one function that says whether a worker type accepts a task. worker-manager, the queue's gate and the command
//! line call it on the same bundle, so that they cannot disagree.

mod explain;
mod revision;
#[cfg(test)]
mod tests;
mod variant;
mod warnings;

pub(crate) use explain::lifecycle_words;

use crate::Prepared;
use crate::prepared::Acceptance;
use crate::rules::TaskView;
use revision::{Decision, Few, RevisionCheck};
use serde_json::Value;
use std::borrow::Cow;
use variant::Answer;
use worker_types::{
    BundleRevision, Outcome, RevisionVerdict, RolloutPolicy, Task, UncheckedReason, Verdict, VerdictRollout,
};

/// What is held against a bundle.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A whole task.
    Task(&'a Task),
    /// A `task.payload` alone: what depends on the rest of the task stays open.
    Payload(&'a Value),
}

/// The parts of an input, as the checks see them.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    task: Option<&'a Value>,
    payload: Option<&'a Value>,
    view: TaskView<'a>,
}

impl<'a> From<Input<'a>> for Subject<'a> {
    fn from(input: Input<'a>) -> Self {
        match input {
            Input::Task(task) => {
                Self { task: Some(task.value()), payload: task.payload(), view: TaskView::Task(task.value()) }
            }
            Input::Payload(payload) => Self { task: None, payload: Some(payload), view: TaskView::Payload(payload) },
        }
    }
}

impl Prepared {
    /// The verdict of the live definition on `input`.
    ///
    /// Never true by vacuity: when no variant applies the task is invalid, and when nothing was checked but that the
    /// payload is an object the verdict is `unchecked`.
    pub fn evaluate(&self, input: Input<'_>) -> Cow<'_, Verdict> {
        let subject = Subject::from(input);
        match &self.acceptance {
            Some(acceptance) if self.plainly_accepts(acceptance, input, subject) => {
                Cow::Borrowed(acceptance.verdict(self))
            }
            _ => Cow::Owned(self.evaluate_all(input, subject)),
        }
    }

    /// As [`Self::evaluate`], as JSON.
    ///
    /// # Errors
    /// None that is known: a verdict is made of text and numbers.
    pub fn evaluate_to_json(&self, input: Input<'_>) -> serde_json::Result<Cow<'_, str>> {
        let subject = Subject::from(input);
        match &self.acceptance {
            Some(acceptance) if self.plainly_accepts(acceptance, input, subject) => {
                acceptance.json(self).map(Cow::Borrowed)
            }
            _ => serde_json::to_string(&self.evaluate_all(input, subject)).map(Cow::Owned),
        }
    }

    /// Whether the only variant of the only live revision accepts, with nothing to be said about it.
    fn plainly_accepts(&self, acceptance: &Acceptance, input: Input<'_>, subject: Subject<'_>) -> bool {
        if matches!(input, Input::Task(task) if task.names_another().is_some()) {
            return false;
        }
        if let Some(schema) = &acceptance.payload_schema {
            return subject.payload.is_some_and(|payload| payload.is_object() && schema.is_valid(payload));
        }
        let accepts = |variant| variant::check(variant, subject).accepts == Answer::Yes;
        self.revisions.iter().flat_map(|revision| &revision.variants).all(accepts)
    }

    fn evaluate_all(&self, input: Input<'_>, subject: Subject<'_>) -> Verdict {
        let checks: Few<RevisionCheck> = (self.bundle.revisions.iter().zip(&self.revisions))
            .map(|(revision, prepared)| revision::check(revision, prepared, subject))
            .collect();
        let (verdict, reason) = outcome(self.decide(&checks));
        let mut answer = self.frame(verdict, reason, &checks);
        if verdict == Outcome::Invalid {
            explain::add_errors(&mut answer, self, &checks, subject);
        }
        warnings::add(&mut answer, self, &checks, input);
        answer
    }

    fn decide(&self, checks: &[RevisionCheck]) -> Decision {
        let decisions = checks.iter().map(|check| check.decision);
        let strict = self.bundle.rollout.is_some_and(|rollout| rollout.policy == RolloutPolicy::Strict);
        let combined = if strict { decisions.min() } else { decisions.max() };
        combined.unwrap_or(Decision::Rejects)
    }

    fn rollout(&self, checks: &[RevisionCheck]) -> Option<VerdictRollout> {
        let policy = self.bundle.rollout?.policy;
        let said = |(revision, check): (&BundleRevision, &RevisionCheck)| RevisionVerdict {
            revision: revision.revision,
            verdict: outcome(check.decision).0,
        };
        Some(VerdictRollout { policy, revisions: self.bundle.revisions.iter().zip(checks).map(said).collect() })
    }

    fn frame(&self, verdict: Outcome, reason: Option<UncheckedReason>, checks: &[RevisionCheck]) -> Verdict {
        let named = |pick: fn(&RevisionCheck) -> &[usize]| {
            let mut names: Vec<String> = Vec::new();
            for (revision, check) in self.bundle.revisions.iter().zip(checks) {
                for name in pick(check).iter().map(|index| &revision.variants[*index].name) {
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                }
            }
            names
        };
        let everyone = self
            .revisions
            .iter()
            .zip(checks)
            .all(|(prepared, check)| check.candidates.len() == prepared.variants.len());
        let refuses = verdict == Outcome::Invalid;
        Verdict {
            verdict,
            reason,
            rollout: self.rollout(checks),
            variants: if everyone { self.names.clone() } else { named(|check| &check.candidates).into() },
            rejected_by: if refuses { Vec::new() } else { named(|check| &check.rejecting) },
            ..self.accepted()
        }
    }
}

fn outcome(decision: Decision) -> (Outcome, Option<UncheckedReason>) {
    match decision {
        Decision::Accepts => (Outcome::Valid, None),
        Decision::AcceptsUnchecked => (Outcome::Unchecked, Some(UncheckedReason::NoSchema)),
        Decision::NeedsTask => (Outcome::Unchecked, Some(UncheckedReason::NeedsTask)),
        Decision::Rejects => (Outcome::Invalid, None),
    }
}
