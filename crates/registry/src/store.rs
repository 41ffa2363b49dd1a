//! The `Store` port: what the registry asks of a database. One transaction holds a revision, its event and its audit row.
//!
//! Calls block; the registry makes them on a blocking pool.

mod replicas;
mod steps;

pub use replicas::{Glance, ReplicaRecord, ReplicaReport};
pub use steps::Step;

use crate::Export;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use worker_types::{
    ContentHash, EventKind, Generation, ReleaseId, ReleaseState, RevisionNumber, RolloutEnd, WorkerTypeId,
};

/// Why the database did not answer.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It cannot be reached, or refused for now (a lock, a full disk, a lost connection). Nothing was changed.
    #[error("the database cannot be reached: {message}")]
    Unavailable {
        /// The driver's words.
        message: String,
    },
    /// The connection was lost while a write was being committed: it may or may not have happened.
    #[error("the database went away during a commit: {message}")]
    OutcomeUnknown {
        /// The driver's words.
        message: String,
    },
    /// It holds something that this version cannot read.
    #[error("the database holds {what} that cannot be read: {message}")]
    Corrupt {
        /// Which row.
        what: String,
        /// Why.
        message: String,
    },
    /// The records of an import cannot join what is there. Nothing was changed.
    #[error("{0}")]
    ImportConflict(String),
    /// A text holds U+0000, which PostgreSQL cannot keep. Nothing was changed.
    #[error("{what} holds the character U+0000, which cannot be stored")]
    NulCharacter {
        /// Which text.
        what: String,
    },
    /// The database refused for a reason that is a fault of ours or of its setup. Nothing was changed.
    #[error("the database refused: {message}")]
    Failed {
        /// Its words.
        message: String,
    },
}

/// One immutable revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionRecord {
    /// Its number.
    pub revision: RevisionNumber,
    /// Of the definition.
    pub content_hash: ContentHash,
    /// The definition as its author wrote it: JSON text.
    pub definition: String,
    /// JSON array of the warnings of the publish gate.
    pub warnings: String,
    /// When; microseconds are kept.
    pub published_at: Timestamp,
    /// The caller's name.
    pub published_by: String,
    /// Why.
    pub message: Option<String>,
    /// The revision whose content a rollback brought back.
    pub rollback_of: Option<RevisionNumber>,
    /// The comparison with what was live before it: JSON text; none where nothing was compared.
    pub compatibility: Option<String>,
}

/// Where one worker type stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerTypeRecord {
    /// Which.
    pub id: WorkerTypeId,
    /// Counts every change of what is live.
    pub generation: Generation,
    /// The highest revision number that was given out.
    pub last_revision: RevisionNumber,
    /// What is live.
    pub state: WorkerTypeState,
}

/// What is live of a worker type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerTypeState {
    /// One revision, or two while a rollout is open.
    Live {
        /// The newest revision that is live.
        revision: Arc<RevisionRecord>,
        /// During a rollout, the one that it takes over from.
        older: Option<Arc<RevisionRecord>>,
    },
    /// A tombstone.
    Deleted {
        /// When.
        at: Timestamp,
        /// The caller's name.
        by: String,
    },
}

/// One immutable release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseRecord {
    /// Which.
    pub id: ReleaseId,
    /// Of the content.
    pub content_hash: ContentHash,
    /// The release as its author wrote it: JSON text.
    pub content: String,
    /// JSON array of the warnings of the publish gate.
    pub warnings: String,
    /// When.
    pub published_at: Timestamp,
    /// The caller's name.
    pub published_by: String,
    /// Why.
    pub message: Option<String>,
    /// What was said of it afterwards.
    pub mark: Option<ReleaseMark>,
}

/// What is said of a release after it was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseMark {
    /// Deprecated or withdrawn.
    pub state: ReleaseState,
    /// Why, and what to do.
    pub reason: Option<String>,
    /// What to use instead.
    pub replaced_by: Option<ReleaseId>,
    /// When.
    pub at: Timestamp,
    /// The caller's name.
    pub by: String,
}

