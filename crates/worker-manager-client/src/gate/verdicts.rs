//! From what is known to a verdict, with a warning where it may be out of date.

use crate::gate::known::{Answer, Known};
use jiff::Timestamp;
use payload_schema::{Input, Prepared};
use worker_types::{Item, Outcome, RevisionRef, Task, UncheckedReason, ValidationMode, Verdict, WorkerTypeId};

/// What the gate goes by for one task.
pub(crate) struct Held {
    pub(crate) known: Option<Known>,
    /// Why it may be out of date.
    pub(crate) doubt: Option<Doubt>,
}

/// Why worker-manager was not asked, or did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    /// Since when; none when it was only slow.
    pub(crate) since: Option<Timestamp>,
    /// In words.
    pub(crate) cause: String,
    /// It answers; what it answers about this worker type is of no use.
    pub(crate) unusable: bool,
}

impl Held {
    /// The verdict on `task`.
    pub(crate) fn judge(&self, task: &Task) -> Verdict {
        let mut verdict = match self.enforced() {
            Some(prepared) => prepared.evaluate(Input::Task(task)).into_owned(),
            None => self.unchecked(task.worker_type_id()),
        };
        verdict.warnings.extend(self.warning());
        verdict
    }

    /// The bundle that decides, if one does.
    pub(crate) fn enforced(&self) -> Option<&Prepared> {
        match &self.known.as_ref()?.answer {
            Answer::Live(prepared) if prepared.bundle().validation != ValidationMode::Off => Some(prepared),
            _ => None,
        }
    }

    /// The verdict when none does, without the warning about what is out of date.
    pub(crate) fn unchecked(&self, id: &WorkerTypeId) -> Verdict {
        let unchecked = |reason| Verdict::unchecked(id.clone(), reason);
        match self.known.as_ref().map(|known| &known.answer) {
            Some(Answer::Live(prepared)) => off(prepared),
            Some(Answer::Deleted { detail, generation }) => {
                let warnings = vec![Item::new("deleted", "/taskQueueId", detail)];
                Verdict { warnings, generation: *generation, ..unchecked(UncheckedReason::Deleted) }
            }
            Some(Answer::Unknown { detail, suggestion }) => {
                let warning = Item::new("unknown-worker-type", "/taskQueueId", detail).suggest(suggestion.clone());
                Verdict { warnings: vec![warning], ..unchecked(UncheckedReason::UnknownWorkerType) }
            }
            None => unchecked(UncheckedReason::Unavailable),
        }
    }

    /// That worker-manager did not answer, and what the verdict goes by instead.
    pub(crate) fn warning(&self) -> Option<Item> {
        let doubt = self.doubt.as_ref()?;
        let since = doubt.since.map(|since| format!(" since {since:.0}")).unwrap_or_default();
        let basis = match &self.known {
            Some(known) => format!("this goes by what was last known, confirmed at {:.0}", known.confirmed_at),
            None => "nothing is known from before".to_owned(),
        };
        let what = if doubt.unusable { "'s answer about this worker type is of no use" } else { " does not answer" };
        let message = format!("worker-manager{what}{since} ({}); {basis}", doubt.cause);
        Some(Item::new("worker-manager-unavailable", "", message))
    }
}

/// Validation is off: payloads are not looked at.
fn off(prepared: &Prepared) -> Verdict {
    let bundle = prepared.bundle();
    let references = bundle
        .revisions
        .iter()
        .map(|revision| RevisionRef { revision: revision.revision, content_hash: revision.content_hash.clone() });
    Verdict {
        verdict: Outcome::Unchecked,
        generation: Some(bundle.generation),
        revisions: references.collect(),
        validation: Some(bundle.validation),
        ..Verdict::unchecked(bundle.worker_type_id.clone(), UncheckedReason::Off)
    }
}
