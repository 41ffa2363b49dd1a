//! Rules about numbers, texts and counts, and about a value as a whole.

use super::{Gap, Proof, Prover};
use crate::compare::classes::Classes;
use crate::compare::facts::Facts;
use crate::compare::strings::{Search, Wanted};
use crate::compare::world::{Term, TermPattern, World};
use crate::model::{Bound, Count, Counted, Rule};
use crate::number::Decimal;
use serde_json::Number;
use std::rc::Rc;

impl Prover<'_> {
    pub(super) fn scalar(&mut self, facts: &Rc<Facts>, goal: Term, rule: &Rule) -> Proof {
        let world = self.world;
        let follows = match rule {
            Rule::Type(types) => facts.classes.is_within(Classes::of_types(*types, world.dialect(goal))),
            Rule::Bound(bound) => !facts.classes.meets(Classes::NUMBER) || implies_bound(world, facts, bound),
            Rule::MultipleOf(divisor) => {
                !facts.classes.meets(Classes::NUMBER) || implies_multiple(world, facts, divisor)
            }
            Rule::Count(count) => return self.count(facts, goal, rule, count),
            Rule::Pattern(pattern) => {
                return self.pattern(facts, goal, rule, TermPattern { side: goal.side, pattern: *pattern });
            }
            Rule::Format(format) => {
                let same = |(term, other): (Term, &Rule)| {
                    matches!(other, Rule::Format(other) if other == format)
                        && world.asserts_format(term, format)
                        && world.same_format(term, goal, format)
                };
                !world.asserts_format(goal, format)
                    || !facts.classes.meets(Classes::STRING)
                    || facts.rules(world).any(same)
            }
            // `enum` and `const`: the facts leave more values than can be listed.
            _ => false,
        };
        if follows { Ok(()) } else { Err(vec![Gap::of(facts, goal, rule)]) }
    }

    fn count(&mut self, facts: &Rc<Facts>, goal: Term, rule: &Rule, count: &Count) -> Proof {
        let world = self.world;
        let (kind, extent) = match count.of {
            Counted::Characters => (Classes::STRING, Extent::of(world, facts, Counted::Characters)),
            Counted::Elements => (Classes::ARRAY, self.elements(facts)),
            Counted::Members => (Classes::OBJECT, self.members(facts)),
        };
        let follows =
            if count.least { extent.least >= count.limit } else { extent.most.is_some_and(|most| most <= count.limit) };
        if follows || !facts.classes.meets(kind) {
            return Ok(());
        }
        let gap = Gap::of(facts, goal, rule);
        if count.of != Counted::Characters || count.limit > 1_000 {
            return Err(vec![gap]);
        }
        // The expressions may bound the length.
        let mut wanted = wanted(world, facts);
        let limit = usize::try_from(count.limit).unwrap_or(usize::MAX);
        if count.least {
            wanted.most = Some(wanted.most.unwrap_or(usize::MAX).min(limit.saturating_sub(1)));
        } else {
            wanted.least = wanted.least.max(limit.saturating_add(1));
        }
        self.text(gap, &wanted)
    }

    fn pattern(&mut self, facts: &Rc<Facts>, goal: Term, rule: &Rule, pattern: TermPattern) -> Proof {
        if !facts.classes.meets(Classes::STRING) {
            return Ok(());
        }
        let mut wanted = wanted(self.world, facts);
        wanted.mismatches.extend(self.world.pattern(pattern).1.map(str::to_owned));
        self.text(Gap::of(facts, goal, rule), &wanted)
    }

    /// Whether there is no such text; the one that there is goes into the gap.
    fn text(&mut self, mut gap: Gap, wanted: &Wanted) -> Proof {
        match self.strings.find(self.world.fuel, wanted) {
            Search::Nothing => Ok(()),
            Search::Found(text) => {
                gap.values.push(text.into());
                Err(vec![gap])
            }
            Search::TooHard => Err(vec![gap]),
        }
    }
}

/// What the facts ask of a text; formats are beyond it.
pub(in crate::compare) fn wanted(world: World<'_>, facts: &Facts) -> Wanted {
    let translated = |pattern: &TermPattern| world.pattern(*pattern).1.map(str::to_owned);
    let own = facts.rules(world).filter_map(|(term, rule)| match rule {
        Rule::Pattern(pattern) => translated(&TermPattern { side: term.side, pattern: *pattern }),
        _ => None,
    });
    let mut matches: Vec<String> = own.chain(facts.matches.iter().filter_map(translated)).collect();
    let mut mismatches: Vec<String> = facts.mismatches.iter().filter_map(translated).collect();
    for not in &facts.not {
        if let [Rule::Pattern(pattern)] = world.node(*not).rules.as_slice() {
            mismatches.extend(translated(&TermPattern { side: not.side, pattern: *pattern }));
        }
    }
    matches.sort();
    matches.dedup();
    mismatches.sort();
    mismatches.dedup();
    let extent = Extent::of(world, facts, Counted::Characters);
    let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    Wanted { matches, mismatches, least: size(extent.least), most: extent.most.map(size) }
}

