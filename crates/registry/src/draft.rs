//! What a definition that is still being written would show.

use crate::documentation;
use crate::registry::Registry;
use crate::resolve::resolve_partly;
use serde_json::Value;
use worker_types::{Definition, WorkerTypeId};

impl Registry {
    /// The documentation (Markdown) that `definition` would show under `id`, with its facts filled in and its releases'
    /// documentation below. What cannot be read yet is left out; none where nothing can be read.
    pub fn drafted_documentation(&self, id: &WorkerTypeId, definition: &Value) -> Option<String> {
        let (definition, _) = Definition::read_partly(definition, id);
        let definition = definition?;
        let (resolved, _) = resolve_partly(&definition, &self.newest_releases(&self.snapshot()));
        Some(documentation::markdown(id, &definition, &resolved.variants))
    }
}
