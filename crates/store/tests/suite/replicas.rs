//! What keeps no replica from following: events that are gone, and what it cannot read.

on_both! {
    a_replica_that_compaction_overtook_reads_everything_anew
    a_replica_that_compaction_overtook_to_the_last_event_does_too
    a_definition_that_cannot_be_read_keeps_nobody_from_the_rest
    a_row_that_cannot_be_read_keeps_nobody_from_the_rest
    a_release_that_cannot_be_read_keeps_nobody_from_the_rest
    what_cannot_be_read_keeps_no_server_from_starting
    a_replica_whose_database_went_back_shows_what_is_there
    a_replica_whose_database_was_exchanged_shows_the_other
}

mod rules {
    use crate::backend::{Backend, execute};
    use crate::given::*;
    use registry::{FeedError, Precondition, Publish, ReadError, Registry, Settings, Store, StoreError, WriteContext};
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    use store::SqlStore;
    use worker_types::Caller;

    const DEFINITION: &str = "{\"description\":\"d\"}";
    const USER: &str = "{\"description\":\"d\",\"variants\":[{\"name\":\"a\",\"release\":\"w@1\"}]}";
    const RELEASE: &str = "{\"variants\":[{\"name\":\"a\",\"payloadSchema\":{\"type\":\"object\"}}]}";

    /// A replica, and what is written beside it.
    fn replica(backend: &Backend) -> (Arc<SqlStore>, Arc<Registry>) {
        let store = Arc::new(backend.open());
        let replica = Arc::new(Registry::open(store.clone(), Settings::default()).unwrap());
        (store, replica)
    }

    /// Lets it look for news, as every write does.
    fn catches_up(replica: &Arc<Registry>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (precondition, message, request_id) = (Some(Precondition::Any), None, None);
        let context = WriteContext { caller: Caller::unrestricted("operator"), precondition, message, request_id };
        let definition = serde_json::json!({"description": format!("{:?}", now())});
        let request = Publish { definition, ..Publish::default() };
        runtime.block_on(replica.publish(id("p/own"), request, context)).unwrap();
    }

