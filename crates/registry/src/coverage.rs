//! What authors would look for in vain: payload properties without a description, or that the documentation does not
//! mention; variants without an example; links inside the documentation that lead nowhere.

mod links;
mod properties;

use crate::documentation;
use crate::live::LiveWorkerType;
use crate::parsed::Parsed;
use crate::registry::Registry;
use crate::resolve::{Resolved, resolve};
use crate::store::StoreError;
use properties::Property;
use serde_json::Value;
use std::collections::BTreeMap;
use worker_types::{Definition, DocumentationCoverage, Item, Release, Variant, WorkerTypeId};

/// Names that one item lists.
const LISTED: usize = 10;

/// Measures a definition.
fn measure(id: &WorkerTypeId, definition: &Definition, resolved: &Resolved) -> DocumentationCoverage {
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
    let coverage = DocumentationCoverage {
        complete: false,
        properties: found.len(),
        undescribed: names(&|property| !property.described),
        unmentioned: names(&|property| !words.contains(property.name.as_str())),
        without_example: without_example(definition, resolved),
        dead_links: links::dead(&text),
    };
    let lists = [&coverage.undescribed, &coverage.unmentioned, &coverage.without_example, &coverage.dead_links];
    let complete = lists.iter().all(|list| list.is_empty());
    DocumentationCoverage { complete, ..coverage }
}

/// The paths of the properties that a schema declares, in order.
pub(crate) fn property_paths(schema: &Value) -> Vec<String> {
    properties::of(schema).into_iter().map(|property| property.path).collect()
}

/// What is missing, one item for each kind.
pub(crate) fn missing(id: &WorkerTypeId, definition: &Definition, resolved: &Resolved) -> Vec<Item> {
    let coverage = measure(id, definition, resolved);
    let kinds = [
        ("undescribed-property", "/variants", "payload properties have no description", &coverage.undescribed),
        ("unmentioned-property", "/documentation", "payload properties are not mentioned", &coverage.unmentioned),
        ("no-example", "/variants", "variants have no example that is accepted", &coverage.without_example),
        ("dead-link", "/documentation", "links lead nowhere", &coverage.dead_links),
    ];
    let lacking = kinds.into_iter().filter(|(.., list)| !list.is_empty());
    lacking
        .map(|(problem, pointer, words, list)| {
            let shown: Vec<&str> = list.iter().take(LISTED).map(String::as_str).collect();
            let more = list.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message = format!("{pointer}: {} {words}: {}{more}", list.len(), shown.join(", "));
            Item::new(problem, pointer, message)
        })
        .collect()
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
    pub(crate) fn coverage_of(&self, id: &WorkerTypeId, definition: &Value) -> Option<DocumentationCoverage> {
        let definition = Definition::read(definition, id).ok()?;
        let snapshot = self.snapshot();
        let resolved = resolve(&definition, &**snapshot).ok()?;
        Some(measure(id, &definition, &resolved))
    }

    /// How much of a live worker type is documented: a millisecond's work.
    pub fn coverage(&self, live: &LiveWorkerType) -> DocumentationCoverage {
        self.measured(live).unwrap_or_default()
    }

    fn measured(&self, live: &LiveWorkerType) -> Result<DocumentationCoverage, StoreError> {
        let Parsed { definition, resolved } = live.read(&self.newest_releases(&self.snapshot()))?;
        Ok(measure(&live.record.id, &definition, &resolved))
    }

    /// Whether nothing is missing from its documentation. Measured by the first who asks, and kept with what is live.
    pub(crate) fn is_documented(&self, live: &LiveWorkerType) -> bool {
        if let Some(known) = live.documented.get() {
            return *known;
        }
        let Ok(coverage) = self.measured(live) else { return false };
        *live.documented.get_or_init(|| coverage.complete)
    }
}
