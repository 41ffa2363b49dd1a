//! Making values that satisfy facts, or nearly: the engines have the last word on each.

mod scalars;

pub(super) use scalars::candidates;

use super::classes::Classes;
use super::facts::Facts;
use super::prove::{Prover, Step, finite};
use super::world::Term;
use crate::model::{Counted, Rule};
use fastrand::Rng;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How deep values are made; deeper only what is required.
const DEPTH: usize = 6;
const DEEPEST: usize = 24;
/// Disjunctions that are resolved at one place.
const CHOICES: usize = 12;
/// Times that a value is made before one is taken that does not fit.
const TRIES: usize = 3;

/// What a value should look like beside satisfying its facts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish<'a> {
    /// The way to a part, and what stands there.
    pub(super) way: &'a [Step],
    pub(super) leaf: Option<&'a Value>,
    /// Members or elements.
    pub(super) size: Option<usize>,
    /// Of ten optional members, how many are there.
    pub(super) density: usize,
    /// Whether two elements are equal.
    pub(super) repeats: bool,
}

/// Makes values; the same seed makes the same ones.
pub(super) struct Maker<'p, 'w> {
    pub(super) prover: &'p mut Prover<'w>,
    pub(super) rng: Rng,
    /// Values that may still be made, parts counted too.
    pub(super) effort: usize,
    /// A goal whose boundaries are interesting.
    pub(super) goal: Option<Term>,
}

impl Maker<'_, '_> {
    /// A value, if one comes to mind.
    pub(super) fn make(&mut self, facts: &Facts, wish: Wish<'_>) -> Option<Value> {
        let mut made = None;
        for _ in 0..TRIES {
            made = Some(self.at_depth(facts, wish, 0)?);
            // What a disjunction denies is only seen on the whole.
            if made.as_ref().is_some_and(|value| self.prover.is_possible(facts, value)) {
                break;
            }
        }
        made
    }

    fn at_depth(&mut self, facts: &Facts, wish: Wish<'_>, depth: usize) -> Option<Value> {
        if wish.way.is_empty()
            && let Some(leaf) = wish.leaf
        {
            return Some(leaf.clone());
        }
        if self.effort == 0 || depth > DEEPEST || !self.prover.world.fuel.take(20) {
            return None;
        }
        self.effort -= 1;
        let container = match wish.way.first() {
            Some(Step::Member(_) | Step::Other(_) | Step::Name) => Classes::OBJECT,
            Some(Step::Element(_) | Step::Rest(_)) => Classes::ARRAY,
            None => Classes::ALL,
        };
        let facts = self.resolve(facts.clone().within(container))?;
        if wish.way.is_empty()
            && wish.size.is_none()
            && let Some(values) = finite(self.prover.world, &facts)
        {
            return self.choose_plain(&values);
        }
        let kinds: Vec<Classes> = Classes::GROUPS.into_iter().filter(|kind| facts.classes.meets(*kind)).collect();
        // What stands first is what is mostly meant; now and then something else.
        let kind = if self.rng.u8(0..4) == 0 { self.choose(&kinds)? } else { *kinds.first()? };
        match kind {
            Classes::OBJECT => self.object(facts.within(Classes::OBJECT), wish, depth),
            Classes::ARRAY => self.array(&facts.within(Classes::ARRAY), wish, depth),
            kind => {
                let facts = facts.within(kind);
                let goal = self.goal.filter(|_| self.rng.u8(0..4) == 0);
                let values = candidates(self.prover, &facts, goal);
                // The first is the plainest; it is taken as often as all others.
                let start = if self.rng.bool() { 0 } else { self.rng.usize(0..values.len().max(1)) };
                let (before, after) = values.split_at(start.min(values.len()));
                let mut inorder = after.iter().chain(before);
                inorder.find(|value| self.prover.is_possible(&facts, value)).cloned()
            }
        }
    }

    /// Chooses cases until no disjunction is open.
    fn resolve(&mut self, mut facts: Facts) -> Option<Facts> {
        for _ in 0..CHOICES {
            if facts.classes.is_empty() {
                return None;
            }
            let chosen = std::mem::take(&mut facts.chosen);
            // The prover stops at fewer choices than a value needs.
            let open = Facts { chosen: chosen.clone(), ..facts.clone() };
            let Some(cases) = self.prover.cases_beyond(&open) else {
                return Some(open);
            };
            let possible: Vec<Facts> = cases.into_iter().filter(|case| !case.classes.is_empty()).collect();
            facts = self.choose(&possible)?;
        }
        Some(facts)
    }

