//! Moving many worker types to a release: what is asked, and what became of each.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use worker_types::{Compatibility, Generation, Item, ReleaseId, RevisionNumber, WorkerTypeId};

/// What is asked for; the default is a plan for every worker type that uses another release of the implementation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdoptRequest {
    /// Which worker types.
    #[serde(skip_serializing_if = "AdoptWhere::is_everything")]
    pub r#where: AdoptWhere,
    /// Publish; otherwise it is planned only.
    pub apply: bool,
    /// Rows of an adoption's answer: back to what was live before. Goes with `apply` and `message` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_back: Option<Vec<AdoptedWorkerType>>,
    /// Publish although compatibility is required and tasks may newly be refused; needs a message.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_breaking: bool,
    /// The generations that a plan showed: others are left alone, and these must still be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generations: Option<BTreeMap<WorkerTypeId, Generation>>,
    /// Why, for the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Which worker types are moved. Everything that is set must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdoptWhere {
    /// Of one provisioner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provisioner_id: Option<String>,
    /// With one tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// These; all where there are none.
    pub worker_types: Vec<WorkerTypeId>,
    /// That use one of these releases now.
    pub from: Vec<ReleaseId>,
}

impl AdoptWhere {
    fn is_everything(&self) -> bool {
        *self == Self::default()
    }
}

/// The plan, or what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdoptReport {
    /// The release.
    pub release: ReleaseId,
    /// Whether it was made; otherwise it is a plan.
    pub applied: bool,
    /// In the order of their ids.
    pub worker_types: Vec<AdoptedWorkerType>,
    /// What the move does to tasks: one for each distinct pair of contracts.
    pub reports: Vec<AdoptPair>,
    /// How many more would be moved if the caller had the scope to read them.
    #[serde(default)]
    pub not_shown: usize,
}

/// One worker type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdoptedWorkerType {
    /// Which.
    pub worker_type_id: WorkerTypeId,
    /// The state that was planned on.
    pub generation: Generation,
    /// The state that publishing makes, or made; none where nothing is published.
    #[serde(default)]
    pub generation_after: Option<Generation>,
    /// The revision that was live when it was planned.
    #[serde(default)]
    pub revision_before: Option<RevisionNumber>,
    /// The releases that it leaves.
    pub from: Vec<ReleaseId>,
    /// When rolling back: the revision whose content comes back.
    #[serde(default)]
    pub back_to: Option<RevisionNumber>,
    /// Which of the reports is about it.
    #[serde(default)]
    pub report: Option<usize>,
    /// `planned`, `published`, `unchanged`, `refused`, `lost-race`, `forbidden` or `failed`.
    pub outcome: String,
    /// The new revision.
    #[serde(default)]
    pub revision: Option<RevisionNumber>,
    /// Why it was not published.
    #[serde(default)]
    pub errors: Vec<Item>,
}

/// A comparison, and how many worker types it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdoptPair {
    /// How many have this pair of contracts.
    pub worker_types: usize,
    /// What the move does to their tasks.
    pub compatibility: Compatibility,
}
