//! A database with one table of counters, on either backend.

use database::testing::ScratchPostgres;
use database::{AnyConnection, Database, DatabaseError, Migrations, Options};
use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, RunQueryDsl, sql_query};
use diesel_migrations::embed_migrations;
use tempfile::TempDir;

pub const MIGRATIONS: Migrations = Migrations {
    sqlite: embed_migrations!("tests/migrations/sqlite"),
    postgres: embed_migrations!("tests/migrations/postgres"),
};

/// Where a test's database is, removed with this value.
pub struct Place {
    pub url: String,
    _guard: Guard,
}

enum Guard {
    Folder { _folder: TempDir },
    Postgres { _database: ScratchPostgres },
}

impl Place {
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/test.sqlite", folder.path().display());
        Self { url, _guard: Guard::Folder { _folder: folder } }
    }

    pub fn postgres() -> Option<Self> {
        let database = ScratchPostgres::create()?;
        Some(Self { url: database.url(), _guard: Guard::Postgres { _database: database } })
    }

    pub fn open(&self) -> Database {
        open(&self.url).unwrap()
    }
}

pub fn open(url: &str) -> Result<Database, DatabaseError> {
    Database::open(url, &MIGRATIONS, &Options::default())
}

pub fn refusal(url: &str) -> String {
    open(url).err().expect("the database is refused").to_string()
}

pub fn set(connection: &mut AnyConnection, name: &str, value: i64) -> Result<(), DatabaseError> {
    let sql = "INSERT INTO counters (name, value) VALUES ($1, $2)";
    sql_query(sql).bind::<Text, _>(name).bind::<BigInt, _>(value).execute(connection)?;
    Ok(())
}

pub fn add(connection: &mut AnyConnection, name: &str, more: i64) -> Result<(), DatabaseError> {
    let sql = "UPDATE counters SET value = value + $1 WHERE name = $2";
    sql_query(sql).bind::<BigInt, _>(more).bind::<Text, _>(name).execute(connection)?;
    Ok(())
}

pub fn value(connection: &mut AnyConnection, name: &str) -> Result<Option<i64>, DatabaseError> {
    let found =
        sql_query("SELECT value FROM counters WHERE name = $1").bind::<Text, _>(name).load::<Counter>(connection)?;
    Ok(found.first().map(|counter| counter.value))
}

#[derive(QueryableByName)]
struct Counter {
    #[diesel(sql_type = BigInt)]
    value: i64,
}
