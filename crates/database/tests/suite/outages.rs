//! PostgreSQL goes away and comes back under an open database.

use crate::counters::{MIGRATIONS, add, set, value};
use database::testing::PrivateServer;
use database::{Database, DatabaseError, Options};
use diesel::{RunQueryDsl, sql_query};
use std::time::{Duration, Instant};

#[test]
fn a_restarted_server_is_found_again() {
    let Some(server) = PrivateServer::start("database-outages") else { return };
    let options = Options { channel: Some("counters_changed"), ..Options::default() };
    let database = Database::open(server.url(), &MIGRATIONS, &options).unwrap();
    database.write(|connection| set(connection, "a", 1)).unwrap();

    for crash in [false, true] {
        fill_the_pool(&database);
        let listening = database.changes();
        server.stop(crash);
        let start = Instant::now();
        let error = database.write(|connection| add(connection, "a", 1)).unwrap_err();
        assert!(matches!(error, DatabaseError::Unavailable { .. }), "{error:?}");
        assert!(error.to_string().contains("Connection refused"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "a failure to connect is told at once");
        assert!(database.ping().is_err());

        server.restart();
        // Every pooled connection is dead, and none of them is noticed by who asks.
        for _ in 0..4 {
            database.read(|connection| value(connection, "a")).unwrap();
        }
        // The listener is back, and wakes whoever waits: something may have been missed.
        assert!(database.wait_for_change(listening, Duration::from_secs(60)) > listening);
    }
    assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), Some(1));
}

#[test]
fn a_connection_that_is_lost_in_the_middle_changes_nothing() {
    let Some(server) = PrivateServer::start("database-middle") else { return };
    let database = Database::open(server.url(), &MIGRATIONS, &Options::default()).unwrap();
    let lost = database.write(|connection| {
        set(connection, "a", 1)?;
        sql_query("SELECT pg_terminate_backend(pg_backend_pid())").execute(connection)?;
        Ok(())
    });
    let error: DatabaseError = lost.unwrap_err();
    assert!(matches!(error, DatabaseError::Unavailable { .. }), "{error:?}");
    assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), None);
}

#[test]
fn a_connection_that_is_lost_before_the_commit_is_answered_leaves_the_outcome_unknown() {
    let Some(server) = PrivateServer::start("database-commit") else { return };
    let database = Database::open(server.url(), &MIGRATIONS, &Options::default()).unwrap();
    database.write(|connection| set(connection, "a", 1)).unwrap();
    let lost: Result<(), DatabaseError> = database.write(|connection| {
        add(connection, "a", 1)?;
        server.stop(true);
        Ok(())
    });
    let error = lost.unwrap_err();
    assert!(matches!(error, DatabaseError::OutcomeUnknown { .. }), "{error:?}");
    server.restart();
    assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), Some(1));
}

/// Several connections, all idle at the end.
fn fill_the_pool(database: &Database) {
    let all_inside = std::sync::Barrier::new(4);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                database.read(|connection| -> Result<_, DatabaseError> {
                    all_inside.wait();
                    value(connection, "a")
                })
            });
        }
    });
}
