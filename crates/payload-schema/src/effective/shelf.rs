//! The schemas of bundles, each put into the document once, however many variants and worker types refer to it.

use super::EffectiveError;
use crate::upgrade::{Definitions, Filled, Source, Writer};
use crate::{Limits, Refused, Surroundings, Target};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::HashMap;
use worker_types::{Bundle, BundleVariant, Object, SchemaRef, WorkerTypeId};

/// What a schema looks at.
#[derive(Clone, Copy)]
pub(super) enum Looks<'a> {
    AtPayload,
    /// With what a queue fills in for this worker type.
    AtTask(&'a Object),
}

/// A schema, and for one on tasks that depends on the worker type's names, the worker type.
type Key = (SchemaRef, bool, Option<WorkerTypeId>);

/// A document that is being put together.
pub(super) struct Shelf<'l> {
    definitions: Definitions,
    limits: &'l Limits,
    known: HashMap<Key, String>,
}

impl<'l> Shelf<'l> {
    pub(super) fn new(target: Target, limits: &'l Limits) -> Self {
        Self { definitions: Definitions::new(target), limits, known: HashMap::new() }
    }

    pub(super) fn limits(&self) -> &'l Limits {
        self.limits
    }

    pub(super) fn target(&self) -> Target {
        self.definitions.target()
    }

    pub(super) fn into_definitions(self) -> Definitions {
        self.definitions
    }

    /// A reference to a schema of `variant`.
    pub(super) fn schema(
        &mut self,
        bundle: &Bundle,
        variant: &BundleVariant,
        schema: &SchemaRef,
        looks: Looks<'_>,
    ) -> Result<Value, EffectiveError> {
        let on_task = matches!(looks, Looks::AtTask(_));
        let shared = (schema.clone(), on_task, None);
        let own = (schema.clone(), on_task, Some(bundle.worker_type_id.clone()));
        if let Some(known) = self.known.get(&shared).or_else(|| self.known.get(&own)) {
            return Ok(json!({"$ref": known}));
        }
        let value = bundle.schemas.get(&schema.hash).ok_or_else(|| EffectiveError::MissingSchema {
            worker_type_id: bundle.worker_type_id.clone(),
            hash: schema.hash.to_string(),
        })?;
        let depends_on_names = Cell::new(false);
        let filled = match looks {
            Looks::AtPayload => None,
            Looks::AtTask(defaults) => Some(Filled::new(defaults, &depends_on_names)),
        };
        let reference = Source::read(value, Some(schema.dialect), self.limits, Surroundings::default())
            .and_then(|source| self.place(&label(bundle, variant), &source, filled))
            .map_err(|source| EffectiveError::Refused {
                worker_type_id: bundle.worker_type_id.clone(),
                variant: variant.name.clone(),
                source,
            })?;
        self.known.insert(if depends_on_names.get() { own } else { shared }, reference.clone());
        Ok(json!({"$ref": reference}))
    }

    /// A reference to a schema of ours.
    pub(super) fn own(&mut self, name: &str, schema: &Value) -> Result<Value, Refused> {
        let source = Source::read(schema, None, self.limits, Surroundings::default())?;
        Ok(json!({"$ref": self.place(name, &source, None)?}))
    }

    fn place(&mut self, name: &str, source: &Source<'_>, filled: Option<Filled<'_>>) -> Result<String, Refused> {
        let before = self.definitions.count();
        let name = self.definitions.name(name);
        let written = Writer::as_definition(source, &mut self.definitions, name.clone(), filled).root();
        let root = written.inspect_err(|_| self.definitions.forget_from(before))?;
        self.definitions.put(&name, root);
        Ok(self.definitions.reference(&name))
    }
}

/// How definitions are named: after the release or the program, and the variant.
fn label(bundle: &Bundle, variant: &BundleVariant) -> String {
    let owner = match (&variant.release, &variant.implementation) {
        (Some(release), _) => release.to_string(),
        (None, Some(program)) => match &program.version {
            Some(version) => format!("{}@{version}", program.name),
            None => program.name.clone(),
        },
        (None, None) => bundle.worker_type_id.to_string(),
    };
    if variant.name == "default" || owner.starts_with(&variant.name) {
        owner
    } else {
        format!("{owner}.{}", variant.name)
    }
}