/// What became of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marked {
    /// It is written; the release with it, and the sequence of its event.
    Written(ReleaseRecord, u64),
    /// The same was said before.
    Same(ReleaseRecord),
    /// Another state is there than the one that was meant.
    Refused(ReleaseRecord),
}

/// One entry of the change feed. Sequence numbers are dense and rise in commit order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// From 1.
    pub sequence: u64,
    /// What happened.
    pub kind: EventKind,
    /// To which worker type (none for releases).
    pub worker_type_id: Option<WorkerTypeId>,
    /// To which release (none for worker types).
    pub release: Option<ReleaseId>,
    /// The worker type's generation afterwards.
    pub generation: Option<Generation>,
    /// The revision that became live, or the tombstone's last.
    pub revision: Option<RevisionNumber>,
    /// When.
    pub at: Timestamp,
}

/// The bounds of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedBounds {
    /// Made once per database: a cursor of another epoch is of another feed.
    pub epoch: String,
    /// The sequence of the newest event; 0 before the first.
    pub newest: u64,
    /// The highest sequence that is no longer kept; 0 when all are.
    pub compacted: u64,
}

/// Everything that is live, read at one moment.
#[derive(Debug)]
pub struct Loaded {
    /// Tombstones included.
    pub worker_types: Vec<WorkerTypeRecord>,
    /// All releases.
    pub releases: Vec<ReleaseRecord>,
    /// What is there too, and cannot be read by this version: most likely a newer one wrote it.
    pub unreadable: Unreadable,
    /// The feed at that moment.
    pub feed: FeedBounds,
}

/// Rows that cannot be read, each with the reason ([`StoreError::Corrupt`]).
#[derive(Debug, Default)]
pub struct Unreadable {
    /// Worker types.
    pub worker_types: Vec<(WorkerTypeId, StoreError)>,
    /// Releases.
    pub releases: Vec<(ReleaseId, StoreError)>,
}

/// Who changes something, when and why: the audit row, apart from the change itself.
#[derive(Clone, Debug)]
pub struct Author {
    /// The caller's name.
    pub name: String,
    /// The moment of the change.
    pub at: Timestamp,
    /// The caller's words.
    pub message: Option<String>,
    /// The request that asked for it.
    pub request_id: Option<String>,
}

/// The change that [`Store::change_worker_type`] writes: the registry decides it from the locked current state.
#[derive(Clone, Debug)]
pub enum Change {
    /// A new revision becomes live: number `last_revision + 1`, or 1.
    Publish {
        /// JSON text.
        definition: String,
        /// Of the definition.
        content_hash: ContentHash,
        /// JSON array.
        warnings: String,
        /// The revision that stays live beside it: a rollout.
        older: Option<RevisionNumber>,
        /// Set when the content of an earlier revision comes back.
        rollback_of: Option<RevisionNumber>,
        /// JSON; none where nothing was compared.
        compatibility: Option<String>,
    },
    /// One of the two live revisions becomes live alone.
    EndRollout(RolloutEnd),
    /// The worker type becomes a tombstone.
    Delete,
}

/// Decides under the lock: the current state (none if the id was never used) to a change, or to none at all.
pub type Decide<'a> = &'a mut (dyn FnMut(Option<&WorkerTypeRecord>) -> Option<Change> + Send);

