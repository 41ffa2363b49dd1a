//! Verdict and explanation: they agree, the explanation is small, and a masked one names the same places.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use payload_schema::{Limits, Schema};

fn run(mut u: Unstructured<'_>) -> Result<()> {
    let (dialect, schema) = (fuzz::dialect(&mut u)?, fuzz::schema(&mut u)?);
    let limits = Limits::default();
    let masked = Limits { masked: true, ..limits.clone() };
    let Ok(compiled) = Schema::compile(&schema, dialect, &limits) else { return Ok(()) };
    for _ in 0..3 {
        let value = fuzz::value(&mut u, 5)?;
        let valid = compiled.is_valid(&value);
        let explanation = compiled.explain(&value, "/payload", &limits);
        assert_eq!(valid, explanation.errors.is_empty(), "{schema} {value} {explanation:?}");
        assert!(explanation.errors.len() <= limits.errors);
        assert!(explanation.errors.iter().all(|item| item.pointer.starts_with("/payload")), "{explanation:?}");
        let hidden = compiled.explain(&value, "/payload", &masked);
        assert_eq!(hidden.errors.is_empty(), valid);
        assert!(hidden.errors.iter().all(|item| item.actual.is_none()), "{hidden:?}");
    }
    Ok(())
}

// Bytes that are too few for a schema are no case.
fuzz_target!(|data: &[u8]| {
    let _ = run(Unstructured::new(data));
});
