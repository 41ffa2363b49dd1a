//! The examples that are made from payload schemas, kept by the schema: a page is asked for more often than a schema changes,
//! and a large schema takes long.

use payload_schema::{Fullness, Limits, example};
use quick_cache::sync::Cache;
use serde_json::Value;
use std::sync::Arc;
use worker_types::{ContentHash, Dialect, SchemaRef};

/// Schemas whose examples are kept.
const KEPT: usize = 1_000;

/// A payload with what must be there, and one with what may be there; none where none was found.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) minimal: Option<Value>,
    pub(crate) full: Option<Value>,
}

/// Those that are kept.
pub(crate) struct Examples(Cache<(ContentHash, Dialect), Arc<Made>>);

impl Examples {
    pub(crate) fn new() -> Self {
        Self(Cache::new(KEPT))
    }

    /// The examples of `schema`, which `reference` names. Milliseconds for the first who asks: keep it off threads that serve.
    pub(crate) fn of(&self, reference: &SchemaRef, schema: &Value) -> Arc<Made> {
        let key = (reference.hash.clone(), reference.dialect);
        if let Some(made) = self.0.get(&key) {
            return made;
        }
        let make = |fullness| example(schema, reference.dialect, fullness, &Limits::default());
        let made = Arc::new(Made { minimal: make(Fullness::Minimal), full: make(Fullness::Full) });
        self.0.insert(key, made.clone());
        made
    }
}