    /// The first, which is the plainest, as often as all others.
    fn choose_plain<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        if self.rng.bool() { from.first().cloned() } else { self.choose(from) }
    }

    fn choose<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.rng.usize(0..from.len())].clone()) }
    }

    fn object(&mut self, mut facts: Facts, wish: Wish<'_>, depth: usize) -> Option<Value> {
        let world = self.prover.world;
        if let Some(Step::Name) = wish.way.first() {
            let name = wish.leaf?.as_str()?;
            let value = self.at_depth(&self.prover.member(&facts, name), Wish::default(), depth + 1)?;
            let rest = self.object(facts, Wish { way: &[], leaf: None, ..wish }, depth)?;
            let mut members = rest.as_object()?.clone();
            members.insert(name.to_owned(), value);
            return Some(Value::Object(members));
        }
        let forced: Option<&str> = match wish.way.first() {
            Some(Step::Member(name) | Step::Other(name)) => Some(name),
            _ => None,
        };
        if let Some(name) = forced {
            facts = self.resolve(facts.with_member(name))?;
        }
        let mut names: BTreeSet<Box<str>> = facts.required(world);
        let most = self.prover.members(&Rc::new(facts.clone())).most;
        let room = |names: &BTreeSet<Box<str>>| most.is_none_or(|most| (names.len() as u64) < most);
        for name in self.optional(&facts) {
            let wanted = wish.size.is_none() && self.rng.usize(0..10) < wish.density && depth < DEPTH;
            if wanted && room(&names) && !facts.absent.contains(&name) {
                names.insert(name);
            }
        }
        let least = self.prover.members(&Rc::new(facts.clone())).least;
        let more = wish.density > 0 && self.rng.u8(0..3) == 0 && room(&names);
        let wanted = wish.size.unwrap_or_else(|| {
            let least = usize::try_from(least).unwrap_or(usize::MAX);
            if more { least.max(names.len() + 1) } else { least }
        });
        let fillers = self.optional(&facts).into_iter().chain((0..).map(|n| format!("other{n}").into()));
        for name in fillers.take(wanted.min(10_000) + 100) {
            if names.len() >= wanted {
                break;
            }
            if !facts.absent.contains(&name) {
                names.insert(name);
            }
        }
        // Each name is copied and looked up several times.
        world.fuel.take(10 * names.len());
        let triggered = names.iter().fold(facts.clone(), |facts, name| facts.with_member(name));
        names.extend(triggered.required(world));
        facts = self.resolve(triggered)?;
        let mut members = Map::new();
        for name in names {
            let below = if forced == Some(&*name) {
                Wish { way: &wish.way[1..], leaf: wish.leaf, density: wish.density, ..Wish::default() }
            } else {
                Wish { density: wish.density / 2, ..Wish::default() }
            };
            let member = self.prover.member(&facts, &name);
            if let Some(value) = self.at_depth(&member, below, depth + 1) {
                members.insert(name.to_string(), value);
            } else if world.fuel.is_used_up() || forced == Some(&*name) && facts.required(world).contains(&name) {
                return None;
            }
        }
        Some(Value::Object(members))
    }

    /// The members that schemas name.
    fn optional(&self, facts: &Facts) -> BTreeSet<Box<str>> {
        let world = self.prover.world;
        let mut names = BTreeSet::new();
        for (_, rule) in facts.rules(world) {
            if let Rule::Members(members) = rule {
                world.fuel.take(members.named.len());
                names.extend(members.named.keys().cloned());
            }
        }
        names
    }

    fn array(&mut self, facts: &Facts, wish: Wish<'_>, depth: usize) -> Option<Value> {
        let shared = Rc::new(facts.clone());
        let extent = self.prover.elements(&shared);
        let least = usize::try_from(extent.least).ok()?.min(10_000);
        let most = extent.most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let forced = match wish.way.first() {
            Some(Step::Element(index) | Step::Rest(index)) => Some(*index),
            _ => None,
        };
        let some = if depth < DEPTH && wish.density > 0 { self.rng.usize(0..3) } else { 0 };
        let length = wish.size.unwrap_or_else(|| (least + some).min(most).max(forced.map_or(0, |index| index + 1)));
        let contained: Vec<Term> = facts
            .rules(self.prover.world)
            .filter_map(|(term, rule)| match rule {
                Rule::Contains(contains) if contains.least > 0 => Some(Term { node: contains.schema, ..term }),
                _ => None,
            })
            .collect();
        let unique = facts.rules(self.prover.world).any(|(_, rule)| matches!(rule, Rule::Unique));
        let mut elements: Vec<Value> = Vec::new();
        for index in 0..length {
            let mut element = self.prover.element(facts, index);
            if let Some(term) = contained.get(index).filter(|_| forced != Some(index)) {
                element = element.and(self.prover.world, *term);
            }
            let below = if forced == Some(index) {
                Wish { way: &wish.way[1..], leaf: wish.leaf, density: wish.density, ..Wish::default() }
            } else {
                Wish { density: wish.density / 2, ..Wish::default() }
            };
            let mut value = self.at_depth(&element, below, depth + 1)?;
            for _ in 0..8 {
                if !unique || !elements.iter().any(|known| crate::equality::same(known, &value)) {
                    break;
                }
                value = self.at_depth(&element, below, depth + 1)?;
            }
            elements.push(value);
        }
        if wish.repeats {
            let world = self.prover.world;
            let second = self.prover.element(facts, 1).terms;
            let both = second.into_iter().fold(self.prover.element(facts, 0), |both, term| both.and(world, term));
            let value = self.at_depth(&both, Wish::default(), depth + 1)?;
            let rest = elements.into_iter().skip(2);
            elements = [value.clone(), value].into_iter().chain(rest).collect();
        }
        Some(Value::Array(elements))
    }

    /// How many characters the counting keywords of the facts and the goal speak of.
    pub(super) fn counted(prover: &Prover<'_>, facts: &Facts, goal: Option<Term>, counted: Counted) -> Vec<u64> {
        let world = prover.world;
        let goal = goal.map(|goal| Facts::of(world, [goal]));
        let limits = |facts: &Facts| -> Vec<u64> {
            let rules = facts.rules(world);
            rules
                .filter_map(|(_, rule)| match rule {
                    Rule::Count(count) if count.of == counted => Some(count.limit),
                    _ => None,
                })
                .collect()
        };
        let mut all = limits(facts);
        all.extend(goal.iter().flat_map(limits));
        all
    }
}
