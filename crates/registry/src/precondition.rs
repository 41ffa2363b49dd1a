//! Which state a write means to change.

use crate::store::{WorkerTypeRecord, WorkerTypeState};
use worker_types::Generation;

/// The state that a writer has seen: `If-Match` and `If-None-Match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// `If-Match: "g<generation>"`.
    Generation(Generation),
    /// `If-Match: *`: whatever is there, also nothing.
    Any,
    /// `If-None-Match: *`: nothing is live.
    Absent,
}

impl Precondition {
    /// Whether it holds for the current state.
    pub fn holds(self, current: Option<&WorkerTypeRecord>) -> bool {
        match (self, current) {
            (Self::Any, _) | (Self::Absent, None) => true,
            (Self::Generation(seen), Some(record)) => seen == record.generation,
            (Self::Generation(_), None) => false,
            (Self::Absent, Some(record)) => matches!(record.state, WorkerTypeState::Deleted { .. }),
        }
    }
}
