//! The law of texts: what was written is read, byte for byte.

on_both! {
    texts_are_read_byte_for_byte
    any_text_is_read_byte_for_byte
    the_character_nul_is_refused_wherever_it_stands
}

mod rules {
    use crate::backend::{Backend, count};
    use crate::given::*;
    use proptest::prelude::*;
    use registry::store::{Author, Change, ReleaseRecord};
    use registry::{Store, StoreError};
    use store::SqlStore;

    fn round_trip(store: &SqlStore, text: &str) {
        let author = Author { name: text.to_owned(), message: Some(text.to_owned()), ..author() };
        let decided = Change::Publish {
            definition: text.to_owned(),
            content_hash: hash_of(text),
            warnings: text.to_owned(),
            older: None,
            rollback_of: None,
            compatibility: Some(text.to_owned()),
        };
        let changed = store.change_worker_type(&id("p/w"), &author, &mut |_| Some(decided.clone()));
        let (record, _) = changed.unwrap().unwrap();
        let read = store.revision(&id("p/w"), record.last_revision).unwrap().unwrap();
        assert_eq!(read.definition.as_bytes(), text.as_bytes());
        assert_eq!((read.warnings.as_str(), read.published_by.as_str()), (text, text));
        assert_eq!((read.message.as_deref(), read.compatibility.as_deref()), (Some(text), Some(text)));
    }

    pub fn texts_are_read_byte_for_byte(backend: &Backend) {
        let store = backend.open();
        for text in [
            "",
            " {\"b\" : 1.0,\r\n\t\"a\": 1e2 }\n\n",
            "{\"a\":1,\"a\":2}",
            "'; DROP TABLE revisions; -- $1 ? \\ \\u0000",
            "12345678901234567890.10000",
            "e\u{301} \u{e9} \u{1f600} \u{feff}\u{200b}\u{ffff}\u{10ffff}\u{7f}\u{1}",
            &"x".repeat(2_000_000),
        ] {
            round_trip(&store, text);
        }
        let content = "{ \"variants\" : [ ] }\n";
        store.publish_release(&release("w@1", content), &author()).unwrap();
        assert_eq!(store.release(&release_id("w@1")).unwrap().unwrap().content, content);
    }

    pub fn any_text_is_read_byte_for_byte(backend: &Backend) {
        let store = backend.open();
        let texts = any::<String>().prop_map(|text| text.replace('\0', ""));
        let config = ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
        proptest!(config, |(text in texts)| round_trip(&store, &text));
    }

    pub fn the_character_nul_is_refused_wherever_it_stands(backend: &Backend) {
        let store = backend.open();
        let nul = || "a\0b".to_owned();
        let publish_by = |author: &Author| store.change_worker_type(&id("p/w"), author, &mut |_| Some(publish("{}")));
        for author in [
            Author { name: nul(), ..author() },
            Author { message: Some(nul()), ..author() },
            Author { request_id: Some(nul()), ..author() },
        ] {
            assert!(matches!(publish_by(&author), Err(StoreError::NulCharacter { .. })));
        }
        for given in [
            ReleaseRecord { content: nul(), ..release("w@1", "") },
            ReleaseRecord { warnings: nul(), ..release("w@1", "") },
            ReleaseRecord { published_by: nul(), ..release("w@1", "") },
            ReleaseRecord { message: Some(nul()), ..release("w@1", "") },
        ] {
            assert!(matches!(store.publish_release(&given, &author()), Err(StoreError::NulCharacter { .. })));
        }
        assert_eq!((store.feed().unwrap().newest, count(&store, "revisions")), (0, 0));
    }
}
