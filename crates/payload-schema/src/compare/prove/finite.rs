//! The values that satisfy facts, where they are few.

use super::scalar::Extent;
use crate::compare::classes::Classes;
use crate::compare::facts::Facts;
use crate::compare::world::World;
use crate::model::{Counted, Rule};
use crate::number::Decimal;
use serde_json::{Map, Number, Value, json};

/// Whole numbers that are gone through.
const INTEGERS: i128 = 64;

/// Every value that satisfies `facts`, or a few more; none where there are too many to tell.
pub(in crate::compare) fn finite(world: World<'_>, facts: &Facts) -> Option<Vec<Value>> {
    let listed = facts.rules(world).find_map(|(_, rule)| match rule {
        Rule::Const(value) => Some(vec![value.clone()]),
        Rule::Enum(values) => Some(values.to_vec()),
        _ => None,
    });
    let mut values = listed.or_else(|| by_kind(world, facts))?;
    if world.reads_digits {
        // How numbers inside are written has too many ways.
        if values.iter().any(|value| value.is_array() || value.is_object()) {
            return None;
        }
        let written = |value: &Value| match value {
            Value::Number(number) if Classes::of(value) == Classes::INTEGER => number_of(&format!("{number}.0")),
            Value::Number(number) if Classes::of(value) == Classes::WHOLE => {
                let (whole, _) = Decimal::new(number).floor()?;
                number_of(&whole.to_string())
            }
            _ => None,
        };
        let otherwise: Vec<Value> = values.iter().filter_map(written).collect();
        values.extend(otherwise);
    }
    world.fuel.take(values.len());
    values.retain(|value| is_possible(world, facts, value));
    Some(values)
}

fn number_of(text: &str) -> Option<Value> {
    text.parse::<Number>().ok().map(Value::Number)
}

/// Whether nothing is known that speaks against the value.
pub(in crate::compare) fn is_possible(world: World<'_>, facts: &Facts, value: &Value) -> bool {
    let text = |check: &dyn Fn(&str) -> bool| value.as_str().is_none_or(check);
    let members = |check: &dyn Fn(&Map<String, Value>) -> bool| value.as_object().is_none_or(check);
    Classes::of(value).is_within(facts.classes)
        && text(&|text| facts.matches.iter().all(|pattern| world.pattern_matches(*pattern, text)))
        && text(&|text| !facts.mismatches.iter().any(|pattern| world.pattern_matches(*pattern, text)))
        && members(&|members| facts.present.iter().all(|name| members.contains_key(&**name)))
        && members(&|members| !facts.absent.iter().any(|name| members.contains_key(&**name)))
        && facts.terms.iter().all(|term| world.accepts(*term, value) != Some(false))
        && facts.not.iter().all(|term| world.accepts(*term, value) != Some(true))
}

fn by_kind(world: World<'_>, facts: &Facts) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    let mut left = facts.classes;
    let mut take = |kind: Classes, all: Vec<Value>| {
        if left.meets(kind) {
            values.extend(all);
            left = left.minus(kind);
        }
    };
    take(Classes::NULL, vec![Value::Null]);
    take(Classes::BOOLEAN, vec![json!(false), json!(true)]);
    let most = |counted| Extent::of(world, facts, counted).most;
    if most(Counted::Characters) == Some(0) {
        take(Classes::STRING, vec![json!("")]);
    }
    if most(Counted::Elements) == Some(0) {
        take(Classes::ARRAY, vec![json!([])]);
    }
    if most(Counted::Members) == Some(0) {
        take(Classes::OBJECT, vec![json!({})]);
    }
    if !facts.classes.meets(Classes::FRACTION)
        && let Some((least, most)) = super::scalar::integers(world, facts)
        && most.saturating_sub(least) < INTEGERS
    {
        let integers = (least..=most).filter_map(|integer| number_of(&integer.to_string()));
        take(Classes::INTEGER.or(Classes::WHOLE), integers.collect());
    }
    left.is_empty().then_some(values)
}
