//! The answer to "does this worker type accept this task?".

use crate::{ContentHash, Generation, Item, RevisionNumber, RolloutPolicy, ValidationMode, WorkerTypeId};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// Accepted, refused, or not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Outcome {
    /// The live definition accepts it.
    Valid,
    /// The live definition refuses it.
    Invalid,
    /// Nothing was decided; `reason` says why.
    Unchecked,
}

impl Outcome {
    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Unchecked => "unchecked",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why nothing was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum UncheckedReason {
    /// No schema says what a payload must be; only that it is an object was checked.
    NoSchema,
    /// Only a payload was given, and the rest of the task decides.
    NeedsTask,
    /// No worker type has this id.
    UnknownWorkerType,
    /// The worker type was deleted.
    Deleted,
    /// worker-manager is away and nothing was known from before.
    Unavailable,
    /// Validation is off for this worker type.
    Off,
}

impl UncheckedReason {
    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoSchema => "no-schema",
            Self::NeedsTask => "needs-task",
            Self::UnknownWorkerType => "unknown-worker-type",
            Self::Deleted => "deleted",
            Self::Unavailable => "unavailable",
            Self::Off => "off",
        }
    }
}

impl fmt::Display for UncheckedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A revision that took part in a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RevisionRef {
    /// Its number.
    pub revision: RevisionNumber,
    /// Its content.
    pub content_hash: ContentHash,
}

/// How two live revisions came to one verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerdictRollout {
    /// `lenient`: either revision accepts; `strict`: both must.
    pub policy: RolloutPolicy,
    /// What each live revision says by itself, older first.
    pub revisions: Vec<RevisionVerdict>,
}

/// What one live revision says by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RevisionVerdict {
    /// Its number.
    pub revision: RevisionNumber,
    /// Whether it accepts.
    pub verdict: Outcome,
}

/// The verdict on a task or a payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The verdict itself.
    pub verdict: Outcome,
    /// Only with `unchecked`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<UncheckedReason>,
    /// The worker type that was asked.
    pub worker_type_id: WorkerTypeId,
    /// Its generation; none when it is not known.
    pub generation: Option<Generation>,
    /// The live revisions, older first.
    pub revisions: Arc<[RevisionRef]>,
    /// Only while a rollout is open and the payload was looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rollout: Option<VerdictRollout>,
    /// The variants that apply, or may apply where only a payload was given.
    pub variants: Arc<[String]>,
    /// Under `acceptance: any`: variants that apply and refuse, while another accepts.
    pub rejected_by: Vec<String>,
    /// What a queue does with an invalid one; none when it is not known.
    pub validation: Option<ValidationMode>,
    /// What is not wrong but should be known.
    pub warnings: Vec<Item>,
    /// Why it is invalid.
    pub errors: Vec<Item>,
    /// How many errors are not listed.
    pub more_errors: usize,
}

impl Verdict {
    /// An `unchecked` verdict about a worker type of which nothing is known.
    pub fn unchecked(worker_type_id: WorkerTypeId, reason: UncheckedReason) -> Self {
        Self {
            verdict: Outcome::Unchecked,
            reason: Some(reason),
            worker_type_id,
            generation: None,
            revisions: Arc::default(),
            rollout: None,
            variants: Arc::default(),
            rejected_by: Vec::new(),
            validation: None,
            warnings: Vec::new(),
            errors: Vec::new(),
            more_errors: 0,
        }
    }
}
