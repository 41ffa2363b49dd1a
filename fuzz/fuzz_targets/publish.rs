//! The publish gate's view of a schema: it never panics, what has no errors compiles, and every item has words.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use payload_schema::{Limits, Schema, inspect};

fn run(mut u: Unstructured<'_>) -> Result<()> {
    let (dialect, schema) = (fuzz::dialect(&mut u)?, fuzz::schema(&mut u)?);
    let limits = Limits::default();
    let inspection = inspect(&schema, dialect, &limits);
    let compiled = Schema::compile(&schema, dialect, &limits);
    assert_eq!(inspection.errors.is_empty(), compiled.is_ok(), "{schema}: {inspection:?}");
    for item in inspection.errors.iter().chain(&inspection.warnings) {
        assert!(
            !item.problem.is_empty() && !item.message.is_empty() && item.message.len() < 8_000,
            "{schema}: {item:?}"
        );
    }
    Ok(())
}

// Bytes that are too few for a schema are no case.
fuzz_target!(|data: &[u8]| {
    let _ = run(Unstructured::new(data));
});
