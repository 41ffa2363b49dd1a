//! Opening databases and working in them, on both backends.
#![expect(clippy::unwrap_used, reason = "tests")]

mod counters;
mod opening_postgres;
mod opening_sqlite;
mod outages;
mod transactions;
mod waking;
