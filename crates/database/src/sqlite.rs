//! Opens SQLite files: the operating system's own words when it cannot, and the settings that make commits durable.

mod lock;

pub(crate) use lock::ServerLock;

use crate::{DatabaseError, Options, classify};
use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{Connection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Makes sure that the file exists and may be written, and answers its path without symbolic links.
pub(crate) fn prepare(path: &Path) -> Result<PathBuf, DatabaseError> {
    let touched = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    touched.and_then(|_| path.canonicalize()).map_err(|error| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let advice = match error.kind() {
            ErrorKind::NotFound if !folder.exists() => {
                format!("The folder {} does not exist: make it, or name another file", folder.display())
            }
            ErrorKind::PermissionDenied => {
                format!("The server's user needs to read and write this file and its folder {}", folder.display())
            }
            ErrorKind::IsADirectory => format!("Name a file in it, as in sqlite://{}/data.sqlite", path.display()),
            ErrorKind::ReadOnlyFilesystem => "Name a file on a file system that can be written".to_owned(),
            _ => return refused(path, &error.to_string(), None),
        };
        refused(path, &error.to_string(), Some(advice))
    })
}

/// The one connection that writes.
pub(crate) fn connect_writer(path: &Path, options: &Options) -> Result<SqliteConnection, DatabaseError> {
    let mut connection = connect(path, options)?;
    let mode: JournalMode = sql_query("PRAGMA journal_mode=WAL").get_result(&mut connection).map_err(|error| {
        let advice = error.to_string().contains("not a database").then(|| "Name a file that SQLite made".to_owned());
        refused(path, &error.to_string(), advice)
    })?;
    if mode.journal_mode != "wal" {
        let advice = "Put it on a local file system".to_owned();
        return Err(refused(path, "SQLite cannot keep a write-ahead log there", Some(advice)));
    }
    // FULL: a commit is on the disk before it is acknowledged. The log shrinks again after a large transaction.
    let pragmas = "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=67108864";
    settle(&mut connection, path, pragmas)?;
    Ok(connection)
}

/// A connection that only reads.
pub(crate) fn connect_reader(path: &Path, options: &Options) -> Result<SqliteConnection, DatabaseError> {
    let mut connection = connect(path, options)?;
    settle(&mut connection, path, "PRAGMA query_only=ON")?;
    Ok(connection)
}

/// A database that ends with its connection.
pub(crate) fn connect_memory() -> Result<SqliteConnection, DatabaseError> {
    let path = Path::new(":memory:");
    let mut connection = establish(path, ":memory:")?;
    settle(&mut connection, path, "PRAGMA foreign_keys=ON")?;
    Ok(connection)
}

fn connect(path: &Path, options: &Options) -> Result<SqliteConnection, DatabaseError> {
    let Some(name) = path.to_str() else {
        return Err(refused(path, "the path is not UTF-8", None));
    };
    // An absolute path: SQLite would read one that starts with file: as a URI.
    let mut connection = establish(path, name)?;
    settle(&mut connection, path, &format!("PRAGMA busy_timeout={}", options.lock_timeout.as_millis()))?;
    Ok(connection)
}

fn establish(path: &Path, name: &str) -> Result<SqliteConnection, DatabaseError> {
    SqliteConnection::establish(name).map_err(|error| refused(path, &error.to_string(), None))
}

fn settle(connection: &mut SqliteConnection, path: &Path, pragmas: &str) -> Result<(), DatabaseError> {
    connection.batch_execute(pragmas).map_err(|error| refused(path, &error.to_string(), None))
}

pub(crate) fn refused(path: &Path, message: &str, advice: Option<String>) -> DatabaseError {
    let database = format!("sqlite://{}", path.display());
    DatabaseError::Open { database, message: classify::one_line(message), advice }
}

#[derive(QueryableByName)]
struct JournalMode {
    #[diesel(sql_type = Text)]
    journal_mode: String,
}
