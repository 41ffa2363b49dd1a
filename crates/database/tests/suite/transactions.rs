//! Transactions commit whole or not at all, on both backends.

use crate::counters::{Place, add, set, value};
use database::{Database, DatabaseError};
use diesel::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};

macro_rules! on_both {
    ($($name:ident)*) => { $(
        mod $name {
            #[test]
            fn sqlite() {
                super::rules::$name(&super::Place::sqlite().open());
            }

            #[test]
            fn sqlite_in_memory() {
                super::rules::$name(&crate::counters::open("sqlite::memory:").unwrap());
            }

            #[test]
            fn postgres() {
                if let Some(place) = super::Place::postgres() {
                    super::rules::$name(&place.open());
                }
            }
        }
    )* };
}

on_both! {
    what_was_committed_is_read
    an_error_rolls_back
    a_panic_rolls_back_and_the_database_goes_on
    a_reader_sees_one_moment
    a_reader_cannot_write
    a_constraint_is_a_conflict
    a_savepoint_survives_a_failed_query
    writers_at_the_same_time_lose_nothing
}

mod rules {
    use super::*;

    pub fn what_was_committed_is_read(database: &Database) {
        database.write(|connection| set(connection, "a", 1)).unwrap();
        assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), Some(1));
        database.ping().unwrap();
    }

    pub fn an_error_rolls_back(database: &Database) {
        let refused = database.write(|connection| -> Result<(), DatabaseError> {
            set(connection, "a", 1)?;
            Err(DatabaseError::Url("a refusal".to_owned()))
        });
        assert_eq!(refused.unwrap_err().to_string(), "a refusal");
        assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), None);
    }

    pub fn a_panic_rolls_back_and_the_database_goes_on(database: &Database) {
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            database.write(|connection| -> Result<(), DatabaseError> {
                set(connection, "a", 1)?;
                panic!("on purpose")
            })
        }));
        assert!(panicked.is_err());
        if database.url().to_string() == "sqlite::memory:" {
            // It went with its connection, and says so.
            let gone = database.ping().unwrap_err().to_string();
            assert!(gone.contains("in memory is gone"), "{gone}");
        } else {
            assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), None);
            database.write(|connection| set(connection, "a", 1)).unwrap();
        }
    }

    pub fn a_reader_sees_one_moment(database: &Database) {
        if database.url().to_string() == "sqlite::memory:" {
            return; // Its one connection cannot write while it reads.
        }
        database.write(|connection| set(connection, "a", 1)).unwrap();
        let seen = database.read(|connection| -> Result<_, DatabaseError> {
            let before = value(connection, "a")?;
            database.write(|connection| add(connection, "a", 1))?;
            Ok((before, value(connection, "a")?))
        });
        assert_eq!(seen.unwrap(), (Some(1), Some(1)));
        assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), Some(2));
    }

    pub fn a_reader_cannot_write(database: &Database) {
        if database.url().to_string() == "sqlite::memory:" {
            return; // Its one connection does both.
        }
        database.read(|connection| set(connection, "a", 1)).unwrap_err();
        assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), None);
    }

    pub fn a_constraint_is_a_conflict(database: &Database) {
        database.write(|connection| set(connection, "a", 1)).unwrap();
        for (name, wrong) in [("a", 2), ("b", -1)] {
            let error = database.write(|connection| set(connection, name, wrong)).unwrap_err();
            assert!(matches!(error, DatabaseError::Conflict { .. }), "{error:?}");
        }
        assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), Some(1));
    }

    pub fn a_savepoint_survives_a_failed_query(database: &Database) {
        database
            .write(|connection| {
                set(connection, "a", 1)?;
                connection.transaction(|connection| set(connection, "a", 2)).unwrap_err();
                set(connection, "b", 3)
            })
            .unwrap();
        let values = database
            .read(|connection| -> Result<_, DatabaseError> { Ok((value(connection, "a")?, value(connection, "b")?)) });
        assert_eq!(values.unwrap(), (Some(1), Some(3)));
    }

    pub fn writers_at_the_same_time_lose_nothing(database: &Database) {
        database.write(|connection| set(connection, "a", 0)).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..20).for_each(|_| database.write(|connection| add(connection, "a", 1)).unwrap()));
            }
        });
        assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), Some(160));
    }
}

/// Two transactions that lock two rows in opposite orders.
#[test]
fn a_deadlock_is_tried_again() {
    let Some(place) = Place::postgres() else { return };
    let database = place.open();
    database.write(|connection| set(connection, "a", 0).and_then(|()| set(connection, "b", 0))).unwrap();
    let both_hold_one = std::sync::Barrier::new(2);
    std::thread::scope(|scope| {
        for (first, second) in [("a", "b"), ("b", "a")] {
            let (database, both_hold_one) = (&database, &both_hold_one);
            scope.spawn(move || {
                let mut tries = 0;
                database
                    .write(|connection| {
                        tries += 1;
                        add(connection, first, 1)?;
                        if tries == 1 {
                            both_hold_one.wait();
                        }
                        add(connection, second, 1)
                    })
                    .unwrap();
            });
        }
    });
    assert_eq!(database.read(|connection| value(connection, "a")).unwrap(), Some(2));
    assert_eq!(database.read(|connection| value(connection, "b")).unwrap(), Some(2));
}
