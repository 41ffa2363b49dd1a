//! Differences that only people read: annotations of subschemas that stand at the same place on both sides.

use super::decide::Texts;
use super::finding::shortened;
use super::world::{Side, Term, World};
use crate::model::Node;
use crate::pointer;
use serde_json::Value;
use std::collections::HashMap;
use worker_types::{Effect, Finding};

/// Keywords that refuse nothing.
const ANNOTATIONS: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
    "format",
];
/// Findings that are told.
const FINDINGS: usize = 40;

pub(super) fn findings(world: World<'_>, texts: Texts<'_>) -> Vec<Finding> {
    let places = |side: Side| {
        let model = world.model(side);
        model.ids().filter(|id| model.is_own(*id)).map(move |node| (model.pointer(node), Term { side, node }))
    };
    let new: HashMap<String, Term> = places(Side::New).collect();
    let shared = places(Side::Old).filter_map(|(place, old)| new.get(&place).map(|new| (place, old, *new)));
    let differences = shared.flat_map(|(place, old, new)| at(world, texts, &place, old, new));
    differences.take(FINDINGS).collect()
}

fn at(world: World<'_>, texts: Texts<'_>, place: &str, old: Term, new: Term) -> Vec<Finding> {
    let (Some(Value::Object(before)), Some(Value::Object(after))) =
        (texts.old.pointer(place), texts.new.pointer(place))
    else {
        return Vec::new();
    };
    let refuses = |term: Term, value: Option<&Value>| {
        value.and_then(Value::as_str).is_some_and(|format| world.asserts_format(term, format))
    };
    let differs = |keyword: &&str| {
        let (before, after) = (before.get(*keyword), after.get(*keyword));
        before != after && (*keyword != "format" || !(refuses(old, before) || refuses(new, after)))
    };
    ANNOTATIONS
        .into_iter()
        .filter(differs)
        .map(|keyword| {
            let (before, after) = (before.get(keyword), after.get(keyword));
            let there = |value: Option<&Value>| value.map(|_| pointer::join(place, keyword));
            let done = match (before, after) {
                (None, _) => "adds",
                (_, None) => "removes",
                _ => "changes",
            };
            let note = if keyword == "format" { ", which only describes in this dialect" } else { "" };
            Finding {
                effect: Effect::Documentation,
                pointer: in_the_value(world, old),
                old_schema_pointer: there(before),
                new_schema_pointer: there(after),
                old_fragment: before.map(|value| shortened(value, 3)),
                new_fragment: after.map(|value| shortened(value, 3)),
                message: format!("{done} the {keyword}{note}"),
                variant: None,
            }
        })
        .collect()
}

/// Which values a subschema describes, as far as its own place says.
fn in_the_value(world: World<'_>, term: Term) -> String {
    let model = world.model(term.side);
    let mut steps = Vec::new();
    let mut next = Some(term.node);
    while let Some(id) = next {
        let node = model.node(id);
        steps.extend(step(node));
        next = node.parent;
    }
    steps.into_iter().rev().collect()
}

fn step(node: &Node) -> Option<String> {
    let mut tokens = pointer::tokens(&node.relative);
    let (keyword, token) = (tokens.next()?, tokens.next());
    match (&*keyword, token) {
        ("properties", Some(name)) => Some(pointer::join("", &name)),
        ("items" | "prefixItems", Some(index)) => Some(pointer::join("", &index)),
        ("items" | "additionalItems" | "unevaluatedItems" | "contains", None)
        | ("additionalProperties" | "unevaluatedProperties", None)
        | ("patternProperties", Some(_)) => Some("/*".to_owned()),
        _ => None,
    }
}
