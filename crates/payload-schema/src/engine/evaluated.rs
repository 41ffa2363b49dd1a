//! Which elements count as evaluated in 2019-09: the engine reads `contains` there as 2020-12 does.

use super::rewrite::encoded;
use crate::model::{Model, NodeId, Read, Rule, percent_decoded};
use crate::pointer;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use worker_types::{Dialect, Item};

/// `copy`, the engine's copy of the schema that `read` was read from, with each `contains` of 2019-09 where what it
/// matches does not count for `unevaluatedItems`: under `not`, twice.
///
/// 2019-09 core §9.3.1.3: only `items`, `additionalItems` and `unevaluatedItems` say which elements were evaluated.
///
/// # Errors
/// One of them lies where the copy differs from what its author wrote.
pub(crate) fn hide_contains<'v>(mut copy: Cow<'v, Value>, read: &Read) -> Result<Cow<'v, Value>, Box<Item>> {
    let model = &read.model;
    let mut places = places(model);
    if places.is_empty() {
        return Ok(copy);
    }
    // Inner ones first: the way to them leads through the outer ones.
    places.sort_by_key(|(place, _)| std::cmp::Reverse(place.len()));
    let moved: HashMap<String, String> = places
        .iter()
        .map(|(place, _)| {
            let branches = copy.pointer(place).and_then(|node| node.get("allOf")).and_then(Value::as_array);
            (format!("{place}/contains"), format!("/allOf/{}/not/not/contains", branches.map_or(0, Vec::len)))
        })
        .collect();
    for id in model.ids().filter(|id| model.is_own(*id)) {
        for rule in &model.node(id).rules {
            if let Rule::Reference(reference) = rule {
                follow(copy.to_mut(), model, id, reference.keyword, &moved);
            }
        }
    }
    for (place, id) in places {
        let node = copy.to_mut().pointer_mut(&place).and_then(Value::as_object_mut);
        if node.and_then(hide).is_none() {
            let message = "in draft 2019-09 contains cannot stand below a pattern that is read otherwise than it is \
                           written, beside unevaluatedItems: write the schema in 2020-12";
            return Err(Box::new(Item::new("invalid-schema", model.keyword_pointer(id, "contains"), message)));
        }
    }
    Ok(copy)
}

/// Where `contains` stands in 2019-09, if anything asks what was evaluated.
fn places(model: &Model) -> Vec<(String, NodeId)> {
    let rules = |id| &model.node(id).rules;
    let asks = |id| rules(id).iter().any(|rule| matches!(rule, Rule::UnevaluatedElements(_)));
    if !model.ids().any(asks) {
        return Vec::new();
    }
    let old = |id: &NodeId| model.is_own(*id) && model.node(*id).dialect == Dialect::Draft201909;
    let contains = |id: &NodeId| rules(*id).iter().any(|rule| matches!(rule, Rule::Contains(_)));
    model.ids().filter(old).filter(contains).map(|id| (model.pointer(id), id)).collect()
}

fn hide(node: &mut Map<String, Value>) -> Option<()> {
    let mut inner = Map::from_iter([("contains".to_owned(), node.shift_remove("contains")?)]);
    for bound in ["minContains", "maxContains"] {
        inner.extend(node.shift_remove(bound).map(|value| (bound.to_owned(), value)));
    }
    let branches = node.entry("allOf").or_insert_with(|| json!([])).as_array_mut()?;
    branches.push(json!({"not": {"not": inner}}));
    Some(())
}

/// Makes a reference that goes through a keyword that is moved follow it.
fn follow(copy: &mut Value, model: &Model, id: NodeId, keyword: &str, moved: &HashMap<String, String>) {
    let Some(text) = copy.pointer_mut(&model.keyword_pointer(id, keyword)) else { return };
    let fragment = text.as_str().and_then(|text| text.strip_prefix('#')).filter(|text| text.contains("/contains"));
    let Some(fragment) = fragment.and_then(percent_decoded) else { return };
    let mut place = model.pointer(model.resource(model.node(id).resource).root);
    let mut followed = String::from("#");
    let mut changed = false;
    for token in pointer::tokens(&fragment) {
        pointer::push(&mut place, &token);
        let path = moved.get(&place);
        changed |= path.is_some();
        match path {
            Some(path) => followed.push_str(path),
            None => pointer::push(&mut followed, &token),
        }
    }
    if changed {
        *text = encoded(&followed).into();
    }
}
