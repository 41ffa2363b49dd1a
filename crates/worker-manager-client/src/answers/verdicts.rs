//! Verdicts of a batch, and the report on a proposed definition.

use serde::{Deserialize, Serialize};
use worker_types::{Compatibility, DocumentationCoverage, Item, Verdict};

/// One line of a batch's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchLine {
    /// The line of the request that it answers, from 1.
    pub line: u64,
    /// The answer.
    pub answer: BatchAnswer,
}

/// What a batch answers for one task.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchAnswer {
    /// A verdict.
    Verdict(Box<Verdict>),
    /// The line is no task definition.
    Broken {
        /// The problem's short name.
        problem: String,
        /// In words.
        message: String,
    },
}

#[derive(Deserialize)]
struct LineHead {
    line: u64,
    verdict: String,
    #[serde(default)]
    problem: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    detail: Option<String>,
}

impl BatchLine {
    /// Reads one line. (Not an untagged enum: those lose numbers under serde_json's `arbitrary_precision`.)
    pub(crate) fn read(line: &[u8]) -> Result<Self, serde_json::Error> {
        let head: LineHead = serde_json::from_slice(line)?;
        let answer = if head.verdict == "error" {
            let message = head.message.or(head.detail).unwrap_or_default();
            BatchAnswer::Broken { problem: head.problem.unwrap_or_default(), message }
        } else {
            BatchAnswer::Verdict(Box::new(serde_json::from_slice(line)?))
        };
        Ok(Self { line: head.line, answer })
    }
}

/// What would come of publishing a proposed definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// The publish gate.
    pub gate: GateReport,
    /// The comparison with what is live; none where nothing is, or where its contract cannot be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compatibility: Option<Compatibility>,
    /// What authors would find of it; none where the gate refuses its shape.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub documentation: Option<DocumentationCoverage>,
    /// Only where tasks were sent and the gate lets the definition pass.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replay: Option<Replay>,
}

/// Recorded tasks, held against the proposed definition and against what is live.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// How many tasks.
    pub checked: u64,
    /// Refused by the proposed definition, and not by what is live.
    pub newly_rejected: Vec<RejectedTask>,
    /// How many are refused by what is live, and not by the proposed definition.
    pub newly_accepted: u64,
}

/// A task that would newly be refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedTask {
    /// Its place among the tasks that were sent, from 0.
    pub index: usize,
    /// Why.
    pub errors: Vec<Item>,
}

/// What the publish gate says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GateReport {
    /// Whether it would be published.
    pub ok: bool,
    /// Why not.
    #[serde(default)]
    pub errors: Vec<Item>,
    /// What it remarks.
    #[serde(default)]
    pub warnings: Vec<Item>,
}
