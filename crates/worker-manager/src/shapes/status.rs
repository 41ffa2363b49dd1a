//! How the registry is, as `GET /status` tells it.

use registry::store::ReplicaRecord;
use registry::{DatabaseStatus, FeedStatus, OpenRollout, Status, rfc3339};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use worker_types::{EventKind, RevisionNumber, RolloutPolicy, WorkerTypeId};

/// How the registry is: computed at most once in a second, for all who ask.
#[derive(Serialize, ToSchema)]
#[schema(as = Status)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusReport {
    /// RFC 3339, UTC; at most two seconds ago.
    computed_at: String,
    build: Build,
    /// When the server that answers started. RFC 3339, UTC.
    started_at: String,
    uptime_seconds: u64,
    counts: StatusCounts,
    /// Every rollout that is open, the oldest first.
    rollouts: Vec<StatusRollout>,
    /// What changed last, newest first; at most 20.
    changes: Vec<StatusChange>,
    feed: StatusFeed,
    /// The servers on the database that said within the last minute that they are there, in the order in which they started.
    /// Each says so every ten seconds. While the database is away: those that were there before.
    replicas: Vec<StatusReplica>,
    database: StatusDatabase,
    /// Worker types that changed in a way that this version cannot read: reads show what was live before.
    unreadable: Vec<String>,
}

/// The program that answers.
#[derive(Serialize, ToSchema)]
struct Build {
    version: String,
    /// Null where the build did not know it.
    commit: Option<String>,
}

/// How much of everything there is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusCounts {
    worker_types: StatusWorkerTypes,
    /// Of all worker types, deleted ones included.
    revisions: u64,
    releases: usize,
    open_rollouts: usize,
}

/// How many worker types there are.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusWorkerTypes {
    live: usize,
    /// Their history stays.
    deleted: usize,
    /// Live ones, by where they stand in their life; every state is there.
    by_lifecycle: BTreeMap<&'static str, usize>,
    /// Live ones, by what a queue does now with an invalid payload; every mode is there.
    by_validation: BTreeMap<&'static str, usize>,
}

/// A rollout that is open.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusRollout {
    worker_type_id: String,
    /// The older live revision.
    from: RevisionNumber,
    /// The newer one, which takes over.
    to: RevisionNumber,
    policy: RolloutPolicy,
    /// RFC 3339, UTC.
    started_at: String,
    /// When it completes by itself; null where somebody completes it.
    completes_at: Option<String>,
}

/// A change of what is live.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusChange {
    kind: EventKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    worker_type_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revision: Option<RevisionNumber>,
    /// `name@version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    release: Option<String>,
    /// Who did it; left out where the database was away since the server started.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    by: Option<String>,
    /// RFC 3339, UTC.
    at: String,
}

/// How far the change feed is, counted in events since the first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusFeed {
    /// The newest event that the database is known to hold.
    newest: u64,
    /// The newest that reads of this server see.
    applied: u64,
    /// How many this server has still to apply.
    lag: u64,
    /// The oldest that is kept; null where none is, or where the database was away since the start.
    oldest: Option<u64>,
    /// The place at which this server stands, to watch on from.
    cursor: String,
    /// Readers of the feed that are connected to this server. One that has left without a word counts until the next thing
    /// is said to it, which takes as long as a bookmark at most.
    watchers: usize,
    /// Events older than this are forgotten.
    kept_for_seconds: u64,
    /// Events beyond the newest of this many are forgotten.
    kept_count: u64,
}

/// A server on the database.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusReplica {
    /// Another one at each start.
    id: String,
    /// Its host and port, for those with the scope `worker-manager:status:hosts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    name: Option<String>,
    /// Whether it is the one that computed this answer.
    this_server: bool,
    /// Whether it has not said for 25 seconds that it is there: it has ended, or does not reach the database.
    missed: bool,
    version: String,
    /// RFC 3339, UTC.
    started_at: String,
    /// When it last said that it is there, by the database's clock. RFC 3339, UTC.
    seen_at: String,
    /// The newest event that its reads saw then. The feed may have gone on since: it says nothing of how far behind it is now.
    applied: u64,
}

