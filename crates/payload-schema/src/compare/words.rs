//! What a difference means, for the people whose tasks it concerns.

use super::classes::Classes;
use super::facts::Facts;
use super::prove::{Gap, Prover, Reason, Step};
use super::world::{Side, Term, World};
use crate::model::{Rule, keyword};
use crate::{equality, excerpt};
use serde_json::Value;
use std::collections::HashSet;

/// Values that are named.
const VALUES: usize = 6;

/// A difference by which something is refused now; `certain` where a witness was found.
pub(super) fn tightened(prover: &Prover<'_>, gap: &Gap, certain: bool) -> String {
    if let Reason::Open(obstacle) = gap.reason {
        return format!(
            "it was not decided whether everything that was accepted still is: {obstacle} stands in the way"
        );
    }
    let said = said(prover, gap);
    if certain { said } else { format!("{said}; no payload was found that shows it, and no proof that there is none") }
}

fn said(prover: &Prover<'_>, gap: &Gap) -> String {
    let world = prover.world;
    let name = named(gap);
    let rule = rule(world, gap);
    match (rule, &name) {
        (Some(Rule::Required(_)), _) => required(world, gap),
        (None, Some(Name::Member(name))) => format!(
            "the property {name} is no longer allowed here: the object takes only properties that the schema names"
        ),
        (None, Some(Name::Other)) => {
            "the object takes only properties that the schema names: payloads with additional properties are refused now"
                .to_owned()
        }
        (None, _) => "nothing is accepted here any more".to_owned(),
        (Some(rule), Some(Name::Member(name))) if is_open(&gap.facts) => format!(
            "declares the property {name} in an object that allows additional properties: payloads that already used that \
             name with another value are refused now ({}); to be safe, declare it without a type first and look at what \
             tasks send, or set additionalProperties to false in an earlier revision",
            asks(world, gap.goal, rule)
        ),
        (Some(rule), _) => {
            let now = asks(world, gap.goal, rule);
            let counterpart = counterpart(world, gap, rule);
            if let Some(lost) = counterpart.and_then(|(_, old)| only_in(old, rule)) {
                return format!("no longer accepts {lost}; {now}");
            }
            let before = counterpart.map(|(term, old)| asks(world, term, old));
            match before {
                Some(before) if before == now => format!("{now}, and less is accepted inside of it than before"),
                Some(before) => format!("{now}; before: {before}"),
                None => format!("{now}; before, nothing of the kind was asked"),
            }
        }
    }
}

/// A difference by which something is accepted now: the gap belongs to the other direction.
pub(super) fn loosened(prover: &Prover<'_>, gap: &Gap) -> String {
    let world = prover.world;
    match (rule(world, gap), named(gap)) {
        (Some(Rule::Required(_)), _) => {
            let name = gap.token.as_deref().unwrap_or_default();
            format!("the property {name} is no longer required")
        }
        (None, Some(Name::Member(name))) => format!("the property {name} is allowed now"),
        (None, Some(Name::Other)) => "properties that the schema does not name are allowed now".to_owned(),
        (None, _) => "values are accepted here now".to_owned(),
        (Some(rule), _) => {
            let before = asks(world, gap.goal, rule);
            let counterpart = counterpart(world, gap, rule);
            if let Some(gained) = counterpart.and_then(|(_, new)| only_in(new, rule)) {
                return format!("accepts also {gained}");
            }
            let now = counterpart.map(|(term, new)| asks(world, term, new));
            match now {
                Some(now) if before == now => format!("{now}, and more is accepted inside of it than before"),
                Some(now) => format!("{now}; before: {before}"),
                None => format!("no longer asked: {before}"),
            }
        }
    }
}

enum Name<'a> {
    Member(&'a str),
    Other,
}

/// The member that the gap is about.
fn named(gap: &Gap) -> Option<Name<'_>> {
    match &gap.levels.last()?.step {
        Step::Member(name) => Some(Name::Member(name)),
        Step::Other(_) => Some(Name::Other),
        _ => None,
    }
}

/// Whether nothing was asked of the value before.
fn is_open(facts: &Facts) -> bool {
    facts.terms.is_empty() && facts.classes == Classes::ALL
}

fn required(world: World<'_>, gap: &Gap) -> String {
    let name = gap.token.as_deref().unwrap_or_default();
    let declared = world.node(gap.goal).rules.iter().find_map(|rule| match rule {
        Rule::Members(members) => members.named.get(name).copied(),
        _ => None,
    });
    let described = declared.and_then(|node| world.node(Term { node, ..gap.goal }).description.as_deref());
    let described = described.map(|text| format!(" ({})", excerpt::plain(text.trim(), 120))).unwrap_or_default();
    format!(
        "adds a required property: payloads without {name}{described} are refused now; a default in the schema does not \
         fill it in"
    )
}

