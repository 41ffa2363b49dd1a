//! Begins and ends transactions, and tells a failure that changed nothing from one whose outcome is unknown.

use crate::{AnyConnection, DatabaseError, Failure, classify};
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use diesel::result::QueryResult;

/// What a transaction may do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Look at one moment of the database.
    Read,
    /// Change it. On SQLite it holds the write lock from the start.
    Write,
}

/// How a transaction ended.
pub(crate) enum Ended<T, E> {
    /// It was committed.
    Committed(T),
    /// It was not, or that is unknown; `usable` says whether the connection can be used again.
    Failed { error: E, usable: bool },
    /// It could not begin: `work` was not called.
    NotBegun { error: DatabaseError, usable: bool },
}

/// Runs `work` in a transaction of its own.
pub(crate) fn run<T, E: Failure>(
    connection: &mut AnyConnection,
    mode: Mode,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
) -> Ended<T, E> {
    if let Err(error) = begin(connection, mode) {
        return Ended::NotBegun { error: error.into(), usable: !is_broken(connection) };
    }
    match work(connection) {
        Ok(value) => match commit(connection) {
            Ok(()) => Ended::Committed(value),
            Err(error) => {
                let error = classify::of_commit(error);
                Ended::Failed { usable: !is_broken(connection), error: error.into() }
            }
        },
        Err(error) => {
            let rolled_back = rollback(connection);
            if let Err(rollback_error) = &rolled_back {
                tracing::debug!(error = %rollback_error, "a rollback failed; the connection is closed instead");
            }
            Ended::Failed { error, usable: rolled_back.is_ok() && !is_broken(connection) }
        }
    }
}

fn begin(connection: &mut AnyConnection, mode: Mode) -> QueryResult<()> {
    match (connection, mode) {
        (AnyConnection::Postgresql(connection), Mode::Read) => {
            // The one snapshot for all of its statements.
            let sql = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
            AnsiTransactionManager::begin_transaction_sql(connection, sql)
        }
        (AnyConnection::Postgresql(connection), Mode::Write) => {
            let sql = "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE";
            AnsiTransactionManager::begin_transaction_sql(connection, sql)
        }
        (AnyConnection::Sqlite(connection), Mode::Read) => {
            AnsiTransactionManager::begin_transaction_sql(connection, "BEGIN")
        }
        (AnyConnection::Sqlite(connection), Mode::Write) => {
            AnsiTransactionManager::begin_transaction_sql(connection, "BEGIN IMMEDIATE")
        }
    }
}

fn commit(connection: &mut AnyConnection) -> QueryResult<()> {
    match connection {
        AnyConnection::Postgresql(connection) => AnsiTransactionManager::commit_transaction(connection),
        AnyConnection::Sqlite(connection) => AnsiTransactionManager::commit_transaction(connection),
    }
}

fn rollback(connection: &mut AnyConnection) -> QueryResult<()> {
    match connection {
        AnyConnection::Postgresql(connection) => AnsiTransactionManager::rollback_transaction(connection),
        AnyConnection::Sqlite(connection) => AnsiTransactionManager::rollback_transaction(connection),
    }
}

fn is_broken(connection: &mut AnyConnection) -> bool {
    match connection {
        AnyConnection::Postgresql(connection) => AnsiTransactionManager::is_broken_transaction_manager(connection),
        AnyConnection::Sqlite(connection) => AnsiTransactionManager::is_broken_transaction_manager(connection),
    }
}
