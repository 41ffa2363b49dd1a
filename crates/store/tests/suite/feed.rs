//! The change feed: its bounds, its pages, and what it forgets.

on_both! {
    an_empty_feed_begins_at_zero
    a_database_has_an_epoch_of_its_own
    events_come_in_pages
    compaction_by_number_keeps_the_newest
    compaction_by_age_keeps_what_is_young
    compaction_leaves_no_holes_whatever_the_clocks_say
    compaction_never_goes_back
    the_audit_outlives_the_feed
    the_audit_tells_of_changes_in_commit_order_whatever_the_clocks_say
    a_change_that_only_a_newer_version_knows_stops_no_replica
}

mod rules {
    use crate::backend::{Backend, count, execute};
    use crate::given::*;
    use jiff::{Timestamp, ToSpan};
    use registry::store::{Author, Change};
    use registry::{EventFilter, Precondition, Publish, Registry, Settings, Store, WriteContext};
    use std::sync::Arc;
    use store::SqlStore;
    use worker_types::{Caller, EventKind, Generation, RolloutEnd};

    fn sequences(store: &SqlStore, after: u64, limit: usize) -> Vec<u64> {
        store.events(after, limit).unwrap().into_iter().map(|event| event.sequence).collect()
    }

    fn publish_at(store: &SqlStore, at: Timestamp) {
        let author = Author { at, ..author() };
        store.change_worker_type(&id("p/w"), &author, &mut |_| Some(publish("{}"))).unwrap();
    }

    fn day(day: i64) -> Timestamp {
        "2026-01-01T00:00:00Z".parse::<Timestamp>().unwrap() + (24 * day).hours()
    }

    pub fn an_empty_feed_begins_at_zero(backend: &Backend) {
        let feed = backend.open().feed().unwrap();
        assert_eq!((feed.newest, feed.compacted), (0, 0));
        assert!(!feed.epoch.is_empty());
    }

    /// A newer version in the same fleet writes what this one has no word for.
    pub fn a_change_that_only_a_newer_version_knows_stops_no_replica(backend: &Backend) {
        let store = Arc::new(backend.open());
        let replica = Arc::new(Registry::open(store.clone(), Settings::default()).unwrap());
        let start = replica.snapshot().cursor();
        change(&*store, &id("p/w"), &publish("{\"description\":\"d\"}"));
        execute(
            &store,
            "UPDATE feed SET newest = newest + 2; \
             INSERT INTO events (sequence, kind, worker_type_id, generation, revision, at) \
             VALUES (2, 'worker-type-renamed', 'p/w', 1, 1, 0); \
             INSERT INTO events (sequence, kind, worker_type_id, generation, revision, at) \
             VALUES (3, 'worker-type-blessed', 'p/w', 1, 1, 0);",
        );
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let caller = Caller::unrestricted("operator");
        let (precondition, message, request_id) = (Some(Precondition::Any), None, None);
        let context = WriteContext { caller, precondition, message, request_id };
        let request = Publish { definition: serde_json::json!({"description": "after"}), ..Publish::default() };
        runtime.block_on(replica.publish(id("p/after"), request, context)).unwrap();
        assert_eq!(replica.snapshot().applied, 4, "the replica follows on");
        assert!(replica.live(&id("p/w")).is_ok() && replica.live(&id("p/after")).is_ok());
        let stretch = runtime.block_on(replica.events_after(&start, &EventFilter::default(), 10)).unwrap();
        let events: Vec<_> = stretch.events.iter().map(|entry| &entry.event).collect();
        let kinds: Vec<_> = events.iter().map(|event| event.kind.as_str()).collect();
        assert_eq!(kinds, ["worker-type-published", "unknown", "unknown", "worker-type-published"]);
        assert_eq!((&events[1].worker_type_id, &events[2].worker_type_id), (&Some(id("p/w")), &Some(id("p/w"))));
        assert_eq!(Registry::open(store, Settings::default()).unwrap().snapshot().applied, 4);
    }

    pub fn a_database_has_an_epoch_of_its_own(backend: &Backend) {
        let epoch = backend.open().feed().unwrap().epoch;
        assert_eq!(backend.open().feed().unwrap().epoch, epoch);
        let other = Backend::sqlite().open().feed().unwrap().epoch;
        assert_ne!(other, epoch);
    }

    pub fn events_come_in_pages(backend: &Backend) {
        let store = backend.open();
        let author = author();
        store.change_worker_type(&id("p/w"), &author, &mut |_| Some(publish("{}"))).unwrap();
        (0..4).for_each(|_| drop(change(&store, &id("p/w"), &publish("{}"))));
        assert_eq!(sequences(&store, 0, 2), [1, 2]);
        assert_eq!(sequences(&store, 2, 2), [3, 4]);
        assert_eq!(sequences(&store, 4, 2), [5]);
        assert!(sequences(&store, 5, 2).is_empty());
        assert!(sequences(&store, u64::MAX, 2).is_empty());
        let first = store.events(0, 1).unwrap().remove(0);
        assert_eq!((first.kind, first.worker_type_id), (EventKind::WorkerTypePublished, Some(id("p/w"))));
        assert_eq!((first.generation, first.revision, first.at), (Some(Generation(1)), Some(number(1)), author.at));
    }

