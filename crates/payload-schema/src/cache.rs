//! Compiled schemas, shared by content hash and dialect: those used last are kept, the others are known for as long as
//! somebody holds them.

use crate::{Limits, Schema};
use lru::LruCache;
use serde_json::Value;
use std::{
    collections::HashMap,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError, Weak},
};
use worker_types::{Item, SchemaRef};

/// Keeps at most `capacity` compiled schemas; safe to share between threads.
pub struct SchemaCache {
    schemas: Mutex<Schemas>,
}

struct Schemas {
    kept: LruCache<SchemaRef, Arc<Schema>>,
    /// Everything that is compiled, and some that was.
    known: HashMap<SchemaRef, Weak<Schema>>,
    /// At this size the forgotten ones are swept out.
    sweep_at: usize,
}

impl SchemaCache {
    /// A cache that keeps at most `capacity` schemas (at least one).
    pub fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        let (kept, sweep_at) = (LruCache::new(capacity), 2 * capacity.get());
        Self { schemas: Mutex::new(Schemas { kept, known: HashMap::new(), sweep_at }) }
    }

    /// The compiled form of `schema`, whose hash and fallback dialect `reference` names.
    ///
    /// # Errors
    /// As [`Schema::compile`].
    pub fn get(&self, reference: &SchemaRef, schema: &Value, limits: &Limits) -> Result<Arc<Schema>, Vec<Item>> {
        let known = self.schemas.lock().unwrap_or_else(PoisonError::into_inner).get(reference);
        if let Some(schema) = known {
            return Ok(schema);
        }
        let compiled = Arc::new(Schema::compile(schema, Some(reference.dialect), limits)?);
        self.schemas.lock().unwrap_or_else(PoisonError::into_inner).put(reference, &compiled);
        Ok(compiled)
    }

    /// How many schemas are compiled now, those included that only others hold.
    pub fn compiled(&self) -> usize {
        let mut schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        schemas.sweep();
        schemas.known.len()
    }
}

impl Schemas {
    fn get(&mut self, reference: &SchemaRef) -> Option<Arc<Schema>> {
        if let Some(schema) = self.kept.get(reference) {
            return Some(schema.clone());
        }
        let schema = self.known.get(reference)?.upgrade()?;
        self.kept.put(reference.clone(), schema.clone());
        Some(schema)
    }

    fn put(&mut self, reference: &SchemaRef, schema: &Arc<Schema>) {
        self.kept.put(reference.clone(), schema.clone());
        self.known.insert(reference.clone(), Arc::downgrade(schema));
        if self.known.len() > self.sweep_at {
            self.sweep();
            self.sweep_at = (2 * self.known.len()).max(2 * self.kept.cap().get());
        }
    }

    fn sweep(&mut self) {
        self.known.retain(|_, schema| schema.strong_count() > 0);
    }
}
