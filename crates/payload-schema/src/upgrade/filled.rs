//! What a queue fills into a task before a schema on the normalised task looks at it. Such a schema is written for the
//! task as its author leaves it: what is filled in need not stand there, unless the schema refuses the default.

use super::Writer;
use super::writer::On;
use crate::explain;
use crate::model::{Members, Model, NodeId};
use serde_json::Value;
use std::cell::Cell;
use worker_types::Object;

/// The defaults of one worker type's tasks.
#[derive(Clone, Copy)]
pub(crate) struct Filled<'a> {
    defaults: &'a Object,
    /// Set once the outcome depends on the worker type's own names.
    depends_on_names: &'a Cell<bool>,
}

/// Defaults that are the worker type's own names.
const NAMES: [&str; 3] = ["taskQueueId", "provisionerId", "workerType"];

impl<'a> Filled<'a> {
    /// Everything that a normalised task has, whatever its author leaves out.
    pub(crate) fn new(defaults: &'a Object, depends_on_names: &'a Cell<bool>) -> Self {
        Self { defaults, depends_on_names }
    }

    fn accepts(self, model: &Model, schema: NodeId, name: &str, default: &Value) -> bool {
        if NAMES.contains(&name) && !model.node(schema).rules.is_empty() && !model.is_never(schema) {
            self.depends_on_names.set(true);
        }
        explain::accepts(model, schema, default, None).0 == Some(true)
    }
}

impl Writer<'_, '_> {
    fn filled_here(&self) -> Option<Filled<'_>> {
        self.filled.filter(|_| self.on == On::Task)
    }

    /// Whether the value that is looked at has this member in any case.
    pub(super) fn fills(&self, name: &str) -> bool {
        self.filled_here().is_some_and(|filled| filled.defaults.contains_key(name))
    }

    /// The members whose default would be refused: those the author has to write.
    pub(super) fn refused_defaults(&self, members: &Members) -> Vec<&str> {
        let Some(filled) = self.filled else { return Vec::new() };
        if self.on != On::Task {
            return Vec::new();
        }
        let model = self.source.model();
        let refuses = |name: &str, default: &Value| {
            let matching = members
                .patterns
                .iter()
                .filter(|(pattern, _)| model.pattern(*pattern).matcher().is_some_and(|matcher| matcher.is_match(name)));
            let mut schemas: Vec<NodeId> = members.named.get(name).copied().into_iter().collect();
            schemas.extend(matching.map(|(_, schema)| *schema));
            if schemas.is_empty() {
                schemas.extend(members.additional);
            }
            schemas.into_iter().any(|schema| !filled.accepts(model, schema, name, default))
        };
        filled.defaults.iter().filter(|(name, default)| refuses(name, default)).map(|(name, _)| name.as_str()).collect()
    }
}
