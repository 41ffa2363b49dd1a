//! Export and import: the identity, twice the same, all or nothing.

on_both! {
    an_import_makes_the_same_registry
    an_import_is_the_identity_from_the_other_backend
    an_import_again_changes_nothing
    an_import_joins_what_is_there
    each_imported_record_has_an_event_and_an_audit_row
    a_record_that_differs_refuses_the_whole
    a_record_that_contradicts_itself_refuses_the_whole
}

mod rules {
    use crate::backend::{Backend, count};
    use crate::given::*;
    use registry::store::{Change, WorkerTypeState};
    use registry::{Export, Store, StoreError};
    use store::SqlStore;
    use worker_types::EventKind;

    /// Of everything that can be: live, rolled back, in a rollout, deleted, revived; releases.
    fn fill(store: &SqlStore) {
        for each in ["p/live", "p/back", "p/rollout", "p/dead", "p/revived"] {
            change(store, &id(each), &publish(&format!("{{ \"name\": \"{each}\" }}")));
            change(store, &id(each), &publish("[2]"));
        }
        change(store, &id("p/back"), &roll_back("[1]", 1));
        change(store, &id("p/rollout"), &roll_out("[3]", 2));
        change(store, &id("p/dead"), &Change::Delete);
        change(store, &id("p/revived"), &Change::Delete);
        change(store, &id("p/revived"), &publish("[4]"));
        store.publish_release(&release("w@1.0.0", "{ }"), &author()).unwrap();
        store.publish_release(&release("w@2.0.0", "{  }"), &author()).unwrap();
    }

    fn export(store: &SqlStore) -> Vec<Export> {
        let loaded = store.load().unwrap();
        let releases = loaded.releases.into_iter().map(Export::Release);
        let worker_types = loaded.worker_types.into_iter().map(|record| {
            let (record, revisions) = store.history(&record.id).unwrap().unwrap();
            Export::WorkerType { record, revisions }
        });
        releases.chain(worker_types).collect()
    }

    fn filled() -> Vec<Export> {
        let backend = Backend::sqlite();
        let store = backend.open();
        fill(&store);
        export(&store)
    }

    fn same(backend: &Backend) -> Backend {
        if backend.is_postgres() { Backend::postgres().unwrap() } else { Backend::sqlite() }
    }

    fn nothing_is_there(store: &SqlStore) {
        for table in ["worker_types", "revisions", "releases", "events", "audit"] {
            assert_eq!(count(store, table), 0, "{table}");
        }
        assert_eq!(store.feed().unwrap().newest, 0);
    }

    pub fn an_import_makes_the_same_registry(backend: &Backend) {
        let from = backend.open();
        fill(&from);
        let records = export(&from);
        let other = same(backend);
        let to = other.open();
        assert_eq!(to.import(&records, &author()).unwrap(), (Some(7), 7));
        assert_eq!(export(&to), records);
        let (from, to) = (from.load().unwrap(), to.load().unwrap());
        assert_eq!((from.worker_types, from.releases), (to.worker_types, to.releases));
        assert_ne!(from.feed.epoch, to.feed.epoch, "a cursor of one is none of the other");
    }

    pub fn an_import_is_the_identity_from_the_other_backend(backend: &Backend) {
        let from = backend.open();
        fill(&from);
        let records = export(&from);
        let Some(other) = (if backend.is_postgres() { Some(Backend::sqlite()) } else { Backend::postgres() }) else {
            return;
        };
        let to = other.open();
        to.import(&records, &author()).unwrap();
        assert_eq!(export(&to), records);
    }

    pub fn an_import_again_changes_nothing(backend: &Backend) {
        let store = backend.open();
        let records = filled();
        store.import(&records, &author()).unwrap();
        let before = store.load().unwrap().feed;
        assert_eq!(store.import(&records, &author()).unwrap(), (None, 0));
        assert_eq!(store.load().unwrap().feed, before);
        assert_eq!(store.import(&[], &author()).unwrap(), (None, 0));
        assert_eq!(export(&store), records);
    }

