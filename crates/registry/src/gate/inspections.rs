//! What was found in the schemas that were looked at lately. A definition changes more often than its schemas do, and a look
//! at one means to compile it.

use lru::LruCache;
use payload_schema::{Inspection, Limits, inspect};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use worker_types::{Dialect, SchemaTag, WrittenSchema};

const KEPT: NonZeroUsize = NonZeroUsize::new(1_000).unwrap();
/// What has more to be said of it is looked at anew: it is rare, and long.
const WORDS: usize = 10;

type Found = LruCache<(SchemaTag, Option<Dialect>), Arc<Inspection>>;

/// Inspections by the exact text of a schema and the dialect that is taken where it names none.
pub(crate) struct Inspections {
    limits: Limits,
    found: Mutex<Found>,
}

impl Inspections {
    /// Of schemas within `limits`.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, found: Mutex::new(LruCache::new(KEPT)) }
    }

    /// See [`inspect`].
    pub(crate) fn of(&self, schema: &WrittenSchema, dialect: Option<Dialect>) -> Arc<Inspection> {
        let key = (schema.tag(), dialect);
        if let Some(known) = self.lock().get(&key) {
            return known.clone();
        }
        let inspection = Arc::new(inspect(schema, dialect, &self.limits));
        if inspection.errors.is_empty() && inspection.warnings.len() <= WORDS {
            self.lock().put(key, inspection.clone());
        }
        inspection
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Inspections;
    use payload_schema::Limits;
    use serde_json::json;
    use std::sync::Arc;
    use worker_types::{Dialect, WrittenSchema};

    #[test]
    fn a_schema_is_looked_at_once_and_anew_in_another_dialect_or_order() {
        let inspections = Inspections::new(Limits::default());
        let schema = WrittenSchema::from(json!({"type": "object", "title": "t"}));
        let first = inspections.of(&schema, Some(Dialect::Draft07));
        assert!(Arc::ptr_eq(&first, &inspections.of(&schema.clone(), Some(Dialect::Draft07))));
        assert!(!Arc::ptr_eq(&first, &inspections.of(&schema, Some(Dialect::Draft04))));
        assert!(!Arc::ptr_eq(
            &first,
            &inspections.of(&json!({"title": "t", "type": "object"}).into(), Some(Dialect::Draft07))
        ));
    }

    #[test]
    fn what_is_refused_is_not_kept() {
        let inspections = Inspections::new(Limits::default());
        let wrong = WrittenSchema::from(json!({"type": "objekt"}));
        let first = inspections.of(&wrong, None);
        assert!(!first.errors.is_empty());
        assert!(!Arc::ptr_eq(&first, &inspections.of(&wrong, None)));
    }
}
