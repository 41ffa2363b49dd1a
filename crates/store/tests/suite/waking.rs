//! A replica is woken by the changes of others. On SQLite there are none.

use crate::backend::Backend;
use crate::given::*;
use registry::Store;
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn who_waits_is_woken_by_a_change() {
    let Some(backend) = Backend::postgres() else { return };
    let (store, replica) = (backend.open(), backend.open());
    replica.wait_for_change(Duration::from_millis(500)); // It has begun to listen.
    let start = Instant::now();
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            while replica.events(0, 1).unwrap().is_empty() {
                replica.wait_for_change(LONG);
            }
        });
        change(&store, &id("p/w"), &publish("{}"));
        waiter.join().unwrap();
    });
    assert!(start.elapsed() < LONG / 2);
}

#[test]
fn a_change_before_the_wait_is_not_missed() {
    let Some(backend) = Backend::postgres() else { return };
    let (store, replica) = (backend.open(), backend.open());
    replica.wait_for_change(LONG); // It has begun to listen.
    change(&store, &id("p/w"), &publish("{}"));
    let start = Instant::now();
    replica.wait_for_change(LONG);
    assert!(start.elapsed() < LONG / 2);
}
