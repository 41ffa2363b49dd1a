//! What the queue counts.

use crate::verdict::KeptVerdict;
use metrics::{counter, describe_counter};

const VERDICTS: &str = "queue_verdicts_total";

/// Says what each metric means.
pub(crate) fn describe() {
    describe_counter!(VERDICTS, "Verdicts on tasks at createTask, by outcome, reason and what became of the task");
}

/// A task was created or refused.
pub(crate) fn judged(kept: &KeptVerdict) {
    let reason = kept.verdict.reason.map_or("", |reason| reason.as_str());
    counter!(VERDICTS, "verdict" => kept.verdict.verdict.as_str(), "reason" => reason, "action" => kept.action.as_str())
        .increment(1);
}
