//! Comparison: a schema is compatible with itself, and no value contradicts a proof.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use payload_schema::{Comparer, Contract, Limits, Schema};
use worker_types::CompatibilityVerdict::{Breaking, Compatible};

fn run(mut u: Unstructured<'_>) -> Result<()> {
    let dialect = fuzz::dialect(&mut u)?;
    let (old, new) = (fuzz::schema(&mut u)?, fuzz::schema(&mut u)?);
    let limits = Limits::default();
    let comparer = Comparer::new(limits.clone());
    let [before, after] = [&old, &new].map(|schema| Contract { schema, dialect });
    if let Ok(same) = comparer.schemas(before, before) {
        assert_ne!(same.verdict, Breaking, "{old}: {same:?}");
    }
    let Ok(answer) = comparer.schemas(before, after) else { return Ok(()) };
    let compile = |schema| Schema::compile(schema, dialect, &limits).unwrap_or_else(|faults| panic!("{faults:?}"));
    let (before, after) = (compile(&old), compile(&new));
    if let Some(witness) = &answer.witness {
        assert!(before.is_valid(witness) && !after.is_valid(witness), "{old} {new} {answer:?}");
    }
    for _ in 0..3 {
        let value = fuzz::value(&mut u, 4)?;
        let contradicts = answer.verdict == Compatible && before.is_valid(&value) && !after.is_valid(&value);
        assert!(!contradicts, "{old} {new} {value}");
    }
    Ok(())
}

// Bytes that are too few for two schemas are no case.
fuzz_target!(|data: &[u8]| {
    let _ = run(Unstructured::new(data));
});
