//! The lines of an export: the whole registry as NDJSON, enough to make the same registry again.

use crate::store::{ReleaseRecord, RevisionRecord, WorkerTypeRecord};

/// One record of an export. Worker types come with their whole history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Export {
    /// A worker type and its revisions, oldest first.
    WorkerType {
        /// Its current state. The revisions in it are among `revisions`.
        record: WorkerTypeRecord,
        /// 1 to `last_revision`, without gaps.
        revisions: Vec<RevisionRecord>,
    },
    /// A release.
    Release(ReleaseRecord),
}