/// The database.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusDatabase {
    /// `SQLite` or `PostgreSQL`.
    kind: &'static str,
    /// Whether it answered when this was computed. Where it did not, everything here is what memory knows.
    reachable: bool,
    /// Since it last answered anything.
    last_contact_seconds: f64,
    /// From when the changes and the other servers are, by its clock; null where it was away since the start.
    seen_at: Option<String>,
    /// How much room it takes; null where it does not say.
    size_bytes: Option<u64>,
}

impl StatusReport {
    /// With the names of servers only for those who may see them.
    pub(crate) fn of(status: &Status, with_hosts: bool) -> Self {
        let replica = &status.replica;
        Self {
            computed_at: rfc3339(status.computed_at),
            build: Build { version: replica.version.clone(), commit: replica.commit.clone() },
            started_at: rfc3339(replica.started_at),
            uptime_seconds: status.uptime().as_secs(),
            counts: StatusCounts::of(status),
            rollouts: status.rollouts.iter().map(|(id, rollout)| StatusRollout::of(id, rollout)).collect(),
            changes: status.changes.iter().map(StatusChange::of).collect(),
            feed: StatusFeed::of(&status.feed),
            replicas: (status.replicas.iter()).map(|record| StatusReplica::of(record, status, with_hosts)).collect(),
            database: StatusDatabase::of(&status.database),
            unreadable: status.unreadable.iter().map(ToString::to_string).collect(),
        }
    }
}

impl StatusCounts {
    fn of(status: &Status) -> Self {
        let counts = &status.counts;
        Self {
            worker_types: StatusWorkerTypes {
                live: counts.live,
                deleted: counts.deleted,
                by_lifecycle: counts.by_lifecycle.iter().copied().collect(),
                by_validation: counts.by_validation.iter().copied().collect(),
            },
            revisions: counts.revisions,
            releases: counts.releases,
            open_rollouts: status.rollouts.len(),
        }
    }
}

impl StatusRollout {
    fn of(id: &WorkerTypeId, rollout: &OpenRollout) -> Self {
        Self {
            worker_type_id: id.to_string(),
            from: rollout.from,
            to: rollout.to,
            policy: rollout.policy,
            started_at: rfc3339(rollout.started_at),
            completes_at: rollout.completes_at.map(rfc3339),
        }
    }
}

impl StatusChange {
    fn of(registry::StatusChange { event, by }: &registry::StatusChange) -> Self {
        Self {
            kind: event.kind,
            worker_type_id: event.worker_type_id.as_ref().map(ToString::to_string),
            revision: event.revision,
            release: event.release.as_ref().map(ToString::to_string),
            by: by.clone(),
            at: event.at.clone(),
        }
    }
}

impl StatusFeed {
    fn of(feed: &FeedStatus) -> Self {
        Self {
            newest: feed.newest,
            applied: feed.applied,
            lag: feed.lag(),
            oldest: feed.oldest,
            cursor: feed.cursor.clone(),
            watchers: feed.watchers,
            kept_for_seconds: feed.kept_for.as_secs(),
            kept_count: feed.kept_count,
        }
    }
}

impl StatusReplica {
    fn of(record: &ReplicaRecord, status: &Status, with_hosts: bool) -> Self {
        let report = &record.report;
        Self {
            id: report.id.clone(),
            name: with_hosts.then(|| report.name.clone()),
            this_server: report.id == status.replica.id,
            missed: status.is_missed(record),
            version: report.version.clone(),
            started_at: rfc3339(report.started_at),
            seen_at: rfc3339(record.seen_at),
            applied: report.applied,
        }
    }
}

impl StatusDatabase {
    fn of(database: &DatabaseStatus) -> Self {
        Self {
            kind: database.kind,
            reachable: database.reachable,
            last_contact_seconds: (database.last_contact.as_secs_f64() * 1_000.0).round() / 1_000.0,
            seen_at: database.seen_at.map(rfc3339),
            size_bytes: database.bytes,
        }
    }
}
