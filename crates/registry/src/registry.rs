//! The registry itself: what it holds, how it starts, and how its memory keeps up with the database.

use crate::cursor::Cursor;
use crate::derived::Kept;
use crate::documents::Documents;
use crate::feed::Feed;
use crate::gate::{Gate, GateLimits, Inspections};
use crate::live::Entry;
use crate::release::LiveRelease;
use crate::replica::Replica;
use crate::resolve::Releases;
use crate::search::Facets;
use crate::shelf::Shelf;
use crate::snapshot::Snapshot;
use crate::status::StatusDesk;
use crate::store::{EventRecord, Store, StoreError};
use crate::written::{Commit, Written};
use arc_swap::ArcSwap;
use payload_schema::{Comparer, Evaluator};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use worker_types::{EventKind, ReleaseId, WorkerTypeId};

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
    just_written: Written,
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
    shelf: Shelf,
    applying: Mutex<()>,
    contact: Mutex<Contact>,
}

/// The last words with the database.
struct Contact {
    at: Instant,
    error: Option<String>,
}

impl Contact {
    fn is_troubled(&self, patience: Duration) -> bool {
        self.error.is_some() || self.at.elapsed() > patience
    }

    fn trouble(&self, patience: Duration) -> Option<String> {
        let silence = || format!("the database has not answered for {} s", self.at.elapsed().as_secs());
        self.error.clone().or_else(|| self.is_troubled(patience).then(silence))
    }
}

