//! The crate as others see it: against the public test suite, real schemas, made cases, and hostile input.

mod cases;
mod shared;
mod suite;
