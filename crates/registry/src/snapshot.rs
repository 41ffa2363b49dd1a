//! The live registry in memory: swapped whole, so that a read never sees half of a change.

use crate::cursor::Cursor;
use crate::index::WorkerTypes;
use crate::live::Entry;
use crate::release::LiveRelease;
use crate::resolve::Releases;
use crate::shelf::Shelf;
use crate::store::{Loaded, ReleaseMark, StoreError, WorkerTypeRecord};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use worker_types::{ReleaseId, WorkerTypeId, closest};

/// Everything live after the event with the sequence `applied`.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Every id that was used.
    pub worker_types: WorkerTypes,
    /// Every release, in order.
    pub releases: BTreeMap<ReleaseId, Arc<LiveRelease>>,
    /// Those of them that are deprecated or withdrawn: few, and looked for at every verdict.
    pub marked: BTreeMap<ReleaseId, ReleaseMark>,
    /// Worker types that changed since, in a way that this version cannot read.
    pub unreadable: BTreeSet<WorkerTypeId>,
    /// The feed's epoch.
    pub epoch: Arc<str>,
    /// The newest event that is in.
    pub applied: u64,
}

impl Snapshot {
    pub(crate) fn build(loaded: Loaded, shelf: &Shelf) -> Result<Self, StoreError> {
        let mut snapshot = Self {
            worker_types: WorkerTypes::default(),
            releases: BTreeMap::new(),
            marked: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            epoch: loaded.feed.epoch.into(),
            applied: loaded.feed.newest,
        };
        for record in loaded.releases {
            let id = record.id.clone();
            snapshot.show_release(&id, LiveRelease::build(record))?;
        }
        for (id, error) in loaded.unreadable.releases {
            snapshot.show_release(&id, Err(error))?;
        }
        for record in loaded.worker_types {
            let id = record.id.clone();
            let entry = Entry::build(record, None, &snapshot, shelf);
            snapshot.show(id, entry)?;
        }
        for (id, error) in loaded.unreadable.worker_types {
            snapshot.show(id, Err(error))?;
        }
        Ok(snapshot)
    }

    /// Takes a worker type in, as it is now. A newer version may have written what this one cannot read. All the others are
    /// still to be heard of: it stays as it was.
    pub(crate) fn show(&mut self, id: WorkerTypeId, entry: Result<Entry, StoreError>) -> Result<(), StoreError> {
        match entry {
            Ok(entry) => {
                self.unreadable.remove(&id);
                self.worker_types.insert(id, Arc::new(entry));
            }
            Err(StoreError::Corrupt { what, message }) => {
                tracing::error!(
                    worker_type.id = id.as_str(),
                    what,
                    message,
                    "a worker type cannot be read; it stays as it was"
                );
                self.unreadable.insert(id);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// As [`Self::show`], for a release. Worker types that need one that cannot be read cannot be read either.
    pub(crate) fn show_release(
        &mut self,
        id: &ReleaseId,
        release: Result<LiveRelease, StoreError>,
    ) -> Result<(), StoreError> {
        match release {
            Ok(release) => self.put_release(release),
            Err(StoreError::Corrupt { what, message }) => {
                tracing::error!(release.id = %id, what, message, "a release cannot be read; it stays as it was");
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Whether reads show a later state of the worker type than `record`.
    pub(crate) fn shows_more_than(&self, record: &WorkerTypeRecord) -> bool {
        self.worker_types.get(&record.id).is_some_and(|entry| entry.record().generation > record.generation)
    }

    /// Takes a release in, as it is now.
    fn put_release(&mut self, release: LiveRelease) {
        let id = release.record.id.clone();
        match &release.record.mark {
            Some(mark) => self.marked.insert(id.clone(), mark.clone()),
            None => self.marked.remove(&id),
        };
        self.releases.insert(id, Arc::new(release));
    }

    /// What uses a release whose mark is another one than `before`: marks stand in validation bundles.
    pub(crate) fn users_of_marks_since(&self, before: &Self) -> Vec<WorkerTypeRecord> {
        if self.marked == before.marked {
            return Vec::new();
        }
        let changed = |id: &ReleaseId| self.marked.get(id) != before.marked.get(id);
        let uses_one = |entry: &Entry| {
            let Entry::Live(live) = entry else { return false };
            let mut variants = live.validation.revisions.iter().flat_map(|revision| &revision.variants);
            variants.any(|variant| variant.release.as_ref().is_some_and(changed))
        };
        let users = self.worker_types.values().filter(|entry| uses_one(entry));
        users.map(|entry| entry.record().clone()).collect()
    }

    /// The place in the feed at which this snapshot stands.
    pub fn cursor(&self) -> Cursor {
        Cursor { epoch: self.epoch.to_string(), sequence: self.applied }
    }

    /// The live worker type whose id is closest to one that does not exist.
    pub fn similar_worker_type(&self, id: &str) -> Option<String> {
        let live = self.worker_types.iter().filter(|(_, entry)| matches!(***entry, Entry::Live(_)));
        closest(id, live.map(|(id, _)| id.as_str())).map(str::to_owned)
    }
}

impl Releases for Snapshot {
    fn release(&self, id: &ReleaseId) -> Option<Arc<LiveRelease>> {
        self.releases.get(id).cloned()
    }

    fn similar(&self, id: &ReleaseId) -> Option<String> {
        let texts: Vec<String> = self.releases.keys().map(ToString::to_string).collect();
        let of_the_same = self.releases.keys().rfind(|other| other.implementation() == id.implementation());
        closest(&id.to_string(), texts.iter().map(String::as_str))
            .map(str::to_owned)
            .or_else(|| of_the_same.map(ToString::to_string))
    }
}