/// How many characters, elements or members a value has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::compare) struct Extent {
    pub(in crate::compare) least: u64,
    pub(in crate::compare) most: Option<u64>,
}

impl Extent {
    /// What the counting keywords say.
    pub(in crate::compare) fn of(world: World<'_>, facts: &Facts, counted: Counted) -> Self {
        let mut extent = Self::default();
        for (_, rule) in facts.rules(world) {
            match rule {
                Rule::Count(count) if count.of == counted && count.least => {
                    extent.least = extent.least.max(count.limit);
                }
                Rule::Count(count) if count.of == counted => {
                    extent.most = Some(extent.most.unwrap_or(u64::MAX).min(count.limit));
                }
                _ => {}
            }
        }
        extent
    }

    pub(in crate::compare) fn at_most(mut self, most: u64) -> Self {
        self.most = Some(self.most.unwrap_or(u64::MAX).min(most));
        self
    }

    pub(in crate::compare) fn at_least(mut self, least: u64) -> Self {
        self.least = self.least.max(least);
        self
    }

    pub(in crate::compare) fn is_empty(self) -> bool {
        self.most.is_some_and(|most| most < self.least)
    }
}

fn bounds<'w>(world: World<'w>, facts: &Facts) -> impl Iterator<Item = &'w Bound> {
    facts.rules(world).filter_map(|(_, rule)| match rule {
        Rule::Bound(bound) => Some(bound),
        _ => None,
    })
}

fn implies_bound(world: World<'_>, facts: &Facts, goal: &Bound) -> bool {
    let stricter = |bound: &Bound| {
        let order = bound.value.cmp(&goal.value);
        let order = if goal.least { order } else { order.reverse() };
        bound.least == goal.least && (order.is_gt() || (order.is_eq() && (bound.open || !goal.open)))
    };
    if bounds(world, facts).any(stricter) {
        return true;
    }
    if facts.classes.meets(Classes::FRACTION) && !divides_one(world, facts) {
        return false;
    }
    let (least, most) = reach(world, facts);
    let wanted = whole(goal);
    match (goal.least, wanted) {
        (true, Some(wanted)) => least.is_some_and(|least| least >= wanted),
        (false, Some(wanted)) => most.is_some_and(|most| most <= wanted),
        (_, None) => false,
    }
}

/// Whether only whole numbers are left because of `multipleOf`.
fn divides_one(world: World<'_>, facts: &Facts) -> bool {
    let one = Decimal::new(&Number::from(1));
    facts.rules(world).any(|(_, rule)| {
        matches!(rule, Rule::MultipleOf(divisor) if Decimal::new(divisor).is_multiple_of(&one) == Some(true))
    })
}

/// The outermost whole number within a bound.
fn whole(bound: &Bound) -> Option<i128> {
    let (floor, exact) = bound.value.floor()?;
    Some(match (bound.least, exact, bound.open) {
        (true, true, false) | (false, true, false) | (false, false, _) => floor,
        (true, true, true) | (true, false, _) => floor + 1,
        (false, true, true) => floor - 1,
    })
}

/// The least and the greatest whole number within the bounds.
fn reach(world: World<'_>, facts: &Facts) -> (Option<i128>, Option<i128>) {
    let of = |least: bool| bounds(world, facts).filter(move |bound| bound.least == least).filter_map(whole);
    (of(true).max(), of(false).min())
}

/// Both ends, where the facts have both.
pub(in crate::compare) fn integers(world: World<'_>, facts: &Facts) -> Option<(i128, i128)> {
    let (least, most) = reach(world, facts);
    least.zip(most)
}

fn implies_multiple(world: World<'_>, facts: &Facts, goal: &Number) -> bool {
    let goal = Decimal::new(goal);
    let multiple = |number: &Number| Decimal::new(number).is_multiple_of(&goal) == Some(true);
    facts.rules(world).any(|(_, rule)| matches!(rule, Rule::MultipleOf(divisor) if multiple(divisor)))
        || (!facts.classes.meets(Classes::FRACTION) && multiple(&Number::from(1)))
}

/// Whether no number satisfies the facts.
pub(super) fn no_number(world: World<'_>, facts: &Facts) -> bool {
    let crossed = bounds(world, facts).filter(|bound| bound.least).any(|low| {
        bounds(world, facts)
            .filter(|bound| !bound.least)
            .any(|high| low.value > high.value || (low.value == high.value && (low.open || high.open)))
    });
    let no_integer = !facts.classes.meets(Classes::FRACTION) && integers(world, facts).is_some_and(|(a, b)| a > b);
    crossed || no_integer
}
