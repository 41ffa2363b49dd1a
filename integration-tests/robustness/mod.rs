//! What holds when processes die, networks lie and disks are full, one module per kind of evidence:
//!
//! - [`scenarios`]: random traffic under random troubles; everything that clients and watchers saw is recorded, and each
//!   of the [`promises`] judges the record.
//! - [`seeded_faults`]: the same against a server that breaks a promise on purpose, which has to be found out.
//! - [`durability`]: kill -9, again and again, under writers.
//! - [`outage`]: the queue while worker-manager is away or lies.
//!
//! A slice of it is part of all tests; `make robustness` runs it for longer. `docs/reliability.md` says what is promised.

mod cluster;
mod coverage;
mod durability;
mod ending;
mod keeping;
mod outage;
mod promises;
mod record;
mod recorder;
mod releases;
mod scenarios;
mod seeded_faults;
mod traffic;
mod troubles;
mod watching;

use std::time::Duration;

/// Rounds of what is done again and again: `WM_ROUNDS`, as many as take half a minute otherwise.
fn rounds() -> usize {
    setting("WM_ROUNDS").unwrap_or(20)
}

/// How long a scenario goes on: `WM_TEST_SECONDS`.
fn duration() -> Duration {
    Duration::from_secs(setting("WM_TEST_SECONDS").unwrap_or(6))
}

/// Where all that is random begins: `WM_TEST_SEED`, which a failed run prints.
fn seed() -> u64 {
    setting("WM_TEST_SEED").unwrap_or_else(|| fastrand::u64(..))
}

fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}, which is no number")))
}
