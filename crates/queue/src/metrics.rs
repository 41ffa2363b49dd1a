//! What the queue counts and tells of verdicts. Every verdict on a task that is created or refused passes here.

use crate::verdict::{Action, KeptVerdict};
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
    if kept.action != Action::Created {
        let first = kept.causes().first().map_or("", |item| item.message.as_str());
        tracing::info!(
            task.id = %kept.task_id,
            worker_type.id = %kept.verdict.worker_type_id,
            verdict = %kept.verdict.verdict,
            action = kept.action.as_str(),
            first,
            "a worker type does not accept a task"
        );
    }
}
