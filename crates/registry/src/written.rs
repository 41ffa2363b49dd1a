//! What was committed here a moment ago, so that it need not be read again to be shown.

use crate::parsed::Parsed;
use crate::store::{EventRecord, WorkerTypeRecord};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A change of a worker type, with everything that a read of the database would say of it.
pub(crate) struct Commit {
    /// The state that it led to.
    pub(crate) record: WorkerTypeRecord,
    pub(crate) event: EventRecord,
    /// The newest revision as the gate read it; none where no gate was asked.
    pub(crate) parsed: Option<Parsed>,
}

/// Commits by the sequence of their events, until they are shown or their writers have given up.
#[derive(Default)]
pub(crate) struct Written {
    commits: Mutex<BTreeMap<u64, Commit>>,
}

impl Written {
    pub(crate) fn put(&self, commit: Commit) {
        self.lock().insert(commit.event.sequence, commit);
    }

    /// The events that follow on `applied` without a gap, as far as they are here.
    pub(crate) fn events_after(&self, applied: u64) -> Vec<EventRecord> {
        let commits = self.lock();
        let following = commits.range(applied + 1..).zip(applied + 1..);
        let dense = following.take_while(|((sequence, _), expected)| *sequence == expected);
        dense.map(|((_, commit), _)| commit.event.clone()).collect()
    }

    /// The commit behind an event, which is nobody else's then.
    pub(crate) fn take(&self, sequence: u64) -> Option<Commit> {
        self.lock().remove(&sequence)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Commit>> {
        self.commits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Commit, Written};
    use crate::store::{EventRecord, WorkerTypeRecord, WorkerTypeState};
    use jiff::Timestamp;
    use worker_types::{EventKind, Generation, RevisionNumber};

    fn commit(sequence: u64) -> Commit {
        let (id, generation, at) = ("p/w".parse().unwrap(), Generation(sequence), Timestamp::UNIX_EPOCH);
        let state = WorkerTypeState::Deleted { at, by: "ann".to_owned() };
        let record = WorkerTypeRecord { id, generation, last_revision: RevisionNumber(1), state };
        let event = EventRecord {
            sequence,
            kind: EventKind::WorkerTypeDeleted,
            worker_type_id: Some(record.id.clone()),
            release: None,
            generation: Some(generation),
            revision: Some(RevisionNumber(1)),
            at,
        };
        Commit { record, event, parsed: None }
    }

    #[test]
    fn events_follow_without_a_gap_or_not_at_all() {
        let written = Written::default();
        for sequence in [6, 3, 4] {
            written.put(commit(sequence));
        }
        let after = |applied| written.events_after(applied).iter().map(|event| event.sequence).collect::<Vec<_>>();
        assert_eq!((after(1), after(2), after(3)), (vec![], vec![3, 4], vec![4]));
        assert_eq!((after(4), after(5), after(6)), (vec![], vec![6], vec![]));
    }

    #[test]
    fn a_commit_is_taken_once() {
        let written = Written::default();
        written.put(commit(3));
        assert!(written.take(4).is_none());
        assert_eq!(written.take(3).map(|commit| commit.record), Some(commit(3).record));
        assert!(written.take(3).is_none());
    }
}