    pub fn compaction_by_number_keeps_the_newest(backend: &Backend) {
        let store = backend.open();
        (0..10).for_each(|_| drop(change(&store, &id("p/w"), &publish("{}"))));
        assert_eq!(store.compact_events(Timestamp::UNIX_EPOCH, 3).unwrap(), 7);
        assert_eq!(sequences(&store, 0, 100), [8, 9, 10]);
        assert_eq!((store.feed().unwrap().newest, store.feed().unwrap().compacted), (10, 7));
        assert_eq!(store.compact_events(Timestamp::UNIX_EPOCH, 3).unwrap(), 0);
        assert_eq!(store.compact_events(Timestamp::UNIX_EPOCH, 0).unwrap(), 3);
        assert_eq!((store.feed().unwrap().newest, store.feed().unwrap().compacted), (10, 10));
        assert_eq!(change(&store, &id("p/w"), &publish("{}")).1, 11, "numbering goes on");
    }

    pub fn compaction_by_age_keeps_what_is_young(backend: &Backend) {
        let store = backend.open();
        (1..=5).for_each(|each| publish_at(&store, day(each)));
        assert_eq!(store.compact_events(day(3), 1_000).unwrap(), 2);
        assert_eq!(sequences(&store, 0, 100), [3, 4, 5]);
        assert_eq!(store.compact_events(day(9), 1_000).unwrap(), 3);
        assert_eq!(store.feed().unwrap().compacted, 5);
    }

    pub fn compaction_leaves_no_holes_whatever_the_clocks_say(backend: &Backend) {
        let store = backend.open();
        [1, 5, 2, 6, 3].into_iter().for_each(|each| publish_at(&store, day(each)));
        assert_eq!(store.compact_events(day(4), 1_000).unwrap(), 1);
        assert_eq!(sequences(&store, 0, 100), [2, 3, 4, 5]);
    }

    pub fn compaction_never_goes_back(backend: &Backend) {
        let store = backend.open();
        assert_eq!(store.compact_events(day(9), 0).unwrap(), 0);
        (1..=5).for_each(|each| publish_at(&store, day(each)));
        store.compact_events(day(0), 1).unwrap();
        assert_eq!(store.compact_events(day(3), 1_000).unwrap(), 0);
        assert_eq!((sequences(&store, 0, 100), store.feed().unwrap().compacted), (vec![5], 4));
    }

    pub fn the_audit_outlives_the_feed(backend: &Backend) {
        let store = backend.open();
        (0..4).for_each(|_| drop(change(&store, &id("p/w"), &publish("{}"))));
        store.compact_events(Timestamp::UNIX_EPOCH, 1).unwrap();
        let told = "audit WHERE kind = 'worker-type-published' AND subject = 'p/w' AND caller = 'ann' \
                    AND message = 'because' AND request_id = 'r-1'";
        assert_eq!((count(&store, "events"), count(&store, told)), (1, 4));
    }

    pub fn the_audit_tells_of_changes_in_commit_order_whatever_the_clocks_say(backend: &Backend) {
        let store = backend.open();
        let at = |number: i64, change: &Change| {
            let author = Author { at: day(number), message: Some(format!("day {number}")), ..author() };
            store.change_worker_type(&id("p/w"), &author, &mut |_| Some(change.clone())).unwrap().unwrap();
        };
        at(10, &publish("[1]"));
        at(20, &roll_out("[2]", 1));
        // By a replica whose clock is behind.
        at(5, &Change::EndRollout(RolloutEnd::Aborted));
        at(40, &roll_out("[3]", 1));
        at(30, &roll_back("[1]", 1));
        at(60, &Change::Delete);
        change(&store, &id("p/other"), &publish("[1]"));
        store.compact_events(day(70), 0).unwrap();
        let steps = |from, until: Option<i64>| store.steps(&id("p/w"), day(from), until.map(day)).unwrap();
        let found = |from, until| steps(from, until).into_iter().map(|step| step.kind.as_str()).collect::<Vec<_>>();
        let all = [
            "worker-type-published",
            "rollout-started",
            "rollout-aborted",
            "rollout-started",
            "worker-type-rolled-back",
            "worker-type-deleted",
        ];
        assert_eq!(found(10, None), all);
        assert_eq!(found(20, Some(30)), all[1..5]);
        assert_eq!(found(40, Some(30)), all[3..5]);
        assert_eq!(found(11, Some(12)), all, "nothing was published then");
        let aborted = &steps(20, Some(40))[1];
        assert_eq!((aborted.at, aborted.by.as_str(), aborted.message.as_deref()), (day(5), "ann", Some("day 5")));
    }
}
