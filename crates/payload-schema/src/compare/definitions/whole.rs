//! The effective task schemas of two definitions, compared as documents.

use crate::compare::Comparer;
use crate::compare::classes::Classes;
use crate::compare::decide::{Decision, Texts, decide, is_proved};
use crate::effective::{Form, Strictness, effective_payload_schema, effective_task_schema};
use crate::{Prepared, Schema, Surroundings, Target};
use serde_json::Value;
use worker_types::{Bundle, CompatibilityVerdict, Dialect, ResolvedRule};

/// Compares what the documents can say; what only the service can say stays open unless it is the same.
pub(super) fn compare(comparer: &Comparer, old: &Prepared, new: &Prepared) -> Decision {
    let (Some((old_text, before)), Some((new_text, after))) = (document(comparer, old), document(comparer, new)) else {
        return Decision::open();
    };
    let texts = Texts { old: &old_text, new: &new_text };
    let decision = decide(&before, &after, texts, Classes::OBJECT, comparer.effort);
    let proved = decision.verdict == CompatibilityVerdict::Compatible;
    if proved && times(new.bundle()) != times(old.bundle()) { Decision::open() } else { decision }
}

/// Whether it is proved that no payload passes.
pub(super) fn accepts_nothing(comparer: &Comparer, prepared: &Prepared) -> bool {
    let text = effective_payload_schema(prepared.bundle(), Target::Draft202012, &comparer.limits).ok();
    let (before, nothing) = (text.and_then(|text| compiled(comparer, text)), compiled(comparer, Value::Bool(false)));
    // Whoever accepts nothing loses nothing to one that refuses everything.
    let (Some((_, payloads)), Some((_, refusal))) = (before, nothing) else { return false };
    is_proved(&payloads, &refusal, Classes::OBJECT, comparer.effort)
}

fn document(comparer: &Comparer, prepared: &Prepared) -> Option<(Value, Schema)> {
    let limits = &comparer.limits;
    let bundle = std::iter::once(&**prepared.bundle());
    let text = effective_task_schema(bundle, Form::OneOf, Target::Draft202012, Strictness::Refuse, limits).ok()?;
    compiled(comparer, text)
}

fn compiled(comparer: &Comparer, text: Value) -> Option<(Value, Schema)> {
    let surroundings = Surroundings { assert_formats: Some(true), ..Surroundings::default() };
    let schema = Schema::compile_with(&text, Some(Dialect::Draft202012), &comparer.limits, surroundings).ok()?;
    Some((text, schema))
}

/// The comparisons of times, which no schema can say.
fn times(bundle: &Bundle) -> Vec<(&str, &ResolvedRule)> {
    let variants = bundle.revisions.iter().flat_map(|revision| &revision.variants);
    let rules = variants.flat_map(|variant| {
        let rules = variant.constraints.iter().flat_map(|constraints| &constraints.rules);
        rules.map(|rule| (variant.name.as_str(), rule))
    });
    rules.filter(|(_, rule)| matches!(rule, ResolvedRule::NotAfter { .. })).collect()
}
