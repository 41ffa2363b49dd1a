//! One database behind a URL: SQLite or PostgreSQL, chosen at run time, with the same queries on both.
//!
//! It owns connections, transactions, migrations, the lock that keeps a second server off a SQLite file, and waking up
//! when another process has committed. It knows no table.
//!
//! ```no_run
//! use database::{Database, DatabaseError, Migrations, Options};
//! use diesel::RunQueryDsl;
//! use diesel_migrations::embed_migrations;
//!
//! const MIGRATIONS: Migrations = Migrations {
//!     sqlite: embed_migrations!("tests/migrations/sqlite"),
//!     postgres: embed_migrations!("tests/migrations/postgres"),
//! };
//!
//! let database = Database::open("sqlite://data.sqlite", &MIGRATIONS, &Options::default())?;
//! let changed = database.write(|connection| -> Result<usize, DatabaseError> {
//!     Ok(diesel::sql_query("UPDATE counters SET value = value + 1").execute(connection)?)
//! })?;
//! if changed > 0 {
//!     database.announce();
//! }
//! # Ok::<(), DatabaseError>(())
//! ```
//!
//! Names of migrations begin with the service's (`registry-0001_tables`): so a service that is given another's database
//! sees that, instead of taking the other's steps for its own. A crate that embeds migrations has a `build.rs` that prints `cargo:rerun-if-changed=migrations`, or a new folder goes
//! unnoticed. What one query text means on both: `Text` for JSON, `BigInt` (microseconds) for times, one `INSERT` for
//! each row; for the rest, `match` on [`AnyConnection`] or ask [`AnyConnection::backend`].

mod changes;
mod classify;
mod connection;
mod error;
mod migrations;
mod open;
mod options;
mod pool;
mod postgres;
mod sqlite;
#[cfg(feature = "testing")]
pub mod testing;
mod transaction;
mod url;
mod writer;

pub use connection::{AnyConnection, Backend, MultiBackend};
pub use diesel_migrations::EmbeddedMigrations;
pub use error::{DatabaseError, Failure};
pub use migrations::{Migrations, pending};
pub use open::Database;
pub use options::{Options, PendingMigrations};
pub use url::DatabaseUrl;
