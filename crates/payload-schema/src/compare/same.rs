//! Whether two subschemas ask the same thing in the same words, whatever they are called and wherever they stand.

use super::classes::Classes;
use super::world::{Term, World};
use crate::equality;
use crate::model::{NodeId, Rule};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

/// Levels of subschemas that a fingerprint sees.
const LEVELS: usize = 3;
/// Subschemas inside one another that are compared.
const DEPTH: usize = 100;

/// Remembers what was compared.
#[derive(Default)]
pub(super) struct Sameness {
    depth: Cell<usize>,
    fingerprints: RefCell<HashMap<Term, u64>>,
    known: RefCell<HashMap<(Term, Term), bool>>,
}

impl Sameness {
    /// Whether both accept the same values because they say the same. `false` proves nothing.
    pub(super) fn terms(&self, world: World<'_>, left: Term, right: Term) -> bool {
        let (left, right) = (world.behind(left), world.behind(right));
        if left == right {
            return true;
        }
        if let Some(known) = self.known.borrow().get(&(left, right)) {
            return *known;
        }
        if self.fingerprint(world, left) != self.fingerprint(world, right) {
            return false;
        }
        // `false` proves nothing: it may be said of whatever is too deep or too much.
        if self.depth.get() >= DEPTH || !world.fuel.take(1) {
            return false;
        }
        self.depth.set(self.depth.get() + 1);
        // Where it leads back to itself nothing speaks against it.
        self.known.borrow_mut().insert((left, right), true);
        let same = self.rules(world, left, right);
        self.depth.set(self.depth.get() - 1);
        if !same {
            // What was found under the assumption may be wrong.
            self.known.borrow_mut().retain(|_, same| !*same);
            self.known.borrow_mut().insert((left, right), false);
        }
        same
    }

    /// A number that is equal for all that say the same, and for few others: by it most pairs are told apart at once.
    fn fingerprint(&self, world: World<'_>, term: Term) -> u64 {
        if let Some(known) = self.fingerprints.borrow().get(&term) {
            return *known;
        }
        let fingerprint = rough(world, term, LEVELS);
        self.fingerprints.borrow_mut().insert(term, fingerprint);
        fingerprint
    }

    fn rules(&self, world: World<'_>, left: Term, right: Term) -> bool {
        let (lefts, rights) = (&world.node(left).rules, &world.node(right).rules);
        lefts.len() == rights.len()
            && lefts.iter().all(|rule| rights.iter().any(|other| self.rule(world, (left, rule), (right, other))))
            && rights.iter().all(|rule| lefts.iter().any(|other| self.rule(world, (left, other), (right, rule))))
    }

