//! Brings a database's tables up to date, under a lock, all steps or none; refuses one that is ahead of this program.

use crate::transaction::{self, Ended, Mode};
use crate::url::Target;
use crate::{AnyConnection, DatabaseError, DatabaseUrl, EmbeddedMigrations, Options, PendingMigrations};
use crate::{classify, postgres, sqlite};
use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource};
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use diesel_migrations::MigrationHarness;

/// The steps that make a service's tables, in both dialects, under the same names.
pub struct Migrations {
    /// For SQLite.
    pub sqlite: EmbeddedMigrations,
    /// For PostgreSQL.
    pub postgres: EmbeddedMigrations,
}

/// Whoever migrates a PostgreSQL database holds this advisory lock.
const ADVISORY_LOCK: i64 = 0x776d_6d69_6772_6174;

/// The names of the migrations that the database at `url` still needs. Changes nothing, and asks for no server lock.
///
/// # Errors
/// The database cannot be opened, or it is ahead of this program ([`DatabaseError::Newer`]).
pub fn pending(url: &str, migrations: &Migrations) -> Result<Vec<String>, DatabaseError> {
    let options = Options::default();
    let database: DatabaseUrl = url.parse()?;
    let steps = match database.target() {
        Target::Memory => Steps::of(&migrations.sqlite)?,
        Target::File(path) if !path.exists() => Steps::of(&migrations.sqlite)?,
        Target::File(path) => {
            let connection = sqlite::connect_reader(&sqlite::prepare(path)?, &options)?;
            Steps::missing_in(&mut AnyConnection::Sqlite(connection), &database.to_string(), migrations)?
        }
        Target::Postgresql(url) => {
            let connection = postgres::Server::new(&database, url, &options).open()?;
            Steps::missing_in(&mut AnyConnection::Postgresql(connection), &database.to_string(), migrations)?
        }
    };
    Ok(steps.names())
}

/// Does what `how` says about the migrations that are missing.
pub(crate) fn settle(
    connection: &mut AnyConnection,
    database: &str,
    migrations: &Migrations,
    how: PendingMigrations,
) -> Result<(), DatabaseError> {
    // Looked at first without the lock: most starts have nothing to do, and may lack the right to change tables.
    let missing = Steps::missing_in(connection, database, migrations)?.names();
    if missing.is_empty() {
        return Ok(());
    }
    if how == PendingMigrations::Refuse {
        return Err(DatabaseError::Pending { database: database.to_owned(), migrations: missing });
    }
    let ended = transaction::run(connection, Mode::Write, |connection| {
        wait_for_others(connection)?;
        // Another process may have been faster, or a newer one.
        Steps::missing_in(connection, database, migrations)?;
        let applied = match connection {
            AnyConnection::Postgresql(connection) => apply::<PgConnection>(connection, &migrations.postgres),
            AnyConnection::Sqlite(connection) => apply::<SqliteConnection>(connection, &migrations.sqlite),
        };
        let applied = applied.map_err(|error| failed(database, &*error))?;
        tracing::info!(database, migrations = ?applied, "applied migrations");
        Ok(())
    });
    match ended {
        Ended::Committed(()) => Ok(()),
        Ended::Failed { error, .. } | Ended::NotBegun { error, .. } => Err(error),
    }
}

/// A transaction of SQLite that writes is alone already; on PostgreSQL one lock lets one process migrate at a time.
fn wait_for_others(connection: &mut AnyConnection) -> Result<(), DatabaseError> {
    if let AnyConnection::Postgresql(connection) = connection {
        connection.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")?;
        let tried = sql_query("SELECT pg_try_advisory_xact_lock($1) AS yes").bind::<BigInt, _>(ADVISORY_LOCK);
        if !tried.get_result::<Answer>(connection)?.yes {
            tracing::info!("another process migrates this database; waiting for it");
            sql_query("SELECT pg_advisory_xact_lock($1)").bind::<BigInt, _>(ADVISORY_LOCK).execute(connection)?;
        }
    }
    Ok(())
}

type Boxed = Box<dyn std::error::Error + Send + Sync>;

fn apply<C: MigrationHarness<C::Backend> + Connection>(
    connection: &mut C,
    migrations: &EmbeddedMigrations,
) -> Result<Vec<String>, Boxed> {
    let pending = connection.pending_migrations(Borrowed(migrations))?;
    pending
        .iter()
        .map(|migration| {
            connection.run_migration(migration)?;
            Ok(migration.name().to_string())
        })
        .collect()
}

fn failed(database: &str, error: &(dyn std::error::Error + Send + Sync)) -> DatabaseError {
    DatabaseError::Migration { database: database.to_owned(), message: classify::one_line(&error.to_string()) }
}

/// diesel takes sources by value.
struct Borrowed<'a>(&'a EmbeddedMigrations);

impl<DB: diesel::backend::Backend> MigrationSource<DB> for Borrowed<'_> {
    fn migrations(&self) -> diesel::migration::Result<Vec<Box<dyn Migration<DB>>>> {
        self.0.migrations()
    }
}

/// Versions and names, in order.
struct Steps(Vec<(String, String)>);

impl Steps {
    fn of(migrations: &EmbeddedMigrations) -> Result<Self, DatabaseError> {
        let found = MigrationSource::<diesel::sqlite::Sqlite>::migrations(migrations);
        let found = found.map_err(|error| failed("this program", &*error))?;
        let mut steps: Vec<_> =
            found.iter().map(|step| (step.name().version().to_string(), step.name().to_string())).collect();
        steps.sort();
        Ok(Self(steps))
    }

    fn missing_in(
        connection: &mut AnyConnection,
        database: &str,
        migrations: &Migrations,
    ) -> Result<Self, DatabaseError> {
        let own = match connection {
            AnyConnection::Postgresql(_) => &migrations.postgres,
            AnyConnection::Sqlite(_) => &migrations.sqlite,
        };
        let Self(mut steps) = Self::of(own)?;
        let applied = applied(connection)?;
        let is_unknown = |version: &&String| !steps.iter().any(|(known, _)| known == *version);
        let unknown: Vec<_> = applied.iter().filter(is_unknown).cloned().collect();
        if !unknown.is_empty() {
            return Err(DatabaseError::Newer { database: database.to_owned(), migrations: unknown });
        }
        steps.retain(|(version, _)| !applied.contains(version));
        Ok(Self(steps))
    }

    fn names(self) -> Vec<String> {
        self.0.into_iter().map(|(_, name)| name).collect()
    }
}

fn applied(connection: &mut AnyConnection) -> Result<Vec<String>, DatabaseError> {
    let there = match connection {
        AnyConnection::Postgresql(_) => "SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS yes",
        AnyConnection::Sqlite(_) => {
            "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '__diesel_schema_migrations') AS yes"
        }
    };
    if !sql_query(there).get_result::<Answer>(connection)?.yes {
        return Ok(Vec::new());
    }
    let rows = sql_query("SELECT version FROM __diesel_schema_migrations ORDER BY version").load::<Row>(connection)?;
    Ok(rows.into_iter().map(|row| row.version).collect())
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    version: String,
}
