//! Why a task is invalid: the errors of the variants that its author most likely meant.

use super::Subject;
use super::revision::{Decision, RevisionCheck};
use crate::Prepared;
use crate::prepared::PreparedVariant;
use crate::rules::RuleVerdict;
use worker_types::{Acceptance, BundleRevision, Item, LifecycleState, Verdict, WorkerTypeId};

/// Problems of an instance that is of another shape, not merely wrong in a value.
const STRUCTURAL: [&str; 4] = ["required", "additionalProperties", "unevaluatedProperties", "false"];

struct Reasons {
    items: Vec<Item>,
    more: usize,
}

impl Reasons {
    /// How far the task is from what the variant takes: problems of shape first.
    fn distance(&self) -> (usize, usize) {
        let structural = self.items.iter().filter(|item| STRUCTURAL.contains(&item.problem.as_str())).count();
        (structural + self.more, self.items.len() + self.more)
    }
}

/// Fills in the errors of an invalid verdict. With two live revisions that both refuse, those of the newer.
pub(crate) fn add_errors(answer: &mut Verdict, prepared: &Prepared, checks: &[RevisionCheck], subject: Subject<'_>) {
    let refusing = checks.iter().rposition(|check| check.decision == Decision::Rejects);
    let Some(index) = refusing else { return };
    let revision = &prepared.bundle.revisions[index];
    let reasons = revision_reasons(prepared, index, &checks[index], subject);
    let limit = prepared.limits.errors;
    answer.more_errors = reasons.more + reasons.items.len().saturating_sub(limit);
    answer.errors = reasons.items;
    answer.errors.truncate(limit);
    for item in &mut answer.errors {
        item.revision = Some(revision.revision.0);
    }
}

fn revision_reasons(prepared: &Prepared, index: usize, check: &RevisionCheck, subject: Subject<'_>) -> Reasons {
    let revision = &prepared.bundle.revisions[index];
    if revision.lifecycle.state == LifecycleState::Retired {
        let item = lifecycle_item("retired", revision, &prepared.bundle.worker_type_id);
        return Reasons { items: vec![item], more: 0 };
    }
    let variants = &prepared.revisions[index].variants;
    let name = |variant: usize| revision.variants[variant].name.as_str();
    if check.candidates.is_empty() {
        let items =
            (0..variants.len()).map(|variant| none_applies_item(prepared, &variants[variant], name(variant), subject));
        return Reasons { items: items.collect(), more: 0 };
    }
    let each =
        check.rejecting.iter().map(|variant| variant_reasons(prepared, &variants[*variant], name(*variant), subject));
    match revision.acceptance {
        Acceptance::Any => each.min_by_key(Reasons::distance).unwrap_or(Reasons { items: Vec::new(), more: 0 }),
        Acceptance::All => each.fold(Reasons { items: Vec::new(), more: 0 }, |mut sum, reasons| {
            sum.items.extend(reasons.items);
            sum.more += reasons.more;
            sum
        }),
    }
}

fn variant_reasons(prepared: &Prepared, variant: &PreparedVariant, name: &str, subject: Subject<'_>) -> Reasons {
    let mut reasons = Reasons { items: Vec::new(), more: 0 };
    match subject.payload {
        None => reasons.items.push(Item::new("required", "", "task must have the property \"payload\"")),
        Some(payload) if !payload.is_object() => reasons.items.push(not_an_object(payload)),
        Some(_) => {}
    }
    if reasons.items.is_empty() {
        for (position, schemas) in variant.schemas().enumerate() {
            let both = [
                (&schemas.payload, subject.payload, "/payload", "/constraints/payloadSchema"),
                (&schemas.task, subject.task, "", "/constraints/taskSchema"),
            ];
            for (schema, instance, at, constraint) in both {
                if let (Some(schema), Some(instance)) = (schema, instance)
                    && !schema.is_valid(instance)
                {
                    let mut explanation = schema.explain(instance, at, &prepared.limits);
                    // The contract's own schemas come first; pointers into what narrows them say so.
                    if position > 0 {
                        explanation
                            .errors
                            .iter_mut()
                            .filter_map(|item| item.schema_pointer.as_mut())
                            .for_each(|pointer| pointer.insert_str(0, constraint));
                    }
                    reasons.items.extend(explanation.errors);
                    reasons.more += explanation.more;
                }
            }
        }
        for rule in variant.rules() {
            if let RuleVerdict::Broken(items) = rule.check(subject.view) {
                reasons.items.extend(items);
            }
        }
    }
    for item in &mut reasons.items {
        item.variant = Some(name.to_owned());
    }
    reasons
}

fn not_an_object(payload: &serde_json::Value) -> Item {
    let kind = match payload {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "a boolean",
        serde_json::Value::Number(_) => "a number",
        serde_json::Value::String(_) => "a string",
        _ => "an array",
    };
    Item::new("type", "/payload", format!("task.payload must be an object, not {kind}")).contrast("object", kind)
}

/// What one variant asks for before it concerns a task.
fn none_applies_item(prepared: &Prepared, variant: &PreparedVariant, name: &str, subject: Subject<'_>) -> Item {
    let asked = variant.applies_when.as_ref().zip(subject.task).and_then(|(schema, task)| {
        let explanation = schema.explain(task, "", &prepared.limits);
        explanation.errors.into_iter().next()
    });
    let asked = asked.unwrap_or_else(|| Item::new("no-variant-applies", "", "the task is not one that it concerns"));
    let message = format!("no variant applies to this task; {name} would, but: {}", asked.message);
    Item { problem: "no-variant-applies".to_owned(), message, variant: Some(name.to_owned()), ..asked }
}

/// `deprecated` or `retired`, with the owner's words and the replacement.
pub(crate) fn lifecycle_item(problem: &str, revision: &BundleRevision, id: &WorkerTypeId) -> Item {
    Item::new(problem, "", lifecycle_words(problem, revision, id)).suggest(revision.lifecycle.replaced_by.clone())
}

/// The same in one line.
pub(crate) fn lifecycle_words(problem: &str, revision: &BundleRevision, id: &WorkerTypeId) -> String {
    let lifecycle = &revision.lifecycle;
    let words = lifecycle.message.as_deref().map(|words| format!(": {words}")).unwrap_or_default();
    let instead = lifecycle.replaced_by.as_deref().map(|other| format!("; use {other} instead")).unwrap_or_default();
    format!("the worker type {id} is {problem}{words}{instead}")
}
