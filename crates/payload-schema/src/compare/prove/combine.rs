//! Rules that combine subschemas, and proofs by cases.

use super::{Gap, Proof, Prover};
use crate::compare::classes::Classes;
use crate::compare::facts::Facts;
use crate::compare::world::Term;
use crate::model::{NodeId, Rule};
use std::rc::Rc;

/// Disjunctions of which cases are chosen at one place.
const CHOICES: usize = 5;
/// Branches of one disjunction that are gone through.
const BRANCHES: usize = 64;

impl<'w> Prover<'w> {
    pub(super) fn combination(&mut self, facts: &Rc<Facts>, goal: Term, rule: &'w Rule) -> Proof {
        let at = |node: NodeId| Term { node, ..goal };
        match rule {
            Rule::All(nodes) => self.every(nodes.iter().map(|node| (facts.clone(), at(*node)))),
            Rule::Any(nodes) => self.any(facts, goal, nodes, rule),
            Rule::One(nodes) => self.one(facts, goal, nodes, rule),
            Rule::Not(node) => {
                let refuted = self.excludes(facts, at(*node));
                if refuted { Ok(()) } else { Err(vec![Gap::of(facts, goal, rule)]) }
            }
            Rule::If(condition) => {
                let (world, test) = (self.world, at(condition.test));
                let then = condition.then.map(|then| (Rc::new((**facts).clone().and(world, test)), at(then)));
                let otherwise = condition
                    .otherwise
                    .map(|otherwise| (Rc::new((**facts).clone().and_not(world, test)), at(otherwise)));
                self.every(then.into_iter().chain(otherwise))
            }
            Rule::Reference(reference) => match self.world.target(goal.side, reference) {
                Some(target) => self.prove(facts, target),
                None => Err(vec![Gap::open(facts, goal, "a dynamic reference")]),
            },
            _ => Ok(()),
        }
    }

    fn every(&mut self, goals: impl Iterator<Item = (Rc<Facts>, Term)>) -> Proof {
        let mut gaps = Vec::new();
        for (facts, goal) in goals {
            if let Err(found) = self.prove(&facts, goal) {
                gaps.extend(found);
                if self.probing {
                    break;
                }
            }
        }
        if gaps.is_empty() { Ok(()) } else { Err(gaps) }
    }

    fn any(&mut self, facts: &Rc<Facts>, goal: Term, nodes: &[NodeId], rule: &Rule) -> Proof {
        let branches = || nodes.iter().take(BRANCHES).map(|node| Term { node: *node, ..goal });
        if branches().any(|branch| self.holds(facts, branch)) {
            return Ok(());
        }
        self.nearest(facts, goal, branches(), rule)
    }

    fn one(&mut self, facts: &Rc<Facts>, goal: Term, nodes: &[NodeId], rule: &Rule) -> Proof {
        if nodes.len() > BRANCHES {
            return Err(vec![Gap::open(facts, goal, "a choice among more than 64 branches")]);
        }
        let branches: Vec<Term> = nodes.iter().map(|node| Term { node: *node, ..goal }).collect();
        let Some(position) = branches.iter().position(|branch| self.holds(facts, *branch)) else {
            return self.nearest(facts, goal, branches.into_iter(), rule);
        };
        let others = branches.iter().enumerate().filter(|(index, _)| *index != position);
        let mut both = others.map(|(_, other)| *other).filter(|other| !self.excludes(facts, *other));
        match both.next() {
            None => Ok(()),
            // A value that the second branch accepts, too.
            Some(_) => Err(vec![Gap::of(facts, goal, rule)]),
        }
    }

    /// The gaps of the branch that the facts come nearest to.
    fn nearest(&mut self, facts: &Rc<Facts>, goal: Term, branches: impl Iterator<Item = Term>, rule: &Rule) -> Proof {
        let mut best: Option<Vec<Gap>> = None;
        if !self.probing {
            for branch in branches {
                if self.excludes(facts, branch) {
                    continue;
                }
                if let Err(gaps) = self.prove(facts, branch) {
                    // A gap inside says more than that no branch fits.
                    let better = best.as_ref().is_none_or(|best| gaps.len() < best.len());
                    best = if better { Some(gaps) } else { best };
                }
            }
        }
        let whole = Gap::of(facts, goal, rule);
        Err(match best {
            Some(gaps) if gaps.len() <= 3 => gaps.into_iter().chain([whole]).collect(),
            _ => vec![whole],
        })
    }

