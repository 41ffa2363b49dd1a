//! Rules about the elements of arrays.

use super::object::beside;
use super::scalar::Extent;
use super::{Gap, Proof, Prover, Step};
use crate::compare::classes::Classes;
use crate::compare::facts::Facts;
use crate::compare::world::{Term, World};
use crate::model::{Contains, Counted, Elements, NodeId, Rule};
use std::rc::Rc;

/// Elements that are looked at one by one.
const ELEMENTS: usize = 64;

impl<'w> Prover<'w> {
    pub(super) fn array(&mut self, facts: &Rc<Facts>, goal: Term, rule: &'w Rule) -> Proof {
        if !facts.classes.meets(Classes::ARRAY) {
            return Ok(());
        }
        match rule {
            Rule::Unique => {
                let few = self.elements(facts).most.is_some_and(|most| most <= 1);
                if few { Ok(()) } else { Err(vec![Gap::of(facts, goal, rule)]) }
            }
            Rule::Elements(elements) => {
                let at = |index: usize| elements.first.get(index).copied().or(elements.rest);
                self.each_element(facts, goal, elements.first.len(), at)
            }
            Rule::UnevaluatedElements(node) => {
                let (evaluated, all) = self.evaluated(facts, goal);
                let at = |index: usize| (index >= evaluated).then_some(*node);
                if all { Ok(()) } else { self.each_element(facts, goal, evaluated, at) }
            }
            Rule::Contains(contains) => self.contains(facts, goal, rule, contains),
            _ => Ok(()),
        }
    }

