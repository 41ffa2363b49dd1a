//! Implementations, their releases, and what an import did.

use registry::{ImplementationSummary, ListPage, LiveRelease, rfc3339};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use worker_types::ReleaseId;

/// Every implementation.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImplementationList {
    implementations: Vec<Implementation>,
}

/// An implementation that has a release or that a live worker type names.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Implementation {
    name: String,
    /// Of its releases, oldest first.
    versions: Vec<String>,
    /// How many live worker types it runs.
    worker_types: usize,
}

impl ImplementationList {
    pub(crate) fn of(found: &[ImplementationSummary]) -> Self {
        let one = |summary: &ImplementationSummary| Implementation {
            name: summary.name.clone(),
            versions: summary.versions.clone(),
            worker_types: summary.worker_types,
        };
        Self { implementations: found.iter().map(one).collect() }
    }
}

/// The releases of an implementation, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReleaseList {
    implementation: String,
    releases: Vec<ReleaseSummary>,
}

/// A release in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReleaseSummary {
    /// `name@version`.
    release: String,
    version: String,
    /// One line.
    description: Option<String>,
    content_hash: String,
    /// RFC 3339, UTC.
    published_at: String,
    published_by: String,
    message: Option<String>,
}

impl ReleaseList {
    pub(crate) fn of(implementation: String, releases: &[Arc<LiveRelease>]) -> Self {
        let one = |release: &Arc<LiveRelease>| ReleaseSummary {
            release: release.record.id.to_string(),
            version: release.record.id.version().to_owned(),
            description: release.release.description.clone(),
            content_hash: release.record.content_hash.to_string(),
            published_at: rfc3339(release.record.published_at),
            published_by: release.record.published_by.clone(),
            message: release.record.message.clone(),
        };
        Self { implementation, releases: releases.iter().map(one).collect() }
    }
}

/// The live worker types whose definition names a release.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsedByList {
    /// `name@version`.
    release: String,
    worker_types: Vec<UsedBy>,
    /// For the next page; none on the last.
    continuation_token: Option<String>,
}

/// One of them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UsedBy {
    worker_type_id: String,
}

impl UsedByList {
    pub(crate) fn of(id: &ReleaseId, page: ListPage) -> Self {
        let user = |live: &registry::Live| UsedBy { worker_type_id: live.record.id.to_string() };
        let worker_types = page.worker_types.iter().map(user).collect();
        Self { release: id.to_string(), worker_types, continuation_token: page.continuation }
    }
}

/// What an import did.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportReport {
    /// Worker types and releases that were read.
    pub(crate) records: usize,
    /// Those that were not there before.
    pub(crate) new: usize,
}
