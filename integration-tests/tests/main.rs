//! One binary for all integration tests: it starts the real `wm` and speaks HTTP.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod api_reference;
mod bad_input;
mod both_databases;
mod cases;
mod coverage;
mod documents;
mod editors;
mod hostile;
mod proxy;
mod real_data;
mod replicas;
#[path = "../robustness/mod.rs"]
mod robustness;
mod routes;
mod two_versions;
mod upgrade;
mod watchers;
