//! What the audit tells of a worker type's changes, also when the feed has forgotten them.

use jiff::Timestamp;
use worker_types::EventKind;

/// A change of what was live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happened.
    pub kind: EventKind,
    /// When; a publish has the time of its revision.
    pub at: Timestamp,
    /// The caller's name.
    pub by: String,
    /// Why.
    pub message: Option<String>,
}
