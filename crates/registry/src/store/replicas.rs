//! The servers that are on one database, and what else a status shows of it.

use super::{EventRecord, FeedBounds};
use jiff::Timestamp;

/// A server, as it tells the others of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaReport {
    /// Of this process; another start has another one.
    pub id: String,
    /// For people: its host and port.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// When it started, by its own clock.
    pub started_at: Timestamp,
    /// The newest event that its reads see.
    pub applied: u64,
}

/// A server that told of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaRecord {
    /// What it told.
    pub report: ReplicaReport,
    /// When, by the database's clock.
    pub seen_at: Timestamp,
}

/// What a status shows of the database, read at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// That moment, by the database's clock.
    pub at: Timestamp,
    /// The feed.
    pub feed: FeedBounds,
    /// The newest events, newest first, each with the caller's name.
    pub changes: Vec<(EventRecord, Option<String>)>,
    /// In the order in which they started.
    pub replicas: Vec<ReplicaRecord>,
    /// How much room the database takes; none where it does not say.
    pub bytes: Option<u64>,
}
