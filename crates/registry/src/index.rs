//! The worker types of a snapshot: in the order of their ids for those who list, by hash for those who look one up. With
//! ten thousand of them, a search by order would cost a verdict more than the payload's check.

use crate::live::Entry;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::sync::Arc;
use worker_types::WorkerTypeId;

/// Every id that was used; reads in order as a map does.
#[derive(Clone, Debug, Default)]
pub struct WorkerTypes {
    in_order: BTreeMap<WorkerTypeId, Arc<Entry>>,
    /// Those with an open rollout, and when it completes by itself.
    rollouts: BTreeMap<WorkerTypeId, Option<Timestamp>>,
    by_id: HashMap<WorkerTypeId, Arc<Entry>>,
}

impl WorkerTypes {
    /// What stands under `id`.
    pub fn get(&self, id: &WorkerTypeId) -> Option<&Arc<Entry>> {
        self.by_id.get(id)
    }

    /// The worker types with an open rollout, and when it completes by itself.
    pub fn rollouts(&self) -> impl Iterator<Item = (&WorkerTypeId, Option<Timestamp>)> {
        self.rollouts.iter().map(|(id, due)| (id, *due))
    }

    pub(crate) fn insert(&mut self, id: WorkerTypeId, entry: Arc<Entry>) {
        match entry.rollout() {
            Some(rollout) => self.rollouts.insert(id.clone(), rollout.completes_at),
            None => self.rollouts.remove(&id),
        };
        self.by_id.insert(id.clone(), entry.clone());
        self.in_order.insert(id, entry);
    }
}

impl Deref for WorkerTypes {
    type Target = BTreeMap<WorkerTypeId, Arc<Entry>>;

    fn deref(&self) -> &Self::Target {
        &self.in_order
    }
}
