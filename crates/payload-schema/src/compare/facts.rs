//! What is known of a value at one place: the subschemas that it satisfies, those that it does not, and what follows.

use super::classes::Classes;
use super::world::{Term, TermPattern, World};
use crate::model::Rule;
use std::collections::BTreeSet;

/// A conjunction. Everything that it says holds of every value that is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Facts {
    /// Subschemas that accept the value, references and `allOf` resolved.
    pub(super) terms: Vec<Term>,
    /// Subschemas that refuse it.
    pub(super) not: Vec<Term>,
    pub(super) classes: Classes,
    /// Members that it has, if it is an object.
    pub(super) present: BTreeSet<Box<str>>,
    /// Members that it does not have.
    pub(super) absent: BTreeSet<Box<str>>,
    /// Expressions that it matches, if it is a string, and those that it does not match.
    pub(super) matches: Vec<TermPattern>,
    pub(super) mismatches: Vec<TermPattern>,
    /// The disjunctions of which a case was chosen.
    pub(super) chosen: Vec<(Term, usize)>,
}

impl Facts {
    /// Nothing is known.
    pub(super) fn none() -> Self {
        Self {
            terms: Vec::new(),
            not: Vec::new(),
            classes: Classes::ALL,
            present: BTreeSet::new(),
            absent: BTreeSet::new(),
            matches: Vec::new(),
            mismatches: Vec::new(),
            chosen: Vec::new(),
        }
    }

    pub(super) fn of(world: World<'_>, terms: impl IntoIterator<Item = Term>) -> Self {
        terms.into_iter().fold(Self::none(), |facts, term| facts.and(world, term))
    }

    /// And the subschema accepts the value.
    pub(super) fn and(mut self, world: World<'_>, term: Term) -> Self {
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            if self.terms.contains(&term) {
                continue;
            }
            self.terms.push(term);
            for rule in &world.node(term).rules {
                match rule {
                    Rule::Never => self.classes = Classes::NONE,
                    Rule::Type(types) => {
                        self.classes = self.classes.and(Classes::of_types(*types, world.dialect(term)));
                    }
                    Rule::Reference(reference) => pending.extend(world.target(term.side, reference)),
                    Rule::All(nodes) => pending.extend(nodes.iter().rev().map(|node| Term { node: *node, ..term })),
                    Rule::Any(nodes) | Rule::One(nodes) if nodes.len() == 1 => {
                        pending.push(Term { node: nodes[0], ..term });
                    }
                    Rule::Not(node) => self = self.and_not(world, Term { node: *node, ..term }),
                    _ => {}
                }
            }
        }
        self
    }

    /// And the subschema refuses the value.
    pub(super) fn and_not(mut self, world: World<'_>, term: Term) -> Self {
        let term = world.behind(term);
        if self.not.contains(&term) {
            return self;
        }
        self.not.push(term);
        match world.node(term).rules.as_slice() {
            [] => self.classes = Classes::NONE,
            [Rule::Type(types)] => {
                self.classes = self.classes.minus(Classes::of_types(*types, world.dialect(term)));
            }
            [Rule::Not(node)] => return self.and(world, Term { node: *node, ..term }),
            [Rule::Any(nodes)] => {
                return nodes.iter().fold(self, |facts, node| facts.and_not(world, Term { node: *node, ..term }));
            }
            [Rule::Type(types), Rule::Required(names)] | [Rule::Required(names), Rule::Type(types)]
                if Classes::OBJECT.is_within(Classes::of_types(*types, world.dialect(term))) && names.len() == 1 =>
            {
                self.absent.insert(names[0].clone());
            }
            // What is no object has every member that is asked for.
            [Rule::Required(names)] if names.len() == 1 => {
                self.classes = self.classes.and(Classes::OBJECT);
                self.absent.insert(names[0].clone());
            }
            _ => {}
        }
        self
    }

    pub(super) fn within(mut self, classes: Classes) -> Self {
        self.classes = self.classes.and(classes);
        self
    }

    pub(super) fn with_member(mut self, name: &str) -> Self {
        self.present.insert(name.into());
        self
    }

    /// Every rule that holds, with the subschema that has it.
    pub(super) fn rules<'w>(&self, world: World<'w>) -> impl Iterator<Item = (Term, &'w Rule)> + use<'w, '_> {
        self.terms.iter().flat_map(move |term| world.node(*term).rules.iter().map(move |rule| (*term, rule)))
    }

    /// The members that the value has if it is an object.
    pub(super) fn required(&self, world: World<'_>) -> BTreeSet<Box<str>> {
        let mut names = self.present.clone();
        for (_, rule) in self.rules(world) {
            if let Rule::Required(required) = rule {
                world.fuel.take(required.len());
                names.extend(required.iter().cloned());
            }
        }
        loop {
            let before = names.len();
            for (_, rule) in self.rules(world) {
                if let Rule::DependentNames(_, dependencies) = rule {
                    for (trigger, needed) in dependencies {
                        if names.contains(trigger) {
                            names.extend(needed.iter().cloned());
                        }
                    }
                }
            }
            if names.len() == before {
                return names;
            }
        }
    }
}
