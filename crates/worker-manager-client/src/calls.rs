//! The calls, one method of [`crate::Client`] for each route, in one file for each group of resources.

mod documents;
mod events;
mod history;
mod judging;
mod releases;
mod transfer;
mod worker_types;
mod writing;

pub use events::EventStream;
pub use worker_types::ListQuery;
pub use writing::{JsonText, Precondition, PublishOptions};

/// The media type of one JSON value for each line.
pub(crate) const NDJSON: &str = "application/x-ndjson";
pub(crate) const JSON: &str = "application/json";
