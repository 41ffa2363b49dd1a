//! Why a value is not valid, in the words of the task's author: each mistake once, at its place, with what was meant.
//!
//! The engine gives the verdict. This walks the value and the schema again, for invalid values only, and bounded: the
//! engine's own errors copy the instance into each of them, and come all at once.

mod branch;
mod discriminator;
mod parts;
mod phrases;
mod place;
mod probe;
mod report;
mod suggest;
mod walk;
mod words;

use crate::model::{Model, NodeId};
use crate::{Explanation, Limits};
use place::{Place, Step};
pub(crate) use probe::Probe;
use report::{Fault, Kind, Report};
use serde_json::Value;
use std::collections::HashSet;
use walk::Walk;
use worker_types::Item;

/// Checks that one explanation may take. The largest real payload takes some hundreds.
const EFFORT: usize = 1_000_000;

/// Checks that asking about one subschema may take.
const EFFORT_FOR_A_PART: usize = 20_000;

/// How a value is named in messages, and from where its pointers start.
#[derive(Clone, Copy)]
pub(crate) struct Named<'a> {
    /// `/payload`
    pub(crate) at: &'a str,
    /// `task.payload`
    pub(crate) words: &'a str,
    /// Whether faults of one cause over many elements are said once.
    pub(crate) grouped: bool,
}

/// Checks inside one another on the caller's stack. Real payloads take some dozens.
const NESTING: usize = 150;

/// Bytes of the stack on which deeper values are explained: 8 KiB for each check that the limits allow.
const STACK_FOR_EACH: usize = 8 << 10;

/// Explains why `value` breaks the schema that `model` was read from. Empty when the walk finds nothing.
pub(crate) fn explain(
    model: &Model,
    value: &Value,
    named: Named<'_>,
    assert_formats: Option<bool>,
    limits: &Limits,
) -> Explanation {
    let explainer = Explainer { model, node: Model::ROOT, value, named, assert_formats, limits };
    explainer.run(NESTING).unwrap_or_else(|| explainer.run_on_a_deep_stack())
}

/// Whether `value` is valid under one subschema, as the walk sees it, and the checks that this took; none where it was
/// cut short. References that look back along their way see only the way from there.
pub(crate) fn accepts(
    model: &Model,
    node: NodeId,
    value: &Value,
    assert_formats: Option<bool>,
) -> (Option<bool>, usize) {
    let mut walk = Walk::new(model, assert_formats, EFFORT_FOR_A_PART, NESTING);
    let mut report = Report::probe();
    walk.check(node, value, &Place::Root, None, &mut report);
    ((!walk.is_exhausted()).then(|| !report.failed()), EFFORT_FOR_A_PART - walk.effort)
}

/// The subschema and the keyword that refuse `value` itself, not a part of it, under one subschema.
pub(crate) fn refusing(
    model: &Model,
    node: NodeId,
    value: &Value,
    assert_formats: Option<bool>,
) -> Option<(NodeId, &'static str)> {
    let mut walk = Walk::new(model, assert_formats, EFFORT_FOR_A_PART, NESTING);
    let mut report = Report::new(1);
    walk.check(node, value, &Place::Root, None, &mut report);
    let fault = report.faults.first().filter(|fault| fault.steps.is_empty())?;
    Some((fault.node, fault.keyword))
}

/// An explanation to be.
#[derive(Clone, Copy)]
struct Explainer<'a> {
    model: &'a Model,
    node: NodeId,
    value: &'a Value,
    named: Named<'a>,
    assert_formats: Option<bool>,
    limits: &'a Limits,
}