    /// Lets it follow its database by itself.
    fn follows_until_it_shows(replica: &Arc<Registry>, name: &str) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let following = tokio::spawn(replica.clone().follow());
            let start = Instant::now();
            while replica.live(&id(name)).is_err() {
                assert!(start.elapsed() < Duration::from_secs(60), "it never heard of the change");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            following.abort();
        });
    }

    pub fn a_replica_that_compaction_overtook_reads_everything_anew(backend: &Backend) {
        let (store, replica) = replica(backend);
        let before = replica.snapshot().cursor();
        for name in ["p/a", "p/b"] {
            change(&*store, &id(name), &publish(DEFINITION));
        }
        store.compact_events(now(), 1).unwrap();
        catches_up(&replica);
        assert!(replica.live(&id("p/a")).is_ok() && replica.live(&id("p/b")).is_ok());
        assert_eq!(replica.snapshot().applied, 3);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let gone = runtime.block_on(replica.begin(Some(before)));
        assert!(matches!(gone, Err(FeedError::Gone)), "{gone:?}");
    }

    pub fn a_replica_that_compaction_overtook_to_the_last_event_does_too(backend: &Backend) {
        let (store, replica) = replica(backend);
        change(&*store, &id("p/a"), &publish(DEFINITION));
        store.compact_events(now(), 0).unwrap();
        follows_until_it_shows(&replica, "p/a");
        assert_eq!(replica.snapshot().applied, 1);
    }

    pub fn a_definition_that_cannot_be_read_keeps_nobody_from_the_rest(backend: &Backend) {
        let (store, replica) = replica(backend);
        change(&*store, &id("p/w"), &publish(DEFINITION));
        catches_up(&replica);
        change(&*store, &id("p/w"), &publish("{\"description\":\"later\"}"));
        execute(
            &store,
            "UPDATE revisions SET definition = '{\"theme\": 1}' WHERE worker_type_id = 'p/w' AND number = 2",
        );
        change(&*store, &id("p/after"), &publish(DEFINITION));
        catches_up(&replica);
        assert!(replica.live(&id("p/after")).is_ok(), "the rest is heard of");
        assert_eq!(replica.live(&id("p/w")).unwrap().record.last_revision, number(1), "it stays as it was");
        assert_eq!(replica.health().unreadable.into_iter().collect::<Vec<_>>(), [id("p/w")]);
    }

    /// As where a newer version has another kind of hash.
    pub fn a_row_that_cannot_be_read_keeps_nobody_from_the_rest(backend: &Backend) {
        let (store, replica) = replica(backend);
        change(&*store, &id("p/w"), &publish(DEFINITION));
        store.publish_release(&release("w@1", RELEASE), &author()).unwrap();
        execute(&store, "UPDATE revisions SET content_hash = 'later:1'");
        execute(&store, "UPDATE releases SET content_hash = 'later:1'");
        change(&*store, &id("p/after"), &publish(DEFINITION));
        catches_up(&replica);
        let started = Registry::open(store, Settings::default()).unwrap();
        for replica in [&*replica, &started] {
            assert!(replica.live(&id("p/after")).is_ok(), "the rest is heard of");
            assert_eq!(replica.health().unreadable.into_iter().collect::<Vec<_>>(), [id("p/w")]);
        }
    }

    pub fn a_release_that_cannot_be_read_keeps_nobody_from_the_rest(backend: &Backend) {
        let (store, replica) = replica(backend);
        store.publish_release(&release("w@1", RELEASE), &author()).unwrap();
        change(&*store, &id("p/user"), &publish(USER));
        execute(&store, "UPDATE releases SET content = '{\"theme\": 1}'");
        change(&*store, &id("p/after"), &publish(DEFINITION));
        catches_up(&replica);
        assert!(replica.live(&id("p/after")).is_ok(), "the rest is heard of");
        let without = replica.live(&id("p/user"));
        assert!(matches!(without, Err(ReadError::Store(StoreError::Corrupt { .. }))), "{without:?}");
    }

    pub fn what_cannot_be_read_keeps_no_server_from_starting(backend: &Backend) {
        let store = Arc::new(backend.open());
        change(&*store, &id("p/odd"), &publish(DEFINITION));
        store.publish_release(&release("w@1", RELEASE), &author()).unwrap();
        execute(&store, "UPDATE revisions SET definition = '{\"theme\": 1}'");
        execute(&store, "UPDATE releases SET content = '{\"theme\": 1}'");
        change(&*store, &id("p/w"), &publish(DEFINITION));
        let started = Registry::open(store, Settings::default()).unwrap();
        assert!(started.live(&id("p/w")).is_ok());
        assert!(matches!(started.live(&id("p/odd")), Err(ReadError::Store(StoreError::Corrupt { .. }))));
        assert_eq!(started.health().unreadable.into_iter().collect::<Vec<_>>(), [id("p/odd")]);
    }

    /// As after a standby took over that had not received the last two changes.
    fn goes_back(store: &SqlStore) {
        execute(
            store,
            "DELETE FROM events WHERE sequence > 1; DELETE FROM audit WHERE sequence > 1; UPDATE feed SET newest = 1; \
             DELETE FROM revisions WHERE worker_type_id <> 'p/a'; DELETE FROM worker_types WHERE id <> 'p/a'",
        );
    }

    pub fn a_replica_whose_database_went_back_shows_what_is_there(backend: &Backend) {
        let (store, replica) = replica(backend);
        for name in ["p/a", "p/b", "p/c"] {
            change(&*store, &id(name), &publish(DEFINITION));
        }
        catches_up(&replica);
        let before = replica.snapshot().cursor();
        assert_eq!(before.sequence, 4);
        goes_back(&store);
        // Its number in the feed is one that was used before.
        catches_up(&replica);
        let shown = ["p/a", "p/b", "p/c", "p/own"].map(|name| replica.live(&id(name)).is_ok());
        assert_eq!(shown, [true, false, false, true]);
        assert_eq!(replica.snapshot().applied, 2);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let gone = runtime.block_on(replica.begin(Some(before)));
        assert!(matches!(gone, Err(FeedError::Gone)), "{gone:?}");
        assert_eq!(replica.written(), replica.snapshot().cursor(), "a read after that write is one that can be had");
    }

    pub fn a_replica_whose_database_was_exchanged_shows_the_other(backend: &Backend) {
        let (store, replica) = replica(backend);
        for name in ["p/a", "p/b", "p/c"] {
            change(&*store, &id(name), &publish(DEFINITION));
        }
        catches_up(&replica);
        goes_back(&store);
        for name in ["p/d", "p/e", "p/f", "p/g"] {
            change(&*store, &id(name), &publish(DEFINITION));
        }
        store.start_feed_anew().unwrap();
        follows_until_it_shows(&replica, "p/g");
        assert!(replica.live(&id("p/b")).is_err(), "the other has none");
        assert_eq!(*replica.snapshot().epoch, store.feed().unwrap().epoch);
    }
}