    /// Whether nothing satisfies the facts and the subschema.
    pub(super) fn excludes(&mut self, facts: &Rc<Facts>, term: Term) -> bool {
        let world = self.world;
        if facts.not.iter().any(|not| self.same.terms(world, *not, term)) {
            return true;
        }
        self.is_impossible(&Rc::new((**facts).clone().and(world, term)))
    }

    /// Proves the goal in every case of a disjunction among the facts, if there is one; else the gaps stand.
    pub(super) fn by_cases(&mut self, facts: &Rc<Facts>, goal: Term, gaps: Vec<Gap>) -> Proof {
        let Some(cases) = self.cases(facts).or_else(|| self.kinds(facts, goal)) else { return Err(gaps) };
        let mut found = Vec::new();
        for case in cases {
            if let Err(gaps) = self.prove(&Rc::new(case), goal) {
                found.extend(gaps);
                if self.probing {
                    break;
                }
            }
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    /// The cases of the first disjunction of which none was chosen yet.
    pub(in crate::compare) fn cases(&self, facts: &Facts) -> Option<Vec<Facts>> {
        if facts.chosen.len() >= CHOICES { None } else { self.cases_beyond(facts) }
    }

    /// The same, however many were chosen.
    pub(in crate::compare) fn cases_beyond(&self, facts: &Facts) -> Option<Vec<Facts>> {
        let world = self.world;
        let required = facts.required(world);
        for term in &facts.terms {
            for (index, rule) in world.node(*term).rules.iter().enumerate() {
                let at = |node: NodeId| Term { node, ..*term };
                let choice = (*term, index);
                let chosen = |choice: (Term, usize)| {
                    let mut case = facts.clone();
                    case.chosen.push(choice);
                    case
                };
                match rule {
                    _ if facts.chosen.contains(&choice) => {}
                    Rule::Any(nodes) if nodes.len() > 1 && nodes.len() <= BRANCHES => {
                        return Some(nodes.iter().map(|node| chosen(choice).and(world, at(*node))).collect());
                    }
                    Rule::One(nodes) if nodes.len() > 1 && nodes.len() <= BRANCHES => {
                        let case = |node: &NodeId| {
                            let others = nodes.iter().filter(|other| *other != node);
                            let one = chosen(choice).and(world, at(*node));
                            others.fold(one, |case, other| case.and_not(world, at(*other)))
                        };
                        return Some(nodes.iter().map(case).collect());
                    }
                    Rule::If(condition) => {
                        let then = chosen(choice).and(world, at(condition.test));
                        let otherwise = chosen(choice).and_not(world, at(condition.test));
                        let and = |case: Facts, node: Option<NodeId>| match node {
                            Some(node) => case.and(world, at(node)),
                            None => case,
                        };
                        return Some(vec![and(then, condition.then), and(otherwise, condition.otherwise)]);
                    }
                    Rule::DependentSchemas(_, schemas) => {
                        for (position, (name, node)) in schemas.iter().enumerate() {
                            // Beyond what one schema object can have of rules.
                            let choice = (*term, 1000 * (index + 1) + position);
                            if facts.chosen.contains(&choice) || facts.absent.contains(name) {
                                continue;
                            }
                            let object = chosen(choice).within(Classes::OBJECT);
                            let no_object = chosen(choice).within(Classes::ALL.minus(Classes::OBJECT));
                            let with = object.clone().with_member(name).and(world, at(*node));
                            let mut without = object;
                            without.absent.insert(name.clone());
                            let cases = if required.contains(name) {
                                vec![with, no_object]
                            } else {
                                vec![with, without, no_object]
                            };
                            return Some(cases.into_iter().filter(|case| !case.classes.is_empty()).collect());
                        }
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// The cases of one type each, for a goal that tells types apart.
    fn kinds(&self, facts: &Facts, goal: Term) -> Option<Vec<Facts>> {
        let distinguishes = |rule: &Rule| matches!(rule, Rule::Any(_) | Rule::One(_) | Rule::Not(_) | Rule::If(_));
        if !self.world.node(goal).rules.iter().any(distinguishes) {
            return None;
        }
        let kinds = Classes::GROUPS.into_iter().filter(|group| facts.classes.meets(*group));
        let cases: Vec<Facts> = kinds.map(|group| facts.clone().within(group)).collect();
        (cases.len() > 1).then_some(cases)
    }
}
