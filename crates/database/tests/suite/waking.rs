//! Who waits for changes is woken by other processes.

use crate::counters::{MIGRATIONS, Place, open};
use database::{Database, Options};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn where_there_are_no_other_processes_nobody_is_woken() {
    let database = open("sqlite::memory:").unwrap();
    let seen = database.changes();
    database.announce();
    assert_eq!(database.wait_for_change(seen, Duration::from_millis(5)), seen);
}

#[test]
fn an_announcement_wakes_other_processes_on_postgresql() {
    let Some(place) = Place::postgres() else { return };
    let options = Options { channel: Some("counters_changed"), ..Options::default() };
    let open = || Database::open(&place.url, &MIGRATIONS, &options).unwrap();
    let (writer, waiter) = (open(), open());
    // Each wakes once when it has begun to listen.
    let mut seen = waiter.wait_for_change(0, LONG);
    writer.wait_for_change(0, LONG);
    for _ in 0..5 {
        let start = Instant::now();
        writer.announce();
        let woken = waiter.wait_for_change(seen, LONG);
        assert!(woken > seen && start.elapsed() < LONG / 2);
        println!("woken after {:?}", start.elapsed());
        seen = woken;
    }
    // Its own announcements do not come back to it.
    let own = writer.changes();
    assert_eq!(writer.wait_for_change(own, Duration::from_millis(50)), own);
}

#[test]
fn of_many_announcements_the_last_is_heard_and_few_wake_anybody() {
    let Some(place) = Place::postgres() else { return };
    let options = Options { channel: Some("counters_changed"), ..Options::default() };
    let open = || Database::open(&place.url, &MIGRATIONS, &options).unwrap();
    let (writer, waiter) = (open(), open());
    let begun = waiter.wait_for_change(0, LONG);
    writer.wait_for_change(0, LONG);
    for _ in 0..1_000 {
        writer.announce();
    }
    let woken = waiter.wait_for_change(begun, LONG);
    // The end of a server sends what still waits for its turn.
    writer.announce();
    drop(writer);
    let last = waiter.wait_for_change(woken, LONG);
    assert!(last > woken, "the last announcement was not heard");
    assert!(last - begun < 100, "1,000 announcements woke {} times", last - begun);
}
