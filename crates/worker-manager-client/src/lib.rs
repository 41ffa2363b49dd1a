//! The client of worker-manager: typed calls, the change feed, and the gate by which a queue judges payloads.
//!
//! - [`Client`] has one method for each route; answers are typed, errors are sorted by what one can do about them.
//! - [`Watch`] lists, then follows the change feed, and starts again wherever that is needed.
//! - [`PayloadGate`] answers a [`worker_types::Verdict`] for a task within a deadline, whatever worker-manager does.
//!
//! ```no_run
//! # async fn example(task: worker_types::Task) -> Result<(), worker_manager_client::SetupError> {
//! use worker_manager_client::{Client, GateSettings, PayloadGate};
//!
//! let client = Client::builder("https://ci.example.com").token(None).build()?;
//! let gate = PayloadGate::start(client, GateSettings::default());
//! let verdict = gate.check(&task).await;
//! # Ok(())
//! # }
//! ```
//!
//! What a definition means is decided elsewhere (`payload-schema`); this crate carries it over the wire and keeps it
//! fresh.

mod answers;
mod call;
mod calls;
mod client;
mod error;
mod gate;
mod pages;
mod watch;

pub use answers::{
    AdoptPair, AdoptReport, AdoptRequest, AdoptWhere, AdoptedWorkerType, BatchAnswer, BatchLine, CheckReport,
    Conditional, Diff, FeedEnd, FeedEvent, FeedItem, FeedKind, GateReport, ImplementationSummary, ImportReport,
    PayloadSchema, RejectedTask, Release, ReleaseMark, ReleaseSummary, Replay, Revision, RevisionSummary, RolloutRef,
    RolloutSummary, Tombstone, UsedBy, WorkerType, WorkerTypeSummary, Written,
};
pub use calls::{EventStream, JsonText, ListQuery, Precondition, PublishOptions};
pub use client::{Client, ClientBuilder, SetupError};
pub use error::{ClientError, ProblemAnswer, UnexpectedAnswer};
pub use gate::{BreakerState, Enforced, GateSettings, GateState, LastError, PayloadGate, WatchState};
pub use pages::Pages;
pub use watch::{Change, Interruption, Watch, WatchSettings};
