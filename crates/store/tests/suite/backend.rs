//! A place for a store, of either kind, empty at first and gone with its test.

use database::Options;
use database::testing::ScratchPostgres;
use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl, sql_query};
use store::SqlStore;
use tempfile::TempDir;

pub struct Backend {
    url: String,
    _guard: Guard,
}

enum Guard {
    Folder { _folder: TempDir },
    Postgres { _database: ScratchPostgres },
}

impl Backend {
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/registry.sqlite", folder.path().display());
        Self { url, _guard: Guard::Folder { _folder: folder } }
    }

    pub fn postgres() -> Option<Self> {
        let database = ScratchPostgres::create()?;
        Some(Self { url: database.url(), _guard: Guard::Postgres { _database: database } })
    }

    pub fn is_postgres(&self) -> bool {
        matches!(self._guard, Guard::Postgres { .. })
    }

    /// Opens the store, anew each time: what a restarted server finds.
    pub fn open(&self) -> SqlStore {
        SqlStore::open(&self.url, &Options::default()).unwrap()
    }
}

/// Does what no registry would.
pub fn execute(store: &SqlStore, sql: &str) {
    store.database().write(|connection| connection.batch_execute(sql).map_err(database::DatabaseError::from)).unwrap();
}

/// Counts rows.
pub fn count(store: &SqlStore, from: &str) -> i64 {
    let sql = format!("SELECT count(*) AS count FROM {from}");
    let counted = store
        .database()
        .read(|connection| sql_query(&sql).get_result::<Count>(connection).map_err(database::DatabaseError::from));
    counted.unwrap().count
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}
