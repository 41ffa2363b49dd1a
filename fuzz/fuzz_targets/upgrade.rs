//! Upgrading: a schema written in another draft gives the same verdict on every value; refusing to write it is fine.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use payload_schema::{Limits, Schema, Surroundings, Target, rewrite_schema};
use serde_json::Value;
use worker_types::Dialect;

fn run(mut u: Unstructured<'_>) -> Result<()> {
    let (dialect, schema) = (fuzz::dialect(&mut u)?, fuzz::schema(&mut u)?);
    let limits = Limits::default();
    let Ok(original) = Schema::compile(&schema, dialect, &limits) else { return Ok(()) };
    let targets = [Target::Draft202012, Target::Draft07];
    let written = targets.map(|target| rewrite_schema(&schema, dialect, target, &limits, Surroundings::default()).ok());
    let asserting = Surroundings { documents: None, assert_formats: Some(true) };
    let upgraded = written.each_ref().map(|written| {
        let written = written.as_ref()?;
        let compiled = Schema::compile_with(written, None, &limits, asserting);
        Some(compiled.unwrap_or_else(|faults| panic!("{schema} became {written}: {faults:?}")))
    });
    // Only draft-04 counts how a whole number is written, which no later draft can say (decision 9).
    let counts_writing = dialect == Some(Dialect::Draft04) || schema.to_string().contains("draft-04");
    for _ in 0..4 {
        let value = fuzz::value(&mut u, 4)?;
        if counts_writing && has_written_whole(&value) {
            continue;
        }
        for (upgraded, written) in upgraded.iter().zip(&written) {
            let (Some(upgraded), Some(written)) = (upgraded, written) else { continue };
            let verdicts = (original.is_valid(&value), upgraded.is_valid(&value));
            assert_eq!(verdicts.0, verdicts.1, "{schema} became {written}; {value}");
        }
    }
    Ok(())
}

/// Whether a whole number is written with a fraction or an exponent somewhere.
fn has_written_whole(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_str().contains(['.', 'e', 'E']),
        Value::Array(elements) => elements.iter().any(has_written_whole),
        Value::Object(members) => members.values().any(has_written_whole),
        _ => false,
    }
}

// Bytes that are too few for a schema are no case.
fuzz_target!(|data: &[u8]| {
    let _ = run(Unstructured::new(data));
});
