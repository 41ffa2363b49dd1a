//! The payload schemas of a revision's variants, with examples.

use crate::examples::Made;
use crate::json_text::pretty;
use crate::reference::{Reference, prefix};
use crate::web_ui::State;
use maud::{Markup, html};
use payload_schema::{Input, dialect_of};
use registry::{ResolvedVariant, View};
use serde_json::Value;
use worker_types::{
    Dialect, Example, Outcome, ResolvedRule, RevisionNumber, SchemaRef, Subject, Task, WorkerTypeId, WrittenSchema,
};

/// A section of the page.
pub(super) struct Section {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) markup: Markup,
    /// Anchors and names of the properties at the top.
    pub(super) properties: Vec<(String, String)>,
}

/// Whose payloads are shown, and how.
pub(super) struct Shown<'a> {
    pub(super) id: &'a WorkerTypeId,
    pub(super) view: &'a View,
    /// Links lead to this revision, whatever becomes live.
    pub(super) pinned: bool,
    /// Said in titles and anchors where two revisions are shown.
    pub(super) revision: Option<RevisionNumber>,
    /// Before the anchors of all that is shown: nothing for what the documentation links to.
    pub(super) prefix: String,
}

/// A section for each variant.
pub(super) fn sections(state: &State, shown: &Shown) -> Vec<Section> {
    (0..shown.view.resolved.variants.len()).filter_map(|index| section(state, shown, index)).collect()
}

fn section(state: &State, shown: &Shown, index: usize) -> Option<Section> {
    let Shown { id, view, pinned, .. } = shown;
    let variant = view.resolved.variants.get(index)?;
    let contract = &variant.contract;
    let name = &contract.name;
    let alone = view.resolved.variants.len() == 1;
    let title = match (alone, shown.revision) {
        (true, None) => "Payload".to_owned(),
        (true, Some(revision)) => format!("Payload, revision {revision}"),
        (false, None) => format!("Payload for {name}"),
        (false, Some(revision)) => format!("Payload for {name}, revision {revision}"),
    };
    let anchor = format!("_payload-{}{name}", shown.prefix);
    let schema = |reference: &Option<SchemaRef>| -> Option<(WrittenSchema, Dialect)> {
        let reference = reference.as_ref()?;
        let schema = view.resolved.schemas.get(&reference.hash)?.clone();
        let dialect = dialect_of(&schema, reference.dialect);
        Some((schema, dialect))
    };
    let payload = schema(&contract.payload_schema);
    let pin = if *pinned { format!("&revision={}", view.revision.revision) } else { String::new() };
    let elsewhere = format!("/worker-types/{id}/schema?variant={name}{pin}&at=");
    // Anchors of the first variant are plain: documentation links to them.
    let prefix = format!("{}{}", shown.prefix, prefix(index, name));
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
                    (examples(state, shown, index, schema))
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

/// What was written by hand, and what is made of the schema and also stands what this pool asks beyond it. During a
/// rollout none that is refused now, by the other revision.
fn examples(state: &State, shown: &Shown, index: usize, schema: &Value) -> Markup {
    let Shown { id, view, .. } = shown;
    let variant = &view.resolved.variants[index];
    let made = variant.contract.payload_schema.as_ref().map(|reference| state.examples.of(reference, schema));
    let alone = state.registry.variant_alone(id, view, index);
    let rolling = view.is_live() && view.live.as_ref().is_some_and(|live| live.rollout.is_some());
    let is_refused = |input: Input| {
        rolling && state.registry.verdict(id, input).is_ok_and(|verdict| verdict.verdict == Outcome::Invalid)
    };
    let refused = |payload: &Value| is_refused(Input::Payload(payload));
    let fits = |payload: &Value| {
        alone.as_ref().is_some_and(|alone| alone.evaluate(Input::Payload(payload)).verdict != Outcome::Invalid)
    };
    let made = |pick: fn(&Made) -> &Option<Value>| {
        made.as_deref().and_then(|made| pick(made).as_ref()).filter(|one| fits(one))
    };
    let (minimal, full) = (made(|made| &made.minimal), made(|made| &made.full));
    let written = view.definition.variants.get(variant.index).into_iter().flat_map(|variant| &variant.examples);
    let written = written.filter(|example| example.valid);
    let refused_task = |example: &Example| match &example.subject {
        Subject::Payload(payload) => refused(payload),
        Subject::Task(task) => Task::normalised_for(task.clone(), id).is_ok_and(|task| is_refused(Input::Task(&task))),
    };
    let (left_out, written): (Vec<_>, Vec<_>) = written.partition(|example| refused_task(example));
    let value = |example: &Example| match &example.subject {
        Subject::Payload(value) | Subject::Task(value) => pretty(value),
    };
    let is_left_out = !left_out.is_empty() || minimal.is_some_and(refused);
    let (minimal, full) = (minimal.filter(|one| !refused(one)), full.filter(|one| !refused(one)));
    html! {
        @for example in &written { (folded(&format!("Example: {}", example.title), &value(example), written.len() == 1)) }
        @if let Some(minimal) = minimal { (folded("Minimal example", &pretty(minimal), written.is_empty())) }
        @if let Some(full) = full.filter(|_| full != minimal) { (folded("Full example", &pretty(full), false)) }
        @if is_left_out { p.quiet { "Examples that fit this revision alone are left out: they are refused while the rollout is open." } }
    }
}

/// What both revisions of a strict rollout ask for at once.
pub(super) fn of_both(payload: Option<&Value>) -> Markup {
    html! {
        @match payload {
            Some(payload) => (folded("Example that both revisions accept", &pretty(payload), true)),
            None => p { "No payload was found that both accept: until the rollout is completed or aborted, tasks may be refused whatever their payload is." },
        }
    }
}

fn folded(title: &str, text: &str, open: bool) -> Markup {
    html! { details.example open[open] { summary { (title) } pre data-copy { code { (text) } } } }
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
