//! How the queue is. A worker-manager that is away does not make it unready: tasks go on without it.

mod gate;

use crate::queue::Queue;
use ::service::Check;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// How often the database is asked for a sign of life.
const EVERY: Duration = Duration::from_secs(2);

/// Whether the database answered when it was last asked.
#[derive(Default)]
pub(crate) struct Pulse {
    is_away: AtomicBool,
}

impl Pulse {
    /// Asks again and again.
    pub(crate) async fn watch(&self, queue: Queue) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let failure = queue.ping().await.err();
            let was_away = self.is_away.swap(failure.is_some(), Ordering::AcqRel);
            match failure {
                Some(error) if !was_away => tracing::error!(%error, "the queue's database does not answer"),
                None if was_away => tracing::info!("the queue's database answers again"),
                _ => {}
            }
        }
    }

    /// How the database is.
    pub(crate) fn check(&self) -> Check {
        if self.is_away.load(Ordering::Acquire) {
            // Everybody may ask, and a driver's words may name hosts.
            return Check::failed("queue database", "it does not answer; the log says why");
        }
        Check::ok("queue database")
    }
}

impl Queue {
    /// How the gate is.
    pub(crate) fn gate_check(&self) -> Check {
        let Some(state) = self.gate().state() else { return Check::ok("payload gate") };
        let check = match gate::doubt(&state) {
            None => Check::ok("payload gate"),
            Some(reason) => Check::degraded("payload gate", reason),
        };
        check.with("feedConnected", state.watch.connected).with("since", state.watch.since.to_string())
    }
}
