//! The store as the registry holds it.

use crate::{change, failure::Failure, feed, import, nul, reads, releases, replicas};
use ::worker_types::{ReleaseId, RevisionNumber, WorkerTypeId};
use database::{AnyConnection, Database, DatabaseError, Migrations, Options};
use diesel_migrations::embed_migrations;
use jiff::Timestamp;
use registry::store::{
    Author, Decide, EventRecord, FeedBounds, Glance, Loaded, Marked, ReleaseMark, ReleaseRecord, ReplicaReport,
    RevisionRecord, Step, Unreadable, WorkerTypeRecord,
};
use registry::{Export, Store, StoreError};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The registry's tables.
pub const MIGRATIONS: Migrations =
    Migrations { sqlite: embed_migrations!("migrations/sqlite"), postgres: embed_migrations!("migrations/postgres") };

/// By which registries on one PostgreSQL database wake one another.
const CHANNEL: &str = "worker_manager_registry";

/// [`Store`] on SQLite or PostgreSQL.
pub struct SqlStore {
    database: Database,
    /// What had been announced when somebody last waited.
    seen: AtomicU64,
}

impl SqlStore {
    /// Opens the registry's database; see [`Database::open`]. The channel of `options` is set here.
    ///
    /// # Errors
    /// Those of [`Database::open`].
    pub fn open(url: &str, options: &Options) -> Result<Self, DatabaseError> {
        let options = Options { channel: Some(CHANNEL), ..options.clone() };
        let database = Database::open(url, &MIGRATIONS, &options)?;
        let seen = AtomicU64::new(database.changes());
        Ok(Self { database, seen })
    }

    /// Gives the change feed a new epoch: the database was brought back from a backup, and places in the feed that were
    /// given out since it was made mean other changes now. Whoever holds one lists anew.
    ///
    /// # Errors
    /// The database does not answer.
    pub fn start_feed_anew(&self) -> Result<(), StoreError> {
        Ok(self.database.write(|connection| feed::rename(connection, None))?)
    }

    /// The database behind it.
    pub fn database(&self) -> &Database {
        &self.database
    }

    fn read<T>(&self, work: impl FnOnce(&mut AnyConnection) -> Result<T, Failure>) -> Result<T, StoreError> {
        Ok(self.database.read(work)?)
    }

    /// Every write passes here: it checks the author, and tells those who wait that there are events.
    fn write<T: Send>(
        &self,
        author: &Author,
        has_events: impl FnOnce(&T) -> bool,
        work: impl FnMut(&mut AnyConnection) -> Result<T, Failure> + Send,
    ) -> Result<T, StoreError> {
        nul::refuse_in_author(author)?;
        let value = self.database.write(work)?;
        if has_events(&value) {
            self.database.announce();
        }
        Ok(value)
    }
}

impl Store for SqlStore {
    fn load(&self) -> Result<Loaded, StoreError> {
        self.read(|connection| {
            let feed = feed::bounds(connection)?;
            let (worker_types, of_worker_types) = reads::all(connection)?;
            let (releases, of_releases) = releases::all(connection)?;
            let unreadable = Unreadable { worker_types: of_worker_types, releases: of_releases };
            Ok(Loaded { worker_types, releases, unreadable, feed })
        })
    }

    fn worker_type(&self, id: &WorkerTypeId) -> Result<Option<WorkerTypeRecord>, StoreError> {
        self.read(|connection| reads::find(connection, id))
    }

    fn revision(&self, id: &WorkerTypeId, number: RevisionNumber) -> Result<Option<RevisionRecord>, StoreError> {
        self.read(|connection| reads::revision(connection, id, number))
    }

    fn revisions(
        &self,
        id: &WorkerTypeId,
        before: Option<RevisionNumber>,
        limit: usize,
    ) -> Result<Vec<RevisionRecord>, StoreError> {
        self.read(|connection| reads::revisions(connection, id, before, limit))
    }

    fn steps(&self, id: &WorkerTypeId, from: Timestamp, until: Option<Timestamp>) -> Result<Vec<Step>, StoreError> {
        self.read(|connection| feed::steps(connection, id, from, until))
    }

    fn release(&self, id: &ReleaseId) -> Result<Option<ReleaseRecord>, StoreError> {
        self.read(|connection| releases::find(connection, id))
    }

    fn change_worker_type(
        &self,
        id: &WorkerTypeId,
        author: &Author,
        decide: Decide<'_>,
    ) -> Result<Option<(WorkerTypeRecord, EventRecord)>, StoreError> {
        self.write(author, Option::is_some, |connection| change::change(connection, id, author, decide))
    }

    fn publish_release(
        &self,
        release: &ReleaseRecord,
        author: &Author,
    ) -> Result<(ReleaseRecord, Option<u64>), StoreError> {
        let is_new = |(_, sequence): &(ReleaseRecord, Option<u64>)| sequence.is_some();
        self.write(author, is_new, |connection| releases::publish(connection, release, author))
    }

    fn mark_release(
        &self,
        id: &ReleaseId,
        mark: Option<&ReleaseMark>,
        author: &Author,
        holds: &(dyn Fn(&ReleaseRecord) -> bool + Sync),
    ) -> Result<Option<Marked>, StoreError> {
        let is_new = |marked: &Option<Marked>| matches!(marked, Some(Marked::Written(..)));
        self.write(author, is_new, |connection| releases::mark(connection, id, mark, author, holds))
    }

    fn feed(&self) -> Result<FeedBounds, StoreError> {
        self.read(feed::bounds)
    }

    fn rename_feed(&self, epoch: &str, seen: u64) -> Result<(), StoreError> {
        Ok(self.database.write(|connection| feed::rename(connection, Some((epoch, seen))))?)
    }

    fn events(&self, after: u64, limit: usize) -> Result<Vec<EventRecord>, StoreError> {
        self.read(|connection| feed::events(connection, after, limit))
    }

    fn compact_events(&self, oldest: Timestamp, keep: u64) -> Result<u64, StoreError> {
        let mut forgotten = 0;
        loop {
            match self.database.write(|connection| feed::compact(connection, oldest, keep))? {
                0 => return Ok(forgotten),
                slice => forgotten += slice,
            }
        }
    }

    /// Returns at once if something was announced since the last wait ended: one thread that looks, waits and looks
    /// again misses nothing.
    fn wait_for_change(&self, timeout: Duration) {
        let seen = self.seen.load(Ordering::Acquire);
        self.seen.store(self.database.wait_for_change(seen, timeout), Ordering::Release);
    }

    fn history(&self, id: &WorkerTypeId) -> Result<Option<(WorkerTypeRecord, Vec<RevisionRecord>)>, StoreError> {
        self.read(|connection| reads::history(connection, id))
    }

    fn import(&self, records: &[Export], author: &Author) -> Result<(Option<u64>, usize), StoreError> {
        let is_new = |(last, _): &(Option<u64>, usize)| last.is_some();
        self.write(author, is_new, |connection| import::import(connection, records, author))
    }

    fn kind(&self) -> &'static str {
        self.database.backend().name()
    }

    fn report_replica(&self, replica: &ReplicaReport, forgotten_after: Duration) -> Result<(), StoreError> {
        Ok(self.database.write(|connection| replicas::report(connection, replica, forgotten_after))?)
    }

    fn glance(&self, changes: usize, seen_within: Duration) -> Result<Glance, StoreError> {
        self.read(|connection| replicas::glance(connection, changes, seen_within))
    }

    fn ping(&self) -> Result<(), StoreError> {
        Ok(self.database.ping().map_err(Failure::from)?)
    }
}
