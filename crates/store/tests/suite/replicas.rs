//! What keeps no replica from following: events that are gone, and what it cannot read.

on_both! {
    a_replica_that_compaction_overtook_reads_everything_anew
    a_replica_that_compaction_overtook_to_the_last_event_does_too
    a_definition_that_cannot_be_read_keeps_nobody_from_the_rest
}

mod rules {
    use crate::backend::{Backend, execute};
    use crate::given::*;
    use registry::{FeedError, Precondition, Publish, Registry, Settings, Store, WriteContext};
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    use store::SqlStore;
    use worker_types::Caller;

    const DEFINITION: &str = "{\"description\":\"d\"}";

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
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let following = replica.clone();
        runtime.block_on(async {
            let following = tokio::spawn(following.follow());
            let start = Instant::now();
            while replica.live(&id("p/a")).is_err() {
                assert!(start.elapsed() < Duration::from_secs(60), "it never heard of the change");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            following.abort();
        });
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
}
