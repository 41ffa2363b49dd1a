//! The registry's rules, on a real store in a scratch folder.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod adopt;
mod compatibility;
mod evaluation;
mod feed;
mod gate;
mod given;
mod lists;
mod publish;
mod reading;
mod rollouts;
mod transfer;
