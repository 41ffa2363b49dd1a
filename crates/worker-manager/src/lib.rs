//! worker-manager over HTTP: the registry's routes below `/api/worker-manager/v1`.
//!
//! The registry decides and answers; here requests are read and answers are put on the wire, one file for each
//! resource. Live reads are bytes that are made once and kept. Admission, problem documents and health are the crate `service`'s.

mod after_a_write;
mod answer;
mod batch;
mod dialect_query;
mod diff_query;
mod event_stream;
mod gauges;
mod html;
mod openapi;
mod options;
mod precondition;
pub mod refusal;
mod routes;
mod shapes;
mod state;
mod token;
mod worker_manager;

pub use answer::AGE;
pub use diff_query::DiffQuery;
pub use openapi::document as openapi_document;
pub use options::{ANONYMOUS_SCOPES, Options};
pub use routes::OPERATIONS;
pub use worker_manager::WorkerManager;