    pub fn an_import_joins_what_is_there(backend: &Backend) {
        let store = backend.open();
        change(&store, &id("a/own"), &publish("{}"));
        let records = filled();
        let twice: Vec<_> = records.iter().chain(&records).cloned().collect();
        assert_eq!(store.import(&twice, &author()).unwrap(), (Some(8), 7));
        assert_eq!(store.load().unwrap().worker_types.len(), 6);
        let (record, _) = change(&store, &id("p/dead"), &publish("[3]"));
        assert_eq!((record.last_revision.0, record.generation.0), (3, 4), "numbering goes on where it was");
    }

    pub fn each_imported_record_has_an_event_and_an_audit_row(backend: &Backend) {
        let store = backend.open();
        store.import(&filled(), &author()).unwrap();
        let events = store.events(0, 100).unwrap();
        assert!(events.iter().map(|event| event.sequence).eq(1..=7));
        assert_eq!((count(&store, "audit WHERE caller = 'ann'"), count(&store, "audit")), (7, 7));
        let of = |worker_type: &str| {
            let event = events.iter().find(|event| event.worker_type_id == Some(id(worker_type))).unwrap();
            (event.kind, event.generation.unwrap().0, event.revision.unwrap().0)
        };
        assert_eq!(of("p/live"), (EventKind::WorkerTypePublished, 2, 2));
        assert_eq!(of("p/back"), (EventKind::WorkerTypeRolledBack, 3, 3));
        assert_eq!(of("p/rollout"), (EventKind::RolloutStarted, 3, 3));
        assert_eq!(of("p/dead"), (EventKind::WorkerTypeDeleted, 3, 2));
        assert_eq!(events.iter().filter(|event| event.kind == EventKind::ReleasePublished).count(), 2);
    }

    pub fn a_record_that_differs_refuses_the_whole(backend: &Backend) {
        let records = filled();
        for (there, name) in [(publish("{}"), "p/dead"), (publish("{}"), "p/live")] {
            let other = same(backend);
            let store = other.open();
            let (before, _) = change(&store, &id(name), &there);
            let refused = store.import(&records, &author());
            assert!(
                matches!(&refused, Err(StoreError::ImportConflict(message)) if message.contains(name)),
                "{refused:?}"
            );
            assert_eq!(store.load().unwrap().worker_types, [before]);
            assert_eq!((count(&store, "revisions"), count(&store, "releases"), count(&store, "events")), (1, 0, 1));
        }
        let store = backend.open();
        store.publish_release(&release("w@2.0.0", "{}"), &author()).unwrap();
        let refused = store.import(&records, &author());
        assert!(matches!(&refused, Err(StoreError::ImportConflict(message)) if message.contains("w@2.0.0")));
        assert_eq!((count(&store, "worker_types"), count(&store, "releases")), (0, 1));
    }

    pub fn a_record_that_contradicts_itself_refuses_the_whole(backend: &Backend) {
        let store = backend.open();
        let spoil: [fn(&mut Export); 6] = [
            |export| with(export, |_, revisions| drop(revisions.remove(0))),
            |export| with(export, |_, revisions| revisions.reverse()),
            |export| with(export, |record, _| record.last_revision = number(9)),
            |export| with(export, |_, revisions| revisions.last_mut().unwrap().definition.push(' ')),
            |export| with(export, |_, revisions| revisions[0].rollback_of = Some(number(1))),
            |export| {
                with(export, |record, _| {
                    let WorkerTypeState::Live { older, .. } = &mut record.state else { panic!("it is live") };
                    std::sync::Arc::make_mut(older.as_mut().unwrap()).definition.push(' ');
                });
            },
        ];
        for spoil in spoil {
            let mut records = filled();
            let rollout = records
                .iter_mut()
                .find(|record| matches!(record, Export::WorkerType { record, .. } if record.id == id("p/rollout")));
            spoil(rollout.unwrap());
            let refused = store.import(&records, &author());
            assert!(matches!(&refused, Err(StoreError::ImportConflict(message)) if message.contains("p/rollout")));
            nothing_is_there(&store);
        }
    }

    fn with(
        export: &mut Export,
        spoil: impl FnOnce(&mut registry::store::WorkerTypeRecord, &mut Vec<registry::store::RevisionRecord>),
    ) {
        match export {
            Export::WorkerType { record, revisions } => spoil(record, revisions),
            Export::Release(_) => panic!("a worker type is meant"),
        }
    }
}
