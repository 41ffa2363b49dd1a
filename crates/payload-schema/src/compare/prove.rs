//! Proving that whatever satisfies the facts satisfies a subschema too. What cannot be proved comes back as gaps: where,
//! and which rule.
//!
//! A proof walks both schemas together and goes into the parts of the value, so it may lean on itself for smaller
//! values (induction on the size of the value).

mod array;
mod combine;
mod finite;
mod gap;
mod impossible;
mod object;
mod scalar;

pub(super) use finite::finite;
pub(super) use gap::{Gap, Level, Reason, Step};
pub(super) use scalar::wanted;

use super::facts::Facts;
use super::same::Sameness;
use super::strings::Strings;
use super::world::{Term, World};
use crate::model::Rule;
use std::collections::HashMap;
use std::rc::Rc;

/// Gaps that are kept of one proof.
const GAPS: usize = 40;

/// Questions inside one another; each takes stack.
const NESTING: usize = 300;

/// Nothing to say, or what could not be proved.
pub(super) type Proof = Result<(), Vec<Gap>>;

/// What is asked: the facts, the goal, and whether one gap is enough to know.
type Question = (Rc<Facts>, Term, bool);

pub(super) struct Prover<'w> {
    pub(super) world: World<'w>,
    pub(super) same: Sameness,
    pub(super) strings: Strings,
    /// Questions that may still be asked.
    pub(super) effort: usize,
    /// Whether only the answer counts, not every gap.
    probing: bool,
    /// How many steps into the value.
    depth: usize,
    /// Questions that are being answered, with the depth at which they were asked.
    open: Vec<(Question, usize)>,
    /// The outermost open question that an answer leant on.
    leant_on: usize,
    /// The outermost open refutation that an answer leant on.
    leant_on_impossible: usize,
    known: HashMap<Question, Proof>,
    impossible: HashMap<Rc<Facts>, bool>,
    open_impossible: Vec<(Rc<Facts>, usize)>,
}

impl<'w> Prover<'w> {
    pub(super) fn new(world: World<'w>, effort: usize) -> Self {
        Self {
            world,
            same: Sameness::default(),
            strings: Strings::default(),
            effort,
            probing: false,
            depth: 0,
            open: Vec::new(),
            leant_on: usize::MAX,
            leant_on_impossible: usize::MAX,
            known: HashMap::new(),
            impossible: HashMap::new(),
            open_impossible: Vec::new(),
        }
    }

    /// Whether every value that satisfies `facts` satisfies `goal`.
    pub(super) fn prove(&mut self, facts: &Rc<Facts>, goal: Term) -> Proof {
        let goal = self.world.behind(goal);
        if self.world.node(goal).rules.is_empty() || self.is_known(facts, goal) {
            return Ok(());
        }
        let question = (facts.clone(), goal, self.probing);
        if let Some(answer) = self.known.get(&question) {
            return answer.clone();
        }
        if let Some(position) = self.open.iter().position(|(open, _)| *open == question) {
            if self.depth > self.open[position].1 {
                self.leant_on = self.leant_on.min(position);
                return Ok(());
            }
            return Err(vec![Gap::open(facts, goal, "a reference leads back to itself")]);
        }
        if self.open.len() + self.open_impossible.len() >= NESTING {
            return Err(vec![Gap::open(facts, goal, "subschemas lie inside one another too deeply")]);
        }
        if !self.take(facts) {
            return Err(vec![Gap::open(facts, goal, "the comparison took too many steps")]);
        }
        let refuting = self.open_impossible.len();
        let leant_on = std::mem::replace(&mut self.leant_on, usize::MAX);
        self.open.push((question, self.depth));
        let answer = self.answer(facts, goal);
        let position = self.open.len() - 1;
        let question = self.open.pop().map(|(question, _)| question);
        let stands_alone = self.leant_on >= position && self.leant_on_impossible >= refuting;
        if let Some(question) = question.filter(|_| stands_alone || answer.is_err()) {
            self.known.insert(question, answer.clone());
        }
        self.leant_on = leant_on.min(if self.leant_on >= position { usize::MAX } else { self.leant_on });
        answer
    }

