//! The publish gate: everything that is wrong with a proposed definition or release, at once, each with its place.

mod examples;
mod inspections;
mod marks;
mod schemas;

pub(crate) use inspections::Inspections;
pub(crate) use marks::{bundle_mark, marks_of};

use crate::coverage;
use crate::documentation;
use crate::live;
use crate::parsed::Parsed;
use crate::resolve::{Releases, Resolved, resolve, resolve_partly};
use crate::shelf::Shelf;
use crate::store::{RevisionRecord, WorkerTypeRecord, WorkerTypeState};
use payload_schema::{Evaluator, Limits, Schema};
use serde_json::Value;
use worker_types::{
    Bundle, ContentHash, Definition, DocumentationPolicy, Generation, Item, Object, Release, ReleaseId, RevisionNumber,
    VariantSource, WorkerTypeId, content_hash, content_hash_and_size,
};

/// What a definition or a release may be.
#[derive(Clone, Debug)]
pub struct GateLimits {
    /// Bytes of the canonical form of a definition.
    pub definition_bytes: usize,
    /// Bytes of the canonical form of a release.
    pub release_bytes: usize,
    /// Of each schema in them.
    pub schema: Limits,
}

impl Default for GateLimits {
    fn default() -> Self {
        Self { definition_bytes: 1 << 20, release_bytes: 4 << 20, schema: Limits::default() }
    }
}

/// What the gate found.
#[derive(Clone, Debug, Default)]
pub struct GateReport {
    /// Why it is refused; empty when it is not.
    pub errors: Vec<Item>,
    /// What its author should know.
    pub warnings: Vec<Item>,
    /// The definition that was looked at, as far as it can be read, and the hash of its content.
    pub(crate) read: Option<Box<(Parsed, ContentHash)>>,
}

impl GateReport {
    /// Whether nothing is wrong.
    pub fn ok(&self) -> bool {
        self.errors.is_empty()
    }

    /// Whether nothing is wrong at or below a place.
    pub(crate) fn ok_below(&self, pointer: &str) -> bool {
        let below = |item: &Item| {
            item.pointer.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        !self.errors.iter().any(below)
    }

    fn refuse(mut self, faults: impl IntoIterator<Item = Item>) -> Self {
        self.errors.extend(faults);
        self
    }
}

/// The gate with its limits and its compiled schemas.
pub(crate) struct Gate<'a> {
    pub(crate) limits: &'a GateLimits,
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) inspections: &'a Inspections,
    pub(crate) shelf: &'a Shelf,
}

