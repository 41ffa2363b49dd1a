//! Did you mean: names and values that exist, close to those that stand there. Bounded, whatever the sizes.

use super::parts::has;
use super::place::Step;
use super::report::Fault;
use crate::excerpt;
use crate::model::{Edge, Model, NodeId, Rule};
use serde_json::Value;
use worker_types::{closest, may_be};

/// Candidates that are looked at.
const CANDIDATES: usize = 1_000;

/// Bytes of a name or a text that is compared.
const BYTES: usize = 100;

/// Subschemas that are searched for the names that an object may have.
const SUBSCHEMAS: usize = 500;

/// The closest of `candidates` to `given`; none for long texts.
pub(super) fn close<'c>(given: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    if given.len() > BYTES {
        return None;
    }
    closest(given, candidates.filter(|candidate| candidate.len() <= BYTES).take(CANDIDATES))
}

/// The allowed value that was probably meant by `value`: close to it, or the same of another type.
pub(super) fn nearest<'v>(value: &Value, allowed: &[&'v Value]) -> Option<&'v Value> {
    let candidates =
        || allowed.iter().copied().filter(|value| !value.is_array() && !value.is_object()).take(CANDIDATES);
    match value {
        Value::String(text) if text.len() > BYTES => None,
        Value::String(text) => {
            let converted = candidates().find(|allowed| !allowed.is_string() && allowed.to_string() == *text);
            converted.or_else(|| {
                let close = close(text, candidates().filter_map(Value::as_str))?;
                candidates().find(|allowed| allowed.as_str() == Some(close))
            })
        }
        Value::Array(_) | Value::Object(_) => None,
        _ => {
            let written = value.to_string();
            candidates().find(|allowed| allowed.as_str() == Some(written.as_str()))
        }
    }
}

/// The subschema of a member by its name, as `properties` of `node` declares it.
pub(super) fn member(model: &Model, node: NodeId, name: &str) -> Option<NodeId> {
    model.node(node).rules.iter().find_map(|rule| match rule {
        Rule::Members(members) => members.named.get(name).copied(),
        _ => None,
    })
}

/// The names that `node` and what it applies to the same value declare, sorted.
fn names(model: &Model, node: NodeId) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = vec![node];
    let mut next = 0;
    while let Some(id) = seen.get(next).copied() {
        next += 1;
        for rule in &model.node(id).rules {
            if let Rule::Members(members) = rule {
                names.extend(members.named.keys().take(CANDIDATES).map(AsRef::as_ref));
            }
        }
        if model.applies_to_the_same(id) {
            let same = model.edges(id).into_iter().filter(|edge| !matches!(edge, Edge::Part(_))).map(Edge::target);
            for target in same {
                if seen.len() < SUBSCHEMAS && !seen.contains(&target) {
                    seen.push(target);
                }
            }
        }
    }
    if next > 1 {
        names.sort_unstable();
        names.dedup();
    }
    names
}

fn declares(names: &[&str], name: &str) -> bool {
    names.binary_search(&name).is_ok()
}

/// A member of `object` that nothing declares and whose name is close to `missing`; also one that is less close, when it
/// is the only one that nothing declares and `missing` the only one that is missing.
pub(super) fn misspelt<'v>(model: &Model, node: NodeId, object: &'v Value, missing: &str) -> Option<&'v str> {
    misspelt_among(&names(model, node), model, node, object, missing)
}

/// As [`misspelt`], where it is known which names are declared.
fn misspelt_among<'v>(
    declared: &[&str],
    model: &Model,
    node: NodeId,
    object: &'v Value,
    missing: &str,
) -> Option<&'v str> {
    let members = object.as_object()?.keys().map(String::as_str);
    let strangers = members.filter(|name| !declares(declared, name));
    close(missing, strangers.clone()).or_else(|| {
        let stranger = only(strangers)?;
        (only(absent(model, node, object)) == Some(missing) && may_be_short(stranger, missing)).then_some(stranger)
    })
}

/// The required names of `node` that `object` does not have.
fn absent<'m>(model: &'m Model, node: NodeId, object: &'m Value) -> impl Iterator<Item = &'m str> {
    let required = model.node(node).rules.iter().filter_map(|rule| match rule {
        Rule::Required(names) => Some(names),
        _ => None,
    });
    let members = object.as_object();
    required.flatten().map(AsRef::as_ref).filter(move |name: &&str| members.is_none_or(|members| !has(members, name)))
}

/// What an iterator gives, if it is one thing.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

fn may_be_short(given: &str, other: &str) -> bool {
    given.len() <= BYTES && other.len() <= BYTES && may_be(given, other)
}

/// For a member that is not allowed: the name that was probably meant, and the names that are allowed.
pub(super) fn known_member(model: &Model, root: &Value, fault: &Fault<'_>) -> (Option<String>, Option<String>) {
    let Some((Step::Member(name, _), above)) = fault.steps.split_last() else { return (None, None) };
    let object = above.iter().try_fold(root, |value, step| match step {
        Step::Member(name, _) => value.get(*name),
        Step::Element(index) => value.get(*index),
    });
    let allowed = names(model, fault.node);
    let members = object.and_then(Value::as_object);
    let is_free = |candidate: &&str| members.is_none_or(|members| !has(members, candidate));
    let suggestion = close(name, allowed.iter().copied().filter(is_free)).or_else(|| {
        let missing = only(absent(model, fault.node, object?))?;
        (misspelt_among(&allowed, model, fault.node, object?, missing) == Some(*name)).then_some(missing)
    });
    let suggestion = suggestion.or_else(|| {
        // One name alone that is as near as it can be: nothing else competes.
        let strangers = object?.as_object()?.keys().filter(|name| !declares(&allowed, name));
        only(strangers)?;
        let may_be_meant = |allowed: &&str| name.len().max(allowed.len()) >= 5 && may_be_short(name, allowed);
        only(allowed.iter().copied().filter(is_free).filter(may_be_meant))
    });
    let suggestion = suggestion.map(str::to_owned);
    // What `unevaluatedProperties` allows is said by several subschemas; the list would be a guess.
    let listed = (fault.keyword == "additionalProperties" && !allowed.is_empty()).then(|| {
        let shown: Vec<_> = allowed.iter().take(20).map(|name| excerpt::plain(name, 80)).collect();
        let more = if allowed.len() > 20 { format!(" and {} others", allowed.len() - 20) } else { String::new() };
        format!("one of {}{more}", shown.join(", "))
    });
    (suggestion, listed)
}

/// The names that `propertyNames` allows, where it lists them.
pub(super) fn named(model: &Model, node: NodeId) -> Option<Vec<&Value>> {
    let names = model.node(node).rules.iter().find_map(|rule| match rule {
        Rule::Names(names) => Some(*names),
        _ => None,
    })?;
    model.node(names).rules.iter().find_map(|rule| match rule {
        Rule::Enum(values) => Some(values.iter().collect()),
        _ => None,
    })
}
