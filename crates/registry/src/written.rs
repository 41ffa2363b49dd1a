//! What was written here a moment ago, so that it need not be read again when its event comes.

use crate::store::WorkerTypeRecord;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use worker_types::{Generation, WorkerTypeId};

/// Worker types as they were committed, until their writers have seen them applied.
#[derive(Default)]
pub(crate) struct Written {
    records: Mutex<HashMap<WorkerTypeId, WorkerTypeRecord>>,
}

impl Written {
    /// Keeps the newest.
    pub(crate) fn put(&self, record: &WorkerTypeRecord) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if records.get(&record.id).is_none_or(|known| known.generation < record.generation) {
            records.insert(record.id.clone(), record.clone());
        }
    }

    /// The record, if it is at least as new as an event says.
    pub(crate) fn at_least(&self, id: &WorkerTypeId, generation: Option<Generation>) -> Option<WorkerTypeRecord> {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.get(id).filter(|record| generation.is_some_and(|generation| generation <= record.generation)).cloned()
    }

    /// Its writer needs it no more.
    pub(crate) fn forget(&self, record: &WorkerTypeRecord) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if records.get(&record.id).is_some_and(|known| known.generation == record.generation) {
            records.remove(&record.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Written;
    use crate::store::{WorkerTypeRecord, WorkerTypeState};
    use worker_types::{Generation, RevisionNumber};

    fn record(generation: u64) -> WorkerTypeRecord {
        WorkerTypeRecord {
            id: "p/w".parse().unwrap(),
            generation: Generation(generation),
            last_revision: RevisionNumber(1),
            state: WorkerTypeState::Deleted { at: jiff::Timestamp::UNIX_EPOCH, by: "ann".to_owned() },
        }
    }

    #[test]
    fn only_what_is_new_enough_stands_for_a_read() {
        let written = Written::default();
        let id = record(1).id;
        written.put(&record(2));
        written.put(&record(1));
        assert_eq!(written.at_least(&id, Some(Generation(2))), Some(record(2)));
        assert_eq!(written.at_least(&id, Some(Generation(1))), Some(record(2)));
        assert_eq!(written.at_least(&id, Some(Generation(3))), None);
        assert_eq!(written.at_least(&id, None), None);
        written.forget(&record(1));
        assert_eq!(written.at_least(&id, Some(Generation(2))), Some(record(2)), "another writer's stays");
        written.forget(&record(2));
        assert_eq!(written.at_least(&id, Some(Generation(2))), None);
    }
}
