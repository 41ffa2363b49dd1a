//! How the service behaves.

use std::collections::BTreeMap;
use std::time::Duration;

/// What callers without a token may do unless it is configured otherwise: read and ask, change nothing. Pool
/// configurations, the names of hosts and the export are not among it.
pub const ANONYMOUS_SCOPES: &[&str] = &[
    "worker-manager:list",
    "worker-manager:get:*",
    "worker-manager:get-release:*",
    "worker-manager:validate:*",
    "worker-manager:check:*",
    "worker-manager:events",
    "worker-manager:status",
];

/// How the service behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// How often a quiet change feed sends a bookmark.
    pub events_heartbeat: Duration,
    /// A reader of the change feed is cut once more events than this that it wants came while it took those before.
    pub events_lag: u64,
    /// How long a read waits for the change that it asks for by its cursor.
    pub cursor_patience: Duration,
    /// Bytes of answers that a batch keeps for a client that sends all its tasks before it reads.
    pub batch_answers: usize,
    /// Body limits that differ from the table's, in bytes, by the name of their setting.
    pub body_limits: BTreeMap<&'static str, usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            events_heartbeat: Duration::from_secs(15),
            events_lag: 10_000,
            cursor_patience: Duration::from_secs(2),
            batch_answers: 8 << 20,
            body_limits: BTreeMap::new(),
        }
    }
}
