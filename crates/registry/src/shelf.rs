//! What worker types have in common: one copy in memory of each schema text, for as long as something live holds it.

use crate::coverage::property_paths;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use worker_types::{SchemaTag, WrittenSchema};

/// A schema on the shelf: it stays there for as long as somebody holds this.
#[derive(Debug)]
pub(crate) struct Shelved {
    pub(crate) schema: WrittenSchema,
    /// Made by the first search.
    searched: OnceLock<Searched>,
}

/// The paths of a schema's properties, a line for each.
#[derive(Debug)]
struct Searched {
    written: Box<str>,
    lower: Box<str>,
}

impl Shelved {
    /// Whether `word`, in lower case, stands in the path of a property.
    pub(crate) fn has_property(&self, word: &str) -> bool {
        self.searched().lower.contains(word)
    }

    /// The shortest path of a property that `word`, in lower case, stands in.
    pub(crate) fn property(&self, word: &str) -> Option<&str> {
        let searched = self.searched();
        let lines = searched.lower.lines().zip(searched.written.lines());
        let having = lines.filter(|(lower, _)| lower.contains(word)).map(|(_, written)| written);
        having.min_by_key(|path| path.len())
    }

    fn searched(&self) -> &Searched {
        self.searched.get_or_init(|| {
            let written = property_paths(&self.schema).join("\n");
            Searched { lower: written.to_lowercase().into(), written: written.into() }
        })
    }
}

/// The schemas that are in memory.
#[derive(Default)]
pub(crate) struct Shelf {
    schemas: Mutex<Schemas>,
}

#[derive(Default)]
struct Schemas {
    by_tag: HashMap<SchemaTag, Weak<Shelved>>,
    /// At this size the forgotten ones are swept out.
    sweep_at: usize,
}

impl Shelf {
    /// The copy that everybody holds.
    pub(crate) fn place(&self, schema: &WrittenSchema) -> Arc<Shelved> {
        let tag = schema.tag();
        let mut schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shelved) = schemas.by_tag.get(&tag).and_then(Weak::upgrade) {
            return shelved;
        }
        if schemas.by_tag.len() >= schemas.sweep_at {
            schemas.by_tag.retain(|_, shelved| shelved.strong_count() > 0);
            schemas.sweep_at = (2 * schemas.by_tag.len()).max(64);
        }
        let shelved = Arc::new(Shelved { schema: schema.clone(), searched: OnceLock::new() });
        schemas.by_tag.insert(tag, Arc::downgrade(&shelved));
        shelved
    }

    /// The copy that everybody holds, of which most is computed already; a new one where nobody does.
    pub(crate) fn find(&self, schema: &Value) -> WrittenSchema {
        WrittenSchema::shared(schema, |tag| {
            let schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
            schemas.by_tag.get(&tag).and_then(Weak::upgrade).map(|shelved| shelved.schema.clone())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Shelf;
    use serde_json::{Value, json};
    use std::sync::Arc;
    use worker_types::WrittenSchema;

    fn read(text: &str) -> WrittenSchema {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_same_text_is_held_once_and_another_order_of_keys_apart() {
        let shelf = Shelf::default();
        let first = shelf.place(&read(r#"{"type":"object","title":"t"}"#));
        let again = shelf.place(&read(r#"{"type":"object","title":"t"}"#));
        let turned = shelf.place(&read(r#"{"title":"t","type":"object"}"#));
        assert!(Arc::ptr_eq(&first, &again));
        assert!(!Arc::ptr_eq(&first, &turned));
    }

    #[test]
    fn a_schema_is_copied_only_where_nobody_holds_it() {
        let shelf = Shelf::default();
        let schema = json!({"type": "object"});
        let is_copied = || !std::ptr::eq::<Value>(&*shelf.find(&schema), &*shelf.find(&schema));
        assert!(is_copied());
        let held = shelf.place(&schema.clone().into());
        assert!(!is_copied());
        drop(held);
        assert!(is_copied());
    }

    #[test]
    fn a_schema_is_found_by_its_properties() {
        let shelf = Shelf::default();
        let schema = r#"{"properties": {"maxRunTime": {}, "artifacts": {"items": {"properties": {"Path": {}}}}}}"#;
        let shelved = shelf.place(&read(schema));
        assert_eq!((shelved.has_property("runtime"), shelved.has_property("run-time")), (true, false));
        assert_eq!(shelved.property("art"), Some("artifacts"));
        assert_eq!(shelved.property("path"), Some("artifacts[].Path"));
    }

    #[test]
    fn what_nothing_holds_is_forgotten() {
        let shelf = Shelf::default();
        for number in 0..10_000 {
            shelf.place(&json!({"const": number}).into());
        }
        assert!(shelf.schemas.lock().unwrap().by_tag.len() <= 64);
    }
}
