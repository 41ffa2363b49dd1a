//! The servers that say that they are there, and what the status asks of the database.

on_both! {
    who_says_so_is_there_and_who_does_not_is_forgotten
    a_glance_shows_the_feed_and_what_changed_last_and_by_whom
}

mod rules {
    use crate::backend::{Backend, count, execute};
    use crate::given::*;
    use registry::Store;
    use registry::store::{Change, Glance, ReplicaReport};
    use std::time::Duration;
    use worker_types::{EventKind, RolloutEnd};

    const MINUTE: Duration = Duration::from_secs(60);
    const DAY: Duration = Duration::from_secs(24 * 3600);

    fn report(id: &str, applied: u64) -> ReplicaReport {
        let (name, version) = (format!("host-{id}:8080"), "1.2.3".to_owned());
        ReplicaReport { id: id.to_owned(), name, version, started_at: now(), applied }
    }

    fn ids(glance: &Glance) -> Vec<&str> {
        glance.replicas.iter().map(|replica| replica.report.id.as_str()).collect()
    }

    pub fn who_says_so_is_there_and_who_does_not_is_forgotten(backend: &Backend) {
        let store = backend.open();
        let (first, second) = (report("a", 0), report("b", 7));
        for said in [&first, &second, &first, &second] {
            store.report_replica(said, DAY).unwrap();
        }
        let glance = store.glance(0, MINUTE).unwrap();
        if !backend.is_postgres() {
            // One process at a time has a SQLite file: the earlier row is of one that is gone.
            assert_eq!(ids(&glance), ["b"]);
            return;
        }
        assert_eq!(ids(&glance), ["a", "b"], "in the order in which they started");
        assert_eq!(glance.replicas[1].report, second);
        let age = glance.at.duration_since(glance.replicas[1].seen_at);
        assert!(age.as_secs() < 50 && !age.is_negative(), "{age}");

        execute(&store, "UPDATE replicas SET seen_at = seen_at - 61000000 WHERE id = 'a'");
        assert_eq!(ids(&store.glance(0, MINUTE).unwrap()), ["b"], "silent for a minute: not shown");
        store.report_replica(&second, DAY).unwrap();
        assert_eq!(count(&store, "replicas"), 2);
        execute(&store, "UPDATE replicas SET seen_at = seen_at - 86400000000 WHERE id = 'a'");
        store.report_replica(&second, DAY).unwrap();
        assert_eq!(count(&store, "replicas"), 1, "silent for a day: forgotten");

        store.report_replica(&ReplicaReport { applied: 9, ..second }, DAY).unwrap();
        assert_eq!(store.glance(0, MINUTE).unwrap().replicas[0].report.applied, 9);
    }

    pub fn a_glance_shows_the_feed_and_what_changed_last_and_by_whom(backend: &Backend) {
        let store = backend.open();
        let one = id("p/one");
        change(&store, &one, &publish("1"));
        change(&store, &one, &roll_out("2", 1));
        change(&store, &one, &Change::EndRollout(RolloutEnd::Completed));
        change(&store, &one, &roll_back("1", 1));
        store.publish_release(&release("w@1", "{}"), &author()).unwrap();
        change(&store, &one, &Change::Delete);
        let glance = store.glance(4, MINUTE).unwrap();
        assert_eq!(glance.feed, store.feed().unwrap());
        let shown: Vec<_> = glance.changes.iter().map(|(event, by)| (event.sequence, event.kind, by.clone())).collect();
        let by = Some(author().name);
        let kinds = [
            EventKind::WorkerTypeDeleted,
            EventKind::ReleasePublished,
            EventKind::WorkerTypeRolledBack,
            EventKind::RolloutCompleted,
        ];
        assert_eq!(
            shown,
            [6, 5, 4, 3].into_iter().zip(kinds).map(|(at, kind)| (at, kind, by.clone())).collect::<Vec<_>>()
        );
        assert!(glance.bytes.is_some_and(|bytes| bytes > 4_096), "{:?}", glance.bytes);
        assert!(store.kind() == if backend.is_postgres() { "PostgreSQL" } else { "SQLite" });
    }
}
