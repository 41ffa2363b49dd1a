//! The registry itself: what it holds, how it starts, and how its memory keeps up with the database.

use crate::cursor::Cursor;
use crate::derived::Kept;
use crate::documents::Documents;
use crate::feed::Feed;
use crate::gate::{Gate, GateLimits, Inspections};
use crate::release::LiveRelease;
use crate::replica::Replica;
use crate::resolve::Releases;
use crate::search::Facets;
use crate::shelf::Shelf;
use crate::snapshot::Snapshot;
use crate::status::StatusDesk;
use crate::store::{Store, StoreError};
use crate::written::Written;
use arc_swap::ArcSwap;
use payload_schema::{Comparer, Evaluator};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use worker_types::{ReleaseId, WorkerTypeId};

/// How a registry behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What may be published.
    pub limits: GateLimits,
    /// Compiled schemas that are kept for whoever asks next; worker types in use may hold as many again.
    pub schema_capacity: usize,
    /// Events older than this are forgotten.
    pub event_age: Duration,
    /// Events beyond the newest of this many are forgotten.
    pub event_count: u64,
    /// How often the database is asked for news when nothing wakes the registry.
    pub poll: Duration,
    /// Who this server is among those on its database.
    pub replica: Replica,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: GateLimits::default(),
            schema_capacity: 2_000,
            event_age: Duration::from_secs(7 * 24 * 3600),
            event_count: 1_000_000,
            poll: Duration::from_secs(1),
            replica: Replica::starting("", None),
        }
    }
}

/// The registry of worker types: rules over a [`Store`], live reads from memory.
pub struct Registry {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Settings,
    pub(crate) snapshot: ArcSwap<Snapshot>,
    pub(crate) feed: Feed,
    pub(crate) evaluator: Evaluator,
    pub(crate) kept: Kept,
    pub(crate) comparer: Comparer,
    inspections: Inspections,
    pub(crate) just_written: Written,
    pub(crate) documents: Documents,
    pub(crate) status: StatusDesk,
    /// The newest event that a write of this server was answered for.
    pub(crate) answered: AtomicU64,
    /// Whoever asks the database for news beside the one that follows it.
    pub(crate) asking: Arc<Semaphore>,
    /// Which worker type is asked next whether it needs its compiled contract.
    pub(crate) clock_hand: Mutex<usize>,
    /// What can be filtered by, and the cursor of the state that it was counted in.
    pub(crate) facets: Mutex<Option<(Cursor, Arc<Facets>)>>,
    pub(crate) shelf: Shelf,
    pub(crate) applying: Mutex<()>,
    pub(crate) contact: Mutex<Contact>,
}

/// The last words with the database.
pub(crate) struct Contact {
    pub(crate) at: Instant,
    pub(crate) error: Option<String>,
    /// Since when every question fails.
    pub(crate) failing_since: Option<Instant>,
}

impl Contact {
    pub(crate) fn now() -> Self {
        Self { at: Instant::now(), error: None, failing_since: None }
    }

    fn is_troubled(&self, patience: Duration) -> bool {
        self.error.is_some() || self.at.elapsed() > patience
    }

    fn trouble(&self, patience: Duration) -> Option<Trouble> {
        let failing = self.error.as_ref().map(|_| Trouble::Failing);
        failing.or_else(|| self.is_troubled(patience).then_some(Trouble::Silent))
    }
}

/// Why a registry has no news of its database. The reason of a failure is in the log: a driver's words may name hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The last question failed.
    Failing,
    /// The last question has not been answered yet.
    Silent,
}

/// How the registry stands with its database.
#[derive(Clone, Debug)]
pub struct Health {
    /// The newest event that reads see.
    pub applied: u64,
    /// Since the database last answered.
    pub age: Duration,
    /// Why there is no news of it now.
    pub trouble: Option<Trouble>,
    /// What this version cannot read as it is now: reads show what was live before.
    pub unreadable: BTreeSet<WorkerTypeId>,
}