fn rule<'w>(world: World<'w>, gap: &Gap) -> Option<&'w Rule> {
    world.node(gap.goal).rules.iter().find(|rule| !gap.keyword.is_empty() && keyword(rule) == gap.keyword)
}

/// The old rule of the same kind; for listed values, what was said of them before.
fn counterpart<'w>(world: World<'w>, gap: &Gap, rule: &Rule) -> Option<(Term, &'w Rule)> {
    let own = || gap.facts.rules(world).filter(|(term, _)| term.side == Side::Old);
    let listed = |rule: &Rule| matches!(rule, Rule::Enum(_) | Rule::Const(_));
    let same = |other: &Rule| match (rule, other) {
        (Rule::Bound(a), Rule::Bound(b)) => a.least == b.least,
        (Rule::Count(a), Rule::Count(b)) => a.least == b.least && a.of == b.of,
        (rule, other) => keyword(rule) == keyword(other) || (listed(rule) && listed(other)),
    };
    let found = own().find(|(_, other)| same(other));
    found.or_else(|| own().find(|(_, other)| listed(rule) && matches!(other, Rule::Type(_))))
}

/// The values that one rule lists and the other does not; none where they list no values.
fn only_in(rule: &Rule, other: &Rule) -> Option<String> {
    let (values, others) = (listed(rule)?, listed(other)?);
    let others: HashSet<String> = others.iter().map(equality::key).collect();
    let only = values.iter().filter(|value| !others.contains(&equality::key(value)));
    let only: Vec<Value> = only.cloned().collect();
    (!only.is_empty()).then(|| named_values(&only))
}

fn listed(rule: &Rule) -> Option<&[Value]> {
    match rule {
        Rule::Enum(values) => Some(values),
        Rule::Const(value) => Some(std::slice::from_ref(value)),
        _ => None,
    }
}

fn named_values(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().take(VALUES).map(excerpt::value).collect();
    let more = values.len().saturating_sub(VALUES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// What a rule asks, in a few words.
fn asks(world: World<'_>, term: Term, rule: &Rule) -> String {
    match rule {
        Rule::Type(types) => format!("type must be {}", types.names().collect::<Vec<_>>().join(" or ")),
        Rule::Enum(listed) => format!("must be one of {}", named_values(listed)),
        Rule::Const(value) => format!("must be {}", excerpt::value(value)),
        Rule::Bound(bound) => format!("{} is {}", bound.keyword, bound.limit),
        Rule::Count(count) => format!("{} is {}", count.keyword, count.limit),
        Rule::MultipleOf(divisor) => format!("multipleOf is {divisor}"),
        Rule::Unique => "elements must differ (uniqueItems)".to_owned(),
        Rule::Pattern(pattern) => {
            let source = &world.model(term.side).pattern(*pattern).source;
            format!("must match the pattern {}", excerpt::text(source))
        }
        Rule::Format(format) => format!("must be a {format} (format)"),
        Rule::DependentNames(keyword, dependencies) => {
            let each = dependencies.iter().map(|(trigger, needed)| {
                let needed: Vec<&str> = needed.iter().map(|name| &**name).collect();
                format!("{trigger} needs {}", needed.join(", "))
            });
            format!("{} ({keyword})", each.collect::<Vec<_>>().join("; "))
        }
        Rule::DependentSchemas(keyword, schemas) => {
            let names: Vec<&str> = schemas.iter().map(|(name, _)| &**name).collect();
            format!("more is asked where there is {} ({keyword})", names.join(" or "))
        }
        Rule::Names(_) => "names of properties must fit propertyNames".to_owned(),
        Rule::Contains(contains) => match contains.most {
            Some(most) => format!("{} to {most} elements must fit contains", contains.least),
            None => format!("at least {} element must fit contains", contains.least),
        },
        Rule::Any(nodes) => format!("one of {} branches must fit (anyOf)", nodes.len()),
        Rule::One(nodes) => format!("exactly one of {} branches must fit (oneOf)", nodes.len()),
        Rule::Not(_) => "something is refused (not)".to_owned(),
        Rule::If(_) => "a condition applies (if)".to_owned(),
        other => format!("{} applies", keyword(other)),
    }
}
