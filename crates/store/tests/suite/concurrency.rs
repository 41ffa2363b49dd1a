//! Writers at the same time lose nothing, and readers of the feed miss nothing.

on_both! {
    eight_writers_of_one_worker_type_lose_nothing
    eight_writers_of_many_worker_types_fill_the_feed_without_gaps
    a_reader_that_tails_the_feed_misses_nothing
}

mod rules {
    use crate::backend::{Backend, count};
    use crate::given::*;
    use registry::Store;
    use registry::store::Change;
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, Ordering};
    use store::SqlStore;

    const WRITERS: u32 = 8;
    const EACH: u32 = 25;
    const ALL: u32 = WRITERS * EACH;

    /// Each writer's work, all at the same time.
    fn write(work: impl Fn(u32, u32) + Sync) {
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let work = &work;
                scope.spawn(move || (0..EACH).for_each(|time| work(writer, time)));
            }
        });
    }

    fn events_match_the_audit(store: &SqlStore, expected: u32) {
        let events = store.events(0, usize::MAX).unwrap();
        assert!(events.iter().map(|event| event.sequence).eq(1..=u64::from(expected)), "dense and in order");
        let matching = "audit JOIN events ON audit.sequence = events.sequence AND audit.kind = events.kind \
                        AND audit.subject = COALESCE(events.worker_type_id, events.release_id)";
        assert_eq!((count(store, matching), count(store, "audit")), (i64::from(expected), i64::from(expected)));
        assert_eq!(store.feed().unwrap().newest, u64::from(expected));
    }

    pub fn eight_writers_of_one_worker_type_lose_nothing(backend: &Backend) {
        let store = backend.open();
        write(|writer, time| {
            let definition = format!("[{writer},{time}]");
            let changed = store.change_worker_type(&id("p/w"), &author(), &mut |current| {
                // What is decided is written to exactly what was seen.
                let last = current.map_or(0, |record| record.last_revision.0);
                Some(Change::Publish {
                    definition: definition.clone(),
                    content_hash: hash_of(&definition),
                    warnings: last.to_string(),
                    older: None,
                    rollback_of: None,
                    compatibility: None,
                })
            });
            let (record, _) = changed.unwrap().unwrap();
            assert_eq!(live(&record).warnings, (record.last_revision.0 - 1).to_string());
        });
        let (record, revisions) = store.history(&id("p/w")).unwrap().unwrap();
        assert_eq!((record.last_revision.0, record.generation.0), (ALL, u64::from(ALL)));
        assert!(revisions.iter().map(|revision| revision.revision.0).eq(1..=ALL));
        let written: BTreeSet<_> = revisions.into_iter().map(|revision| revision.definition).collect();
        assert_eq!(written.len(), ALL as usize, "each was written once");
        events_match_the_audit(&store, ALL);
    }

    pub fn eight_writers_of_many_worker_types_fill_the_feed_without_gaps(backend: &Backend) {
        let store = backend.open();
        write(|writer, time| match time % 5 {
            0 => drop(store.publish_release(&release(&format!("w@{writer}.{time}"), "{}"), &author()).unwrap()),
            _ => drop(change(&store, &id(&format!("p/w{}", (writer + time) % 10)), &publish("{}"))),
        });
        events_match_the_audit(&store, ALL);
        let loaded = store.load().unwrap();
        assert_eq!(loaded.releases.len(), (ALL / 5) as usize);
        let published: u32 = loaded.worker_types.iter().map(|record| record.last_revision.0).sum();
        assert_eq!(published, ALL - ALL / 5);
    }

    pub fn a_reader_that_tails_the_feed_misses_nothing(backend: &Backend) {
        let store = backend.open();
        // Another replica, where there can be one.
        let replica = if backend.is_postgres() { Some(backend.open()) } else { None };
        let reader = replica.as_ref().unwrap_or(&store);
        let done = AtomicBool::new(false);
        let seen = std::thread::scope(|scope| {
            let tail = scope.spawn(|| {
                let mut seen = 0;
                loop {
                    let was_done = done.load(Ordering::SeqCst);
                    let events = reader.events(seen, 7).unwrap();
                    for event in &events {
                        assert_eq!(event.sequence, seen + 1, "an event became visible after a later one");
                        seen = event.sequence;
                    }
                    if events.is_empty() && was_done {
                        return seen;
                    }
                }
            });
            write(|writer, time| drop(change(&store, &id(&format!("p/w{writer}-{time}")), &publish("{}"))));
            done.store(true, Ordering::SeqCst);
            tail.join().unwrap()
        });
        assert_eq!(seen, u64::from(ALL));
    }
}
