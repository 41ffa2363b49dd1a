//! How a database is opened.

use std::time::Duration;

/// Settings of [`Database::open`](crate::Database::open), with defaults that fit a service.
#[derive(Clone, Debug)]
pub struct Options {
    /// Connections to PostgreSQL, or readers of SQLite (which has one writer besides).
    pub pool_size: usize,
    /// How long a call waits for a connection from the pool.
    pub acquire_timeout: Duration,
    /// How long connecting to one address of a PostgreSQL server may take; whole seconds.
    pub connect_timeout: Duration,
    /// How long one statement may run on PostgreSQL.
    pub statement_timeout: Duration,
    /// How long a statement waits for a lock that another transaction holds, on either database.
    pub lock_timeout: Duration,
    /// What to do with migrations that are not applied yet.
    pub pending_migrations: PendingMigrations,
    /// The PostgreSQL channel by which processes wake one another up; none, and only this process wakes its waiters.
    /// A name of lower-case letters and underscores.
    pub channel: Option<&'static str>,
    /// The name by which PostgreSQL's own views list the connections.
    pub application_name: String,
}

/// What [`Database::open`](crate::Database::open) does with migrations that are not applied yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingMigrations {
    /// Apply them, under a lock.
    Apply,
    /// Refuse to open.
    Refuse,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            pool_size: 10,
            acquire_timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(30),
            lock_timeout: Duration::from_secs(10),
            pending_migrations: PendingMigrations::Apply,
            channel: None,
            application_name: "worker-manager".to_owned(),
        }
    }
}
