//! What worker-manager answers, typed. Fields that this version does not know are passed over.

mod adopting;
mod feed;
mod history;
mod releases;
mod verdicts;
mod worker_types;

pub use adopting::{AdoptPair, AdoptReport, AdoptRequest, AdoptWhere, AdoptedWorkerType};
pub use feed::{FeedEnd, FeedEvent, FeedItem, FeedKind};
pub use history::{Diff, Revision, RevisionSummary, RolloutSummary};
pub use releases::{ImplementationSummary, ImportReport, Release, ReleaseMark, ReleaseSummary, UsedBy};
pub use verdicts::{BatchAnswer, BatchLine, CheckReport, GateReport, RejectedTask, Replay};
pub use worker_types::{Conditional, PayloadSchema, RolloutRef, Tombstone, WorkerType, WorkerTypeSummary, Written};

pub(crate) use history::RevisionList;
pub(crate) use releases::{ImplementationList, ReleaseList, UsedByList};
pub(crate) use worker_types::WorkerTypeList;
