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

/// The state of a release that a writer of its mark has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkPrecondition {
    /// `If-Match: *`: whatever is said of it.
    Any,
    /// `If-None-Match: *`: nothing is said of it.
    Unmarked,
    /// `If-Match` with the release's entity tags, without quotes and content codings.
    Tags(Vec<String>),
}

impl MarkPrecondition {
    /// Whether it holds for a release whose mark is there or not, and whose entity tag is `etag`, quotes included.
    pub(crate) fn holds(&self, is_marked: bool, etag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Unmarked => !is_marked,
            Self::Tags(tags) => tags.iter().any(|tag| tag == etag.trim_matches('"')),
        }
    }
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
