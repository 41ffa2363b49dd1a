//! The member whose value tells the branches of a union apart: one that is mistyped or missing is told with the values
//! that all branches have for it, not with those of the branch that happens to be nearest.

use super::place::Step;
use super::report::{Fault, Kind, Report};
use super::suggest;
use crate::equality;
use crate::model::{Model, NodeId, Rule};
use serde_json::Value;

/// A fault of the discriminator, as all branches tell it.
pub(super) struct Told<'a> {
    /// Which fault of the branch it stands for.
    pub(super) index: usize,
    pub(super) fault: Fault<'a>,
    /// Whether no branch has a value that is close to the one that stands there.
    pub(super) is_far: bool,
}

/// The first fault of `branches[best]` that lies in a discriminator: a member of the value at `depth` for which another
/// branch allows values that this one does not. `union` is the subschema and the keyword that have the branches.
pub(super) fn told_by_all<'a>(
    model: &'a Model,
    (node, keyword): (NodeId, &'static str),
    branches: &[Report<'a>],
    best: usize,
    depth: usize,
) -> Option<Told<'a>> {
    branches[best].faults.iter().enumerate().find_map(|(index, fault)| {
        let (name, own) = asked(model, fault, depth)?;
        let others = branches.iter().flat_map(|branch| &branch.faults);
        let same = others.filter(|other| is_missing(other) == is_missing(fault));
        let mut all: Vec<&Value> = Vec::new();
        for (_, values) in same.filter_map(|other| asked(model, other, depth)).filter(|(other, _)| *other == name) {
            let known = values.iter().filter(|value| holds(&own, value)).count();
            // Values that only partly differ do not tell branches apart.
            if known > 0 && (known < values.len() || known < own.len()) {
                return None;
            }
            all.extend(values);
        }
        all = distinct(all);
        if all.len() <= own.len() {
            return None;
        }
        let fault = fault.clone();
        Some(match fault.kind {
            Kind::Missing(..) => {
                Told { index, is_far: false, fault: Fault { kind: Kind::MissingChoice(name, all), ..fault } }
            }
            _ => {
                let is_far = suggest::nearest(fault.value, &all).is_none();
                let shared = Some("enum");
                Told { index, is_far, fault: Fault { node, keyword, shared, kind: Kind::Enum(all), ..fault } }
            }
        })
    })
}

fn holds(values: &[&Value], value: &Value) -> bool {
    values.iter().any(|known| equality::same(known, value))
}

/// The values in their order, each once. A union of very many is looked at in part.
fn distinct(values: Vec<&Value>) -> Vec<&Value> {
    let mut distinct = Vec::new();
    for value in values.into_iter().take(1_000) {
        if !holds(&distinct, value) {
            distinct.push(value);
        }
    }
    distinct
}

fn is_missing(fault: &Fault<'_>) -> bool {
    matches!(fault.kind, Kind::Missing(..))
}

/// The member of the value at `depth` that `fault` says has none of some values, or is missing and has some.
fn asked<'a>(model: &'a Model, fault: &Fault<'a>, depth: usize) -> Option<(&'a str, Vec<&'a Value>)> {
    match (&fault.kind, fault.steps.get(depth..)?) {
        (Kind::Const(value), [Step::Member(name, _)]) => Some((name, vec![value])),
        (Kind::Enum(values), [Step::Member(name, _)]) => Some((name, values.clone())),
        (Kind::Missing(name, None), []) => Some((name, values(model, suggest::member(model, fault.node, name)?)?)),
        _ => None,
    }
}

/// The values that a subschema allows by `const` or `enum`, also through references.
pub(super) fn values(model: &Model, mut schema: NodeId) -> Option<Vec<&Value>> {
    for _ in 0..8 {
        let rules = &model.node(schema).rules;
        let found = rules.iter().find_map(|rule| match rule {
            Rule::Const(value) => Some(vec![value]),
            Rule::Enum(values) => Some(values.iter().collect()),
            _ => None,
        });
        if found.is_some() {
            return found;
        }
        schema = rules.iter().find_map(|rule| model.outermost_target(rule))?;
    }
    None
}
