//! The list of worker types, and what is left of a deleted one.

use registry::store::{WorkerTypeRecord, WorkerTypeState};
use registry::{ListPage, Live, OpenRollout, rfc3339};
use serde::Serialize;
use utoipa::ToSchema;
use worker_types::{Generation, LifecycleState, RevisionNumber, ValidationMode};

/// A page of the list of worker types.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorkerTypeList {
    worker_types: Vec<WorkerTypeSummary>,
    /// For the next page; none on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    continuation_token: Option<String>,
    /// The place in the change feed from which to watch on. The same on every page of a list.
    cursor: String,
}

/// A worker type in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WorkerTypeSummary {
    worker_type_id: String,
    /// One line.
    description: String,
    owner: Option<String>,
    tags: Vec<String>,
    lifecycle: LifecycleState,
    validation: ValidationMode,
    /// The programs that run its tasks.
    implementations: Vec<RunningImplementation>,
    /// The releases that its variants come from, as `name@version`.
    releases: Vec<String>,
    generation: Generation,
    /// The newest live revision.
    revision: RevisionNumber,
    /// RFC 3339, UTC.
    published_at: String,
    /// Only while a rollout is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<super::described::Rollout>)]
    rollout: Option<OpenRollout>,
}

/// A program that runs tasks.
#[derive(Serialize, ToSchema)]
struct RunningImplementation {
    name: String,
    version: Option<String>,
}

impl WorkerTypeList {
    pub(crate) fn of(page: &ListPage) -> Self {
        Self {
            worker_types: page.worker_types.iter().map(WorkerTypeSummary::of).collect(),
            continuation_token: page.continuation.clone(),
            cursor: page.cursor.to_string(),
        }
    }
}

impl WorkerTypeSummary {
    fn of(live: &Live) -> Self {
        let summary = &live.summary;
        let implementation = |(name, version): &(String, Option<String>)| RunningImplementation {
            name: name.clone(),
            version: version.clone(),
        };
        Self {
            worker_type_id: live.record.id.to_string(),
            description: summary.description.clone(),
            owner: summary.owner.clone(),
            tags: summary.tags.clone(),
            lifecycle: summary.lifecycle,
            validation: live.validation.validation,
            implementations: summary.implementations.iter().map(implementation).collect(),
            releases: summary.releases.clone(),
            generation: live.record.generation,
            revision: live.revision.revision,
            published_at: rfc3339(live.revision.published_at),
            rollout: live.rollout,
        }
    }
}

/// What is left of a deleted worker type.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tombstone {
    worker_type_id: String,
    generation: Generation,
    /// Numbering goes on from it.
    last_revision: RevisionNumber,
    /// RFC 3339, UTC.
    deleted_at: Option<String>,
    /// The caller.
    deleted_by: Option<String>,
}

impl Tombstone {
    pub(crate) fn of(record: &WorkerTypeRecord) -> Self {
        let (at, by) = match &record.state {
            WorkerTypeState::Deleted { at, by } => (Some(rfc3339(*at)), Some(by.clone())),
            WorkerTypeState::Live { .. } => (None, None),
        };
        Self {
            worker_type_id: record.id.to_string(),
            generation: record.generation,
            last_revision: record.last_revision,
            deleted_at: at,
            deleted_by: by,
        }
    }
}
