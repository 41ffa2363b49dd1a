//! Reading: pages of history, and everything at once.

on_both! {
    revisions_come_newest_first_in_pages
    a_history_comes_oldest_first
    load_is_the_sum_of_all_reads
    ids_sort_by_their_bytes
    the_database_answers
}

mod rules {
    use crate::backend::Backend;
    use crate::given::*;
    use registry::Store;
    use registry::store::{Change, RevisionRecord};

    fn numbers(revisions: &[RevisionRecord]) -> Vec<u32> {
        revisions.iter().map(|revision| revision.revision.0).collect()
    }

    pub fn revisions_come_newest_first_in_pages(backend: &Backend) {
        let store = backend.open();
        (1..=5).for_each(|each| drop(change(&store, &id("p/w"), &publish(&format!("[{each}]")))));
        change(&store, &id("p/x"), &publish("[]"));
        let page =
            |before: Option<u32>, limit| numbers(&store.revisions(&id("p/w"), before.map(number), limit).unwrap());
        assert_eq!(page(None, 2), [5, 4]);
        assert_eq!(page(Some(4), 2), [3, 2]);
        assert_eq!(page(Some(2), 2), [1]);
        assert!(page(Some(1), 2).is_empty());
        assert_eq!(page(None, usize::MAX), [5, 4, 3, 2, 1]);
        assert_eq!(store.revisions(&id("p/none"), None, 10).unwrap(), []);
        assert_eq!(store.revision(&id("p/w"), number(3)).unwrap().unwrap().definition, "[3]");
        assert_eq!(store.revision(&id("p/w"), number(6)).unwrap(), None);
    }

    pub fn a_history_comes_oldest_first(backend: &Backend) {
        let store = backend.open();
        (1..=3).for_each(|each| drop(change(&store, &id("p/w"), &publish(&format!("[{each}]")))));
        let (deleted, _) = change(&store, &id("p/w"), &Change::Delete);
        let (record, revisions) = store.history(&id("p/w")).unwrap().unwrap();
        assert_eq!((record, numbers(&revisions)), (deleted, vec![1, 2, 3]));
        assert_eq!(store.history(&id("p/none")).unwrap(), None);
    }

    pub fn load_is_the_sum_of_all_reads(backend: &Backend) {
        let store = backend.open();
        let ids: Vec<_> = (0..40).map(|each| id(&format!("p/w{each:02}"))).collect();
        for (each, id) in ids.iter().enumerate() {
            (0..=each % 3).for_each(|times| drop(change(&store, id, &publish(&format!("[{each},{times}]")))));
            match each % 4 {
                0 => drop(change(&store, id, &Change::Delete)),
                1 => drop(change(&store, id, &roll_out("{}", 1))),
                _ => {}
            }
        }
        let releases = [release("w@1", "{}"), release("a@2", "[]")];
        releases.iter().for_each(|each| drop(store.publish_release(each, &author()).unwrap()));
        let loaded = store.load().unwrap();
        let one_by_one: Vec<_> = ids.iter().map(|id| store.worker_type(id).unwrap().unwrap()).collect();
        assert_eq!(loaded.worker_types, one_by_one);
        assert_eq!(loaded.releases, [releases[1].clone(), releases[0].clone()]);
        assert_eq!(loaded.feed, store.feed().unwrap());
        for (record, id) in loaded.worker_types.iter().zip(&ids) {
            let (with_history, revisions) = store.history(id).unwrap().unwrap();
            assert_eq!(record, &with_history);
            let mut newest_first = store.revisions(id, None, 100).unwrap();
            newest_first.reverse();
            assert_eq!(newest_first, revisions);
        }
    }

    pub fn ids_sort_by_their_bytes(backend: &Backend) {
        let store = backend.open();
        for each in ["a_b/w", "A/w", "a-b/w", "ab/w", "a/w-1", "a/w", "B/w", "a/w1"] {
            change(&store, &id(each), &publish("{}"));
        }
        let order: Vec<_> =
            store.load().unwrap().worker_types.into_iter().map(|record| record.id.to_string()).collect();
        assert_eq!(order, ["A/w", "B/w", "a-b/w", "a/w", "a/w-1", "a/w1", "a_b/w", "ab/w"]);
    }

    pub fn the_database_answers(backend: &Backend) {
        backend.open().ping().unwrap();
    }
}
