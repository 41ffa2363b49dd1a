//! Whether nothing at all satisfies some facts.

use super::scalar::{Extent, no_number, wanted};
use super::{NESTING, Prover, finite};
use crate::compare::classes::Classes;
use crate::compare::facts::Facts;
use crate::compare::strings::Search;
use crate::model::Counted;
use std::rc::Rc;

/// Disjunctions whose cases are all refuted to refute the whole.
const CHOICES: usize = 2;

impl Prover<'_> {
    /// Whether no value satisfies the facts. `false` only says that this was not seen.
    pub(in crate::compare) fn is_impossible(&mut self, facts: &Rc<Facts>) -> bool {
        if facts.classes.is_empty() {
            return true;
        }
        if facts.terms.is_empty() && facts.not.is_empty() {
            return false;
        }
        if let Some(known) = self.impossible.get(facts) {
            return *known;
        }
        if let Some(position) = self.open_impossible.iter().position(|(open, _)| open == facts) {
            // A value that must contain itself cannot be written down.
            let impossible = self.depth > self.open_impossible[position].1;
            if impossible {
                self.leant_on_impossible = self.leant_on_impossible.min(position);
            }
            return impossible;
        }
        if self.open.len() + self.open_impossible.len() >= NESTING || !self.take(facts) {
            return false;
        }
        let (position, proving) = (self.open_impossible.len(), self.open.len());
        let leant_on = std::mem::replace(&mut self.leant_on_impossible, usize::MAX);
        self.open_impossible.push((facts.clone(), self.depth));
        let impossible = self.refute(facts);
        self.open_impossible.pop();
        let alone = self.leant_on_impossible >= position;
        // What leans on something that is still open falls with it.
        if !impossible || (alone && self.leant_on >= proving) {
            self.impossible.insert(facts.clone(), impossible);
        }
        self.leant_on_impossible = leant_on.min(if alone { usize::MAX } else { self.leant_on_impossible });
        impossible
    }

    fn refute(&mut self, facts: &Rc<Facts>) -> bool {
        let world = self.world;
        let contradicted = |prover: &Self, term| facts.terms.iter().any(|known| prover.same.terms(world, *known, term));
        if facts.not.iter().any(|term| contradicted(self, *term)) {
            return true;
        }
        if let Some(values) = finite(world, facts) {
            return values.is_empty();
        }
        let mut left = facts.classes;
        for kind in Classes::GROUPS {
            if left.meets(kind) && self.refutes_kind(facts, kind) {
                left = left.minus(kind);
            }
        }
        left.is_empty() || self.refutes_by_inclusion(facts) || self.refutes_cases(&(**facts).clone().within(left))
    }

    fn refutes_kind(&mut self, facts: &Rc<Facts>, kind: Classes) -> bool {
        let world = self.world;
        match kind {
            Classes::NUMBER => no_number(world, facts),
            Classes::STRING => {
                let wanted = wanted(world, facts);
                let bounded = wanted.matches.len() > 1 || !wanted.mismatches.is_empty() || wanted.most.is_some();
                Extent::of(world, facts, Counted::Characters).is_empty()
                    || (bounded
                        && !wanted.matches.is_empty()
                        && self.strings.find(self.world.fuel, &wanted) == Search::Nothing)
            }
            Classes::ARRAY => {
                self.depth += 1;
                let extent = self.elements(facts);
                self.depth -= 1;
                extent.is_empty()
            }
            Classes::OBJECT => self.refutes_object(facts),
            _ => false,
        }
    }

    fn refutes_object(&mut self, facts: &Rc<Facts>) -> bool {
        let world = self.world;
        let required = facts.required(world);
        if required.iter().any(|name| facts.absent.contains(name)) || self.members(facts).is_empty() {
            return true;
        }
        let names = self.facts_of_names(facts);
        if required.iter().any(|name| !finite::is_possible(world, &names, &(&**name).into())) {
            return true;
        }
        self.depth += 1;
        let impossible = required.iter().any(|name| self.is_impossible(&Rc::new(self.member(facts, name))));
        self.depth -= 1;
        impossible
    }

    /// Whether the facts imply what they deny.
    fn refutes_by_inclusion(&mut self, facts: &Rc<Facts>) -> bool {
        // Each of these is a whole proof: only where they are few, and not inside another one.
        if facts.not.len() > 12 || self.open_impossible.len() > 2 {
            return false;
        }
        let affirmed = Rc::new(Facts { not: Vec::new(), ..(**facts).clone() });
        facts.not.iter().any(|term| self.holds(&affirmed, *term))
    }

    fn refutes_cases(&mut self, facts: &Facts) -> bool {
        if facts.chosen.len() >= CHOICES {
            return false;
        }
        let Some(cases) = self.cases(facts) else { return false };
        cases.into_iter().all(|case| self.is_impossible(&Rc::new(case)))
    }
}
