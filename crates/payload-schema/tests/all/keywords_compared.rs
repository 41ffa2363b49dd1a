//! Two changes of each keyword that lose nothing and two that do, in each dialect that has it, as the specifications say.
//! A small world of values, gone through whole, says the same.

mod parts;
mod values;

use crate::laws_of_comparison::world;
use payload_schema::{Comparer, Contract, Limits, Schema};
use serde_json::Value;
use worker_types::CompatibilityVerdict::{self, Breaking, Compatible};
use worker_types::Dialect::{self, Draft04, Draft06, Draft07, Draft201909, Draft202012};

/// The dialects from one to another.
fn dialects(from: Dialect, to: Dialect) -> impl Iterator<Item = Dialect> {
    [Draft04, Draft06, Draft07, Draft201909, Draft202012]
        .into_iter()
        .filter(move |dialect| (from..=to).contains(dialect))
}

/// The changes of one keyword: those after which everything is still accepted, and those after which it is not.
struct Changes {
    keyword: &'static str,
    dialects: (Dialect, Dialect),
    compatible: Vec<(Value, Value)>,
    breaking: Vec<(Value, Value)>,
}

fn changes(
    keyword: &'static str,
    dialects: (Dialect, Dialect),
    compatible: [(Value, Value); 2],
    breaking: [(Value, Value); 2],
) -> Changes {
    Changes { keyword, dialects, compatible: compatible.into(), breaking: breaking.into() }
}

fn table() -> Vec<Changes> {
    let mut table = values::table();
    table.extend(parts::table());
    table
}

/// The verdict, confirmed by the world as far as it reaches.
fn verdict(old: &Value, new: &Value, dialect: Dialect, world: &[Value]) -> CompatibilityVerdict {
    let limits = Limits::default();
    let contract = |schema| Contract { schema, dialect: Some(dialect) };
    let report = Comparer::new(limits.clone()).schemas(contract(old), contract(new)).unwrap();
    let compile = |schema| Schema::compile(schema, Some(dialect), &limits).unwrap();
    let (before, after) = (compile(old), compile(new));
    let lost = world.iter().find(|value| before.is_valid(value) && !after.is_valid(value));
    match report.verdict {
        Compatible => assert_eq!(lost, None, "{old} -> {new}"),
        Breaking => {
            let witness = report.witness.unwrap();
            assert!(before.is_valid(&witness) && !after.is_valid(&witness), "{witness}");
        }
        CompatibilityVerdict::Unknown => {}
    }
    report.verdict
}

#[test]
fn every_keyword_is_judged_as_its_specification_says() {
    let world = world();
    let (mut count, mut wrong) = (0, Vec::new());
    for Changes { keyword, dialects: (from, to), compatible, breaking } in table() {
        for dialect in dialects(from, to) {
            let cases =
                compatible.iter().map(|pair| (pair, Compatible)).chain(breaking.iter().map(|pair| (pair, Breaking)));
            for ((old, new), expected) in cases {
                count += 1;
                let found = verdict(old, new, dialect, &world);
                if found != expected {
                    wrong.push(format!("{keyword} in {dialect}: {found}, not {expected}: {old} -> {new}"));
                }
            }
        }
    }
    assert!(count > 600, "{count}");
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
}
