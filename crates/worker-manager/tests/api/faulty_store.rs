//! A store whose database can be taken away and given back.

use registry::store::{
    Author, Decide, EventRecord, FeedBounds, Glance, Loaded, Marked, ReleaseMark, ReleaseRecord, ReplicaReport,
    RevisionRecord, Step, WorkerTypeRecord,
};
use registry::{Export, Store, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::SqlStore;
use worker_types::{ReleaseId, RevisionNumber, WorkerTypeId};

type Meanwhile = Box<dyn FnOnce(&SqlStore) + Send>;

pub struct FaultyStore {
    inner: SqlStore,
    meanwhile: Mutex<Option<Meanwhile>>,
    away: AtomicBool,
    stalled: AtomicBool,
    silent: AtomicBool,
}

/// See [`FaultyStore::silence`].
pub struct Silence(Arc<FaultyStore>);

impl Drop for Silence {
    fn drop(&mut self) {
        self.0.silent.store(false, Ordering::SeqCst);
    }
}

impl FaultyStore {
    pub fn new(inner: SqlStore) -> Self {
        let no = || AtomicBool::new(false);
        Self { inner, meanwhile: Mutex::default(), away: no(), stalled: no(), silent: no() }
    }

    pub fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }

    /// Lets the status wait for an answer longer than it has time.
    pub fn set_stalled(&self, stalled: bool) {
        self.stalled.store(stalled, Ordering::SeqCst);
    }

    /// Lets those who ask for news wait, without a word, for as long as the answer lives. A test that fails meanwhile ends
    /// the silence too: else the server's threads would never end.
    pub fn silence(self: &Arc<Self>) -> Silence {
        self.silent.store(true, Ordering::SeqCst);
        Silence(Arc::clone(self))
    }

    /// The database itself, where other servers write.
    pub fn inner(&self) -> &SqlStore {
        &self.inner
    }

    /// Lets the next read of a worker type wait until this has happened in the database.
    pub fn before_the_next_read(&self, meanwhile: impl FnOnce(&SqlStore) + Send + 'static) {
        *self.meanwhile.lock().unwrap() = Some(Box::new(meanwhile));
    }

    fn wait_while_silent(&self) {
        while self.silent.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn there(&self) -> Result<&SqlStore, StoreError> {
        if self.away.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable { message: "secret-host: connection refused".to_owned() });
        }
        Ok(&self.inner)
    }
}

impl Store for FaultyStore {
    fn load(&self) -> Result<Loaded, StoreError> {
        self.there()?.load()
    }

    fn worker_type(&self, id: &WorkerTypeId) -> Result<Option<WorkerTypeRecord>, StoreError> {
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some(meanwhile) = meanwhile {
            meanwhile(&self.inner);
        }
        self.there()?.worker_type(id)
    }

    fn revision(&self, id: &WorkerTypeId, number: RevisionNumber) -> Result<Option<RevisionRecord>, StoreError> {
        self.there()?.revision(id, number)
    }

    fn revisions(
        &self,
        id: &WorkerTypeId,
        before: Option<RevisionNumber>,
        limit: usize,
    ) -> Result<Vec<RevisionRecord>, StoreError> {
        self.there()?.revisions(id, before, limit)
    }

    fn steps(
        &self,
        id: &WorkerTypeId,
        from: jiff::Timestamp,
        until: Option<jiff::Timestamp>,
    ) -> Result<Vec<Step>, StoreError> {
        self.there()?.steps(id, from, until)
    }

    fn release(&self, id: &ReleaseId) -> Result<Option<ReleaseRecord>, StoreError> {
        self.there()?.release(id)
    }

    fn change_worker_type(
        &self,
        id: &WorkerTypeId,
        author: &Author,
        decide: Decide<'_>,
    ) -> Result<Option<(WorkerTypeRecord, EventRecord)>, StoreError> {
        self.there()?.change_worker_type(id, author, decide)
    }

    fn publish_release(
        &self,
        release: &ReleaseRecord,
        author: &Author,
    ) -> Result<(ReleaseRecord, Option<u64>), StoreError> {
        self.there()?.publish_release(release, author)
    }

    fn mark_release(
        &self,
        id: &ReleaseId,
        mark: Option<&ReleaseMark>,
        author: &Author,
        holds: &(dyn Fn(&ReleaseRecord) -> bool + Sync),
    ) -> Result<Option<Marked>, StoreError> {
        self.there()?.mark_release(id, mark, author, holds)
    }

    fn feed(&self) -> Result<FeedBounds, StoreError> {
        self.wait_while_silent();
        self.there()?.feed()
    }

    fn rename_feed(&self, epoch: &str, seen: u64) -> Result<(), StoreError> {
        self.there()?.rename_feed(epoch, seen)
    }

    fn events(&self, after: u64, limit: usize) -> Result<Vec<EventRecord>, StoreError> {
        self.wait_while_silent();
        self.there()?.events(after, limit)
    }

    fn compact_events(&self, oldest: jiff::Timestamp, keep: u64) -> Result<u64, StoreError> {
        self.there()?.compact_events(oldest, keep)
    }

    fn wait_for_change(&self, timeout: Duration) {
        self.inner.wait_for_change(timeout);
    }

    fn history(&self, id: &WorkerTypeId) -> Result<Option<(WorkerTypeRecord, Vec<RevisionRecord>)>, StoreError> {
        self.there()?.history(id)
    }

    fn import(&self, records: &[Export], author: &Author) -> Result<(Option<u64>, usize), StoreError> {
        self.there()?.import(records, author)
    }

    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    fn report_replica(&self, replica: &ReplicaReport, forgotten_after: Duration) -> Result<(), StoreError> {
        self.there()?.report_replica(replica, forgotten_after)
    }

    fn glance(&self, changes: usize, seen_within: Duration) -> Result<Glance, StoreError> {
        if self.stalled.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_secs(5));
        }
        self.there()?.glance(changes, seen_within)
    }

    fn ping(&self) -> Result<(), StoreError> {
        self.there()?.ping()
    }
}
