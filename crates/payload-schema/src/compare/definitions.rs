//! Comparing what two definitions accept: variants, constraints, acceptance, lifecycle; live revisions in `rollouts`.
//!
//! Where each variant of the old definition has one of the same name that takes at least the same tasks, that is a
//! proof. Else the candidates for a witness are held against both definitions as wholes; and where that decides nothing,
//! the effective task schemas of both are compared.

mod rollouts;
#[cfg(test)]
mod tests;
mod variants;
mod whole;

use super::Comparer;
use crate::{Input, Prepared};
pub(super) use rollouts::compare;
use serde_json::Value;
use variants::{Candidate, Candidates, Pairing};
use worker_types::{
    BundleRevision, Compatibility, CompatibilityVerdict, Effect, Finding, LifecycleState, Outcome, Task,
};

/// Candidates that are held against both definitions.
const CANDIDATES: usize = 400;

/// One revision with another, each alone.
fn revision(comparer: &Comparer, old: &Prepared, new: &Prepared) -> Compatibility {
    let answer = |verdict, findings| Compatibility {
        is_provisional: false,
        verdict,
        against: Vec::new(),
        witness: None,
        witness_is_task: false,
        findings,
        after_rollout: None,
    };
    let (Some(before), Some(after)) = (old.bundle().revisions.first(), new.bundle().revisions.first()) else {
        return answer(CompatibilityVerdict::Unknown, Vec::new());
    };
    // A retired worker type accepts nothing: there is nothing to lose.
    if before.lifecycle.state == LifecycleState::Retired || same_contract(before, after) {
        return answer(CompatibilityVerdict::Compatible, Vec::new());
    }
    let Pairing { proved, mut findings, candidates, .. } = variants::pair(comparer, old, new);
    if proved && after.lifecycle.state != LifecycleState::Retired {
        return answer(CompatibilityVerdict::Compatible, findings);
    }
    if after.lifecycle.state == LifecycleState::Retired {
        findings.insert(0, finding(Effect::Tightened, "", "the worker type is retired: every task is refused now"));
    }
    if let Some((witness, is_task)) = confirmed(old, new, &candidates) {
        shown(new, &witness, is_task, &mut findings);
        return Compatibility {
            witness: Some(witness),
            witness_is_task: is_task,
            ..answer(CompatibilityVerdict::Breaking, findings)
        };
    }
    let decided = whole::compare(comparer, old, new);
    let witness = decided.witness.filter(|task| newly_refused(old, new, &Candidate::Task(task.clone())));
    let is_task = witness.is_some();
    let verdict = match (decided.verdict, is_task) {
        (CompatibilityVerdict::Compatible, _) => CompatibilityVerdict::Compatible,
        (_, true) => CompatibilityVerdict::Breaking,
        (_, false) => CompatibilityVerdict::Unknown,
    };
    if verdict == CompatibilityVerdict::Compatible {
        // What one variant refuses now, another one takes.
        harmless(&mut findings);
    } else if findings.is_empty() {
        findings = decided.findings;
    }
    if findings.is_empty() && verdict == CompatibilityVerdict::Unknown {
        findings.push(finding(Effect::Unknown, "", "neither a proof nor a task that is newly refused was found"));
    }
    Compatibility { witness, witness_is_task: is_task, ..answer(verdict, findings) }
}

/// What looks like a loss, and was proved to be none.
fn harmless(findings: &mut [Finding]) {
    for finding in findings {
        if finding.effect == Effect::Tightened || finding.effect == Effect::Unknown {
            finding.effect = Effect::Documentation;
            finding.message.push_str("; every task that it concerns is still accepted");
        }
    }
}

/// Whether both accept the same tasks because they say the same.
fn same_contract(old: &BundleRevision, new: &BundleRevision) -> bool {
    let parts = |revision: &BundleRevision| {
        let of = |variant: &worker_types::BundleVariant| {
            (
                variant.applies_when.clone(),
                variant.task_schema.clone(),
                variant.payload_schema.clone(),
                variant.constraints.clone(),
            )
        };
        revision.variants.iter().map(of).collect::<Vec<_>>()
    };
    let retired = |revision: &BundleRevision| revision.lifecycle.state == LifecycleState::Retired;
    let acceptance = old.acceptance == new.acceptance || old.variants.len() == 1;
    acceptance && retired(old) == retired(new) && parts(old) == parts(new)
}

/// A payload or a task that is accepted by the old definition and refused by the new one.
fn confirmed(old: &Prepared, new: &Prepared, candidates: &Candidates) -> Option<(Value, bool)> {
    let payloads = candidates.payloads.iter().map(|payload| Candidate::Payload(payload.clone()));
    if let Some(Candidate::Payload(payload)) =
        payloads.take(CANDIDATES).find(|candidate| newly_refused(old, new, candidate))
    {
        return Some((payload, false));
    }
    let id = &new.bundle().worker_type_id;
    let tasks = candidates.tasks().take(CANDIDATES).filter_map(|task| Task::normalised_for(task, id).ok());
    let mut tasks = tasks.map(|task| task.value().clone());
    tasks.find(|task| newly_refused(old, new, &Candidate::Task(task.clone()))).map(|task| (task, true))
}

/// What was open and is shown by the witness.
fn shown(new: &Prepared, witness: &Value, is_task: bool, findings: &mut [Finding]) {
    let verdict = if is_task {
        let Ok(task) = Task::normalised_for(witness.clone(), &new.bundle().worker_type_id) else { return };
        new.evaluate(Input::Task(&task)).into_owned()
    } else {
        new.evaluate(Input::Payload(witness)).into_owned()
    };
    for finding in findings.iter_mut().filter(|finding| finding.effect == Effect::Unknown) {
        let at_place = |pointer: &str| pointer == finding.pointer;
        if finding.pointer.is_empty() || verdict.errors.iter().any(|error| at_place(&error.pointer)) {
            finding.effect = Effect::Tightened;
        }
    }
}

fn newly_refused(old: &Prepared, new: &Prepared, candidate: &Candidate) -> bool {
    let verdict = |prepared: &Prepared| match candidate {
        Candidate::Payload(payload) => Some(prepared.evaluate(Input::Payload(payload)).into_owned()),
        Candidate::Task(task) => {
            let task = Task::normalised_for(task.clone(), &prepared.bundle().worker_type_id).ok()?;
            Some(prepared.evaluate(Input::Task(&task)).into_owned())
        }
    };
    let (Some(before), Some(after)) = (verdict(old), verdict(new)) else { return false };
    let needs_task = before.reason == Some(worker_types::UncheckedReason::NeedsTask);
    before.verdict != Outcome::Invalid && !needs_task && after.verdict == Outcome::Invalid
}

fn finding(effect: Effect, pointer: &str, message: impl Into<String>) -> Finding {
    Finding {
        effect,
        pointer: pointer.to_owned(),
        old_schema_pointer: None,
        new_schema_pointer: None,
        old_fragment: None,
        new_fragment: None,
        message: message.into(),
        variant: None,
    }
}
