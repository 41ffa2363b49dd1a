//! What one variant asks, of a payload and of a task.

use super::EffectiveError;
use super::combine::{all_of, anything};
use super::rules::{Said, say};
use super::shelf::{Looks, Shelf};
use crate::Schema;
use serde_json::{Value, json};
use worker_types::{Bundle, BundleVariant, Object};

/// A variant in the document that is being put together, and what has to be said of it in words.
pub(super) struct Asking<'a, 'l> {
    pub(super) shelf: &'a mut Shelf<'l>,
    pub(super) bundle: &'a Bundle,
    /// The defaults that a queue fills into the worker type's tasks.
    pub(super) defaults: &'a Object,
    pub(super) words: &'a mut Vec<String>,
}

impl Asking<'_, '_> {
    /// What a payload must be, as far as the payload alone can say it.
    pub(super) fn of_payload(&mut self, variant: &BundleVariant) -> Result<Value, EffectiveError> {
        let contract = variant.payload_schema.iter();
        let narrowed = variant.constraints.iter().filter_map(|constraints| constraints.payload_schema.as_ref());
        let mut parts = Vec::new();
        for schema in contract.chain(narrowed) {
            parts.push(self.shelf.schema(self.bundle, variant, schema, Looks::AtPayload)?);
        }
        for (field, schema) in self.rules(variant) {
            if field == "payload" {
                parts.push(schema);
            }
        }
        Ok(all_of(parts))
    }

    /// What a task must be.
    pub(super) fn of_task(&mut self, variant: &BundleVariant) -> Result<Value, EffectiveError> {
        let payload = self.of_payload(variant)?;
        let mut parts = Vec::new();
        if payload != anything() {
            parts.push(json!({"properties": {"payload": payload}}));
        }
        let contract = variant.task_schema.iter();
        let narrowed = variant.constraints.iter().filter_map(|constraints| constraints.task_schema.as_ref());
        for schema in contract.chain(narrowed) {
            parts.push(self.on_task(variant, schema)?);
        }
        for (field, schema) in self.rules(variant).into_iter().filter(|(field, _)| field != "payload") {
            // What is left out becomes the default, which the rule is held against too.
            let refuses = |default| {
                Schema::compile(&schema, Some(self.shelf.target().dialect()), self.shelf.limits())
                    .is_ok_and(|schema| !schema.is_valid(default))
            };
            let required = self.defaults.get(&field).is_some_and(refuses);
            let mut rule = json!({"properties": {&field: schema}});
            if required {
                rule["required"] = json!([field]);
            }
            parts.push(rule);
        }
        Ok(all_of(parts))
    }

    /// Which tasks the variant concerns; none for all.
    pub(super) fn applies_when(&mut self, variant: &BundleVariant) -> Result<Option<Value>, EffectiveError> {
        variant.applies_when.as_ref().map(|schema| self.on_task(variant, schema)).transpose()
    }

    fn on_task(&mut self, variant: &BundleVariant, schema: &worker_types::SchemaRef) -> Result<Value, EffectiveError> {
        self.shelf.schema(self.bundle, variant, schema, Looks::AtTask(self.defaults))
    }

    /// The rules that a schema can say, with the member of the task that each is about; the others become words.
    fn rules(&mut self, variant: &BundleVariant) -> Vec<(String, Value)> {
        let mut schemas = Vec::new();
        for rule in variant.constraints.iter().flat_map(|constraints| &constraints.rules) {
            match say(rule, self.shelf.target()) {
                Said::Schema { field, schema } => schemas.push((field, schema)),
                Said::Words(words) if !self.words.contains(&words) => self.words.push(words),
                Said::Words(_) => {}
            }
        }
        schemas
    }
}
