//! The registry's database goes away: what is told, and that nothing is half there.

use crate::given::*;
use database::Options;
use database::testing::PrivateServer;
use registry::{Store, StoreError};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::SqlStore;

/// PostgreSQL crashes twice under eight writers, which note what was acknowledged.
#[test]
fn what_was_acknowledged_survives_crashes_and_the_rest_is_whole_or_not_there() {
    let Some(server) = PrivateServer::start("store-outages") else { return };
    let store = SqlStore::open(server.url(), &Options::default()).unwrap();
    let acknowledged = Mutex::new(Vec::new());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (store, acknowledged, done) = (&store, &acknowledged, &done);
            scope.spawn(move || {
                let id = id(&format!("p/w{writer}"));
                for time in 0.. {
                    if done.load(Ordering::SeqCst) {
                        return;
                    }
                    let definition = format!("[{writer},{time}]");
                    match store.change_worker_type(&id, &author(), &mut |_| Some(publish(&definition))) {
                        Ok(changed) => acknowledged.lock().unwrap().push((id.clone(), changed.unwrap().0)),
                        Err(StoreError::Unavailable { .. } | StoreError::OutcomeUnknown { .. }) => {
                            std::thread::sleep(Duration::from_millis(20));
                        }
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
        for _ in 0..2 {
            let before = acknowledged.lock().unwrap().len();
            while acknowledged.lock().unwrap().len() < before + 50 {
                std::thread::sleep(Duration::from_millis(5));
            }
            server.stop(true);
            server.restart();
        }
        let before = acknowledged.lock().unwrap().len();
        while acknowledged.lock().unwrap().len() < before + 50 {
            std::thread::sleep(Duration::from_millis(5));
        }
        done.store(true, Ordering::SeqCst);
    });
    for (id, record) in acknowledged.into_inner().unwrap() {
        let kept = store.revision(&id, record.last_revision).unwrap();
        assert_eq!(kept.as_ref(), Some(live(&record)));
    }
    let newest = store.feed().unwrap().newest;
    let revisions: u64 =
        store.load().unwrap().worker_types.iter().map(|record| u64::from(record.last_revision.0)).sum();
    assert_eq!(revisions, newest, "an event for each revision, and a revision for each event");
    assert!(store.events(0, usize::MAX).unwrap().iter().map(|event| event.sequence).eq(1..=newest));
    assert_eq!(crate::backend::count(&store, "revisions"), crate::backend::count(&store, "audit"));
}

#[test]
fn a_full_disk_is_unavailable_and_leaves_nothing() {
    let backend = crate::backend::Backend::sqlite();
    let store = backend.open();
    let (before, _) = change(&store, &id("p/w"), &publish("{}"));
    // SQLite's own limit stands for the disk's: https://www.sqlite.org/pragma.html#pragma_max_page_count
    crate::backend::execute(&store, "PRAGMA max_page_count = 1");
    let large = format!("[{}]", "1,".repeat(1_000_000));
    let error = store.change_worker_type(&id("p/w"), &author(), &mut |_| Some(publish(&large))).unwrap_err();
    assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
    assert!(error.to_string().contains("database or disk is full"), "{error}");
    assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(before));
    crate::backend::execute(&store, "PRAGMA max_page_count = 1000000");
    let (record, sequence) = change(&store, &id("p/w"), &publish(&large));
    assert_eq!((record.last_revision.0, sequence), (2, 2));
}

#[test]
fn a_database_that_is_away_is_unavailable_in_the_drivers_words() {
    let Some(server) = PrivateServer::start("store-away") else { return };
    let store = SqlStore::open(server.url(), &Options::default()).unwrap();
    server.stop(false);
    for failed in [
        store.ping(),
        store.load().map(drop),
        store.change_worker_type(&id("p/w"), &author(), &mut |_| Some(publish("{}"))).map(drop),
    ] {
        let error = failed.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
        assert!(error.to_string().contains("the database cannot be reached: connection to server at"), "{error}");
    }
}
