//! Publishing, rolling out, releasing, comparing, watching: the rules of the registry of worker types.
//!
//! The registry decides; a [`Store`] keeps. Live reads are served from memory. It knows nothing of HTTP and nothing
//! of SQL.

mod adopt;
mod after_a_write;
mod answer;
mod check;
mod compatibility;
mod contract;
mod coverage;
mod cursor;
mod derived;
mod document;
mod documentation;
mod documents;
mod draft;
mod error;
mod export;
#[cfg(feature = "failpoints")]
mod failpoints;
mod feed;
mod gate;
mod index;
mod list;
mod live;
mod precondition;
mod prepared;
mod publish;
mod read;
mod registry;
mod release;
mod releases;
mod replica;
mod resolve;
mod rollout;
mod search;
mod shelf;
mod single_flight;
mod snapshot;
mod status;
pub mod store;
mod time;
mod transfer;
mod view;
mod written;

pub use adopt::{Adopt, Adopted, Adoption, AdoptionOutcome, AdoptionReport, Left, Which};
pub use after_a_write::WaitError;
pub use check::{Check, Contract};
pub use compatibility::Standing;
pub use cursor::{Cursor, InvalidCursor};
pub use derived::{About, SchemaIndex, Wanted};
pub use document::{Document, Representation};
pub use documentation::Part as DocumentationPart;
pub use draft::Draft;
pub use error::{FeedError, ReadError, WriteError};
pub use export::Export;
pub use gate::{GateLimits, GateReport};
pub use index::WorkerTypes;
pub use list::{ListFilter, ListPage};
pub use live::{Entry, LiveWorkerType, Reading, Summary};
pub use precondition::{MarkPrecondition, Precondition};
pub use publish::{Deleted, Outcome, Publish, Published, WriteContext};
pub use read::{Diff, Live, RevisionPage, unified};
pub use registry::{Health, Registry, Settings};
pub use release::{Changes, LiveRelease};
pub use releases::ImplementationSummary;
pub use replica::Replica;
pub use resolve::{Resolved, ResolvedVariant};
pub use rollout::OpenRollout;
pub use search::{Facets, Found, Order, Place};
pub use snapshot::Snapshot;
pub use status::{Counts, DatabaseStatus, FeedStatus, Status};
pub use store::{Store, StoreError};
pub use time::rfc3339;
pub use transfer::{ExportStep, Imported};
pub use view::View;
