//! This server among those on its database: who it is, and that it is there.

use crate::registry::Registry;
use crate::store::ReplicaReport;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

/// How often a server says that it is there.
const EVERY: Duration = Duration::from_secs(10);
/// Who has not said so for this long has missed two turns: it has ended, or does not reach the database.
pub(crate) const MISSED_AFTER: Duration = Duration::from_secs(25);
/// Who has not said so for this long is not shown any more.
pub(crate) const SEEN_WITHIN: Duration = Duration::from_secs(60);
/// Who has not said so for this long is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3600);

/// A server: one start of one process.
#[derive(Clone, Debug)]
pub struct Replica {
    /// Another one at each start.
    pub id: String,
    /// For people: its host and port.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The commit that it was built from, where the build knew it.
    pub commit: Option<String>,
    /// When it started.
    pub started_at: Timestamp,
}

impl Replica {
    /// A server that starts now.
    pub fn starting(name: impl Into<String>, commit: Option<&str>) -> Self {
        Self {
            id: Uuid::new_v4().simple().to_string(),
            name: name.into(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit.map(str::to_owned),
            started_at: crate::time::now(),
        }
    }
}

impl Registry {
    /// This server, as it tells of itself.
    pub(crate) fn report(&self) -> ReplicaReport {
        let Replica { id, name, version, started_at, .. } = self.settings.replica.clone();
        ReplicaReport { id, name, version, started_at, applied: self.snapshot().applied }
    }

    /// Says that this server is there, again and again, until the future is dropped.
    pub async fn announce(self: Arc<Self>) {
        let mut every = interval(EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_known = true;
        loop {
            every.tick().await;
            let said =
                self.blocking(|registry| registry.store.report_replica(&registry.report(), FORGOTTEN_AFTER)).await;
            if let (Err(error), true) = (&said, is_known) {
                tracing::warn!(%error, "the other servers cannot be told that this one is there; it is tried again");
            }
            is_known = said.is_ok();
        }
    }
}
