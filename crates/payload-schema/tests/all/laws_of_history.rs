//! Laws of comparisons over real schemas.

use crate::compare::history;
use crate::shared;
use payload_schema::{Comparer, Contract, Limits, Schema, sample};
use serde_json::Value;
use worker_types::CompatibilityVerdict;

fn compiled(schema: &Value) -> Schema {
    Schema::compile(schema, None, &Limits::default()).unwrap()
}

fn verdict(old: &Value, new: &Value) -> CompatibilityVerdict {
    let contract = |schema| Contract { schema, dialect: None };
    Comparer::new(Limits::default()).schemas(contract(old), contract(new)).unwrap().verdict
}

/// How many values of each old schema are tried: few in every run, 10,000 by `make laws`.
fn samples() -> usize {
    std::env::var("WM_SAMPLES").ok().and_then(|text| text.parse().ok()).unwrap_or(40)
}

#[test]
fn every_real_schema_is_compatible_with_itself() {
    let Some(folder) = shared::folder("data/taskcluster/payload-schemas") else { return };
    for file in shared::json_files(&folder) {
        let schema = shared::json(&file);
        // A description more, so that the proof has to be made.
        let mut described = schema.clone();
        described["description"] = "another one".into();
        assert_eq!(verdict(&schema, &described), CompatibilityVerdict::Compatible, "{}", file.display());
    }
}

#[test]
fn what_is_called_compatible_refuses_no_value_that_is_made_for_the_old_schema() {
    let Some(series) = history() else { return };
    let mut tried = 0;
    for files in series.values() {
        for pair in files.windows(2) {
            let (old, new) = (shared::json(&pair[0]), shared::json(&pair[1]));
            if verdict(&old, &new) != CompatibilityVerdict::Compatible {
                continue;
            }
            let (before, after) = (compiled(&old), compiled(&new));
            let values = sample(&before, samples(), 3);
            tried += values.len();
            let lost = values.iter().find(|value| !after.is_valid(value));
            assert_eq!(lost, None, "{}", pair[1].display());
        }
    }
    assert!(tried > 10 * samples(), "only {tried} values were made");
}

#[test]
fn what_is_made_is_accepted_and_differs() {
    let schema = compiled(&serde_json::json!({"type": "object", "required": ["n"], "properties": {
        "n": {"type": "integer", "minimum": 3, "maximum": 900}, "s": {"type": "string", "pattern": "^[a-z]{2,5}$"}}}));
    let values = sample(&schema, 200, 1);
    assert!(values.len() > 150 && values.iter().all(|value| schema.is_valid(value)));
    let distinct: std::collections::HashSet<String> = values.iter().map(Value::to_string).collect();
    assert!(distinct.len() > 20, "{}", distinct.len());
}
