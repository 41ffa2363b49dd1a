//! What worker types have in common: one copy in memory of each schema text, for as long as something live holds it.

use crate::coverage::property_paths;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// Stands for a schema exactly as it is written, the order of its keys included: what is shown must not become
/// another author's way to write the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SchemaTag([u8; 32]);

impl SchemaTag {
    pub(crate) fn of(schema: &Value) -> Self {
        Self(Sha256::digest(schema.to_string()).into())
    }
}

/// A schema on the shelf: it stays there for as long as somebody holds this.
#[derive(Debug)]
pub(crate) struct Shelved {
    pub(crate) schema: Arc<Value>,
    pub(crate) tag: SchemaTag,
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
    pub(crate) fn place(&self, schema: &Arc<Value>) -> Arc<Shelved> {
        let tag = SchemaTag::of(schema);
        let mut schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shelved) = schemas.by_tag.get(&tag).and_then(Weak::upgrade) {
            return shelved;
        }
        if schemas.by_tag.len() >= schemas.sweep_at {
            schemas.by_tag.retain(|_, shelved| shelved.strong_count() > 0);
            schemas.sweep_at = (2 * schemas.by_tag.len()).max(64);
        }
        let shelved = Arc::new(Shelved { schema: schema.clone(), tag, searched: OnceLock::new() });
        schemas.by_tag.insert(tag, Arc::downgrade(&shelved));
        shelved
    }
}

#[cfg(test)]
mod tests {
    use super::Shelf;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn read(text: &str) -> Arc<Value> {
        Arc::new(serde_json::from_str(text).unwrap())
    }

    #[test]
    fn the_same_text_is_held_once_and_another_order_of_keys_apart() {
        let shelf = Shelf::default();
        let first = shelf.place(&read(r#"{"type":"object","title":"t"}"#));
        let again = shelf.place(&read(r#"{"type":"object","title":"t"}"#));
        let turned = shelf.place(&read(r#"{"title":"t","type":"object"}"#));
        assert!(Arc::ptr_eq(&first.schema, &again.schema));
        assert!(!Arc::ptr_eq(&first.schema, &turned.schema));
        assert_eq!((first.tag == again.tag, first.tag == turned.tag), (true, false));
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
            shelf.place(&Arc::new(json!({"const": number})));
        }
        assert!(shelf.schemas.lock().unwrap().by_tag.len() <= 64);
    }
}