/// The database behind a registry.
pub trait Store: Send + Sync + 'static {
    /// Everything live, in one read transaction.
    fn load(&self) -> Result<Loaded, StoreError>;

    /// One worker type's current state.
    fn worker_type(&self, id: &WorkerTypeId) -> Result<Option<WorkerTypeRecord>, StoreError>;

    /// One revision of it.
    fn revision(&self, id: &WorkerTypeId, number: RevisionNumber) -> Result<Option<RevisionRecord>, StoreError>;

    /// Revisions below `before` (or all), newest first, at most `limit`.
    fn revisions(
        &self,
        id: &WorkerTypeId,
        before: Option<RevisionNumber>,
        limit: usize,
    ) -> Result<Vec<RevisionRecord>, StoreError>;

    /// Its changes, in commit order: from the publish of the time `from` to that of the time `until`, both included. A time
    /// at which nothing was published here (it was imported) bounds nothing.
    fn steps(&self, id: &WorkerTypeId, from: Timestamp, until: Option<Timestamp>) -> Result<Vec<Step>, StoreError>;

    /// One release.
    fn release(&self, id: &ReleaseId) -> Result<Option<ReleaseRecord>, StoreError>;

    /// Locks the worker type, lets `decide` look at its current state, and writes what it decides: the revision, the
    /// new state with the next generation, the event and the audit row, all in one transaction. The event's sequence
    /// number is taken under one lock, last in the transaction. Answers the new state and its event, or none when `decide`
    /// wanted no change. `decide` may be called again when the transaction has to be repeated.
    fn change_worker_type(
        &self,
        id: &WorkerTypeId,
        author: &Author,
        decide: Decide<'_>,
    ) -> Result<Option<(WorkerTypeRecord, EventRecord)>, StoreError>;

    /// Writes a release, its event and its audit row in one transaction, unless the id is taken: then answers what is
    /// there, with no sequence.
    fn publish_release(
        &self,
        release: &ReleaseRecord,
        author: &Author,
    ) -> Result<(ReleaseRecord, Option<u64>), StoreError>;

    /// Says something of a release (or takes back what was said), with its event and its audit row, where `holds` is true of
    /// what is there, seen under the release's lock. None where there is no such release. It may be asked again when the
    /// transaction has to be repeated.
    fn mark_release(
        &self,
        id: &ReleaseId,
        mark: Option<&ReleaseMark>,
        author: &Author,
        holds: &(dyn Fn(&ReleaseRecord) -> bool + Sync),
    ) -> Result<Option<Marked>, StoreError>;

    /// The bounds of the feed now.
    fn feed(&self) -> Result<FeedBounds, StoreError>;

    /// Gives the feed a new epoch where it is still `epoch` and ends before `seen`: somebody saw more than is there now.
    fn rename_feed(&self, epoch: &str, seen: u64) -> Result<(), StoreError>;

    /// Events with a sequence above `after`, in order, at most `limit`.
    fn events(&self, after: u64, limit: usize) -> Result<Vec<EventRecord>, StoreError>;

    /// Forgets events from before `oldest`, and those beyond the newest `keep`. Answers how many.
    fn compact_events(&self, oldest: Timestamp, keep: u64) -> Result<u64, StoreError>;

    /// Waits until another process may have committed something, or until `timeout` has passed.
    fn wait_for_change(&self, timeout: Duration);

    /// One worker type with its whole history, oldest revision first, in one read transaction.
    fn history(&self, id: &WorkerTypeId) -> Result<Option<(WorkerTypeRecord, Vec<RevisionRecord>)>, StoreError>;

    /// Writes all records in one transaction, with an event each. Records that are there already, equal in everything,
    /// are passed over; any that differ refuse the whole ([`StoreError::ImportConflict`]). Answers the sequence of the
    /// last event (none if everything was there) and how many records were new.
    fn import(&self, records: &[Export], author: &Author) -> Result<(Option<u64>, usize), StoreError>;

    /// What the database is, by its own name: `SQLite`, `PostgreSQL`.
    fn kind(&self) -> &'static str;

    /// Writes that a server is there now, by the database's clock, and forgets those that were not for `forgotten_after`.
    fn report_replica(&self, replica: &ReplicaReport, forgotten_after: Duration) -> Result<(), StoreError>;

    /// What the status shows of the database, read at one moment: with the newest `changes` changes, and the servers
    /// that were there within `seen_within`.
    fn glance(&self, changes: usize, seen_within: Duration) -> Result<Glance, StoreError>;

    /// Whether the database answers.
    fn ping(&self) -> Result<(), StoreError>;
}
