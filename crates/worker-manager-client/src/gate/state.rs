//! What a gate says of itself, for health, metrics and logs.

use crate::gate::BreakerState;
use jiff::Timestamp;
use serde::Serialize;

/// The gate at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GateState {
    /// Of the way to worker-manager.
    pub breaker: BreakerState,
    /// Since when every fetch has failed; none while they go well. On its own it says nothing of now: on a queue where no
    /// task asks, nothing is fetched.
    pub failing_since: Option<Timestamp>,
    /// The last failure, also one from before things went well again.
    pub last_error: Option<LastError>,
    /// How many worker types are kept.
    pub kept: usize,
    /// How many of them may be out of date.
    pub stale: usize,
    /// How many of them fail on their own, while worker-manager answers otherwise.
    pub faulty: usize,
    /// For how many seconds the one that was confirmed longest ago has not been.
    pub oldest_age_seconds: Option<u64>,
    /// When worker-manager was last heard of, by a fetch or by the feed; none before the first time.
    pub heard_at: Option<Timestamp>,
    /// The change feed.
    pub watch: WatchState,
}

/// A failure, and when it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LastError {
    /// When.
    pub at: Timestamp,
    /// In words.
    pub message: String,
}

/// The gate's side of the change feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchState {
    /// Whether every change arrives.
    pub connected: bool,
    /// Since when it is connected, or is not.
    pub since: Timestamp,
    /// Whether it has ever been.
    pub reached: bool,
    /// Why it is not; none while it is, and before the first attempt has failed.
    pub cause: Option<String>,
}

impl WatchState {
    /// Not connected yet, from `since` on.
    pub(crate) fn unconnected(since: Timestamp) -> Self {
        Self { connected: false, since, reached: false, cause: None }
    }
}