impl Gate<'_> {
    /// Holds a definition against every stage that it can reach.
    /// `in_use` are the releases that the live definition uses.
    pub(crate) fn definition(
        &self,
        value: &Value,
        id: &WorkerTypeId,
        releases: &dyn Releases,
        in_use: &[String],
    ) -> GateReport {
        let mut report = GateReport::default();
        let (content_hash, bytes) = content_hash_and_size(value);
        if let Some(item) = beyond(bytes, self.limits.definition_bytes, "definition") {
            return report.refuse([item]);
        }
        let (definition, faults) = Definition::read_partly(value, id, &|schema| self.shelf.find(schema));
        match &definition {
            Some(definition) if faults.is_empty() => {
                schemas::inspect_definition(definition, self.inspections, &mut report);
            }
            _ => schemas::inspect_variants(value, self.inspections, &mut report),
        }
        report.errors.extend(faults);
        let Some(definition) = definition else { return report };
        let (resolved, faults) = resolve_partly(&definition, releases);
        report.errors.extend(faults);
        marks::check(&definition, releases, in_use, &mut report);
        self.configurations(&definition, &resolved, releases, &mut report);
        examples::check_definition(self, id, &definition, &resolved, &mut report);
        report.warnings.extend(documentation::empty_placeholders(&definition, &resolved.variants));
        check_documentation(id, &definition, &resolved, &mut report);
        report.read = Some(Box::new((Parsed { definition, resolved }, content_hash)));
        report
    }

    /// Holds a release against every stage that it can reach.
    pub(crate) fn release(&self, value: &Value, id: &ReleaseId) -> GateReport {
        let mut report = GateReport::default();
        if let Some(item) = beyond(content_hash_and_size(value).1, self.limits.release_bytes, "release") {
            return report.refuse([item]);
        }
        schemas::inspect_variants(value, self.inspections, &mut report);
        schemas::inspect_one(
            value.get("configurationSchema"),
            None,
            "/configurationSchema",
            self.inspections,
            &mut report,
        );
        match Release::read(value, id) {
            Err(faults) => report.refuse(faults),
            Ok(release) => {
                examples::check_release(self, &release, &mut report);
                report
            }
        }
    }

    /// Each variant's configuration fits what its release asks for.
    fn configurations(
        &self,
        definition: &Definition,
        resolved: &Resolved,
        releases: &dyn Releases,
        report: &mut GateReport,
    ) {
        for (index, variant) in definition.variants.iter().enumerate() {
            let VariantSource::Release { id, .. } = &variant.source else { continue };
            let release = releases.release(id);
            let Some(schema) = release.as_ref().and_then(|release| release.release.configuration_schema.as_ref())
            else {
                continue;
            };
            let Some(of_variant) = resolved.variants.iter().find(|one| one.index == index) else { continue };
            let configuration = Value::Object(of_variant.configuration.clone());
            let at = format!("/variants/{index}/configuration");
            if !report.ok_below(&at) {
                continue;
            }
            match Schema::compile(schema, None, &self.limits.schema) {
                Ok(schema) if schema.is_valid(&configuration) => {}
                Ok(schema) => {
                    let found = schema.explain(&configuration, "", &self.limits.schema).errors;
                    report.errors.extend(found.into_iter().map(|item| configuration_item(item, &at, id)));
                }
                Err(faults) => report.errors.extend(faults.into_iter().map(|fault| fault.below(&at))),
            }
        }
    }
}

/// The engine speaks of a task; here it looked at a configuration.
fn configuration_item(item: Item, at: &str, release: &ReleaseId) -> Item {
    let words =
        item.message.strip_prefix("task").map_or_else(|| item.message.clone(), |rest| format!("configuration{rest}"));
    let message = format!("{at}: {words} (the configuration schema of {release})");
    Item { problem: "configuration".to_owned(), message, ..item }.below(at)
}

/// What its own policy says to what its authors would not find.
fn check_documentation(id: &WorkerTypeId, definition: &Definition, resolved: &Resolved, report: &mut GateReport) {
    let policy = definition.documentation_coverage;
    if policy == DocumentationPolicy::None || !report.ok() {
        return;
    }
    let items = coverage::missing(id, definition, resolved);
    let findings = if policy == DocumentationPolicy::Require { &mut report.errors } else { &mut report.warnings };
    findings.extend(items);
}

fn beyond(bytes: usize, limit: usize, what: &str) -> Option<Item> {
    (bytes > limit).then(|| Item::new("too-large", "", format!("the {what} has {bytes} bytes; the limit is {limit}")))
}

/// A bundle of `definition` alone, as if it were live: what examples and proposed tasks are held against.
pub(crate) fn proposed_bundle(
    value: &Value,
    id: &WorkerTypeId,
    revision: RevisionNumber,
    releases: &dyn Releases,
) -> Option<Bundle> {
    let definition = Definition::read(value, id).ok()?;
    let resolved = resolve(&definition, releases).ok()?;
    Some(live::bundle_of(id, Generation(1), revision, &content_hash(value), &definition, resolved))
}

/// Whether the live content is the proposed one already.
pub(crate) fn is_live(record: Option<&WorkerTypeRecord>, hash: &ContentHash) -> bool {
    let live = |revision: &RevisionRecord| revision.content_hash == *hash;
    matches!(record.map(|record| &record.state), Some(WorkerTypeState::Live { revision, .. }) if live(revision))
}

/// An empty object, for variants of a release that is looked at without any pool.
pub(crate) fn no_configuration() -> Object {
    Object::new()
}
