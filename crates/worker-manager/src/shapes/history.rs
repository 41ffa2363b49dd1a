//! The history of a worker type.

use crate::token;
use registry::store::RevisionRecord;
use registry::{Diff, PastRollout, RevisionPage, rfc3339};
use serde::Serialize;
use utoipa::ToSchema;
use worker_types::{Compatibility, RevisionNumber, RolloutPolicy, WorkerTypeId};

/// A page of a worker type's history, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevisionList {
    revisions: Vec<RevisionSummary>,
    /// For the next page; none on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    continuation_token: Option<String>,
}

/// A revision in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RevisionSummary {
    revision: RevisionNumber,
    /// `sha256:` and the digest of the definition's canonical form (RFC 8785).
    content_hash: String,
    /// RFC 3339, UTC.
    published_at: String,
    /// The caller.
    published_by: String,
    /// Why.
    message: Option<String>,
    /// The revision whose content a rollback brought back.
    #[serde(skip_serializing_if = "Option::is_none")]
    rollback_of: Option<RevisionNumber>,
    /// What came of the rollout that it opened; none where it opened none.
    #[serde(skip_serializing_if = "Option::is_none")]
    rollout: Option<RolloutSummary>,
}

/// A rollout in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RolloutSummary {
    /// How the two revisions decided together.
    policy: RolloutPolicy,
    /// What came of it: `open`, `completed`, `aborted`; `deleted` with the worker type; `replaced` by the next revision, which
    /// goes on beside the same older one; `superseded` by the next revision, which became live alone; `rolled-back` by it.
    outcome: &'static str,
    /// When it was completed or aborted, or the worker type deleted. RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<String>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The next revision, where that ended it or took its place: it says by whom, when and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_revision: Option<RevisionNumber>,
}

impl RevisionList {
    pub(crate) fn of(id: &WorkerTypeId, page: &RevisionPage) -> Self {
        Self {
            revisions: page
                .revisions
                .iter()
                .map(|record| RevisionSummary::of(record, page.rollouts.get(&record.revision)))
                .collect(),
            continuation_token: page.next_before.map(|before| token::encode(id, before)),
        }
    }
}

impl RevisionSummary {
    fn of(record: &RevisionRecord, rollout: Option<&PastRollout>) -> Self {
        Self {
            rollout: rollout.map(RolloutSummary::of),
            revision: record.revision,
            content_hash: record.content_hash.to_string(),
            published_at: rfc3339(record.published_at),
            published_by: record.published_by.clone(),
            message: record.message.clone(),
            rollback_of: record.rollback_of,
        }
    }
}

impl RolloutSummary {
    fn of(PastRollout { policy, outcome }: &PastRollout) -> Self {
        let ending = outcome.ending();
        Self {
            policy: *policy,
            outcome: outcome.as_str(),
            ended_at: ending.map(|ending| rfc3339(ending.at)),
            ended_by: ending.map(|ending| ending.by.clone()),
            message: ending.and_then(|ending| ending.message.clone()),
            next_revision: outcome.next_revision(),
        }
    }
}

/// What changed between two revisions.
#[derive(Serialize, ToSchema)]
#[schema(as = Diff)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevisionDiff {
    worker_type_id: String,
    from: RevisionNumber,
    to: RevisionNumber,
    /// Whether nothing did.
    equal: bool,
    /// A unified diff of the two definitions as indented JSON; empty when they are equal.
    unified: String,
    /// Whether the newer accepts all that the older accepts, each taken alone.
    compatibility: Compatibility,
}

impl RevisionDiff {
    pub(crate) fn of(id: &WorkerTypeId, diff: Diff) -> Self {
        let Diff { from, to, unified, compatibility, .. } = diff;
        let equal = unified.is_empty();
        Self { worker_type_id: id.to_string(), from, to, equal, unified, compatibility }
    }
}
