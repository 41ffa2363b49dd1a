//! What the audit tells of rollouts, also when the feed has forgotten it.

use jiff::Timestamp;
use worker_types::RolloutEnd;

/// A rollout that began or ended, or a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutStep {
    /// Which of both.
    pub step: Step,
    /// When: a rollout begins when its revision is published.
    pub at: Timestamp,
    /// The caller's name.
    pub by: String,
    /// Why.
    pub message: Option<String>,
}

/// What became of a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was opened.
    Started,
    /// It was ended by itself or by an operator.
    Ended(RolloutEnd),
    /// The worker type was deleted, whether a rollout was open or not.
    Deleted,
}
