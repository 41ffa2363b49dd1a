//! What a definition that is still being written would show.

use crate::documentation;
use crate::registry::Registry;
use crate::resolve::{Resolved, resolve_partly};
use serde_json::Value;
use worker_types::{Definition, WorkerTypeId, WrittenSchema};

/// A definition that is still being written, as far as it can be read.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The contracts, and the schemas that they refer to.
    pub resolved: Resolved,
    /// Markdown, with the facts of the pool filled in and the releases' documentation below.
    pub documentation: String,
}

impl Registry {
    /// What `definition` would show under `id`. What cannot be read yet is left out; none where nothing can be read.
    pub fn drafted(&self, id: &WorkerTypeId, definition: &Value) -> Option<Draft> {
        let (definition, _) = Definition::read_partly(definition, id, &WrittenSchema::unshared);
        let definition = definition?;
        let (resolved, _) = resolve_partly(&definition, &self.newest_releases(&self.snapshot()));
        let documentation = documentation::markdown(id, &definition, &resolved.variants);
        Some(Draft { resolved, documentation })
    }
}
