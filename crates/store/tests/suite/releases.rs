//! Releases are written once.

on_both! {
    a_release_is_kept_with_its_event
    a_taken_id_answers_what_is_there
    publishers_of_one_release_agree
    a_mark_is_kept_beside_the_release_with_its_event
}

mod rules {
    use crate::backend::{Backend, count};
    use crate::given::*;
    use registry::Store;
    use registry::store::{Marked, ReleaseMark, ReleaseRecord};
    use worker_types::{EventKind, ReleaseState};

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

    pub fn a_mark_is_kept_beside_the_release_with_its_event(backend: &Backend) {
        let store = backend.open();
        let given = release("w@1", "[1]");
        store.publish_release(&given, &author()).unwrap();
        let mark = ReleaseMark {
            state: ReleaseState::Withdrawn,
            reason: Some("it \u{1f600} leaks".to_owned()),
            replaced_by: Some(release_id("w@2")),
            at: now(),
            by: "ann".to_owned(),
        };
        assert_eq!(store.mark_release(&release_id("w@9"), Some(&mark), &author(), &|_| true).unwrap(), None);
        let marked = ReleaseRecord { mark: Some(mark.clone()), ..given.clone() };
        let refused = store.mark_release(&given.id, Some(&mark), &author(), &|there| there.mark.is_some()).unwrap();
        assert_eq!(refused, Some(Marked::Refused(given.clone())), "decided by what is there");
        let written = store.mark_release(&given.id, Some(&mark), &author(), &|there| *there == given).unwrap();
        assert_eq!(written, Some(Marked::Written(marked.clone(), 2)));
        let again = ReleaseMark { at: now(), ..mark };
        let same = store.mark_release(&given.id, Some(&again), &author(), &|_| false).unwrap();
        assert_eq!(same, Some(Marked::Same(marked.clone())), "a retry is safe");
        assert_eq!(store.release(&given.id).unwrap(), Some(marked.clone()));
        assert_eq!(store.load().unwrap().releases, [marked]);
        assert_eq!(store.events(1, 10).unwrap()[0].kind, EventKind::ReleaseMarked);
        let taken_back = store.mark_release(&given.id, None, &author(), &|_| true).unwrap();
        assert_eq!(taken_back, Some(Marked::Written(given.clone(), 3)));
        assert_eq!(store.release(&given.id).unwrap(), Some(given));
        assert_eq!(count(&store, "audit"), 3);
    }
}