impl Explainer<'_> {
    /// Explains the value; none when checks would nest deeper than `nesting`.
    fn run(self, nesting: usize) -> Option<Explanation> {
        let Self { model, node, value, named, assert_formats, limits } = self;
        let mut walk = Walk::new(model, assert_formats, EFFORT, nesting);
        let mut report = Report::new(limits.errors.saturating_mul(4).max(1));
        report.is_grouped = named.grouped;
        walk.check(node, value, &Place::Root, None, &mut report);
        if walk.too_deep {
            return None;
        }
        let words = words::Words { model, root: value, at: named.at, path: named.words, masked: limits.masked };
        // Elements that a message only counts are errors that are not listed.
        let unsaid = report.total.saturating_sub(report.faults.len());
        let mut said: Vec<(&Fault<'_>, Item)> = report.faults.iter().map(|fault| (fault, words.item(fault))).collect();
        drop_consequences(&mut said);
        let mut errors = in_order(model, said);
        let more = unsaid + errors.len().saturating_sub(limits.errors);
        errors.truncate(limits.errors);
        Some(Explanation { errors, more })
    }

    /// Explains a value that is nested deeper than the caller's stack may be used for.
    fn run_on_a_deep_stack(self) -> Explanation {
        let nesting = self.limits.nesting.min(1 << 16);
        let stack = std::thread::Builder::new().stack_size(nesting * STACK_FOR_EACH);
        let explained = std::thread::scope(|scope| {
            let thread = stack.spawn_scoped(scope, move || self.run(nesting)).ok()?;
            thread.join().ok().flatten()
        });
        explained.unwrap_or_default()
    }
}

/// Drops the members that are only missing because their names are misspelt: the misspelt name says it already, with the
/// right one.
fn drop_consequences(said: &mut Vec<(&Fault<'_>, Item)>) {
    let is_missing = |fault: &Fault<'_>| matches!(fault.kind, Kind::Missing(_, None) | Kind::MissingChoice(..));
    if said.len() < 2 || !said.iter().any(|(fault, _)| is_missing(fault)) {
        return;
    }
    let corrected: HashSet<(&[Step<'_>], &str, usize)> = said
        .iter()
        .filter(|(fault, _)| matches!(fault.kind, Kind::Unknown))
        .filter_map(|(fault, item)| {
            let (_, object) = fault.steps.split_last()?;
            Some((object, item.suggestion.as_deref()?, fault.like))
        })
        .collect();
    if corrected.is_empty() {
        return;
    }
    let follows = |fault: &Fault<'_>| match &fault.kind {
        Kind::Missing(name, None) | Kind::MissingChoice(name, _) => {
            corrected.contains(&(fault.steps.as_slice(), *name, fault.like))
        }
        _ => false,
    };
    let mut follow = said.iter().map(|(fault, _)| follows(fault)).collect::<Vec<_>>().into_iter();
    said.retain(|_| follow.next() == Some(false));
}

/// The items in the order of the text, what is said twice once.
fn in_order(model: &Model, said: Vec<(&Fault<'_>, Item)>) -> Vec<Item> {
    if said.len() < 2 {
        return said.into_iter().map(|(_, item)| item).collect();
    }
    let mut items: Vec<(Vec<usize>, Item)> =
        said.into_iter().map(|(fault, item)| (order(model, fault, &item), item)).collect();
    items.sort_by(|(left, _), (right, _)| left.cmp(right));
    let mut seen = HashSet::with_capacity(items.len());
    let first = items.iter().map(|(_, item)| seen.insert((item.pointer.as_str(), item.message.as_str())));
    let mut first = first.collect::<Vec<_>>().into_iter();
    items.into_iter().filter(|_| first.next() == Some(true)).map(|(_, item)| item).collect()
}

/// Where a fault comes in the order of the text: what is above before what is below, and a member that is missing
/// because its name is misspelt after the misspelt one.
fn order(model: &Model, fault: &Fault<'_>, item: &Item) -> Vec<usize> {
    let mut order: Vec<usize> = fault.steps.iter().copied().map(Step::position).collect();
    if let Kind::Missing(name, _) | Kind::MissingChoice(name, _) = &fault.kind
        && item.suggestion.is_some()
        && let Some(misspelt) = suggest::misspelt(model, fault.node, fault.value, name)
    {
        let position = fault.value.as_object().and_then(|members| members.keys().position(|key| key == misspelt));
        order.extend(position);
        order.push(usize::MAX);
    }
    order
}
