//! Texts and numbers that are worth trying: those at the boundaries of what both sides say.

use super::Maker;
use crate::compare::classes::Classes;
use crate::compare::facts::Facts;
use crate::compare::prove::{Prover, wanted};
use crate::compare::strings::{Search, Wanted};
use crate::compare::world::Term;
use crate::model::{Counted, Rule};
use serde_json::{Number, Value, json};

/// Characters of a text that is made longer than others.
const LONGEST: u64 = 20_000;

/// Texts that fit each format, as different from one another as the format lets them be.
const FORMATTED: [(&str, &[&str]); 19] = [
    ("date", &["2027-01-31", "1970-12-01"]),
    ("date-time", &["2027-01-31T12:00:00Z", "2027-01-31T12:00:00.000+01:00", "1970-01-01t00:00:00z"]),
    ("duration", &["P1D", "PT36H", "P2W"]),
    ("email", &["someone@example.com", "a@b"]),
    ("hostname", &["host.example.com", "a", "1-2"]),
    ("idn-email", &["someone@example.com", "jemand@bücher.example"]),
    ("idn-hostname", &["host.example.com", "bücher.example"]),
    ("ipv4", &["192.0.2.1", "0.0.0.0"]),
    ("ipv6", &["2001:db8::1", "::"]),
    ("iri", &["https://example.com/a", "ftp://bücher.example", "urn:a"]),
    ("iri-reference", &["a/b", "", "https://example.com/a"]),
    ("json-pointer", &["/a/b", ""]),
    ("regex", &["^a$", ""]),
    ("relative-json-pointer", &["1/a", "0#"]),
    ("time", &["12:00:00Z", "23:59:59.5+01:00"]),
    (
        "uri",
        &[
            "https://example.com/a",
            "http://example.com:8080/?a#b",
            "ftp://example.com/a",
            "urn:a",
            "mailto:a@b.example",
        ],
    ),
    ("uri-reference", &["a/b", "", "https://example.com/a", "ftp://example.com/a"]),
    ("uri-template", &["https://example.com/{a}", "{a}", ""]),
    ("uuid", &["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"]),
];

/// Values of the kinds that `facts` leaves, at the boundaries of the facts and of the goal. They need not fit.
pub(in crate::compare) fn candidates(prover: &Prover<'_>, facts: &Facts, goal: Option<Term>) -> Vec<Value> {
    let mut values = Vec::new();
    if facts.classes.meets(Classes::STRING) {
        texts(prover, facts, goal, &mut values);
    }
    if facts.classes.meets(Classes::NUMBER) {
        numbers(prover, facts, goal, &mut values);
    }
    if facts.classes.meets(Classes::BOOLEAN) {
        values.extend([json!(true), json!(false)]);
    }
    if facts.classes.meets(Classes::NULL) {
        values.push(Value::Null);
    }
    let known = both(prover, facts, goal);
    for facts in &known {
        for (_, rule) in facts.rules(prover.world) {
            match rule {
                Rule::Const(value) => values.push(value.clone()),
                Rule::Enum(listed) => values.extend(listed.iter().take(50).cloned()),
                _ => {}
            }
        }
    }
    values.retain(|value| Classes::of(value).is_within(facts.classes));
    values
}

/// The facts, and the goal as facts, with the branches that it may have.
fn both(prover: &Prover<'_>, facts: &Facts, goal: Option<Term>) -> Vec<Facts> {
    let goal = goal.map(|goal| Facts::of(prover.world, [goal]));
    let branches = goal.iter().filter_map(|goal| prover.cases(goal)).flatten().collect::<Vec<_>>();
    let not = facts.not.iter().map(|term| Facts::of(prover.world, [*term]));
    [facts.clone()].into_iter().chain(goal).chain(branches.into_iter().take(20)).chain(not).collect()
}

fn texts(prover: &Prover<'_>, facts: &Facts, goal: Option<Term>, values: &mut Vec<Value>) {
    let world = prover.world;
    let mut take = |text: String| values.push(text.into());
    let known = both(prover, facts, goal);
    let own = wanted(world, facts);
    let find = |wanted: &Wanted| match prover.strings.find(prover.world.fuel, wanted) {
        Search::Found(text) => Some(text),
        _ => None,
    };
    let patterned = !own.matches.is_empty();
    for text in ["example", "a", "A", "0", "", " ", "a b", "ü", "x/y", "-", "~other", "example-with-a-longer-text"] {
        take(text.to_owned());
    }
    find(&own).into_iter().for_each(&mut take);
    for facts in &known[1..] {
        let other = wanted(world, facts);
        // At the border: one text within and one without.
        let within = Wanted { matches: [own.matches.clone(), other.matches.clone()].concat(), ..own.clone() };
        find(&within).into_iter().for_each(&mut take);
        for pattern in &other.matches {
            let without =
                Wanted { mismatches: [own.mismatches.clone(), vec![pattern.clone()]].concat(), ..own.clone() };
            find(&without).into_iter().for_each(&mut take);
        }
    }
    for limit in Maker::counted(prover, facts, goal, Counted::Characters) {
        for length in [limit.saturating_sub(1), limit, limit.saturating_add(1)] {
            let size = usize::try_from(length.min(LONGEST)).unwrap_or_default();
            if patterned {
                find(&Wanted { least: size, ..own.clone() }).into_iter().for_each(&mut take);
            } else {
                take("a".repeat(size));
            }
        }
    }
    for facts in &known {
        for (_, rule) in facts.rules(world) {
            if let Rule::Format(format) = rule {
                let fitting = FORMATTED.iter().find(|(name, _)| *name == &**format).map(|(_, texts)| *texts);
                fitting.into_iter().flatten().for_each(|text| take((*text).to_owned()));
            }
        }
    }
}

fn numbers(prover: &Prover<'_>, facts: &Facts, goal: Option<Term>, values: &mut Vec<Value>) {
    let mut take = |text: &str| values.extend(text.parse::<Number>().map(Value::Number));
    for text in ["1", "0", "2", "-1", "3", "7", "60", "1.0", "0.5", "1.5", "-0.5", "1000", "1000000", "-1000000"] {
        take(text);
        for facts in both(prover, facts, goal) {
            for (_, rule) in facts.rules(prover.world) {
                let (limit, steps): (&Number, &[f64]) = match rule {
                    Rule::Bound(bound) => (&bound.limit, &[0.0, 1.0, -1.0, 0.5, -0.5]),
                    Rule::MultipleOf(divisor) => (divisor, &[0.1, -0.05, 0.3]),
                    _ => continue,
                };
                take(limit.as_str());
                if let Ok(limit) = limit.as_str().parse::<i128>() {
                    for step in [1, -1, 10, -10] {
                        take(&limit.saturating_add(step).to_string());
                    }
                    for multiple in [2, 3, 5, 7] {
                        take(&limit.saturating_mul(multiple).to_string());
                    }
                }
                if let Ok(limit) = limit.as_str().parse::<f64>() {
                    for step in steps {
                        take(&format!("{}", limit + step));
                    }
                    for multiple in [2.0, 3.0, 5.0] {
                        take(&format!("{}", limit * multiple));
                    }
                }
            }
        }
    }
}
