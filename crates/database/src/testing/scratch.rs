//! Databases on the shared scratch server.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use std::sync::atomic::{AtomicU32, Ordering};

/// Names a scratch server's URL, with the right to make databases.
pub const POSTGRES_VARIABLE: &str = "WM_TEST_POSTGRES_URL";

/// An empty PostgreSQL database, dropped with this value.
pub struct ScratchPostgres {
    server: String,
    name: String,
}

impl ScratchPostgres {
    /// Makes a database on the server that `WM_TEST_POSTGRES_URL` names. Without that variable it prints why the test
    /// is skipped, and answers none.
    ///
    /// # Panics
    /// The server is named, and does not make the database.
    pub fn create() -> Option<Self> {
        let Ok(server) = std::env::var(POSTGRES_VARIABLE) else {
            println!("skipped: PostgreSQL tests, {POSTGRES_VARIABLE} is not set");
            return None;
        };
        Some(Self::create_on(&server))
    }

    /// Makes a database on `server`.
    ///
    /// # Panics
    /// The server does not make it.
    pub fn create_on(server: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let scratch = Self { server: server.to_owned(), name };
        scratch.run(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", scratch.name));
        scratch.run(&format!("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0", scratch.name));
        scratch
    }

    /// Its URL.
    pub fn url(&self) -> String {
        with_database(&self.server, &self.name)
    }

    /// The server's own URL.
    pub fn server_url(&self) -> &str {
        &self.server
    }

    fn run(&self, sql: &str) {
        let mut connection = PgConnection::establish(&self.server).expect("the scratch server answers");
        connection.batch_execute(sql).expect("the scratch server does as it is told");
    }
}

impl Drop for ScratchPostgres {
    fn drop(&mut self) {
        // The server may have been taken away by the test.
        if let Ok(mut connection) = PgConnection::establish(&self.server)
            && let Err(error) = connection.batch_execute(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name))
        {
            println!("could not drop {}: {error}", self.name);
        }
    }
}

fn with_database(server: &str, name: &str) -> String {
    let (base, query) = server.split_once('?').map_or((server, None), |(base, query)| (base, Some(query)));
    let (scheme, rest) = base.split_once("://").unwrap_or(("postgres", base));
    let authority = rest.split('/').next().unwrap_or_default();
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{scheme}://{authority}/{name}{query}")
}
