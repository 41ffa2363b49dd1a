//! Another engine on the witnesses of breaking changes: it takes each under the old schema and refuses it under the new.

use super::node;
use integration_tests::shared;
use payload_schema::{Comparer, Contract, Limits, upgrade};
use serde_json::{Value, json};

/// Each step of the histories that breaks: its name, both schemas in one draft, the witness.
fn breaking_steps() -> Option<Vec<(String, Value, Value, Value)>> {
    let (folder, mut files) = shared::corpus("history")?;
    files.sort_by_key(|file| file["file"].as_str().map(str::to_owned));
    let comparer = Comparer::new(Limits::default());
    let latest = |schema: &Value| upgrade(schema, None, &Limits::default()).unwrap();
    let name = |file: &Value| file["file"].as_str().unwrap_or_default().to_owned();
    let series = |file: &Value| name(file).rsplit_once('/').map(|(series, _)| series.to_owned());
    let mut steps = Vec::new();
    for pair in files.windows(2).filter(|pair| series(&pair[0]) == series(&pair[1])) {
        let (old, new) = (shared::json(&folder.join(name(&pair[0]))), shared::json(&folder.join(name(&pair[1]))));
        let contract = |schema| Contract { schema, dialect: None };
        if let Some(witness) = comparer.schemas(contract(&old), contract(&new)).unwrap().witness {
            steps.push((name(&pair[1]), latest(&old), latest(&new), witness));
        }
    }
    Some(steps)
}

#[test]
fn ajv_confirms_every_witness_of_the_real_histories() {
    if !node::is_there() {
        return;
    }
    let Some(steps) = breaking_steps() else { return };
    let case = |schema: &Value, witness: &Value| json!({"schema": schema, "values": [witness]});
    let cases: Vec<Value> =
        steps.iter().flat_map(|(_, old, new, witness)| [case(old, witness), case(new, witness)]).collect();
    let answers = node::ask("ajv.mjs", &Value::from(cases));
    let mut differing = Vec::new();
    for ((name, _, _, witness), answer) in steps.iter().zip(answers.as_array().unwrap().chunks(2)) {
        if answer != [json!([true]), json!([false])] {
            differing.push(format!("{name}: {answer:?} on {witness}"));
        }
    }
    assert!(differing.is_empty(), "{} of {} differ:\n{}", differing.len(), steps.len(), differing.join("\n"));
    assert!(steps.len() > 40, "only {} steps break", steps.len());
}
