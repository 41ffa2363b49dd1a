//! What the status asks of the database: in bounded time, and never twice at once.

use super::CHANGES;
use crate::registry::Registry;
use crate::replica::SEEN_WITHIN;
use crate::store::{Glance, StoreError};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

/// How long the status waits for the database.
const DEADLINE: Duration = Duration::from_secs(1);

/// How the database is.
#[derive(Clone, Debug)]
pub struct DatabaseStatus {
    /// By its own name: `SQLite`, `PostgreSQL`.
    pub kind: &'static str,
    /// Whether it answered when the status was computed.
    pub reachable: bool,
    /// Since it last answered anything.
    pub last_contact: Duration,
    /// From when everything is that only the database knows, by its clock; none where it was away since the start.
    pub seen_at: Option<Timestamp>,
    /// How much room it takes; none where it does not say.
    pub bytes: Option<u64>,
}

/// The question that is open, and the last answer.
#[derive(Default)]
pub(super) struct Asking {
    /// A thread that waits for a database cannot be called back: the next status waits for the same answer.
    open: Option<JoinHandle<Result<Glance, StoreError>>>,
    kept: Option<(Arc<Glance>, Instant)>,
}

/// What is known of the database now.
pub(super) struct Glanced {
    /// The last answer.
    pub(super) kept: Option<Arc<Glance>>,
    /// Whether it was given just now.
    reachable: bool,
    age: Option<Duration>,
}

impl Registry {
    pub(super) async fn glance(self: &Arc<Self>, asking: &mut Asking) -> Glanced {
        let store = self.store.clone();
        let open = asking.open.get_or_insert_with(|| spawn_blocking(move || store.glance(CHANGES, SEEN_WITHIN)));
        let answer = timeout(DEADLINE, open).await;
        if answer.is_ok() {
            asking.open = None;
        }
        let glance = answer.ok().and_then(Result::ok).and_then(|answered| match answered {
            Ok(glance) => Some(glance),
            Err(error) => {
                tracing::debug!(%error, "the status goes without the database");
                None
            }
        });
        let reachable = glance.is_some();
        if let Some(glance) = glance {
            asking.kept = Some((Arc::new(glance), Instant::now()));
        }
        let (kept, at) = asking.kept.clone().unzip();
        Glanced { kept, reachable, age: at.map(|at| at.elapsed()) }
    }

    pub(super) fn database_status(&self, glanced: &Glanced) -> DatabaseStatus {
        let last_heard = self.health().age;
        let glance = glanced.kept.as_ref();
        DatabaseStatus {
            kind: self.store.kind(),
            reachable: glanced.reachable,
            last_contact: glanced.age.map_or(last_heard, |age| age.min(last_heard)),
            seen_at: glance.map(|glance| glance.at),
            bytes: glance.and_then(|glance| glance.bytes),
        }
    }
}
