//! The answer to "is every task that was accepted before still accepted?".

mod words;

use crate::RevisionNumber;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// Whether everything that the old contract accepts, the new one accepts too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CompatibilityVerdict {
    /// It does: this was proved.
    Compatible,
    /// Neither was shown; the findings say what stood in the way.
    Unknown,
    /// It does not: the witness is accepted by the old contract and refused by the new one.
    Breaking,
}

impl CompatibilityVerdict {
    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Unknown => "unknown",
            Self::Breaking => "breaking",
        }
    }
}

impl fmt::Display for CompatibilityVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a difference does to the set of accepted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Effect {
    /// Values of this place that were accepted are refused now.
    Tightened,
    /// Values of this place that were refused are accepted now.
    Loosened,
    /// It was not decided.
    Unknown,
    /// Only what people read has changed.
    Documentation,
}

impl Effect {
    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tightened => "tightened",
            Self::Loosened => "loosened",
            Self::Unknown => "unknown",
            Self::Documentation => "documentation",
        }
    }
}

/// One difference between two contracts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// What it does.
    pub effect: Effect,
    /// JSON Pointer to the values that it concerns, from the compared document's root; `*` stands for every element, or
    /// every member that has no name in the schema.
    pub pointer: String,
    /// JSON Pointer into the old schema; none for what it does not have.
    pub old_schema_pointer: Option<String>,
    /// JSON Pointer into the new schema; none for what it does not have any more.
    pub new_schema_pointer: Option<String>,
    /// What stands there in the old schema, shortened.
    pub old_fragment: Option<Value>,
    /// What stands there in the new schema, shortened.
    pub new_fragment: Option<Value>,
    /// The difference, for people, and what to do about it.
    pub message: String,
    /// The variant whose contract differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

/// What a new contract changes for those whose tasks the old one accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Compatibility {
    /// The answer.
    pub verdict: CompatibilityVerdict,
    /// The live revisions that it was compared with; empty where two schemas were compared.
    pub against: Vec<RevisionNumber>,
    /// With `breaking`: a payload that the old contract accepts and the new one refuses; where the rest of the task
    /// decides, a whole task.
    pub witness: Option<Value>,
    /// Whether the witness is a whole task.
    #[serde(default)]
    pub witness_is_task: bool,
    /// Every difference, those that break first.
    pub findings: Vec<Finding>,
    /// Where a rollout begins: the same once it has ended and the new revision is live alone. Everything above is about the
    /// time of the rollout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub after_rollout: Option<Box<Compatibility>>,
    /// Whether it was only left open because too much else was being compared: asked again, it may be decided. Such a report
    /// is not kept.
    #[serde(skip)]
    pub is_provisional: bool,
}
