//! What is live before against what is live afterwards, where two revisions may be on either side: under `lenient` what
//! either accepts is accepted, under `strict` what both accept.
//!
//! Every pair of revisions that has to be looked at is compared by itself; from the pairs follows a proof. A witness of a
//! pair is one of the whole only where both wholes say so.

use super::whole::accepts_nothing;
use super::{finding, harmless, newly_refused, revision};
use crate::Prepared;
use crate::compare::Comparer;
use crate::compare::definitions::variants::Candidate;
use std::collections::BTreeMap;
use worker_types::{Compatibility, CompatibilityVerdict, Effect, LifecycleState, RolloutPolicy};

/// Compares everything that `old` accepts with everything that `new` accepts.
pub(in crate::compare) fn compare(comparer: &Comparer, old: &Prepared, new: &Prepared) -> Compatibility {
    let mut pairs = Pairs { comparer, old, new, known: BTreeMap::new() };
    let proved = pairs.proved();
    if !proved {
        pairs.look_at_all();
    }
    let against = old.bundle().revisions.iter().map(|revision| revision.revision).collect();
    let whole = Compatibility { against, ..pairs.merged() };
    // One pair speaks for itself.
    if pairs.known.len() == 1 {
        return whole;
    }
    if proved {
        let mut report = Compatibility { verdict: CompatibilityVerdict::Compatible, witness: None, ..whole };
        report.witness_is_task = false;
        harmless(&mut report.findings);
        return report;
    }
    let mut report = match pairs.witness() {
        Some((witness, witness_is_task)) => {
            let verdict = CompatibilityVerdict::Breaking;
            Compatibility { verdict, witness: Some(witness), witness_is_task, ..whole }
        }
        None => undecided(whole),
    };
    if is_strict(new) && !is_retired(new) && accepts_nothing(comparer, new) {
        let breaks = report.verdict == CompatibilityVerdict::Breaking;
        // It speaks for the verdict, whichever that is.
        let effect = if breaks { Effect::Tightened } else { Effect::Unknown };
        report.findings.insert(0, finding(effect, "", ACCEPTS_NOTHING));
    }
    report
}

const ACCEPTS_NOTHING: &str = "no task at all is accepted while this strict rollout is open: its two revisions have \
                               nothing in common; let it be lenient, or widen the new schema";

/// No pair has a witness of the whole: what the pairs lose, another live revision may take.
fn undecided(mut report: Compatibility) -> Compatibility {
    report.verdict = CompatibilityVerdict::Unknown;
    (report.witness, report.witness_is_task) = (None, false);
    for finding in report.findings.iter_mut().filter(|finding| finding.effect == Effect::Tightened) {
        finding.effect = Effect::Unknown;
        finding.message.push_str("; it was not decided whether another live revision makes up for it");
    }
    if !report.findings.iter().any(|finding| finding.effect == Effect::Unknown) {
        let words =
            "neither a proof nor a task that is newly refused was found for the revisions that are live together";
        report.findings.insert(0, finding(Effect::Unknown, "", words));
    }
    report
}

struct Pairs<'a> {
    comparer: &'a Comparer,
    old: &'a Prepared,
    new: &'a Prepared,
    /// By the places of the two revisions.
    known: BTreeMap<(usize, usize), Compatibility>,
}

impl Pairs<'_> {
    /// Whether the pairs prove that nothing is lost. Under a lenient side one revision is enough, under a strict one every
    /// revision must hold: for what accepts as well as, turned round, for what was accepted.
    fn proved(&mut self) -> bool {
        let (olds, news) = (0..self.old.revisions.len(), 0..self.new.revisions.len());
        let (old_is_strict, new_is_strict) = (is_strict(self.old), is_strict(self.new));
        match (old_is_strict, new_is_strict) {
            (false, true) => olds.clone().all(|old| news.clone().all(|new| self.holds(old, new))),
            (false, false) => olds.clone().all(|old| news.clone().any(|new| self.holds(old, new))),
            (true, true) => news.clone().all(|new| olds.clone().any(|old| self.holds(old, new))),
            (true, false) => olds.clone().any(|old| news.clone().any(|new| self.holds(old, new))),
        }
    }

    fn look_at_all(&mut self) {
        for old in 0..self.old.revisions.len() {
            for new in 0..self.new.revisions.len() {
                self.holds(old, new);
            }
        }
    }

    fn holds(&mut self, old: usize, new: usize) -> bool {
        let report = self
            .known
            .entry((old, new))
            .or_insert_with(|| revision(self.comparer, &self.old.only(old), &self.new.only(new)));
        report.verdict == CompatibilityVerdict::Compatible
    }

    /// Every pair, as far as it was looked at.
    fn merged(&self) -> Compatibility {
        let mut merged = Compatibility {
            is_provisional: false,
            verdict: CompatibilityVerdict::Compatible,
            against: Vec::new(),
            witness: None,
            witness_is_task: false,
            findings: Vec::new(),
            after_rollout: None,
        };
        for report in self.known.values() {
            if merged.witness.is_none() {
                (merged.witness, merged.witness_is_task) = (report.witness.clone(), report.witness_is_task);
            }
            merged.verdict = merged.verdict.max(report.verdict);
            for finding in &report.findings {
                if !merged.findings.contains(finding) {
                    merged.findings.push(finding.clone());
                }
            }
        }
        merged.findings.sort_by_key(|finding| finding.effect != Effect::Tightened);
        merged
    }

    /// A payload or a task of one of the pairs that everything live before accepts, and everything live afterwards refuses.
    fn witness(&self) -> Option<(serde_json::Value, bool)> {
        self.known.values().find_map(|report| {
            let witness = report.witness.clone()?;
            let candidate = match report.witness_is_task {
                true => Candidate::Task(witness.clone()),
                false => Candidate::Payload(witness.clone()),
            };
            newly_refused(self.old, self.new, &candidate).then_some((witness, report.witness_is_task))
        })
    }
}

/// Then no task is accepted on purpose.
fn is_retired(prepared: &Prepared) -> bool {
    prepared.bundle().revisions.iter().any(|revision| revision.lifecycle.state == LifecycleState::Retired)
}

fn is_strict(prepared: &Prepared) -> bool {
    prepared.bundle().rollout.is_some_and(|rollout| rollout.policy == RolloutPolicy::Strict)
}