    /// Takes the work of one question; false when there is none left.
    fn take(&mut self, facts: &Facts) -> bool {
        if self.effort == 0 || !self.world.fuel.take(10 + 2 * (facts.terms.len() + facts.not.len())) {
            return false;
        }
        self.effort -= 1;
        true
    }

    /// Whether it can be proved, without the gaps.
    pub(super) fn holds(&mut self, facts: &Rc<Facts>, goal: Term) -> bool {
        let probing = std::mem::replace(&mut self.probing, true);
        let proof = self.prove(facts, goal);
        self.probing = probing;
        proof.is_ok()
    }

    /// Whether one of the facts says the same as `goal`.
    pub(super) fn is_known(&self, facts: &Facts, goal: Term) -> bool {
        facts.terms.iter().any(|term| self.same.terms(self.world, *term, goal))
    }

    /// Whether nothing that is known speaks against the value.
    pub(super) fn is_possible(&self, facts: &Facts, value: &serde_json::Value) -> bool {
        finite::is_possible(self.world, facts, value)
    }

    fn answer(&mut self, facts: &Rc<Facts>, goal: Term) -> Proof {
        if self.is_impossible(facts) {
            return Ok(());
        }
        if let Some(values) = finite(self.world, facts) {
            return self.each(facts, goal, values);
        }
        let world = self.world;
        let mut gaps = Vec::new();
        for rule in &world.node(goal).rules {
            if let Err(found) = self.rule(facts, goal, rule) {
                gaps.extend(found);
                if self.probing || gaps.len() > GAPS {
                    break;
                }
            }
        }
        if gaps.is_empty() {
            return Ok(());
        }
        gaps.truncate(GAPS);
        self.by_cases(facts, goal, gaps)
    }

    /// The few values that there are, one by one.
    fn each(&mut self, facts: &Rc<Facts>, goal: Term, values: Vec<serde_json::Value>) -> Proof {
        let mut refused = Vec::new();
        for value in values {
            match self.world.accepts(goal, &value) {
                Some(true) => {}
                Some(false) => refused.push(value),
                None => return Err(vec![Gap::open(facts, goal, "a value takes too many steps to check")]),
            }
        }
        if refused.is_empty() { Ok(()) } else { Err(vec![Gap::of_values(self.world, facts, goal, refused)]) }
    }

    fn rule(&mut self, facts: &Rc<Facts>, goal: Term, rule: &'w Rule) -> Proof {
        let alone = !matches!(rule, Rule::UnevaluatedMembers(_) | Rule::UnevaluatedElements(_));
        let world = self.world;
        if alone && facts.rules(world).any(|(term, other)| self.same.rule(world, (term, other), (goal, rule))) {
            return Ok(());
        }
        match rule {
            Rule::Never => Err(vec![Gap::of(facts, goal, rule)]),
            Rule::All(_) | Rule::Any(_) | Rule::One(_) | Rule::Not(_) | Rule::If(_) | Rule::Reference(_) => {
                self.combination(facts, goal, rule)
            }
            Rule::Required(_)
            | Rule::DependentNames(..)
            | Rule::DependentSchemas(..)
            | Rule::Members(_)
            | Rule::Names(_)
            | Rule::UnevaluatedMembers(_) => self.object(facts, goal, rule),
            Rule::Elements(_) | Rule::Contains(_) | Rule::UnevaluatedElements(_) | Rule::Unique => {
                self.array(facts, goal, rule)
            }
            _ => self.scalar(facts, goal, rule),
        }
    }

    /// A goal about a part of the value.
    fn part(&mut self, facts: &Rc<Facts>, step: Step, part: Facts, goal: Term) -> Proof {
        self.depth += 1;
        let proof = self.prove(&Rc::new(part), goal);
        self.depth -= 1;
        proof.map_err(|gaps| {
            let level = Level { facts: facts.clone(), step };
            gaps.into_iter().map(|gap| gap.within(level.clone())).collect()
        })
    }
}
