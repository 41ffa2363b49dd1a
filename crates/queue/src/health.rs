//! How the queue is. A worker-manager that is away does not make it unready: tasks go on without it.

mod gate;

use crate::queue::Queue;
use ::service::Check;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// How often the database is asked for a sign of life.
const EVERY: Duration = Duration::from_secs(2);

/// Whether the database answered when it was last asked.
#[derive(Default)]
pub(crate) struct Pulse {
    failure: Mutex<Option<String>>,
}

impl Pulse {
    /// Asks again and again.
    pub(crate) async fn watch(&self, queue: Queue) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let failure = queue.ping().await.err().map(|error| error.to_string());
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        }
    }

    /// How the database is.
    pub(crate) fn check(&self) -> Check {
        match &*self.failure.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Check::ok("queue database"),
            Some(reason) => Check::failed("queue database", reason.clone()),
        }
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