    /// Whether two rules ask the same; those that depend on their neighbours only by chance.
    pub(super) fn rule(&self, world: World<'_>, (left, rule): (Term, &Rule), (right, other): (Term, &Rule)) -> bool {
        let same = |a: NodeId, b: NodeId| self.terms(world, Term { node: a, ..left }, Term { node: b, ..right });
        let lists = |a: &[NodeId], b: &[NodeId]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b));
        let options = |a: Option<NodeId>, b: Option<NodeId>| match (a, b) {
            (Some(a), Some(b)) => same(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let pattern = |term: Term, pattern| world.pattern(super::world::TermPattern { side: term.side, pattern }).0;
        match (rule, other) {
            (Rule::Never, Rule::Never) | (Rule::Unique, Rule::Unique) => true,
            (Rule::Type(a), Rule::Type(b)) => {
                Classes::of_types(*a, world.dialect(left)) == Classes::of_types(*b, world.dialect(right))
            }
            (Rule::Enum(a), Rule::Enum(b)) => world.fuel.take(a.len() + b.len()) && a.is_same(b),
            (Rule::Const(a), Rule::Const(b)) => equality::same(a, b),
            (Rule::Bound(a), Rule::Bound(b)) => a.least == b.least && a.open == b.open && a.value == b.value,
            (Rule::MultipleOf(a), Rule::MultipleOf(b)) => a == b,
            (Rule::Count(a), Rule::Count(b)) => a.of == b.of && a.least == b.least && a.limit == b.limit,
            (Rule::Pattern(a), Rule::Pattern(b)) => pattern(left, *a) == pattern(right, *b),
            (Rule::Format(a), Rule::Format(b)) => {
                a == b
                    && world.asserts_format(left, a) == world.asserts_format(right, b)
                    && world.same_format(left, right, a)
            }
            (Rule::Required(a), Rule::Required(b)) => {
                a == b || {
                    let [a, b] = [a, b].map(|names| names.iter().collect::<HashSet<_>>());
                    a == b
                }
            }
            (Rule::DependentNames(_, a), Rule::DependentNames(_, b)) => a == b,
            (Rule::DependentSchemas(_, a), Rule::DependentSchemas(_, b)) => {
                a.len() == b.len() && a.iter().all(|(name, a)| b.iter().any(|(other, b)| name == other && same(*a, *b)))
            }
            (Rule::Members(a), Rule::Members(b)) => {
                a.named.len() == b.named.len()
                    && a.patterns.len() == b.patterns.len()
                    && options(a.additional, b.additional)
                    && a.named.iter().all(|(name, a)| b.named.get(name).is_some_and(|b| same(*a, *b)))
                    && a.patterns
                        .iter()
                        .zip(&b.patterns)
                        .all(|((p, a), (q, b))| pattern(left, *p) == pattern(right, *q) && same(*a, *b))
            }
            (Rule::Elements(a), Rule::Elements(b)) => lists(&a.first, &b.first) && options(a.rest, b.rest),
            (Rule::Contains(a), Rule::Contains(b)) => {
                a.least == b.least && a.most == b.most && a.evaluates == b.evaluates && same(a.schema, b.schema)
            }
            (Rule::All(a), Rule::All(b)) | (Rule::Any(a), Rule::Any(b)) | (Rule::One(a), Rule::One(b)) => lists(a, b),
            (Rule::Names(a), Rule::Names(b))
            | (Rule::Not(a), Rule::Not(b))
            | (Rule::UnevaluatedMembers(a), Rule::UnevaluatedMembers(b))
            | (Rule::UnevaluatedElements(a), Rule::UnevaluatedElements(b)) => same(*a, *b),
            (Rule::If(a), Rule::If(b)) => {
                same(a.test, b.test) && options(a.then, b.then) && options(a.otherwise, b.otherwise)
            }
            (Rule::Reference(a), Rule::Reference(b)) => {
                match (world.target(left.side, a), world.target(right.side, b)) {
                    (Some(a), Some(b)) => self.terms(world, a, b),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// A sum over the rules, so that their order does not count.
fn rough(world: World<'_>, term: Term, levels: usize) -> u64 {
    let term = world.behind(term);
    let rules = world.node(term).rules.iter().map(|rule| {
        let mut hasher = DefaultHasher::new();
        discriminant(rule).hash(&mut hasher);
        match rule {
            Rule::Type(types) => Classes::of_types(*types, world.dialect(term)).hash(&mut hasher),
            Rule::Bound(bound) => (bound.least, bound.open, &bound.value).hash(&mut hasher),
            Rule::Count(count) => (count.least, count.limit).hash(&mut hasher),
            Rule::Pattern(pattern) => world.model(term.side).pattern(*pattern).source.hash(&mut hasher),
            Rule::Format(format) => format.hash(&mut hasher),
            Rule::Members(members) => members.named.keys().collect::<Vec<_>>().hash(&mut hasher),
            _ => {}
        }
        if levels > 0 {
            for edge in world.model(term.side).edges_of(rule) {
                rough(world, Term { node: edge.target(), ..term }, levels - 1).hash(&mut hasher);
            }
        }
        hasher.finish()
    });
    rules.fold(0, u64::wrapping_add)
}
