//! What authors would look for in vain: payload properties without a description, or that the documentation does not
//! mention; variants without an example; links inside the documentation that lead nowhere.

mod links;
mod properties;

use crate::documentation;
use crate::live::LiveWorkerType;
use crate::registry::Registry;
use crate::resolve::{Resolved, resolve};
use properties::Property;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use worker_types::{Definition, Item, Release, Variant, WorkerTypeId};

/// Names that one item lists.
const LISTED: usize = 10;

/// How much of a worker type is documented.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Whether nothing is missing.
    pub complete: bool,
    /// How many properties payloads may have, over all variants.
    pub properties: usize,
    /// Those without a description in the schema, as `artifacts[].name`.
    pub undescribed: Vec<String>,
    /// Those whose name the documentation does not mention.
    pub unmentioned: Vec<String>,
    /// Variants that show no payload or task that is accepted.
    pub without_example: Vec<String>,
    /// Anchors that are linked to and not there, as `#limits`.
    pub dead_links: Vec<String>,
}

impl Coverage {
    /// Measures a definition.
    pub(crate) fn of(id: &WorkerTypeId, definition: &Definition, resolved: &Resolved) -> Self {
        let text = documentation::markdown(id, definition, &resolved.variants);
        let mut found: BTreeMap<String, Property> = BTreeMap::new();
        for variant in &resolved.variants {
            let reference = variant.contract.payload_schema.as_ref();
            let Some(schema) = reference.and_then(|reference| resolved.schemas.get(&reference.hash)) else { continue };
            for property in properties::of(schema) {
                let known = found.entry(property.path.clone()).or_insert_with(|| property.clone());
                // One variant's words do not help the author of another's payload.
                known.described &= property.described;
            }
        }
        let words = properties::words(&text);
        let names = |missing: &dyn Fn(&Property) -> bool| -> Vec<String> {
            found.values().filter(|property| missing(property)).map(|property| property.path.clone()).collect()
        };
        let coverage = Self {
            complete: false,
            properties: found.len(),
            undescribed: names(&|property| !property.described),
            unmentioned: names(&|property| !words.contains(property.name.as_str())),
            without_example: without_example(definition, resolved),
            dead_links: links::dead(&text),
        };
        let lists = [&coverage.undescribed, &coverage.unmentioned, &coverage.without_example, &coverage.dead_links];
        let complete = lists.iter().all(|list| list.is_empty());
        Self { complete, ..coverage }
    }

    /// What is missing, one item for each kind.
    pub fn items(&self) -> Vec<Item> {
        let kinds = [
            ("undescribed-property", "/variants", "payload properties have no description", &self.undescribed),
            ("unmentioned-property", "/documentation", "payload properties are not mentioned", &self.unmentioned),
            ("no-example", "/variants", "variants have no example that is accepted", &self.without_example),
            ("dead-link", "/documentation", "links lead nowhere", &self.dead_links),
        ];
        let missing = kinds.into_iter().filter(|(.., list)| !list.is_empty());
        missing
            .map(|(problem, pointer, words, list)| {
                let shown: Vec<&str> = list.iter().take(LISTED).map(String::as_str).collect();
                let more = list.len() - shown.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let message = format!("{pointer}: {} {words}: {}{more}", list.len(), shown.join(", "));
                Item::new(problem, pointer, message)
            })
            .collect()
    }
}

/// The variants for which neither the definition nor a release shows something that is accepted.
fn without_example(definition: &Definition, resolved: &Resolved) -> Vec<String> {
    let shows = |variant: &Variant| variant.examples.iter().any(|example| example.valid);
    let missing = resolved.variants.iter().filter(|one| {
        let variant = definition.variants.get(one.index);
        // Without a contract there is nothing to show.
        let has_contract = one.contract.payload_schema.is_some() || one.contract.task_schema.is_some();
        has_contract && !one.release_has_example && !variant.is_some_and(shows)
    });
    missing.map(|one| one.contract.name.clone()).collect()
}

/// Whether a release shows something that one of its variants accepts.
pub(crate) fn release_shows(release: &Release, variant: &str) -> bool {
    let variants = release.variants.iter().filter(|one| one.name == variant);
    variants.flat_map(|one| &one.examples).any(|example| example.valid)
}

impl Registry {
    /// How much of a definition is documented; none where it cannot be read.
    pub(crate) fn coverage_of(&self, id: &WorkerTypeId, definition: &Value) -> Option<Coverage> {
        let definition = Definition::read(definition, id).ok()?;
        let snapshot = self.snapshot();
        let resolved = resolve(&definition, &**snapshot).ok()?;
        Some(Coverage::of(id, &definition, &resolved))
    }

    /// How much of a live worker type is documented. Measured by the first who asks, and kept with what is live.
    pub fn coverage(&self, live: &LiveWorkerType) -> Coverage {
        let measure = || {
            let snapshot = self.snapshot();
            let resolved = resolve(&live.definition, &**snapshot);
            resolved.map(|resolved| Coverage::of(&live.record.id, &live.definition, &resolved)).unwrap_or_default()
        };
        live.coverage.get_or_init(measure).clone()
    }
}
