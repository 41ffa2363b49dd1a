//! The worker types that a gate keeps, bounded. Those that do not exist stand on a shelf of their own, so that tasks
//! for made-up names cannot push out what is in use.

use crate::gate::GateSettings;
use crate::gate::known::{Expected, Slot};
use lru::LruCache;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;
use worker_types::{ReleaseId, WorkerTypeId};

pub(crate) type Shared = Arc<Mutex<Slot>>;

/// Locks, also after a panic elsewhere: every critical section leaves its value whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct Shelf {
    kept: LruCache<WorkerTypeId, Shared>,
    others: LruCache<WorkerTypeId, Shared>,
    /// What the feed told lately of worker types that no task had asked for: the first task may meet a server that has not
    /// heard of it.
    announced: LruCache<WorkerTypeId, Expected>,
}

impl Shelf {
    pub(crate) fn new(settings: &GateSettings) -> Self {
        let shelf = || LruCache::new(settings.kept);
        Self { kept: shelf(), others: shelf(), announced: LruCache::new(settings.kept) }
    }

    /// The slot of a worker type that a task asks for; an empty one if there is none.
    pub(crate) fn slot(&mut self, id: &WorkerTypeId, now: Instant, settings: &GateSettings) -> Shared {
        if let Some(slot) = self.kept.get(id).or_else(|| self.others.get(id)) {
            return Arc::clone(slot);
        }
        self.sweep(now, settings);
        let slot = Arc::new(Mutex::new(Slot::new(now, settings).expecting(self.announced.pop(id))));
        self.others.put(id.clone(), Arc::clone(&slot));
        slot
    }

    /// The slot of a worker type, if it has one; it does not count as use.
    pub(crate) fn find(&self, id: &WorkerTypeId) -> Option<Shared> {
        self.kept.peek(id).or_else(|| self.others.peek(id)).map(Arc::clone)
    }

    /// Keeps in mind what the feed told of a worker type without a slot.
    pub(crate) fn announce(&mut self, id: &WorkerTypeId, expected: Expected) {
        self.announced.put(id.clone(), expected);
    }

    /// Changes may have been missed, or the database be another one.
    pub(crate) fn doubt(&mut self) {
        self.announced.clear();
        self.all().for_each(|slot| lock(slot).doubt());
    }

    /// Puts a slot where it belongs after a fetch.
    pub(crate) fn settle(&mut self, id: &WorkerTypeId, slot: &Shared) {
        if lock(slot).is_worth_keeping() {
            self.others.pop(id);
            self.kept.put(id.clone(), Arc::clone(slot));
        } else if self.kept.pop(id).is_some() {
            self.others.put(id.clone(), Arc::clone(slot));
        }
    }

    /// The worker type that was asked for last.
    pub(crate) fn latest(&self) -> Option<(WorkerTypeId, Shared)> {
        let newest = [self.kept.iter().next(), self.others.iter().next()];
        let latest = newest.into_iter().flatten().max_by_key(|(_, slot)| lock(slot).last_used)?;
        Some((latest.0.clone(), Arc::clone(latest.1)))
    }

    /// Drops what no task has asked for in a long time.
    pub(crate) fn sweep(&mut self, now: Instant, settings: &GateSettings) {
        for shelf in [&mut self.kept, &mut self.others] {
            while shelf.peek_lru().is_some_and(|(_, slot)| lock(slot).last_used + settings.idle < now) {
                shelf.pop_lru();
            }
        }
    }

    /// The worker types whose known bundle uses a release.
    pub(crate) fn users_of(&self, release: &ReleaseId) -> Vec<(WorkerTypeId, Shared)> {
        let users = self.kept.iter().filter(|(_, slot)| lock(slot).uses(release));
        users.map(|(id, slot)| (id.clone(), Arc::clone(slot))).collect()
    }

    /// Every slot that is kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &Shared> {
        self.kept.iter().map(|(_, slot)| slot)
    }

    /// Every slot.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Shared> {
        self.kept().chain(self.others.iter().map(|(_, slot)| slot))
    }

    /// How many are kept.
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}
