//! What can go wrong with a database, in words that say how to mend it.

use thiserror::Error;

/// Why a database could not be opened or used. No message holds a password.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The URL names no database that can be opened.
    #[error("{0}")]
    Url(String),
    /// The database cannot be opened as the settings stand.
    #[error("cannot open {database}: {}", advised(message, advice.as_deref()))]
    Open {
        /// The URL, without its password.
        database: String,
        /// The driver's or the operating system's words.
        message: String,
        /// How to mend it.
        advice: Option<String>,
    },
    /// Another server has the SQLite file open.
    #[error(
        "{file} is in use by another server{}. Stop that one, or give this one a database of its own; several servers can share a PostgreSQL database",
        holder.as_deref().map(|holder| format!(" (process {holder})")).unwrap_or_default()
    )]
    InUse {
        /// The database.
        file: String,
        /// The process id that the lock file names.
        holder: Option<String>,
    },
    /// The database has migrations that this program does not know.
    #[error(
        "{database} has migrations that this version does not know ({}): a newer version has used it, or it belongs to another service. Use that version, or another database",
        migrations.join(", ")
    )]
    Newer {
        /// The URL, without its password.
        database: String,
        /// Their versions.
        migrations: Vec<String>,
    },
    /// Migrations are pending, and the options say not to apply them.
    #[error("{database} needs migrations that have not been applied: {}", migrations.join(", "))]
    Pending {
        /// The URL, without its password.
        database: String,
        /// Their names.
        migrations: Vec<String>,
    },
    /// Migrations failed; none of them is applied.
    #[error("the migrations of {database} failed, and nothing was changed: {message}")]
    Migration {
        /// The URL, without its password.
        database: String,
        /// The driver's words.
        message: String,
    },
    /// It cannot be reached, or refused for now: a lost connection, a lock, a full disk. Nothing was changed.
    #[error("{message}")]
    Unavailable {
        /// The driver's words.
        message: String,
    },
    /// The connection was lost while a transaction was being committed: it may or may not have happened.
    #[error("the connection was lost during a commit: {message}")]
    OutcomeUnknown {
        /// The driver's words.
        message: String,
    },
    /// A constraint refused the values: a key that is taken, a reference to nothing. Nothing was changed.
    #[error("{message}")]
    Conflict {
        /// Its name, where the database tells it.
        constraint: Option<String>,
        /// The driver's words.
        message: String,
    },
    /// Another transaction was in the way, each time it was tried (serialization failure, deadlock). Nothing was changed.
    #[error("{message}")]
    Contended {
        /// The driver's words.
        message: String,
    },
    /// Anything else. Nothing was changed.
    #[error(transparent)]
    Query(diesel::result::Error),
}

impl DatabaseError {
    /// Whether the same call may succeed later without anyone changing a setting.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::OutcomeUnknown { .. } | Self::Contended { .. })
    }
}

/// A sentence of somebody else's, and what to do about it.
pub(crate) fn advised(message: &str, advice: Option<&str>) -> String {
    let stop = if message.ends_with(['.', '?', '!']) { "" } else { "." };
    advice.map_or_else(|| message.to_owned(), |advice| format!("{message}{stop} {advice}"))
}

/// An error that a transaction may end with: a [`DatabaseError`], or an enum that holds one among refusals of its own.
/// Any error rolls back.
pub trait Failure: From<DatabaseError> {
    /// The database's part of it; [`DatabaseError::Contended`] makes `write` try again.
    fn database(&self) -> Option<&DatabaseError>;
}

impl Failure for DatabaseError {
    fn database(&self) -> Option<&DatabaseError> {
        Some(self)
    }
}
