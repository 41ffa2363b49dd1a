//! One binary for all integration tests: it starts the real `wm` and speaks HTTP.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod api_reference;
mod cases;
mod documents;
mod real_data;
mod robustness;
mod upgrade;
