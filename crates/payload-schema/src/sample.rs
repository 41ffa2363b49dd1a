//! Values that a schema accepts: for laws, for examples, for people who want to see one.

use crate::Schema;
use crate::compare::accepted_by;
use serde_json::Value;

/// Up to `count` values that `schema` accepts, the same ones for the same `seed`: small and large ones, at the boundaries
/// of what it asks. Fewer where values are hard to find.
pub fn sample(schema: &Schema, count: usize, seed: u64) -> Vec<Value> {
    accepted_by(schema, count, seed)
}