impl Registry {
    /// Loads everything live. Blocks.
    ///
    /// # Errors
    /// The database does not answer, or holds what this version cannot read.
    pub fn open(store: Arc<dyn Store>, settings: Settings) -> Result<Self, StoreError> {
        let shelf = Shelf::default();
        let loaded = store.load()?;
        #[cfg(feature = "failpoints")]
        let loaded = crate::failpoints::loaded(loaded);
        let snapshot = Snapshot::build(loaded, &shelf)?;
        Ok(Self {
            feed: Feed::new(snapshot.applied),
            kept: Kept::new(),
            evaluator: Evaluator::new(settings.limits.schema.clone(), settings.schema_capacity),
            comparer: Comparer::new(settings.limits.schema.clone()),
            just_written: Written::default(),
            inspections: Inspections::new(settings.limits.schema.clone()),
            documents: Documents::new(),
            status: StatusDesk::new(),
            answered: AtomicU64::new(0),
            asking: Arc::new(Semaphore::new(1)),
            clock_hand: Mutex::new(0),
            facets: Mutex::new(None),
            shelf,
            snapshot: ArcSwap::from_pointee(snapshot),
            applying: Mutex::new(()),
            contact: Mutex::new(Contact::now()),
            store,
            settings,
        })
    }

    /// Runs `work` on the blocking pool.
    pub(crate) async fn blocking<T, E>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let registry = self.clone();
        // What is logged there belongs to the request that asked.
        let span = tracing::Span::current();
        tokio::task::spawn_blocking(move || span.in_scope(|| work(&registry))).await.unwrap_or_else(|error| {
            Err(StoreError::Unavailable { message: format!("the work was cut off: {error}") }.into())
        })
    }

    /// What reads see now.
    pub fn snapshot(&self) -> arc_swap::Guard<Arc<Snapshot>> {
        self.snapshot.load()
    }

    /// How it stands with the database.
    pub fn health(&self) -> Health {
        let snapshot = self.snapshot.load();
        let contact = self.contact.lock().unwrap_or_else(PoisonError::into_inner);
        Health {
            applied: snapshot.applied,
            age: contact.at.elapsed(),
            trouble: contact.trouble(self.patience()),
            unreadable: snapshot.unreadable.clone(),
        }
    }

    /// For how long the database has given no news; none while it does.
    pub fn stale_for(&self) -> Option<Duration> {
        let contact = self.contact.lock().unwrap_or_else(PoisonError::into_inner);
        contact.is_troubled(self.patience()).then(|| contact.at.elapsed())
    }

    /// Who is asked again and again, and says nothing for this long, is away: a question may hang for longer.
    fn patience(&self) -> Duration {
        self.settings.poll + Duration::from_secs(5)
    }

    pub(crate) fn gate(&self) -> Gate<'_> {
        Gate {
            limits: &self.settings.limits,
            evaluator: &self.evaluator,
            inspections: &self.inspections,
            shelf: &self.shelf,
        }
    }

    /// The releases of a snapshot, and those that are newer.
    pub(crate) fn newest_releases<'a>(&'a self, snapshot: &'a Snapshot) -> NewestReleases<'a> {
        NewestReleases { snapshot, store: self.store.as_ref() }
    }
}

/// A worker type may be newer than the events in hand, and name a release whose event comes later.
pub(crate) struct NewestReleases<'a> {
    snapshot: &'a Snapshot,
    store: &'a dyn Store,
}

impl Releases for NewestReleases<'_> {
    fn release(&self, id: &ReleaseId) -> Option<Arc<LiveRelease>> {
        self.snapshot.release(id).or_else(|| {
            let record = self.store.release(id).ok().flatten()?;
            LiveRelease::build(record).ok().map(Arc::new)
        })
    }

    fn similar(&self, id: &ReleaseId) -> Option<String> {
        self.snapshot.similar(id)
    }
}