    fn each_element(
        &mut self,
        facts: &Rc<Facts>,
        goal: Term,
        own: usize,
        at: impl Fn(usize) -> Option<NodeId>,
    ) -> Proof {
        let described = self.described(facts).max(own);
        if described > ELEMENTS {
            return Err(vec![Gap::open(facts, goal, "a list of more than 64 subschemas for elements")]);
        }
        let most = self.elements(facts).most.unwrap_or(u64::MAX);
        let mut found = Vec::new();
        for index in 0..=described {
            if index as u64 >= most {
                break;
            }
            let Some(node) = at(index) else { continue };
            let step = if index == described { Step::Rest(index) } else { Step::Element(index) };
            let proof = self.part(facts, step, self.element(facts, index), Term { node, ..goal });
            found.extend(proof.err().into_iter().flatten());
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    /// Elements that the facts describe one by one.
    pub(in crate::compare) fn described(&self, facts: &Facts) -> usize {
        let world = self.world;
        let first = |term: Term| {
            let first = world.node(term).rules.iter().map(|rule| match rule {
                Rule::Elements(elements) => elements.first.len(),
                _ => 0,
            });
            first.max().unwrap_or(0)
        };
        let own = facts.terms.iter().map(|term| first(*term)).max().unwrap_or(0);
        // What is left unevaluated depends on how many elements every branch describes.
        let unevaluated = facts.rules(world).filter(|(_, rule)| matches!(rule, Rule::UnevaluatedElements(_)));
        let others = unevaluated.flat_map(|(term, _)| beside(world, term)).map(first).max();
        own.max(others.unwrap_or(0))
    }

    /// What is known of the element at `index`.
    pub(in crate::compare) fn element(&self, facts: &Facts, index: usize) -> Facts {
        let world = self.world;
        facts.rules(world).fold(Facts::none(), |element, (term, rule)| {
            let node = match rule {
                Rule::Elements(Elements { first, rest, .. }) => first.get(index).copied().or(*rest),
                Rule::UnevaluatedElements(node) if !may_be_evaluated(world, term, index) => Some(*node),
                _ => None,
            };
            node.map_or(element.clone(), |node| element.and(world, Term { node, ..term }))
        })
    }

    /// How many elements an array has.
    pub(in crate::compare) fn elements(&mut self, facts: &Rc<Facts>) -> Extent {
        let world = self.world;
        let mut extent = Extent::of(world, facts, Counted::Elements);
        for (_, rule) in facts.rules(world) {
            if let Rule::Contains(contains) = rule {
                extent = extent.at_least(contains.least);
            }
        }
        for index in 0..=self.described(facts).min(ELEMENTS) {
            if extent.most.is_some_and(|most| index as u64 >= most) {
                break;
            }
            if self.is_impossible(&Rc::new(self.element(facts, index))) {
                return extent.at_most(index as u64);
            }
        }
        extent
    }

    fn contains(&mut self, facts: &Rc<Facts>, goal: Term, rule: &Rule, contains: &Contains) -> Proof {
        let world = self.world;
        let wanted = Term { node: contains.schema, ..goal };
        let extent = self.elements(facts);
        let known: Vec<(Term, &Contains)> = facts
            .rules(world)
            .filter_map(|(term, rule)| match rule {
                Rule::Contains(known) => Some((Term { node: known.schema, ..term }, known)),
                _ => None,
            })
            .collect();
        let least = contains.least == 0
            || known.iter().any(|(schema, known)| {
                known.least >= contains.least && self.holds(&Rc::new(Facts::of(world, [*schema])), wanted)
            })
            || (extent.least >= contains.least
                && self.every_element(facts, |prover, element| prover.holds(element, wanted)));
        let most = contains.most.is_none_or(|most| {
            extent.most.is_some_and(|elements| elements <= most)
                || known.iter().any(|(schema, known)| {
                    known.most.is_some_and(|known| known <= most)
                        && self.holds(&Rc::new(Facts::of(world, [wanted])), *schema)
                })
                || self.every_element(facts, |prover, element| prover.excludes(element, wanted))
        });
        if least && most { Ok(()) } else { Err(vec![Gap::of(facts, goal, rule)]) }
    }

    fn every_element(&mut self, facts: &Rc<Facts>, mut holds: impl FnMut(&mut Self, &Rc<Facts>) -> bool) -> bool {
        let described = self.described(facts);
        if described > ELEMENTS {
            return false;
        }
        self.depth += 1;
        let all = (0..=described).all(|index| {
            let element = Rc::new(self.element(facts, index));
            holds(self, &element)
        });
        self.depth -= 1;
        all
    }

    /// How many elements `unevaluatedItems` of the goal surely does not see, and whether it sees none at all.
    fn evaluated(&mut self, facts: &Facts, goal: Term) -> (usize, bool) {
        let world = self.world;
        let (mut count, mut all) = (0, false);
        let mut pending = vec![goal];
        while let Some(term) = pending.pop() {
            for rule in &world.node(term).rules {
                let at = |node: NodeId| Term { node, ..term };
                match rule {
                    Rule::Elements(elements) => {
                        count = count.max(elements.first.len());
                        all |= elements.rest.is_some();
                    }
                    Rule::UnevaluatedElements(_) if term != goal => all = true,
                    Rule::All(nodes) => pending.extend(nodes.iter().map(|node| at(*node))),
                    Rule::Any(nodes) | Rule::One(nodes) => {
                        let known = nodes.iter().map(|node| at(*node)).filter(|branch| self.is_known(facts, *branch));
                        pending.extend(known.collect::<Vec<_>>());
                    }
                    // Towers of references are rare here; the bound keeps a circle from running for ever.
                    Rule::Reference(reference) if pending.len() < 100 && term == goal => {
                        pending.extend(world.target(term.side, reference));
                    }
                    _ => {}
                }
            }
        }
        (count, all)
    }
}

fn may_be_evaluated(world: World<'_>, goal: Term, index: usize) -> bool {
    beside(world, goal).into_iter().any(|term| {
        world.node(term).rules.iter().any(|rule| match rule {
            Rule::Elements(elements) => elements.first.len() > index || elements.rest.is_some(),
            Rule::Contains(contains) => contains.evaluates,
            Rule::UnevaluatedElements(_) => term != goal,
            _ => false,
        })
    })
}
