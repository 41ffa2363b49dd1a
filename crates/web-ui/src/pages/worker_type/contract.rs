//! The payload schema of one variant, with examples.

use crate::json_text::pretty;
use crate::reference::{Reference, prefix};
use crate::web_ui::State;
use maud::{Markup, html};
use payload_schema::{Input, dialect_of};
use registry::{ResolvedVariant, View};
use serde_json::Value;
use std::sync::Arc;
use worker_types::{Dialect, Outcome, ResolvedRule, SchemaRef, Subject, WorkerTypeId};

/// A section of the page.
pub(super) struct Section {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) markup: Markup,
    /// Anchors and names of the properties at the top.
    pub(super) properties: Vec<(String, String)>,
}

/// The section about one variant.
pub(super) fn section(state: &State, id: &WorkerTypeId, view: &View, index: usize, pinned: bool) -> Option<Section> {
    let variant = view.resolved.variants.get(index)?;
    let contract = &variant.contract;
    let name = &contract.name;
    let title = if view.resolved.variants.len() == 1 { "Payload".to_owned() } else { format!("Payload for {name}") };
    let anchor = format!("_payload-{name}");
    let schema = |reference: &Option<SchemaRef>| -> Option<(Arc<Value>, Dialect)> {
        let reference = reference.as_ref()?;
        let schema = view.resolved.schemas.get(&reference.hash)?.clone();
        let dialect = dialect_of(&schema, reference.dialect);
        Some((schema, dialect))
    };
    let payload = schema(&contract.payload_schema);
    let pin = if pinned { format!("&revision={}", view.revision.revision) } else { String::new() };
    let elsewhere = format!("/worker-types/{id}/schema?variant={name}{pin}&at=");
    // Anchors of the first variant are plain: documentation links to them.
    let prefix = prefix(index, name);
    let raw = format!("/api/worker-manager/v1/worker-types/{id}/payload-schema?variant={name}{pin}");
    let reference = payload
        .as_ref()
        .map(|(schema, dialect)| Reference::new(schema, *dialect, &prefix, elsewhere).narrowed(narrowed(variant)));
    let properties = reference.as_ref().map(Reference::tops).unwrap_or_default();
    let markup = html! {
        section.contract aria-labelledby=(anchor) {
            h2 id=(anchor) { (title) }
            @if let Some(condition) = &contract.applies_when {
                @if let Some(schema) = view.resolved.schemas.get(&condition.hash) {
                    details { summary { "Only for tasks like this" } pre { code { (pretty(schema)) } } }
                }
            }
            @match &payload {
                Some((schema, dialect)) => {
                    p.quiet { a href=(raw) { "JSON Schema" } ", " (dialect.as_str()) }
                    (examples(state, id, view, index, schema))
                    h3 id={ (anchor) "-properties" } { "Properties" }
                    div.reference data-filter={ "Filter " (title) } {
                        @if let Some(reference) = &reference { (reference.render("", "payload", 0)) }
                    }
                },
                None => p { "Any object is taken as a payload: nothing is known about it here." },
            }
            (narrowing(view, variant))
            @if let Some((schema, _)) = schema(&contract.task_schema) {
                details { summary { "What the whole task must be" } pre { code { (pretty(&schema)) } } }
            }
        }
    };
    Some(Section { id: anchor, title, markup, properties })
}

/// What was written by hand, and what is made of the schema and also stands what this pool asks beyond it.
fn examples(state: &State, id: &WorkerTypeId, view: &View, index: usize, schema: &Value) -> Markup {
    let variant = &view.resolved.variants[index];
    let made = variant.contract.payload_schema.as_ref().map(|reference| state.examples.of(reference, schema));
    let alone = state.registry.variant_alone(id, view, index);
    let accepts = |payload: &&Value| {
        alone.as_ref().is_some_and(|alone| alone.evaluate(Input::Payload(payload)).verdict != Outcome::Invalid)
    };
    let minimal = made.as_ref().and_then(|made| made.minimal.as_ref()).filter(accepts);
    let full = made.as_ref().and_then(|made| made.full.as_ref()).filter(accepts);
    let written = view.definition.variants.get(variant.index).into_iter().flat_map(|variant| &variant.examples);
    let written: Vec<_> = written
        .filter(|example| example.valid)
        .map(|example| match &example.subject {
            Subject::Payload(value) | Subject::Task(value) => (example.title.as_str(), value),
        })
        .collect();
    html! {
        @for (title, value) in &written { (folded(&format!("Example: {title}"), value, written.len() == 1)) }
        @if let Some(minimal) = minimal { (folded("Minimal example", minimal, written.is_empty())) }
        @if let Some(full) = full.filter(|_| full != minimal) { (folded("Full example", full, false)) }
    }
}

fn folded(title: &str, value: &Value, open: bool) -> Markup {
    html! { details.example open[open] { summary { (title) } pre data-copy { code { (pretty(value)) } } } }
}

/// Which properties this pool narrows, by their paths, and how.
fn narrowed(variant: &ResolvedVariant) -> Vec<(String, String)> {
    let rules = variant.contract.constraints.iter().flat_map(|one| &one.rules);
    rules
        .map(|rule| match rule {
            ResolvedRule::AtMost { path, limit } => (spoken(path), format!("at most {limit}")),
            ResolvedRule::NotAfter { path, other } => (spoken(path), format!("not after {}", spoken(other))),
        })
        .collect()
}

/// A pointer on the task as authors say it: `payload.artifacts.*.expires`.
fn spoken(pointer: &str) -> String {
    let names = pointer.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
    names.collect::<Vec<_>>().join(".")
}

/// What this pool asks beyond the schema.
fn narrowing(view: &View, variant: &ResolvedVariant) -> Markup {
    let constraints = &variant.contract.constraints;
    let schemas = constraints.iter().flat_map(|one| [&one.payload_schema, &one.task_schema]).flatten();
    let schemas: Vec<_> = schemas.filter_map(|reference| view.resolved.schemas.get(&reference.hash)).collect();
    let rules = narrowed(variant);
    html! {
        @if !rules.is_empty() || !schemas.is_empty() {
            h3 { "Narrower here" }
            ul { @for (path, words) in &rules { li { code { (path) } " is " (words) } } }
            @for schema in schemas { details { summary { "Must also fit this schema" } pre { code { (pretty(schema)) } } } }
        }
    }
}
