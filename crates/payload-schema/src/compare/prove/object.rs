//! Rules about the members of objects.

use super::scalar::Extent;
use super::{Gap, Proof, Prover, Step, finite, wanted};
use crate::compare::classes::Classes;
use crate::compare::facts::Facts;
use crate::compare::strings::{Search, Wanted};
use crate::compare::world::{Term, TermPattern, World};
use crate::model::{Counted, Edge, Members, NodeId, Rule};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Expressions for names that are told apart.
const PATTERNS: usize = 5;

impl<'w> Prover<'w> {
    pub(super) fn object(&mut self, facts: &Rc<Facts>, goal: Term, rule: &'w Rule) -> Proof {
        if !facts.classes.meets(Classes::OBJECT) {
            return Ok(());
        }
        match rule {
            Rule::Required(names) => {
                let required = facts.required(self.world);
                let missing = names.iter().filter(|name| !required.contains(*name));
                gaps(missing.map(|name| Gap::named(facts, goal, rule, name)))
            }
            Rule::DependentNames(_, dependencies) => {
                let mut missing = Vec::new();
                for (trigger, needed) in dependencies {
                    let with = (**facts).clone().with_member(trigger);
                    if self.may_have(facts, trigger) {
                        let required = with.required(self.world);
                        if needed.iter().any(|name| !required.contains(name)) {
                            missing.push(Gap::named(facts, goal, rule, trigger));
                        }
                    }
                }
                gaps(missing)
            }
            Rule::DependentSchemas(_, schemas) => {
                let mut found = Vec::new();
                for (trigger, node) in schemas {
                    if self.may_have(facts, trigger) {
                        let with = Rc::new((**facts).clone().with_member(trigger).within(Classes::OBJECT));
                        found.extend(self.prove(&with, Term { node: *node, ..goal }).err().into_iter().flatten());
                    }
                }
                gaps(found)
            }
            Rule::Members(members) => self.each_member(facts, goal, Goals::Members(members)),
            Rule::UnevaluatedMembers(node) => self.each_member(facts, goal, Goals::Unevaluated(*node)),
            Rule::Names(node) => self.names(facts, Term { node: *node, ..goal }),
            _ => Ok(()),
        }
    }

    /// Whether an object can have the member at all.
    fn may_have(&mut self, facts: &Rc<Facts>, name: &str) -> bool {
        let world = self.world;
        let allowed = |(term, rule): (Term, &Rule)| match rule {
            Rule::Names(node) => world.accepts(Term { node: *node, ..term }, &name.into()) != Some(false),
            _ => true,
        };
        !facts.absent.contains(name)
            && facts.rules(world).all(allowed)
            && !self.is_impossible(&Rc::new(self.member(facts, name)))
    }

    /// What is known of the member `name`.
    pub(in crate::compare) fn member(&self, facts: &Facts, name: &str) -> Facts {
        let world = self.world;
        facts.rules(world).fold(Facts::none(), |member, (term, rule)| match rule {
            Rule::Members(members) => applicable(world, term, members, name)
                .into_iter()
                .fold(member, |member, node| member.and(world, Term { node, ..term })),
            Rule::UnevaluatedMembers(node) if !may_be_evaluated(world, term, name) => {
                member.and(world, Term { node: *node, ..term })
            }
            _ => member,
        })
    }

    /// How many members an object has.
    pub(in crate::compare) fn members(&mut self, facts: &Rc<Facts>) -> Extent {
        let world = self.world;
        let mut extent = Extent::of(world, facts, Counted::Members);
        extent = extent.at_least(facts.required(world).len() as u64);
        let closed = facts.rules(world).filter_map(|(term, rule)| match rule {
            Rule::Members(members) if members.patterns.is_empty() => {
                let additional = Term { node: members.additional?, ..term };
                world.is_never(world.behind(additional)).then_some(members)
            }
            _ => None,
        });
        let most = closed.map(|members| {
            let possible = members.named.iter().filter(|(name, _)| !facts.absent.contains(*name));
            possible.count() as u64
        });
        most.min().map_or(extent, |most| extent.at_most(most))
    }

    fn each_member(&mut self, facts: &Rc<Facts>, goal: Term, goals: Goals<'w>) -> Proof {
        let mut found = Vec::new();
        let named = self.named(facts, goal, &goals);
        for name in &named {
            let asked = self.asked(facts, goal, &goals, name);
            if asked.is_empty() || !self.may_have(facts, name) {
                continue;
            }
            let member = self.member(facts, name);
            for node in asked {
                let proof = self.part(facts, Step::Member(name.clone()), member.clone(), Term { node, ..goal });
                found.extend(proof.err().into_iter().flatten());
            }
            if self.probing && !found.is_empty() {
                return Err(found);
            }
        }
        let Some(others) = self.other_names(facts, goal, &goals, &named) else {
            found.push(Gap::open(facts, goal, "expressions for member names that overlap in too many ways"));
            return Err(found);
        };
        for name in others {
            let asked = self.asked(facts, goal, &goals, &name);
            let member = self.member(facts, &name);
            // The name stands for all of its kind: that this one may be refused says nothing of the others.
            if asked.is_empty() || self.is_impossible(&Rc::new(member.clone())) {
                continue;
            }
            for node in asked {
                let step = Step::Other(name.clone());
                let proof = self.part(facts, step, member.clone(), Term { node, ..goal });
                found.extend(proof.err().into_iter().flatten());
            }
        }
        gaps(found)
    }

