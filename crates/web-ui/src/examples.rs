//! The examples that are made from payload schemas, kept by the schema: a page is asked for more often than a schema changes,
//! and a large schema takes long.

use payload_schema::{Fullness, Input, Limits, example};
use quick_cache::sync::Cache;
use registry::Registry;
use serde_json::Value;
use std::sync::Arc;
use worker_types::{Bundle, ContentHash, Dialect, Outcome, SchemaRef};

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

    /// Payloads that may please everything that is live, the newest revision's first: what the first payload schema of each
    /// revision asks for, then all of that at once.
    pub(crate) fn of_live(&self, bundle: &Bundle) -> Vec<Value> {
        let made = |variants: &[worker_types::BundleVariant]| {
            variants
                .iter()
                .filter_map(|variant| variant.payload_schema.as_ref())
                .find_map(|reference| self.of(reference, bundle.schemas.get(&reference.hash)?).minimal.clone())
        };
        let mut each: Vec<Value> = bundle.revisions.iter().rev().filter_map(|one| made(&one.variants)).collect();
        if let [newer, older] = &each[..] {
            let both = merged(newer.clone(), older);
            each.push(both);
        }
        each
    }

    /// A payload that both revisions of a rollout accept, if one of [`Self::of_live`] is that.
    pub(crate) fn of_both(&self, registry: &Registry, bundle: &Bundle) -> Option<Value> {
        let accepts = |payload: &Value| {
            let verdict = registry.verdict(&bundle.worker_type_id, Input::Payload(payload)).ok()?;
            let accepts = |one: &worker_types::RevisionVerdict| one.verdict != Outcome::Invalid;
            Some(verdict.rollout?.revisions.iter().all(accepts))
        };
        self.of_live(bundle).into_iter().find(|payload| accepts(payload) == Some(true))
    }
}

/// What stands in either; where both have a value, that of `newer`.
fn merged(newer: Value, older: &Value) -> Value {
    let (Value::Object(mut fields), Value::Object(others)) = (newer.clone(), older) else { return newer };
    for (name, value) in others {
        let both = match fields.remove(name) {
            Some(there) => merged(there, value),
            None => value.clone(),
        };
        fields.insert(name.clone(), both);
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::merged;
    use serde_json::json;

    #[test]
    fn what_stands_in_either_stands_in_both_and_the_newer_one_wins() {
        let (newer, older) = (json!({"a": 1, "in": {"b": [1]}}), json!({"a": 2, "in": {"b": [2], "c": true}, "d": 3}));
        assert_eq!(merged(newer, &older), json!({"a": 1, "in": {"b": [1], "c": true}, "d": 3}));
    }
}
