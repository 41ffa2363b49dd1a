//! Worker types change: numbers rise, nothing is lost, and whoever decides sees what is there.

on_both! {
    a_first_publish_is_revision_1_of_generation_1
    each_publish_is_the_next_revision_and_generation
    a_revision_keeps_what_was_said_about_it
    whoever_decides_sees_the_current_state
    no_decision_changes_nothing
    a_rollback_is_a_new_revision_that_names_the_old_one
    a_deleted_worker_type_leaves_a_tombstone
    a_revived_worker_type_goes_on_counting
    a_rollout_keeps_two_revisions_live
    a_rollout_ends_with_either_revision_live_alone
    nothing_that_is_not_live_is_deleted
    a_rollback_to_nothing_is_refused
    a_restart_finds_everything
}

mod rules {
    use crate::backend::{Backend, count};
    use crate::given::*;
    use registry::store::{Author, Change, WorkerTypeState};
    use registry::{Store, StoreError};
    use worker_types::{EventKind, Generation, RolloutEnd};

    pub fn a_first_publish_is_revision_1_of_generation_1(backend: &Backend) {
        let store = backend.open();
        let (record, sequence) = change(&store, &id("p/w"), &publish("{}"));
        assert_eq!((record.generation, record.last_revision, sequence), (Generation(1), number(1), 1));
        assert_eq!((live(&record).revision, live(&record).definition.as_str()), (number(1), "{}"));
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(record));
        assert_eq!(store.worker_type(&id("p/other")).unwrap(), None);
    }

    pub fn each_publish_is_the_next_revision_and_generation(backend: &Backend) {
        let store = backend.open();
        for expected in 1..=5 {
            let (record, sequence) = change(&store, &id("p/w"), &publish(&format!("[{expected}]")));
            assert_eq!((record.generation.0, record.last_revision.0), (u64::from(expected), expected));
            assert_eq!((live(&record).revision.0, sequence), (expected, u64::from(expected)));
        }
        let (other, _) = change(&store, &id("p/other"), &publish("{}"));
        assert_eq!((other.generation, other.last_revision), (Generation(1), number(1)));
    }

    pub fn a_revision_keeps_what_was_said_about_it(backend: &Backend) {
        let store = backend.open();
        let at = "2026-02-03T04:05:06.123456789Z".parse().unwrap();
        let author = Author { name: "bob".to_owned(), at, message: None, request_id: None };
        let decided = Change::Publish {
            definition: "{ }".to_owned(),
            content_hash: hash_of("x"),
            warnings: r#"[{"problem":"x"}]"#.to_owned(),
            older: None,
            rollback_of: None,
            compatibility: Some(r#"{ "verdict": "x" }"#.to_owned()),
        };
        let changed = store.change_worker_type(&id("p/w"), &author, &mut |_| Some(decided.clone()));
        let (record, _) = changed.unwrap().unwrap();
        let revision = store.revision(&id("p/w"), number(1)).unwrap().unwrap();
        assert_eq!(&revision, live(&record), "what is answered is what is read");
        assert_eq!(revision.published_at, "2026-02-03T04:05:06.123456Z".parse().unwrap(), "microseconds are kept");
        assert_eq!((revision.published_by.as_str(), revision.message), ("bob", None));
        assert_eq!(revision.compatibility.as_deref(), Some(r#"{ "verdict": "x" }"#));
        assert_eq!((revision.content_hash, revision.warnings.as_str()), (hash_of("x"), r#"[{"problem":"x"}]"#));
    }

    pub fn whoever_decides_sees_the_current_state(backend: &Backend) {
        let store = backend.open();
        let decide = |expected: Option<u32>| {
            let mut seen = None;
            let changed = store.change_worker_type(&id("p/w"), &author(), &mut |current| {
                seen = Some(current.cloned());
                Some(publish("{}"))
            });
            let seen = seen.unwrap();
            assert_eq!(seen.as_ref().map(|record| record.last_revision.0), expected);
            (seen, changed.unwrap().unwrap().0)
        };
        let (nothing, first) = decide(None);
        assert_eq!(nothing, None);
        let (seen, _) = decide(Some(1));
        assert_eq!(seen, Some(first));
    }

    pub fn no_decision_changes_nothing(backend: &Backend) {
        let store = backend.open();
        assert_eq!(store.change_worker_type(&id("p/w"), &author(), &mut |_| None).unwrap(), None);
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), None);
        let (before, _) = change(&store, &id("p/w"), &publish("{}"));
        assert_eq!(store.change_worker_type(&id("p/w"), &author(), &mut |_| None).unwrap(), None);
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(before));
        assert_eq!((store.feed().unwrap().newest, count(&store, "audit")), (1, 1));
    }

    pub fn a_rollback_is_a_new_revision_that_names_the_old_one(backend: &Backend) {
        let store = backend.open();
        change(&store, &id("p/w"), &publish("[1]"));
        change(&store, &id("p/w"), &publish("[2]"));
        let (record, sequence) = change(&store, &id("p/w"), &roll_back("[1]", 1));
        assert_eq!((record.generation.0, record.last_revision.0), (3, 3));
        assert_eq!(live(&record).rollback_of, Some(number(1)));
        let events = store.events(sequence - 1, 10).unwrap();
        assert_eq!(events[0].kind, EventKind::WorkerTypeRolledBack);
    }

    pub fn a_deleted_worker_type_leaves_a_tombstone(backend: &Backend) {
        let store = backend.open();
        change(&store, &id("p/w"), &publish("[1]"));
        change(&store, &id("p/w"), &publish("[2]"));
        let author = author();
        let deleted = store.change_worker_type(&id("p/w"), &author, &mut |_| Some(Change::Delete));
        let (record, event) = deleted.unwrap().unwrap();
        assert_eq!((record.generation.0, record.last_revision.0), (3, 2));
        assert_eq!(record.state, WorkerTypeState::Deleted { at: author.at, by: author.name });
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(record));
        assert_eq!(store.events(event.sequence - 1, 10).unwrap(), std::slice::from_ref(&event));
        assert_eq!((event.kind, event.generation), (EventKind::WorkerTypeDeleted, Some(Generation(3))));
        assert_eq!(event.revision, Some(number(2)), "the tombstone's last");
        assert_eq!(store.revisions(&id("p/w"), None, 10).unwrap().len(), 2, "history stays");
    }

    pub fn a_revived_worker_type_goes_on_counting(backend: &Backend) {
        let store = backend.open();
        change(&store, &id("p/w"), &publish("[1]"));
        change(&store, &id("p/w"), &Change::Delete);
        let (record, _) = change(&store, &id("p/w"), &publish("[2]"));
        assert_eq!((record.generation.0, record.last_revision.0, live(&record).revision.0), (3, 2, 2));
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(record));
    }

    pub fn a_rollout_keeps_two_revisions_live(backend: &Backend) {
        let store = backend.open();
        change(&store, &id("p/w"), &publish("[1]"));
        let (record, _) = change(&store, &id("p/w"), &roll_out("[2]", 1));
        assert_eq!((live(&record).revision.0, older(&record).unwrap().definition.as_str()), (2, "[1]"));
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(record.clone()));
        assert_eq!(store.load().unwrap().worker_types, [record]);
        let (record, _) = change(&store, &id("p/w"), &publish("[3]"));
        assert_eq!((live(&record).revision.0, older(&record)), (3, None));
        let refused = store.change_worker_type(&id("p/w"), &author(), &mut |_| Some(roll_out("[4]", 9)));
        assert!(matches!(refused, Err(StoreError::Failed { message }) if message.contains("no revision 9")));
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(record));
    }

    pub fn a_rollout_ends_with_either_revision_live_alone(backend: &Backend) {
        let store = backend.open();
        for (name, end, kind, stays) in [
            ("p/w", RolloutEnd::Completed, EventKind::RolloutCompleted, 2),
            ("p/x", RolloutEnd::Aborted, EventKind::RolloutAborted, 1),
        ] {
            change(&store, &id(name), &publish("[1]"));
            let none = store.change_worker_type(&id(name), &author(), &mut |_| Some(Change::EndRollout(end)));
            assert!(matches!(none, Err(StoreError::Failed { message }) if message.contains("none is open")));
            let (_, started) = change(&store, &id(name), &roll_out("[2]", 1));
            let (record, ended) = change(&store, &id(name), &Change::EndRollout(end));
            assert_eq!((live(&record).revision.0, older(&record)), (stays, None));
            assert_eq!((record.generation, record.last_revision), (Generation(3), number(2)));
            assert_eq!(store.worker_type(&id(name)).unwrap(), Some(record));
            let events = store.events(started - 1, 10).unwrap();
            assert_eq!((events[0].kind, events[0].revision), (EventKind::RolloutStarted, Some(number(2))));
            assert_eq!((events[1].kind, events[1].revision), (kind, Some(number(stays))));
            assert_eq!((ended, events[1].generation), (started + 1, Some(Generation(3))));
            assert_eq!(store.revisions(&id(name), None, 10).unwrap().len(), 2, "both stay in the history");
            let (record, _) = change(&store, &id(name), &publish("[3]"));
            assert_eq!((live(&record).revision.0, record.generation.0), (3, 4), "numbering goes on");
        }
    }

    pub fn nothing_that_is_not_live_is_deleted(backend: &Backend) {
        let store = backend.open();
        let delete = || store.change_worker_type(&id("p/w"), &author(), &mut |_| Some(Change::Delete));
        assert!(matches!(delete(), Err(StoreError::Failed { .. })));
        change(&store, &id("p/w"), &publish("[1]"));
        delete().unwrap();
        assert!(matches!(delete(), Err(StoreError::Failed { .. })));
        assert_eq!((store.feed().unwrap().newest, count(&store, "audit")), (2, 2));
    }

    pub fn a_rollback_to_nothing_is_refused(backend: &Backend) {
        let store = backend.open();
        let (before, _) = change(&store, &id("p/w"), &publish("[1]"));
        for nothing in [2, 7] {
            let refused = store.change_worker_type(&id("p/w"), &author(), &mut |_| Some(roll_back("[1]", nothing)));
            assert!(matches!(refused, Err(StoreError::Failed { .. })), "{refused:?}");
        }
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(before));
        assert_eq!((count(&store, "revisions"), count(&store, "events"), count(&store, "audit")), (1, 1, 1));
    }

    pub fn a_restart_finds_everything(backend: &Backend) {
        let store = backend.open();
        change(&store, &id("p/w"), &publish("[1]"));
        change(&store, &id("p/x"), &publish("[1]"));
        change(&store, &id("p/x"), &Change::Delete);
        let before = store.load().unwrap();
        drop(store);
        let store = backend.open();
        let after = store.load().unwrap();
        assert_eq!((after.worker_types, after.feed), (before.worker_types, before.feed));
        let (record, sequence) = change(&store, &id("p/x"), &publish("[2]"));
        assert_eq!((record.last_revision.0, sequence), (2, 4));
    }
}
