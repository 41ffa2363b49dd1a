//! Looking for a value that the old contract accepts and the new one refuses. Only one that both engines confirm counts.

use super::classes::Classes;
use super::facts::Facts;
use super::make::{Maker, Wish, candidates};
use super::prove::{Gap, Prover};
use super::world::{Side, Term};
use crate::model::{Counted, Rule};
use fastrand::Rng;
use serde_json::Value;
use std::rc::Rc;

/// Values that are tried at one place.
const VALUES: usize = 60;
/// Wholes that are built around one value.
const WHOLES: usize = 12;
/// Inclusions inside one another that are looked into for what lies between them.
const INCLUSIONS: usize = 2;
/// Values that are made at random where nothing leads to one.
const SAMPLES: usize = 200;

/// A value that shows the gap, if one is found.
pub(super) fn of_gap(prover: &mut Prover<'_>, gap: &Gap, effort: usize) -> Option<Value> {
    let mut maker = Maker { prover, rng: Rng::with_seed(7), effort, goal: Some(gap.goal) };
    for leaf in leaves(&mut maker, gap, INCLUSIONS) {
        for round in 0..WHOLES {
            let Some(whole) = around(&mut maker, gap, &leaf, round) else { continue };
            if maker.prover.world.is_witness(&whole) {
                return Some(shrunk(maker.prover, whole));
            }
        }
        if maker.effort == 0 {
            break;
        }
    }
    None
}

/// A value that shows that something is refused, found without knowing where.
pub(super) fn anywhere(prover: &mut Prover<'_>, kinds: Classes, effort: usize) -> Option<Value> {
    let world = prover.world;
    let facts = Facts::of(world, [world.root(Side::Old)]).within(kinds);
    let mut maker = Maker { prover, rng: Rng::with_seed(11), effort, goal: Some(world.root(Side::New)) };
    for round in 0..SAMPLES {
        let wish = Wish { density: [0, 3, 6, 10][round % 4], ..Wish::default() };
        if let Some(value) = maker.make(&facts, wish)
            && world.is_witness(&value)
        {
            return Some(shrunk(maker.prover, value));
        }
        if maker.effort == 0 {
            break;
        }
    }
    None
}

/// Values for the place of the gap that satisfy what is known there and not the goal.
fn leaves(maker: &mut Maker<'_, '_>, gap: &Gap, inclusions: usize) -> Vec<Value> {
    let world = maker.prover.world;
    let mut values = gap.values.clone();
    let breaks = |value: &Value| world.accepts(gap.goal, value) != Some(true);
    for value in candidates(maker.prover, &gap.facts, Some(gap.goal)) {
        if breaks(&value) && maker.prover.is_possible(&gap.facts, &value) {
            values.push(value);
        }
    }
    values.dedup();
    values.truncate(VALUES / 2);
    shaped(maker, gap, inclusions, &mut values);
    for round in 0..24 {
        let wish = Wish { density: [0, 10, 5, 2][round % 4], ..Wish::default() };
        values.extend(maker.make(&gap.facts, wish).filter(&breaks));
    }
    values.dedup();
    values.truncate(VALUES);
    values
}

/// Values of the shape that the goal's rule refuses.
fn shaped(maker: &mut Maker<'_, '_>, gap: &Gap, inclusions: usize, values: &mut Vec<Value>) {
    let world = maker.prover.world;
    let objects = (*gap.facts).clone().within(Classes::OBJECT);
    let arrays = (*gap.facts).clone().within(Classes::ARRAY);
    let full = Wish { density: 5, ..Wish::default() };
    for rule in &world.node(gap.goal).rules {
        match rule {
            Rule::Required(names) => {
                for name in names.iter().take(VALUES) {
                    let mut without = objects.clone();
                    without.absent.insert(name.clone());
                    values.extend(maker.make(&without, Wish::default()));
                    values.extend(maker.make(&without, full));
                }
            }
            Rule::DependentNames(_, dependencies) => {
                let pairs =
                    dependencies.iter().flat_map(|(trigger, needed)| needed.iter().map(move |name| (trigger, name)));
                for (trigger, name) in pairs.take(VALUES) {
                    let mut with = objects.clone().with_member(trigger);
                    with.absent.insert(name.clone());
                    values.extend(maker.make(&with, Wish::default()));
                }
            }
            Rule::DependentSchemas(_, schemas) => {
                for (trigger, _) in schemas.iter().take(VALUES) {
                    let with = objects.clone().with_member(trigger);
                    (0..6).for_each(|_| values.extend(maker.make(&with, full)));
                }
            }
            Rule::Count(count) if count.of != Counted::Characters => {
                let limit = usize::try_from(count.limit.min(5_000)).unwrap_or_default();
                let size = if count.least { limit.saturating_sub(1) } else { limit + 1 };
                let facts = if count.of == Counted::Elements { &arrays } else { &objects };
                for _ in 0..4 {
                    values.extend(maker.make(facts, Wish { size: Some(size), ..Wish::default() }));
                }
            }
            Rule::Unique => {
                values.extend(maker.make(&arrays, Wish { repeats: true, ..Wish::default() }));
            }
            Rule::Contains(contains) => {
                let wanted = Term { node: contains.schema, ..gap.goal };
                for size in 0..4 {
                    values.extend(maker.make(&arrays, Wish { size: Some(size), ..full }));
                }
                if inclusions > 0 {
                    values.extend(almost_contained(maker, &arrays, wanted, inclusions - 1));
                }
            }
            Rule::Elements(_) => {
                for size in 0..4 {
                    values.extend(maker.make(&arrays, Wish { size: Some(size), ..full }));
                }
            }
            Rule::If(condition) => {
                let test = Term { node: condition.test, ..gap.goal };
                let cases = [(*gap.facts).clone().and(world, test), (*gap.facts).clone().and_not(world, test)];
                for case in cases {
                    (0..6).for_each(|round| values.extend(maker.make(&case, Wish { density: round, ..full })));
                }
            }
            Rule::Not(node) => {
                let inside = (*gap.facts).clone().and(world, Term { node: *node, ..gap.goal });
                (0..6).for_each(|round| values.extend(maker.make(&inside, Wish { density: round, ..full })));
                if inclusions > 0 {
                    between(maker, gap, Term { node: *node, ..gap.goal }, inclusions - 1, values);
                }
            }
            Rule::Any(nodes) | Rule::One(nodes) => {
                // Near to one branch, or in two at once.
                for node in nodes.iter().take(12) {
                    let branch = Term { node: *node, ..gap.goal };
                    let near = (*gap.facts).clone().and(world, branch);
                    values.extend(maker.make(&near, full));
                    if inclusions > 0 && matches!(rule, Rule::One(_)) && !maker.prover.is_known(&gap.facts, branch) {
                        between(maker, gap, branch, inclusions - 1, values);
                    }
                }
                for (index, node) in nodes.iter().enumerate().take(8) {
                    for other in nodes.iter().skip(index + 1).take(8) {
                        let both = [*node, *other]
                            .into_iter()
                            .fold((*gap.facts).clone(), |facts, node| facts.and(world, Term { node, ..gap.goal }));
                        values.extend(maker.make(&both, full));
                    }
                }
            }
            _ => {}
        }
    }
    values.retain(|value| world.accepts(gap.goal, value) != Some(true));
}

