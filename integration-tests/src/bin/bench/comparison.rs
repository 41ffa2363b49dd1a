//! Comparing schemas: every step in the history of docker-worker's, and pairs that are made to be hard.

use crate::load::cpu_micros;
use crate::report::median;
use integration_tests::shared;
use payload_schema::{COMPARISON_BUDGET, Comparer, Contract, Limits};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use worker_types::CompatibilityVerdict;

/// Milliseconds that one comparison takes; none where one of the two is refused.
fn millis(old: &Value, new: &Value) -> Option<f64> {
    let contract = |schema| Contract { schema, dialect: None };
    let start = Instant::now();
    Comparer::new(Limits::default()).schemas(contract(old), contract(new)).ok()?;
    Some(start.elapsed().as_secs_f64() * 1e3)
}

/// The revisions of docker-worker's schema, oldest first.
fn history() -> Option<Vec<Value>> {
    let (folder, files) = shared::corpus("history")?;
    let names = files.iter().filter_map(|file| file["file"].as_str());
    let mut names: Vec<&str> = names.filter(|name| name.contains("/docker-worker/")).collect();
    names.sort_unstable();
    Some(names.into_iter().map(|name| shared::json(&folder.join(name))).collect())
}

/// A chain of definitions, each of which refers twice to the next.
fn fan(levels: usize, leaf: &Value) -> Value {
    let mut definitions = serde_json::Map::new();
    for level in 0..levels {
        let next = format!("#/definitions/d{}", level + 1);
        definitions.insert(format!("d{level}"), json!({"properties": {"a": {"$ref": next}, "b": {"$ref": next}}}));
    }
    definitions.insert(format!("d{levels}"), leaf.clone());
    json!({"definitions": definitions, "$ref": "#/definitions/d0"})
}

/// Branches that overlap, inside one another.
fn tower(levels: usize, width: usize, leaf: &Value) -> Value {
    (0..levels).fold(leaf.clone(), |inner, level| {
        let branch = |n: usize| json!({"required": [format!("p{level}x{n}")], "properties": {"a": inner}});
        json!({"anyOf": (0..width).map(branch).collect::<Vec<_>>()})
    })
}

/// Fifty pairs on which a walk over both could run for ever.
fn hostile() -> Vec<(Value, Value)> {
    let (integer, number) = (json!({"type": "integer"}), json!({"type": "number", "minimum": -1e300}));
    let both = |make: &dyn Fn(&Value) -> Value| (make(&number), make(&integer));
    let mut pairs = Vec::new();
    for size in 1..=10 {
        pairs.push(both(&|leaf| fan(size, leaf)));
        pairs.push(both(&|leaf| tower(3, size, leaf)));
        pairs.push(both(&|leaf| {
            let branch =
                |n: usize| json!({"properties": {"kind": {"pattern": format!("^[a-z]{{{n},{}}}$", n + 9)}, "v": leaf}});
            json!({"oneOf": (0..size * 3).map(branch).collect::<Vec<_>>()})
        }));
        pairs.push(both(&|leaf| {
            let conditions = |n: usize| json!({"if": {"required": [format!("a{n}")]}, "then": {"properties": {"v": leaf}}, "else": {"minProperties": n}});
            json!({"allOf": (0..size * 4).map(conditions).collect::<Vec<_>>()})
        }));
        pairs.push(both(&|leaf| {
            let patterns = (0..size).map(|n| (format!("(a|b)*a(a|b){{{n}}}"), leaf.clone()));
            json!({"patternProperties": patterns.collect::<serde_json::Map<_, _>>(), "additionalProperties": {"$ref": "#"}})
        }));
    }
    pairs
}

/// Asks one comparer for all pairs at once, each from a thread of its own as the service does. Milliseconds until the
/// process takes no more processor time, and how many pairs had no verdict.
fn all_at_once(pairs: &[(Value, Value)]) -> (f64, usize) {
    let comparer = Comparer::new(Limits::default());
    let contract = |schema| Contract { schema, dialect: None };
    let start = Instant::now();
    let open = std::thread::scope(|scope| {
        let (comparer, contract) = (&comparer, &contract);
        let asked: Vec<_> = pairs
            .iter()
            .map(|(old, new)| scope.spawn(move || comparer.schemas(contract(old), contract(new))))
            .collect();
        let reports = asked.into_iter().filter_map(|asked| asked.join().expect("a comparison does not panic").ok());
        reports.filter(|report| report.verdict == CompatibilityVerdict::Unknown).count()
    });
    // Work that would go on behind the answers shows as processor time: a tick of 10 ms at least, in 50.
    let mut idle = start.elapsed();
    let mut before = cpu_micros(std::process::id());
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = cpu_micros(std::process::id());
        if now - before <= 10_000.0 {
            return (idle.as_secs_f64() * 1e3, open);
        }
        (idle, before) = (start.elapsed(), now);
    }
}

/// All series.
pub fn measure() {
    if let Some(revisions) = history() {
        let steps: Vec<f64> = revisions.windows(2).filter_map(|pair| millis(&pair[0], &pair[1])).collect();
        let slowest = steps.iter().copied().fold(0.0, f64::max);
        let name = "compare, the steps of docker-worker's history: median, slowest";
        println!(
            "{name:<64} {:>9.2} ms           {slowest:>17.2}                (bound ≤ 5 for the median)",
            median(steps)
        );
    }
    let pairs = hostile();
    let times: Vec<f64> = pairs.iter().filter_map(|(old, new)| millis(old, new)).collect();
    let slowest = times.iter().copied().fold(0.0, f64::max);
    let name = format!("compare, {} of {} hostile pairs: median, slowest", times.len(), pairs.len());
    let budget = COMPARISON_BUDGET.as_secs_f64() * 1e3;
    println!("{name:<64} {:>9.2} ms           {slowest:>17.2}                (bound ≤ {budget})", median(times));
    let (idle, open) = all_at_once(&pairs);
    let name = format!("compare, {} hostile pairs at once: idle after, left open", pairs.len());
    println!("{name:<64} {idle:>9.2} ms           {open:>17}                (bound ≤ {})", 2.0 * budget);
}
