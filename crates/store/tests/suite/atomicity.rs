//! A change is there with its revision, its event and its audit row, or nothing of it is.

on_both! {
    a_decision_that_panics_leaves_nothing
    a_write_that_fails_last_leaves_nothing_of_a_worker_type
    a_write_that_fails_last_leaves_nothing_of_a_release
    a_decision_that_cannot_be_written_leaves_nothing
}

mod rules {
    use crate::backend::{Backend, count, execute};
    use crate::given::*;
    use registry::{Store, StoreError};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use store::SqlStore;

    const TABLES: [&str; 5] = ["worker_types", "revisions", "releases", "events", "audit"];

    fn rows(store: &SqlStore) -> [i64; 5] {
        TABLES.map(|table| count(store, table))
    }

    pub fn a_decision_that_panics_leaves_nothing(backend: &Backend) {
        let store = backend.open();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            store.change_worker_type(&id("p/w"), &author(), &mut |_| panic!("on purpose"))
        }));
        assert!(panicked.is_err());
        assert_eq!((rows(&store), store.feed().unwrap().newest), ([0; 5], 0));
        // Its lock went with it.
        let (record, sequence) = change(&store, &id("p/w"), &publish("{}"));
        assert_eq!((record.last_revision.0, sequence), (1, 1));
    }

    pub fn a_write_that_fails_last_leaves_nothing_of_a_worker_type(backend: &Backend) {
        let store = backend.open();
        let (before, _) = change(&store, &id("p/w"), &publish("[1]"));
        let audit_row = "INSERT INTO audit (sequence, kind, subject, caller, at) VALUES (2, 'x', 'x', 'x', 0)";
        execute(&store, audit_row);
        let there = rows(&store);
        for (worker_type, decided) in [("p/w", publish("[2]")), ("p/new", publish("[1]"))] {
            let failed = store.change_worker_type(&id(worker_type), &author(), &mut |_| Some(decided.clone()));
            assert!(matches!(failed, Err(StoreError::Failed { .. })), "{failed:?}");
            assert_eq!((rows(&store), store.feed().unwrap().newest), (there, 1));
        }
        assert_eq!(store.worker_type(&id("p/w")).unwrap(), Some(before));
        execute(&store, "DELETE FROM audit WHERE sequence = 2");
        assert_eq!(change(&store, &id("p/w"), &publish("[2]")).1, 2, "no number was used up");
    }

    pub fn a_write_that_fails_last_leaves_nothing_of_a_release(backend: &Backend) {
        let store = backend.open();
        execute(&store, "INSERT INTO audit (sequence, kind, subject, caller, at) VALUES (1, 'x', 'x', 'x', 0)");
        let failed = store.publish_release(&release("w@1", "{}"), &author());
        assert!(matches!(failed, Err(StoreError::Failed { .. })), "{failed:?}");
        assert_eq!((rows(&store), store.feed().unwrap().newest), ([0, 0, 0, 0, 1], 0));
        assert_eq!(store.release(&release_id("w@1")).unwrap(), None);
    }

    pub fn a_decision_that_cannot_be_written_leaves_nothing(backend: &Backend) {
        let store = backend.open();
        let failed = store.change_worker_type(&id("p/w"), &author(), &mut |_| Some(publish("\"\0\"")));
        assert!(matches!(&failed, Err(StoreError::NulCharacter { what }) if what == "the definition"), "{failed:?}");
        assert_eq!((rows(&store), store.feed().unwrap().newest), ([0; 5], 0));
    }
}
