//! A small task queue with Taskcluster's routes, which says at createTask what is wrong with a payload.
//!
//! [`Queue`] knows the rules: it keeps tasks and verdicts in a database of its own and asks a [`Gate`] what the worker
//! type accepts. [`QueueService`] is the queue over HTTP, below `/api/queue/v1`. Tasks are taken and shown; claims and
//! runs are not part of it. What a definition of a worker type means is not known here.

mod create;
mod definition;
mod error;
mod gate;
mod health;
mod housekeeping;
mod metrics;
mod new_task;
mod openapi;
mod operations;
mod queue;
mod redaction;
mod routes;
mod scopes;
mod service;
mod settings;
mod status;
mod store;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod time;
mod verdict;

pub use create::Created;
pub use database::{DatabaseError, Options};
pub use definition::Faults;
pub use error::{BrokenRule, QueueError};
pub use gate::Gate;
pub use queue::Queue;
pub use redaction::{NoPlace, RedactedPlace};
pub use service::QueueService;
pub use settings::{Recording, Retention, Settings, UnknownWorkerType};
pub use status::{Run, RunReason, State, TaskStatus};
pub use store::MIGRATIONS;
pub use verdict::{Action, KeptVerdict};
