//! What the queue counts and tells of verdicts, and of its gate. Every verdict on a task that is created or refused
//! passes here.

use crate::queue::Queue;
use crate::verdict::{Action, KeptVerdict};
use jiff::Timestamp;
use metrics::{Unit, counter, describe_counter, describe_gauge, gauge};
use std::time::Duration;
use worker_manager_client::{BreakerState, GateState};

const VERDICTS: &str = "queue_verdicts_total";
const FEED_CONNECTED: &str = "queue_gate_feed_connected";
const BREAKER_OPEN: &str = "queue_gate_breaker_open";
const SILENCE: &str = "queue_gate_silence_seconds";

/// How often the gauges are set.
const EVERY: Duration = Duration::from_secs(2);

/// Says what each metric means.
pub(crate) fn describe() {
    describe_counter!(VERDICTS, "Verdicts on tasks at createTask, by outcome, reason and what became of the task");
    describe_gauge!(FEED_CONNECTED, "1 while every change of worker-manager arrives, else 0");
    describe_gauge!(BREAKER_OPEN, "1 while worker-manager is left alone because it does not answer, else 0");
    describe_gauge!(
        SILENCE,
        Unit::Seconds,
        "For how long worker-manager has not been heard of; its feed gives a sign of life every 15 s"
    );
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

/// Sets what is told of the gate again and again, until the future is dropped.
pub(crate) async fn keep(queue: Queue) {
    let mut every = tokio::time::interval(EVERY);
    loop {
        every.tick().await;
        if let Some(state) = queue.gate().state() {
            set(&state, Timestamp::now());
        }
    }
}

fn set(gate: &GateState, now: Timestamp) {
    let silence = now.duration_since(gate.heard_at.unwrap_or(gate.watch.since));
    gauge!(FEED_CONNECTED).set(f64::from(u8::from(gate.watch.connected)));
    gauge!(BREAKER_OPEN).set(f64::from(u8::from(gate.breaker != BreakerState::Closed)));
    gauge!(SILENCE).set(silence.as_secs_f64().max(0.0));
}
