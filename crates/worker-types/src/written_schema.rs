//! A schema as its author wrote it, shared by whoever holds the same.

use crate::{ContentHash, content_hash};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Most schemas need no more.
const USUAL_BYTES: usize = 8_192;

/// A JSON Schema: an object or a boolean. Copies share the value, and what was once computed of it.
#[derive(Clone, Debug)]
pub struct WrittenSchema(Arc<Written>);

#[derive(Debug)]
struct Written {
    value: Value,
    content_hash: OnceLock<ContentHash>,
    tag: OnceLock<SchemaTag>,
}

/// Stands for a schema exactly as it is written, the order of its keys included: what is shown must not become
/// another author's way to write the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchemaTag([u8; 32]);

impl WrittenSchema {
    /// The hash of its canonical form.
    pub fn content_hash(&self) -> &ContentHash {
        self.0.content_hash.get_or_init(|| content_hash(self))
    }

    /// One that is shared with nobody yet.
    pub fn unshared(schema: &Value) -> Self {
        schema.clone().into()
    }

    /// The one that `known` has of the same text; one that is shared with nobody yet where it has none.
    pub fn shared(schema: &Value, known: impl FnOnce(SchemaTag) -> Option<Self>) -> Self {
        let tag = SchemaTag::of(schema);
        known(tag).unwrap_or_else(|| {
            Self(Arc::new(Written { value: schema.clone(), content_hash: OnceLock::new(), tag: tag.into() }))
        })
    }

    /// Of its text.
    pub fn tag(&self) -> SchemaTag {
        *self.0.tag.get_or_init(|| SchemaTag::of(self))
    }
}

impl SchemaTag {
    /// Of a schema's text.
    pub fn of(schema: &Value) -> Self {
        let mut text = Vec::with_capacity(USUAL_BYTES);
        // What was read can be written: its keys are texts, and memory takes everything.
        let _ = serde_json::to_writer(&mut text, schema);
        Self(Sha256::digest(text).into())
    }
}

impl From<Value> for WrittenSchema {
    fn from(value: Value) -> Self {
        Self(Arc::new(Written { value, content_hash: OnceLock::new(), tag: OnceLock::new() }))
    }
}

impl Deref for WrittenSchema {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0.value
    }
}

/// As JSON values are equal: the order of keys is not part of them.
impl PartialEq for WrittenSchema {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl Eq for WrittenSchema {}

impl Serialize for WrittenSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WrittenSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::WrittenSchema;
    use crate::content_hash;

    fn read(text: &str) -> WrittenSchema {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_order_of_keys_is_the_authors_and_not_part_of_the_content() {
        let (first, again) = (read(r#"{"type":"object","title":"t"}"#), read(r#"{"type": "object", "title": "t"}"#));
        let turned = read(r#"{"title":"t","type":"object"}"#);
        assert_eq!((first.tag() == again.tag(), first.tag() == turned.tag()), (true, false));
        assert_eq!(first.content_hash(), turned.content_hash());
        assert_eq!(*turned.content_hash(), content_hash(&first));
        let shared = WrittenSchema::shared(&turned, |tag| (tag == first.tag()).then(|| first.clone()));
        assert_eq!((shared.tag() == turned.tag(), shared.tag() == first.tag()), (true, false), "its text is another");
        let shared = WrittenSchema::shared(&again, |tag| (tag == first.tag()).then(|| first.clone()));
        assert!(std::ptr::eq(&raw const *shared, &raw const *first));
        assert_eq!(serde_json::to_string(&turned).unwrap(), r#"{"title":"t","type":"object"}"#);
    }
}
