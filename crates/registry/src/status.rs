//! How the registry is, for people: what it holds, what happened last, and how it stands with its database and the other
//! servers. Made at most once in a second for all who ask; without the database it says what memory knows.

mod counts;
mod database;

pub use counts::Counts;
pub use database::DatabaseStatus;

use crate::feed::event;
use crate::registry::Registry;
use crate::replica::{MISSED_AFTER, Replica};
use crate::rollout::OpenRollout;
use crate::single_flight::{Pace, SingleFlight};
use crate::snapshot::Snapshot;
use crate::store::{EventRecord, Glance, ReplicaRecord};
use database::Asking;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use worker_types::{Event, WorkerTypeId};

/// How many changes are shown.
const CHANGES: usize = 20;
const PACE: Pace = Pace { every: Duration::from_secs(1), oldest: Duration::from_secs(2) };

/// How the registry was at one moment.
#[derive(Clone, Debug)]
pub struct Status {
    /// That moment.
    pub computed_at: Timestamp,
    /// The server that computed it.
    pub replica: Replica,
    /// What is there.
    pub counts: Counts,
    /// Every rollout that is open, the oldest first.
    pub rollouts: Vec<(WorkerTypeId, OpenRollout)>,
    /// What changed last, newest first.
    pub changes: Vec<StatusChange>,
    /// The change feed.
    pub feed: FeedStatus,
    /// The servers on the database that were there within the last minute, this one among them, in the order in which they
    /// started. While the database is away: those that were there before.
    pub replicas: Vec<ReplicaRecord>,
    /// The database.
    pub database: DatabaseStatus,
    /// What changed in a way that this version cannot read: reads show what was live before.
    pub unreadable: Vec<WorkerTypeId>,
}

/// A change, and by whom.
#[derive(Clone, Debug)]
pub struct StatusChange {
    /// What happened.
    pub event: Event,
    /// The caller's name; none where the database was away since the start.
    pub by: Option<String>,
}

impl Status {
    /// Whether a server should have said by now that it is there: held against the moment at which the database was asked,
    /// so that nobody is missed because the database is.
    pub fn is_missed(&self, record: &ReplicaRecord) -> bool {
        let asked = self.database.seen_at.unwrap_or(self.computed_at);
        let silent = Duration::try_from(asked.duration_since(record.seen_at)).unwrap_or_default();
        record.report.id != self.replica.id && silent > MISSED_AFTER
    }

    /// Since the server started.
    pub fn uptime(&self) -> Duration {
        Duration::try_from(self.computed_at.duration_since(self.replica.started_at)).unwrap_or_default()
    }
}

/// How far the change feed is, and who listens.
#[derive(Clone, Debug)]
pub struct FeedStatus {
    /// The sequence of the newest event that the database is known to hold; 0 before the first.
    pub newest: u64,
    /// That of the newest event which reads of this server see.
    pub applied: u64,
    /// That of the oldest event that is kept; none where none is, or where the database was away since the start.
    pub oldest: Option<u64>,
    /// The place in the feed at which this server stands.
    pub cursor: String,
    /// Readers of the feed that are connected to this server.
    pub watchers: usize,
    /// Events older than this are forgotten.
    pub kept_for: Duration,
    /// Events beyond the newest of this many are forgotten.
    pub kept_count: u64,
}

impl FeedStatus {
    /// How many events this server has still to apply.
    pub fn lag(&self) -> u64 {
        self.newest.saturating_sub(self.applied)
    }
}

/// What the status is made with.
pub(crate) struct StatusDesk {
    flight: SingleFlight<Status>,
    asking: Mutex<Asking>,
}

impl StatusDesk {
    pub(crate) fn new() -> Self {
        Self { flight: SingleFlight::new(PACE), asking: Mutex::default() }
    }
}

impl Registry {
    /// How the registry is, at most two seconds ago. None only where it could not be found out, which is a fault of ours.
    pub async fn status(self: &Arc<Self>) -> Option<Arc<Status>> {
        let registry = self.clone();
        self.status.flight.get(|| async move { registry.compute_status().await }).await
    }

    async fn compute_status(self: Arc<Self>) -> Status {
        metrics::counter!("status_computations_total").increment(1);
        let glanced = self.glance(&mut *self.status.asking.lock().await).await;
        // Looked at after the database: what it has applied is then never behind for lack of time.
        let snapshot = self.snapshot().clone();
        let glance = glanced.kept.as_deref();
        Status {
            computed_at: crate::time::now(),
            replica: self.settings.replica.clone(),
            counts: Counts::of(&snapshot),
            rollouts: rollouts(&snapshot),
            changes: self.last_changes(&snapshot, glance),
            feed: self.feed_status(&snapshot, glance),
            replicas: self.replicas(glance),
            unreadable: snapshot.unreadable.iter().cloned().collect(),
            database: self.database_status(&glanced),
        }
    }

    /// What the database said last, else what went through the feed since the start.
    fn last_changes(&self, snapshot: &Snapshot, glance: Option<&Glance>) -> Vec<StatusChange> {
        let known = |(record, by): &(EventRecord, Option<String>)| StatusChange {
            event: event(&snapshot.epoch, record.clone()),
            by: by.clone(),
        };
        match glance {
            Some(glance) => glance.changes.iter().map(known).collect(),
            None => self.feed.newest(CHANGES).into_iter().map(|event| StatusChange { event, by: None }).collect(),
        }
    }

    fn feed_status(&self, snapshot: &Snapshot, glance: Option<&Glance>) -> FeedStatus {
        let bounds = glance.map(|glance| &glance.feed);
        let oldest = bounds.filter(|bounds| bounds.newest > bounds.compacted).map(|bounds| bounds.compacted + 1);
        FeedStatus {
            newest: bounds.map_or(snapshot.applied, |bounds| bounds.newest.max(snapshot.applied)),
            applied: snapshot.applied,
            oldest,
            cursor: snapshot.cursor().to_string(),
            watchers: self.feed.watchers(),
            kept_for: self.settings.event_age,
            kept_count: self.settings.event_count,
        }
    }

    /// This server is there, whatever the database knows of it.
    fn replicas(&self, glance: Option<&Glance>) -> Vec<ReplicaRecord> {
        let report = self.report();
        let own = ReplicaRecord { seen_at: glance.map_or_else(crate::time::now, |glance| glance.at), report };
        let mut all: Vec<ReplicaRecord> = glance.map(|glance| glance.replicas.clone()).unwrap_or_default();
        match all.iter_mut().find(|record| record.report.id == own.report.id) {
            Some(there) => *there = own,
            None => all.push(own),
        }
        all.sort_by_key(|record| record.report.started_at);
        all
    }
}

fn rollouts(snapshot: &Snapshot) -> Vec<(WorkerTypeId, OpenRollout)> {
    let open = snapshot.worker_types.rollouts().filter_map(|(id, _)| {
        let rollout = snapshot.worker_types.get(id)?.rollout()?;
        Some((id.clone(), rollout))
    });
    let mut open: Vec<_> = open.collect();
    open.sort_by_key(|(_, rollout)| rollout.started_at);
    open
}