/// How the registry stands with its database.
#[derive(Clone, Debug)]
pub struct Health {
    /// The newest event that reads see.
    pub applied: u64,
    /// Since the database last answered.
    pub age: Duration,
    /// Why it does not answer now.
    pub error: Option<String>,
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
        let snapshot = Snapshot::build(store.load()?, &shelf)?;
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
            contact: Mutex::new(Contact { at: Instant::now(), error: None }),
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
            error: contact.trouble(self.patience()),
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
        Gate { limits: &self.settings.limits, evaluator: &self.evaluator, inspections: &self.inspections }
    }

    /// Asks the database for news until the future is dropped, and forgets old events.
    pub async fn follow(self: Arc<Self>) {
        let mut compacted = Instant::now();
        loop {
            let registry = self.clone();
            let due = compacted.elapsed() > Duration::from_secs(60);
            let round = tokio::task::spawn_blocking(move || registry.round(due)).await;
            if due {
                compacted = Instant::now();
            }
            if !matches!(round, Ok(true)) {
                tokio::time::sleep(self.settings.poll).await;
            }
        }
    }

    fn round(&self, compact: bool) -> bool {
        self.store.wait_for_change(self.settings.poll);
        let caught_up = self.catch_up();
        if caught_up.is_ok() {
            self.complete_due_rollouts(jiff::Timestamp::now());
        }
        if compact && caught_up.is_ok() {
            self.compact();
        }
        caught_up.is_ok()
    }

    fn compact(&self) {
        let age = jiff::SignedDuration::try_from(self.settings.event_age).unwrap_or(jiff::SignedDuration::MAX);
        let Ok(oldest) = jiff::Timestamp::now().checked_sub(age) else { return };
        match self.store.compact_events(oldest, self.settings.event_count) {
            Ok(0) => {}
            Ok(forgotten) => tracing::info!(forgotten, "old events were forgotten"),
            Err(error) => tracing::warn!(%error, "old events could not be forgotten"),
        }
    }

    /// Applies every event that the database holds beyond the snapshot. Blocks.
    pub(crate) fn catch_up(&self) -> Result<(), StoreError> {
        self.catch_up_to(None)
    }

    /// Sees to it that reads show what was just written, whose event has this sequence; without one, what was there already,
    /// which may be another server's. The write is safe in the database; what can fail here is only that this replica's
    /// reads lag, and that is logged.
    pub(crate) fn catch_up_after_write(&self, sequence: Option<u64>) {
        self.answered.fetch_max(sequence.unwrap_or_default(), Ordering::AcqRel);
        // `catch_up_to` records its own failures.
        let _ = self.catch_up_to(sequence);
    }

    /// As [`Self::catch_up_after_write`], with what was written.
    pub(crate) fn catch_up_with(&self, commit: Commit) {
        let sequence = commit.event.sequence;
        self.just_written.put(commit);
        self.catch_up_after_write(Some(sequence));
        // It is there still where it could not be applied.
        self.just_written.take(sequence);
    }

    fn catch_up_to(&self, sequence: Option<u64>) -> Result<(), StoreError> {
        let applied = self.apply_news(sequence);
        let mut contact = self.contact.lock().unwrap_or_else(PoisonError::into_inner);
        match &applied {
            Ok(()) => *contact = Contact { at: Instant::now(), error: None },
            Err(error) => {
                if contact.error.is_none() {
                    tracing::error!(%error, "the database gives no news; live reads go on");
                }
                contact.error = Some(error.to_string());
            }
        }
        applied
    }

    /// Applies what is new, up to `sequence` at least: whoever waited for the lock finds that it was applied with others'.
    /// What was committed here is at hand; the database is asked for everything else.
    fn apply_news(&self, sequence: Option<u64>) -> Result<(), StoreError> {
        const BATCH: usize = 1_000;
        let _one_at_a_time = self.applying.lock().unwrap_or_else(PoisonError::into_inner);
        let applied = self.snapshot.load().applied;
        let is_there = match sequence {
            Some(sequence) => sequence <= applied,
            None => self.store.feed()?.newest == applied,
        };
        if is_there {
            return Ok(());
        }
        loop {
            let current = self.snapshot.load_full();
            let at_hand = self.just_written.events_after(current.applied);
            let is_at_hand = !at_hand.is_empty();
            let events = if is_at_hand { at_hand } else { self.store.events(current.applied, BATCH)? };
            self.contact.lock().unwrap_or_else(PoisonError::into_inner).at = Instant::now();
            let next = match events.first() {
                Some(first) => first.sequence,
                None if self.store.feed()?.compacted <= current.applied => return Ok(()),
                // Everything that this replica has not seen is forgotten.
                None => u64::MAX,
            };
            if next != current.applied + 1 {
                // Compaction overtook this replica: only the whole is certain.
                let snapshot = Snapshot::build(self.store.load()?, &self.shelf)?;
                self.feed.restart(snapshot.applied);
                self.snapshot.store(Arc::new(snapshot));
                continue;
            }
            let next = self.applied(&current, &events)?;
            let complete = match sequence {
                Some(sequence) if is_at_hand => sequence <= next.applied,
                _ => !is_at_hand && events.len() < BATCH,
            };
            self.snapshot.store(Arc::new(next));
            self.feed.publish(&current.epoch, events);
            if complete {
                return Ok(());
            }
        }
    }

    /// The releases of a snapshot, and those that are newer.
    pub(crate) fn newest_releases<'a>(&'a self, snapshot: &'a Snapshot) -> NewestReleases<'a> {
        NewestReleases { snapshot, store: self.store.as_ref() }
    }

    fn applied(&self, current: &Snapshot, events: &[EventRecord]) -> Result<Snapshot, StoreError> {
        let mut next = current.clone();
        for unknown in events.iter().filter(|event| event.kind == EventKind::Unknown) {
            // A newer version writes to the same database. What the event names is read anew, whatever has changed.
            tracing::warn!(
                event.sequence = unknown.sequence,
                "passed over a change of a kind that only a newer version knows"
            );
        }
        for id in events.iter().filter_map(|event| event.release.as_ref()) {
            if let Some(record) = self.store.release(id)? {
                next.put_release(LiveRelease::build(record)?);
            }
        }
        let mut changed: BTreeMap<_, _> =
            next.users_of_marks_since(current).into_iter().map(|record| (record.id.clone(), (record, None))).collect();
        // Of several changes of one worker type the last is shown.
        let news = events.iter().filter_map(|event| Some((event.worker_type_id.as_ref()?, event.sequence)));
        let news: Vec<_> = news.map(|(id, sequence)| (id, self.just_written.take(sequence))).collect();
        for (id, commit) in news.into_iter().collect::<BTreeMap<_, _>>() {
            let state = match commit {
                Some(commit) => Some((commit.record, commit.parsed)),
                None => self.store.worker_type(id)?.map(|record| (record, None)),
            };
            changed.extend(state.map(|state| (id.clone(), state)));
        }
        for (id, (record, parsed)) in changed {
            match Entry::build(record, parsed, &self.newest_releases(&next), &self.shelf) {
                Ok(entry) => {
                    next.unreadable.remove(&id);
                    next.worker_types.insert(id, Arc::new(entry));
                }
                // A newer version may have written it. All the others are still to be heard of: it stays as it was.
                Err(StoreError::Corrupt { what, message }) => {
                    tracing::error!(
                        worker_type.id = id.as_str(),
                        what,
                        message,
                        "a worker type cannot be read; it stays as it was"
                    );
                    next.unreadable.insert(id);
                }
                Err(error) => return Err(error),
            }
        }
        next.applied = events.last().map_or(next.applied, |event| event.sequence);
        Ok(next)
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
