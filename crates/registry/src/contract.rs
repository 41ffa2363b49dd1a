//! What a definition asks of tasks, apart from what it says about itself.

use serde_json::{Value, json};

/// Decide about no task: what stands there may be wrong, and the verdict on every task is the same.
const BESIDE: [&str; 7] =
    ["owner", "documentation", "documentationCoverage", "links", "tags", "actions", "workerTypeId"];
const BESIDE_IN_VARIANT: [&str; 3] = ["implementation", "documentation", "examples"];

/// The definition without what decides about no task. What is left may be wrong still: a field that nobody knows, a variant
/// that cannot be read.
pub(crate) fn alone(definition: &Value) -> Value {
    let mut alone = definition.clone();
    let Some(fields) = alone.as_object_mut() else { return alone };
    BESIDE.iter().for_each(|name| drop(fields.shift_remove(*name)));
    // It must have one, whatever it says.
    fields.insert("description".to_owned(), json!("-"));
    let variants = fields.get_mut("variants").and_then(Value::as_array_mut);
    for variant in variants.into_iter().flatten().filter_map(Value::as_object_mut) {
        BESIDE_IN_VARIANT.iter().for_each(|name| drop(variant.shift_remove(*name)));
    }
    alone
}
