//! The gate's look at examples: what people copy must be accepted, and what is shown as wrong must be refused.

use super::{Gate, GateReport, no_configuration};
use crate::live::bundle_of;
use crate::resolve::{Resolved, resolve_release_variant};
use payload_schema::{Input, Prepared};
use std::sync::Arc;
use worker_types::{
    Acceptance, Bundle, ContentHash, Definition, Example, Generation, Item, Lifecycle, Outcome, Release,
    RevisionNumber, Subject, Task, Verdict, WorkerTypeId, content_hash,
};

/// Errors of one example that are listed.
const ERRORS_PER_EXAMPLE: usize = 5;

pub(super) fn check_definition(
    gate: &Gate<'_>,
    id: &WorkerTypeId,
    definition: &Definition,
    resolved: &Resolved,
    report: &mut GateReport,
) {
    if definition.variants.iter().all(|variant| variant.examples.is_empty()) {
        return;
    }
    let whole = bundle_of(id, Generation(1), RevisionNumber(1), &no_hash(), definition, resolved.clone());
    for (index, variant) in definition.variants.iter().enumerate() {
        // A contract that is wrong itself says nothing of its examples.
        if variant.examples.is_empty() || !report.ok_below(&format!("/variants/{index}")) {
            continue;
        }
        let keep = |position: usize| resolved.variants[position].index == index;
        check_all(gate, &only(&whole, keep), &variant.examples, &format!("/variants/{index}"), report);
    }
}

/// A release's examples are held against its own contract; limits that only a pool can give are left out.
pub(super) fn check_release(gate: &Gate<'_>, release: &Release, report: &mut GateReport) {
    let Ok(id) = WorkerTypeId::new("release", "example") else { return };
    for (index, variant) in release.variants.iter().enumerate() {
        if variant.examples.is_empty() || !report.ok_below(&format!("/variants/{index}")) {
            continue;
        }
        let resolved = resolve_release_variant(variant, &no_configuration());
        let definition = Definition::around_release();
        let bundle = bundle_of(&id, Generation(1), RevisionNumber(1), &no_hash(), &definition, resolved);
        check_all(gate, &bundle, &variant.examples, &format!("/variants/{index}"), report);
    }
}

fn no_hash() -> ContentHash {
    content_hash(&serde_json::Value::Null)
}

/// The bundle with some of its variants, any of which may accept, whatever the worker type's own state.
fn only(whole: &Bundle, keep: impl Fn(usize) -> bool) -> Bundle {
    let mut bundle = whole.clone();
    for revision in &mut bundle.revisions {
        revision.acceptance = Acceptance::Any;
        revision.lifecycle = Lifecycle::default();
        let variants = std::mem::take(&mut revision.variants).into_iter().enumerate();
        revision.variants = variants.filter(|(position, _)| keep(*position)).map(|(_, variant)| variant).collect();
    }
    bundle
}

fn check_all(gate: &Gate<'_>, bundle: &Bundle, examples: &[Example], at: &str, report: &mut GateReport) {
    let prepared = match gate.evaluator.prepare(Arc::new(bundle.clone())) {
        Ok(prepared) => prepared,
        Err(error) => {
            report.errors.push(Item::new("schema-does-not-compile", at, error.to_string()));
            return;
        }
    };
    for (index, example) in examples.iter().enumerate() {
        let at = format!("{at}/examples/{index}");
        match verdict(&prepared, &example.subject, &bundle.worker_type_id) {
            Err(item) => report.errors.push(item.below(&format!("{at}/task"))),
            Ok(verdict) => report.errors.extend(faults(example, &verdict, &at)),
        }
    }
}

fn verdict(prepared: &Prepared, subject: &Subject, id: &WorkerTypeId) -> Result<Verdict, Box<Item>> {
    match subject {
        Subject::Payload(payload) => Ok(prepared.evaluate(Input::Payload(payload)).into_owned()),
        Subject::Task(task) => {
            let task = Task::normalised_for(task.clone(), id).map_err(|error| Box::new(error.item()))?;
            Ok(prepared.evaluate(Input::Task(&task)).into_owned())
        }
    }
}

fn faults(example: &Example, verdict: &Verdict, at: &str) -> Vec<Item> {
    let title = &example.title;
    match (example.valid, verdict.verdict) {
        (true, Outcome::Invalid) => {
            let prefix = match example.subject {
                Subject::Payload(_) => at.to_owned(),
                Subject::Task(_) => format!("{at}/task"),
            };
            let errors = verdict.errors.iter().take(ERRORS_PER_EXAMPLE).cloned();
            errors
                .map(|error| {
                    let message = format!("the example {title:?} is declared valid, but {}", error.message);
                    Item { problem: "example-rejected".to_owned(), message, revision: None, ..error }.below(&prefix)
                })
                .collect()
        }
        (false, Outcome::Valid | Outcome::Unchecked) => {
            let message = format!("the example {title:?} is declared invalid, but the contract accepts it");
            vec![Item::new("example-accepted", at, message)]
        }
        _ => Vec::new(),
    }
}