    /// What the goal asks of the member `name`.
    fn asked(&mut self, facts: &Facts, goal: Term, goals: &Goals<'_>, name: &str) -> Vec<NodeId> {
        match goals {
            Goals::Members(members) => applicable(self.world, goal, members, name),
            Goals::Unevaluated(node) if !self.is_evaluated(facts, goal, name) => vec![*node],
            Goals::Unevaluated(_) => Vec::new(),
        }
    }

    /// Every `properties` and its kin that has a say in which members there are.
    fn sayings(&self, facts: &Facts, goal: Term, goals: &Goals<'w>) -> Vec<(Term, &'w Members)> {
        let world = self.world;
        let members = |term: Term| {
            world.node(term).rules.iter().filter_map(move |rule| match rule {
                Rule::Members(members) => Some((term, members)),
                _ => None,
            })
        };
        let mut sayings: Vec<(Term, &Members)> = facts.terms.iter().flat_map(|term| members(*term)).collect();
        // What is left unevaluated depends on what every branch names.
        for (term, rule) in facts.rules(world) {
            if let Rule::UnevaluatedMembers(_) = rule {
                sayings.extend(beside(world, term).into_iter().flat_map(members));
            }
        }
        match goals {
            Goals::Members(own) => sayings.push((goal, own)),
            Goals::Unevaluated(_) => sayings.extend(beside(world, goal).into_iter().flat_map(members)),
        }
        sayings
    }

    /// The names that either schema mentions here.
    fn named(&self, facts: &Facts, goal: Term, goals: &Goals<'w>) -> BTreeSet<Box<str>> {
        let mut names: BTreeSet<Box<str>> = facts.required(self.world);
        names.extend(facts.absent.iter().cloned());
        for (_, members) in self.sayings(facts, goal, goals) {
            names.extend(members.named.keys().cloned());
        }
        names
    }