/// Values that `inside` accepts and that something which the facts deny does not.
fn between(maker: &mut Maker<'_, '_>, gap: &Gap, inside: Term, inclusions: usize, values: &mut Vec<Value>) {
    let world = maker.prover.world;
    let affirmed = Rc::new(Facts { not: Vec::new(), ..(*gap.facts).clone() }.and(world, inside));
    for denied in &gap.facts.not {
        let gaps = maker.prover.prove(&affirmed, *denied).err().unwrap_or_default();
        for gap in gaps.iter().take(4) {
            for leaf in leaves(maker, gap, inclusions).into_iter().take(8) {
                values.extend((0..2).filter_map(|round| around(maker, gap, &leaf, round)));
            }
        }
    }
}

/// Arrays with an element that the old `contains` finds and the new one does not.
fn almost_contained(maker: &mut Maker<'_, '_>, arrays: &Facts, wanted: Term, inclusions: usize) -> Vec<Value> {
    let world = maker.prover.world;
    let known: Vec<Term> = arrays
        .rules(world)
        .filter_map(|(term, rule)| match rule {
            Rule::Contains(contains) => Some(Term { node: contains.schema, ..term }),
            _ => None,
        })
        .collect();
    let mut values = Vec::new();
    for schema in known {
        let element = Rc::new(maker.prover.element(arrays, 0).and(world, schema));
        let gaps = maker.prover.prove(&element, wanted).err().unwrap_or_default();
        for gap in gaps.iter().take(4) {
            for leaf in leaves(maker, gap, inclusions).into_iter().take(8) {
                values.extend(around(maker, gap, &leaf, 0).map(|element| Value::Array(vec![element])));
            }
        }
    }
    values
}

/// A whole value with `leaf` at the place of the gap: level by level, from the inside, with what the proof knew there.
fn around(maker: &mut Maker<'_, '_>, gap: &Gap, leaf: &Value, round: usize) -> Option<Value> {
    let density = [0, 3, 8][round % 3];
    let mut value = leaf.clone();
    for level in gap.levels.iter().rev() {
        let wish =
            Wish { way: std::slice::from_ref(&level.step), leaf: Some(&value), density, size: None, repeats: false };
        value = maker.make(&level.facts, wish)?;
    }
    Some(value)
}

/// The value without the parts that it does not need.
fn shrunk(prover: &Prover<'_>, whole: Value) -> Value {
    let mut smallest = whole;
    let mut tries = 400;
    loop {
        let smaller = without_a_part(&smallest, &mut |candidate| {
            tries -= 1;
            tries >= 0 && prover.world.is_witness(candidate)
        });
        match smaller {
            Some(smaller) if tries > 0 => smallest = smaller,
            _ => return smallest,
        }
    }
}

/// The value without one of its parts, if that one is kept.
fn without_a_part(value: &Value, keep: &mut dyn FnMut(&Value) -> bool) -> Option<Value> {
    match value {
        Value::Object(members) => {
            for name in members.keys() {
                let mut fewer = members.clone();
                fewer.shift_remove(name);
                let fewer = Value::Object(fewer);
                if keep(&fewer) {
                    return Some(fewer);
                }
            }
            members.iter().find_map(|(name, member)| {
                let whole = |part: &Value| {
                    let mut members = members.clone();
                    members.insert(name.clone(), part.clone());
                    Value::Object(members)
                };
                without_a_part(member, &mut |part| keep(&whole(part))).map(|part| whole(&part))
            })
        }
        Value::Array(elements) => {
            for index in (0..elements.len()).rev() {
                let mut fewer = elements.clone();
                fewer.remove(index);
                let fewer = Value::Array(fewer);
                if keep(&fewer) {
                    return Some(fewer);
                }
            }
            elements.iter().enumerate().find_map(|(index, element)| {
                let whole = |part: &Value| {
                    let mut elements = elements.clone();
                    elements[index] = part.clone();
                    Value::Array(elements)
                };
                without_a_part(element, &mut |part| keep(&whole(part))).map(|part| whole(&part))
            })
        }
        _ => None,
    }
}
