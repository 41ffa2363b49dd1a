//! How fast the store is: `cargo bench -p store` prints figures, for PostgreSQL too if `WM_TEST_POSTGRES_URL` is set.
#![expect(clippy::unwrap_used, reason = "a measurement ends at the first failure")]

#[path = "../tests/suite/backend.rs"]
#[expect(dead_code, reason = "the suite uses more of it")]
mod backend;
#[path = "../tests/suite/given.rs"]
#[expect(dead_code, reason = "the suite uses more of it")]
mod given;

use backend::Backend;
use given::{author, change, id, publish};
use registry::Store;
use registry::{
    Export,
    store::{RevisionRecord, WorkerTypeState},
};
use std::time::Instant;

fn main() {
    measure("SQLite", &Backend::sqlite());
    if let Some(backend) = Backend::postgres() {
        measure("PostgreSQL", &backend);
    }
}

fn measure(name: &str, backend: &Backend) {
    const MANY: usize = 10_000;
    let store = backend.open();
    let definition = format!("{{\"documentation\": \"{}\"}}", "documentation ".repeat(6_000 / 14));
    let (template, _) = change(&store, &id("p/template"), &publish(&definition));
    let records: Vec<_> = (0..MANY)
        .map(|each| {
            let mut record = template.clone();
            record.id = id(&format!("q/w{each}"));
            let WorkerTypeState::Live { revision, .. } = &record.state else { unreachable!("it was published") };
            let revisions = vec![RevisionRecord::clone(revision)];
            Export::WorkerType { record, revisions }
        })
        .collect();
    let start = Instant::now();
    store.import(&records, &author()).unwrap();
    println!("{name}: import of {MANY} worker types of 6 kB: {:.2?}", start.elapsed());
    for _ in 0..3 {
        let start = Instant::now();
        assert_eq!(store.load().unwrap().worker_types.len(), MANY + 1);
        println!("{name}: load: {:.2?}", start.elapsed());
    }
    for writers in [1, 4, 8, 16] {
        const EACH: usize = 50;
        let start = Instant::now();
        std::thread::scope(|scope| {
            for writer in 0..writers {
                let (store, definition) = (&store, &definition);
                scope.spawn(move || {
                    (0..EACH).for_each(|_| drop(change(store, &id(&format!("q/w{writer}")), &publish(definition))));
                });
            }
        });
        let elapsed = start.elapsed();
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = (writers * EACH) as f64 / elapsed.as_secs_f64();
        println!("{name}: publish by {writers} writers: {rate:.0}/s, {:.2?} each", elapsed / EACH as u32);
    }
    for _ in 0..2 {
        let start = Instant::now();
        assert_eq!(store.events(5_000, 1_000).unwrap().len(), 1_000);
        println!("{name}: a page of 1000 events: {:.2?}", start.elapsed());
    }
    let start = Instant::now();
    store.history(&id("q/w0")).unwrap().unwrap();
    println!("{name}: a history of 201 revisions: {:.2?}", start.elapsed());
}
