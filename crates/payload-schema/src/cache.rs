//! Compiled schemas, shared by content hash and dialect, the least recently used dropped first.

use crate::{Limits, Schema};
use lru::LruCache;
use serde_json::Value;
use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};
use worker_types::{Item, SchemaRef};

/// At most `capacity` compiled schemas; safe to share between threads.
pub struct SchemaCache {
    schemas: Mutex<LruCache<SchemaRef, Arc<Schema>>>,
}

impl SchemaCache {
    /// A cache of at most `capacity` schemas (at least one).
    pub fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self { schemas: Mutex::new(LruCache::new(capacity)) }
    }

    /// The compiled form of `schema`, whose hash and fallback dialect `reference` names.
    ///
    /// # Errors
    /// As [`Schema::compile`].
    pub fn get(&self, reference: &SchemaRef, schema: &Value, limits: &Limits) -> Result<Arc<Schema>, Vec<Item>> {
        let cached = self.schemas.lock().unwrap_or_else(PoisonError::into_inner).get(reference).cloned();
        if let Some(schema) = cached {
            return Ok(schema);
        }
        let compiled = Arc::new(Schema::compile(schema, Some(reference.dialect), limits)?);
        self.schemas.lock().unwrap_or_else(PoisonError::into_inner).put(reference.clone(), Arc::clone(&compiled));
        Ok(compiled)
    }
}
