//! Scratch databases: a file for SQLite, a database of its own on the test server for PostgreSQL.

use crate::wait::wait_until;
use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use std::path::Path;

/// A PostgreSQL database that is dropped with this value.
pub struct PostgresDatabase {
    server: String,
    name: String,
}

impl PostgresDatabase {
    /// A new database, or none, said visibly, where there is no server.
    ///
    /// # Panics
    /// The server refuses.
    pub fn new() -> Option<Self> {
        let Ok(server) = std::env::var("WM_TEST_POSTGRES_URL") else {
            println!("skipped PostgreSQL: WM_TEST_POSTGRES_URL is not set");
            return None;
        };
        let name = format!("it_{}", uuid::Uuid::new_v4().simple());
        execute(&server, &format!("CREATE DATABASE {name}"));
        Some(Self { server, name })
    }

    /// Its URL.
    pub fn url(&self) -> String {
        let base = self.server.rsplit_once('/').map_or(self.server.as_str(), |(base, _)| base);
        format!("{base}/{}", self.name)
    }

    /// `host:port` of its server.
    pub fn address(&self) -> &str {
        let authority = self.server.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
        authority.rsplit_once('@').map_or(authority, |(_, address)| address)
    }

    /// Waits until all connections are gone: a server that was killed leaves some that are still at work.
    ///
    /// # Panics
    /// They stay for a minute.
    pub fn wait_until_nobody_is_connected(&self) {
        let url = self.url();
        let mut connection = PgConnection::establish(&url).unwrap_or_else(|error| panic!("{url}: {error}"));
        wait_until("PostgreSQL to notice that its clients are gone", || {
            let others = "SELECT count(*) AS count FROM pg_stat_activity \
                 WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
            let counted: Connected = diesel::sql_query(others)
                .get_result(&mut connection)
                .unwrap_or_else(|error| panic!("{others}: {error}"));
            counted.count == 0
        });
    }

    /// Its URL by way of a proxy at `address`.
    pub fn url_by(&self, address: &str) -> String {
        self.url().replacen(self.address(), address, 1)
    }
}

#[derive(QueryableByName)]
struct Connected {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        execute(&self.server, &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

fn execute(url: &str, sql: &str) {
    let mut connection = PgConnection::establish(url).unwrap_or_else(|error| panic!("{url}: {error}"));
    diesel::sql_query(sql).execute(&mut connection).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The URL of an SQLite file.
pub fn sqlite_url(file: &Path) -> String {
    format!("sqlite://{}", file.display())
}