    /// One name of each kind that no schema mentions; none where they overlap in too many ways.
    fn other_names(
        &self,
        facts: &Facts,
        goal: Term,
        goals: &Goals<'w>,
        named: &BTreeSet<Box<str>>,
    ) -> Option<Vec<Box<str>>> {
        let world = self.world;
        let mut patterns: Vec<TermPattern> = Vec::new();
        for (term, members) in self.sayings(facts, goal, goals) {
            for (pattern, _) in &members.patterns {
                let pattern = TermPattern { side: term.side, pattern: *pattern };
                if !patterns.iter().any(|known| world.pattern(*known).0 == world.pattern(pattern).0) {
                    patterns.push(pattern);
                }
            }
        }
        let names = self.facts_of_names(facts);
        if let Some(values) = finite(world, &names) {
            let names = values.iter().filter_map(|value| value.as_str()).filter(|name| !named.contains(*name));
            return Some(names.map(Box::from).collect());
        }
        if patterns.len() > PATTERNS {
            return None;
        }
        let wanted = wanted(world, &names);
        let subsets = 0..1_u32 << patterns.len();
        let classes = subsets.map(|subset| {
            let matched = |index: &usize| subset & (1 << index) != 0;
            let (matches, mismatches): (Vec<usize>, Vec<usize>) = (0..patterns.len()).partition(matched);
            let pick = |indices: &[usize]| indices.iter().map(|index| patterns[*index]).collect::<Vec<_>>();
            self.class(&wanted, named, &pick(&matches), &pick(&mismatches))
        });
        Some(classes.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// A name that matches these expressions and not those; outer none where that is too hard to tell.
    fn class(
        &self,
        wanted: &Wanted,
        named: &BTreeSet<Box<str>>,
        matched: &[TermPattern],
        mismatched: &[TermPattern],
    ) -> Option<Option<Box<str>>> {
        let world = self.world;
        let fits = |name: &str| {
            !named.contains(name)
                && matched.iter().all(|pattern| world.pattern_matches(*pattern, name))
                && !mismatched.iter().any(|pattern| world.pattern_matches(*pattern, name))
        };
        let plain = wanted.matches.is_empty() && wanted.mismatches.is_empty() && wanted.least == 0;
        if plain && wanted.most.is_none() {
            let example = ["other", "another", "x", "0", "~other"].into_iter().find(|name| fits(name));
            if let Some(example) = example {
                return Some(Some(example.into()));
            }
        }
        let mut wanted = wanted.clone();
        let text = |pattern: &TermPattern| world.pattern(*pattern).1.map(str::to_owned);
        wanted.matches.extend(matched.iter().filter_map(text));
        wanted.mismatches.extend(mismatched.iter().filter_map(text));
        for _ in 0..16 {
            match self.strings.find(self.world.fuel, &wanted) {
                Search::Nothing => return Some(None),
                Search::TooHard => return None,
                Search::Found(name) if named.contains(name.as_str()) => {
                    wanted.mismatches.push(format!(r"\A{}\z", regex::escape(&name)));
                }
                Search::Found(name) => return Some(Some(name.into())),
            }
        }
        None
    }

    /// What is known of the names of an object's members.
    pub(in crate::compare) fn facts_of_names(&self, facts: &Facts) -> Facts {
        let world = self.world;
        let names = facts.rules(world).filter_map(|(term, rule)| match rule {
            Rule::Names(node) => Some(Term { node: *node, ..term }),
            _ => None,
        });
        Facts::of(world, names).within(Classes::STRING)
    }

    fn names(&mut self, facts: &Rc<Facts>, goal: Term) -> Proof {
        let world = self.world;
        let closed = facts.rules(world).filter_map(|(term, rule)| match rule {
            Rule::Members(members) if members.patterns.is_empty() => {
                let additional = Term { node: members.additional?, ..term };
                world.is_never(world.behind(additional)).then(|| members.named.keys().cloned().collect::<Vec<_>>())
            }
            _ => None,
        });
        let Some(names) = closed.min_by_key(Vec::len) else {
            return self.part(facts, Step::Name, self.facts_of_names(facts), goal);
        };
        let mut found = Vec::new();
        for name in names {
            if self.may_have(facts, &name) && world.accepts(goal, &(&*name).into()) != Some(true) {
                let gap = Gap::of_values(world, facts, goal, vec![(&*name).into()]);
                found.push(gap.within(super::Level { facts: facts.clone(), step: Step::Name }));
            }
        }
        gaps(found)
    }

    /// Whether the goal's neighbours surely evaluate the member, so that `unevaluatedProperties` does not see it.
    fn is_evaluated(&mut self, facts: &Facts, goal: Term, name: &str) -> bool {
        let world = self.world;
        let mut pending = vec![goal];
        let mut seen = BTreeSet::new();
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            for rule in &world.node(term).rules {
                let at = |node: NodeId| Term { node, ..term };
                match rule {
                    Rule::Members(members) if !applicable(world, term, members, name).is_empty() => return true,
                    Rule::UnevaluatedMembers(_) if term != goal => return true,
                    Rule::All(nodes) => pending.extend(nodes.iter().map(|node| at(*node))),
                    Rule::Reference(reference) => pending.extend(world.target(term.side, reference)),
                    Rule::Any(nodes) | Rule::One(nodes) => {
                        let known = nodes.iter().map(|node| at(*node)).filter(|branch| self.is_known(facts, *branch));
                        pending.extend(known.collect::<Vec<_>>());
                    }
                    Rule::If(condition) if self.is_known(facts, at(condition.test)) => {
                        pending.push(at(condition.test));
                        pending.extend(condition.then.map(at));
                    }
                    _ => {}
                }
            }
        }
        false
    }
}

/// What a goal says of members.
enum Goals<'w> {
    Members(&'w Members),
    Unevaluated(NodeId),
}

fn gaps(found: impl IntoIterator<Item = Gap>) -> Proof {
    let found: Vec<Gap> = found.into_iter().collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The subschemas that `properties` and its kin apply to the member `name`.
pub(in crate::compare) fn applicable(world: World<'_>, term: Term, members: &Members, name: &str) -> Vec<NodeId> {
    let matching = members
        .patterns
        .iter()
        .filter(|(pattern, _)| world.pattern_matches(TermPattern { side: term.side, pattern: *pattern }, name));
    let mut nodes: Vec<NodeId> = members.named.get(name).copied().into_iter().collect();
    nodes.extend(matching.map(|(_, node)| *node));
    if nodes.is_empty() {
        nodes.extend(members.additional);
    }
    nodes
}

/// The subschemas that look at the same value as `term`, which may evaluate its parts.
pub(super) fn beside(world: World<'_>, term: Term) -> BTreeSet<Term> {
    let mut pending = vec![term];
    let mut seen = BTreeSet::new();
    while let Some(term) = pending.pop() {
        if seen.insert(term) {
            let same = world.model(term.side).edges(term.node).into_iter().filter_map(|edge| match edge {
                Edge::Same(node) => Some(Term { node, ..term }),
                Edge::Part(_) => None,
            });
            pending.extend(same);
        }
    }
    seen
}

fn may_be_evaluated(world: World<'_>, goal: Term, name: &str) -> bool {
    beside(world, goal).into_iter().any(|term| {
        world.node(term).rules.iter().any(|rule| match rule {
            Rule::Members(members) => !applicable(world, term, members, name).is_empty(),
            Rule::UnevaluatedMembers(_) => term != goal,
            _ => false,
        })
    })
}
