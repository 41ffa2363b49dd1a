//! The bodies of answers that are made here, and the descriptions of all bodies for the OpenAPI document.

mod adopting;
mod described;
mod feed;
mod history;
mod releases;
mod schemas;
mod status;
mod validating;
mod worker_types;

pub(crate) use adopting::AdoptReport;
pub(crate) use described::components;
pub(crate) use feed::EventPage;
pub(crate) use history::{RevisionDiff, RevisionList};
pub(crate) use releases::{ImplementationList, ImportReport, ReleaseList, UsedByList};
pub(crate) use schemas::{SchemaCatalog, SchemaList};
pub(crate) use status::StatusReport;
pub(crate) use validating::{CheckReport, Replay};
pub(crate) use worker_types::{Tombstone, WorkerTypeList};
