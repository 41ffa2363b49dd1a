//! Releases are written once.

on_both! {
    a_release_is_kept_with_its_event
    a_taken_id_answers_what_is_there
    publishers_of_one_release_agree
}

mod rules {
    use crate::backend::{Backend, count};
    use crate::given::*;
    use registry::Store;
    use worker_types::EventKind;

    pub fn a_release_is_kept_with_its_event(backend: &Backend) {
        let store = backend.open();
        let given = release("generic-worker@44.2.0", "{ \"variants\": [] }");
        assert_eq!(store.publish_release(&given, &author()).unwrap(), (given.clone(), Some(1)));
        assert_eq!(store.release(&given.id).unwrap(), Some(given.clone()));
        assert_eq!(store.release(&release_id("generic-worker@44")).unwrap(), None);
        let event = store.events(0, 10).unwrap().remove(0);
        assert_eq!((event.kind, event.release), (EventKind::ReleasePublished, Some(given.id)));
        assert_eq!((event.worker_type_id, event.generation, event.revision), (None, None, None));
    }

    pub fn a_taken_id_answers_what_is_there(backend: &Backend) {
        let store = backend.open();
        let first = release("w@1", "[1]");
        store.publish_release(&first, &author()).unwrap();
        for again in [first.clone(), release("w@1", "[2]")] {
            assert_eq!(store.publish_release(&again, &author()).unwrap(), (first.clone(), None));
        }
        assert_eq!((store.feed().unwrap().newest, count(&store, "audit")), (1, 1));
    }

    pub fn publishers_of_one_release_agree(backend: &Backend) {
        let store = backend.open();
        let answers: Vec<_> = std::thread::scope(|scope| {
            let publishers: Vec<_> = (0..8)
                .map(|each| {
                    let store = &store;
                    let given = release("w@1", &format!("[{each}]"));
                    scope.spawn(move || store.publish_release(&given, &author()).unwrap())
                })
                .collect();
            publishers.into_iter().map(|publisher| publisher.join().unwrap()).collect()
        });
        assert_eq!(answers.iter().filter(|(_, sequence)| sequence.is_some()).count(), 1);
        assert!(answers.iter().all(|(there, _)| *there == answers[0].0));
    }
}
