//! How much work a schema can cause: its size with every `$ref` replaced by its target, and the checks that one value
//! costs. Recursion is fine; fan-out is not.

mod graph;
mod path;

use crate::{Limits, model::Model};
use graph::Loop;
use worker_types::Item;

/// Arrays and objects inside one another in a value, as deep as a parser of ours lets any value be.
pub(crate) const VALUE_DEPTH: usize = 127;

/// The one fault that keeps a schema from being evaluated safely, if there is one. Everything must have been read.
pub(crate) fn check(model: &Model, limits: &Limits) -> Option<Item> {
    if let Some(Loop { node, keyword }) = graph::find_loop(model) {
        let message = "the reference comes back to where it stands without going into the value, so checking would \
                       never end";
        return Some(Item::new("reference-loop", model.keyword_pointer(node, keyword), message));
    }
    let limit = limits.expansion;
    let expanded = graph::expanded_size(model);
    if expanded > limit {
        let message = format!(
            "with every $ref replaced by its target the schema would have more than {limit} subschemas: definitions \
             that refer several times to one another multiply"
        );
        return Some(Item::new("reference-fan-out", "", message));
    }
    match path::measure(model, limits) {
        path::Measured::Bounded { nesting } if nesting <= limits.nesting => None,
        path::Measured::Bounded { .. } => {
            let message = format!(
                "checking a value nested {VALUE_DEPTH} deep would nest more than {} steps: a chain of $ref or allOf is \
                 too long for the recursion that it is part of",
                limits.nesting
            );
            Some(Item::new("nests-too-deep", "", message))
        }
        path::Measured::Explodes => {
            let message = format!(
                "one value could cost more than {limit} checks: definitions that refer several times to one another \
                 multiply, and unevaluatedProperties looks at each of them again"
            );
            Some(Item::new("reference-fan-out", "", message))
        }
    }
}
