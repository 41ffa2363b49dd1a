//! The one connection type that queries are written against.

use std::fmt;

pub use any::{AnyConnection, MultiBackend};

#[expect(missing_docs, reason = "diesel's derive writes items without documentation")]
mod any {
    use diesel::{PgConnection, SqliteConnection};

    /// A connection to either database.
    #[derive(diesel::MultiConnection)]
    pub enum AnyConnection {
        /// PostgreSQL.
        Postgresql(PgConnection),
        /// SQLite.
        Sqlite(SqliteConnection),
    }
}

/// The kinds of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// `sqlite://…`
    Sqlite,
    /// `postgres://…`
    Postgresql,
}

impl AnyConnection {
    /// Which database this connection leads to.
    pub fn backend(&self) -> Backend {
        match self {
            Self::Postgresql(_) => Backend::Postgresql,
            Self::Sqlite(_) => Backend::Sqlite,
        }
    }
}

impl Backend {
    /// As it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgresql => "PostgreSQL",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
