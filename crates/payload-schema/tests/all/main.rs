//! The crate as others see it: against the public test suite, real schemas, made cases, and hostile input.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod cases;
mod compare;
mod compare_limits;
mod effective;
mod error_quality;
mod evaluated;
mod examples;
mod explanations;
mod hostile;
mod inspection;
mod keywords_compared;
mod laws;
mod laws_of_comparison;
mod laws_of_history;
mod mistakes;
mod never_matches;
mod real;
mod shared;
mod suite;
mod upgrade;
