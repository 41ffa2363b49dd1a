//! What an operator may turn on a gate, with defaults for a queue.

use payload_schema::Limits;
use std::{num::NonZeroUsize, time::Duration};

/// The gate's settings.
#[derive(Clone, Debug)]
pub struct GateSettings {
    /// The longest that [`crate::PayloadGate::check`] takes because of worker-manager, a first fetch included (500 ms).
    pub deadline: Duration,
    /// How long a bundle counts as current without a word from worker-manager (60 s). With the watch connected it is
    /// then confirmed in the background, otherwise before the next verdict.
    pub max_age: Duration,
    /// How long "there is no such worker type" counts (10 s). An event for the id ends it at once.
    pub unknown_for: Duration,
    /// After how many failures in a row worker-manager is left alone (3).
    pub failures: u32,
    /// How long it is left alone before the first probe (1 s). Doubles with each probe that fails.
    pub first_pause: Duration,
    /// The longest time between two probes (5 s).
    pub longest_pause: Duration,
    /// How many worker types are kept (1000), the least recently used dropped first.
    pub kept: NonZeroUsize,
    /// After how long without a task a worker type is dropped (1 h).
    pub idle: Duration,
    /// How many compiled schemas are kept beside those of kept worker types (256).
    pub compiled_schemas: usize,
    /// The largest bundle that is read, in bytes (32 MiB).
    pub max_bundle: usize,
    /// How many bundles are fetched at once in the background (4). Fetches that a task waits for are not held up.
    pub background_fetches: usize,
    /// How often worker-manager's feed gives a sign of life (15 s).
    pub heartbeat: Duration,
    /// Bounds on schemas; at least as wide as worker-manager's own.
    pub limits: Limits,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self {
            deadline: Duration::from_millis(500),
            max_age: Duration::from_secs(60),
            unknown_for: Duration::from_secs(10),
            failures: 3,
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(5),
            kept: NonZeroUsize::MIN.saturating_add(999),
            idle: Duration::from_secs(3600),
            compiled_schemas: 256,
            max_bundle: 32 << 20,
            background_fetches: 4,
            heartbeat: Duration::from_secs(15),
            limits: Limits::default(),
        }
    }
}

impl GateSettings {
    /// How long one fetch may take. What is left of the deadline is for the verdict.
    pub(crate) fn fetch_timeout(&self) -> Duration {
        self.deadline * 7 / 10
    }

    /// How long a task waits for a fetch: longer than it may take when nothing is known, so that its outcome is seen;
    /// a moment when there is something to fall back on.
    pub(crate) fn patience(&self, something_known: bool) -> Duration {
        if something_known { self.deadline / 5 } else { self.deadline * 8 / 10 }
    }
}
