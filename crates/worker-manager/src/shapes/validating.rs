//! What a proposed definition would come to.

use registry::Check;
use serde::Serialize;
use utoipa::ToSchema;
use worker_types::{Compatibility, DocumentationCoverage, Item, Verdict};

/// What a proposed definition would come to.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckReport {
    gate: Gate,
    /// The comparison with what is live; none where nothing is, or where its contract cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    compatibility: Option<Compatibility>,
    /// What authors would find of it; none where the gate refuses the definition's shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<DocumentationCoverage>,
    /// Only where tasks were sent and the gate lets the definition pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<Replay>,
}

/// The publish gate's findings, the compatibility policy's among them.
#[derive(Serialize, ToSchema)]
struct Gate {
    /// Whether it would be published.
    ok: bool,
    /// Why not.
    errors: Vec<Item>,
    /// What its author should know.
    warnings: Vec<Item>,
}

/// Recorded tasks, held against the proposed definition and against what is live.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Replay {
    checked: usize,
    /// Refused by the proposed definition, and not by what is live.
    newly_rejected: Vec<RejectedTask>,
    /// How many are refused by what is live, and not by the proposed definition.
    pub(crate) newly_accepted: usize,
}

/// A task that would newly be refused.
#[derive(Serialize, ToSchema)]
struct RejectedTask {
    /// Its place among the tasks that were sent, from 0.
    index: usize,
    /// Why.
    errors: Vec<Item>,
}

impl CheckReport {
    pub(crate) fn of(check: Check, replay: Option<Replay>) -> Self {
        let Check { gate, compatibility, documentation, .. } = check;
        Self {
            gate: Gate { ok: gate.ok(), errors: gate.errors, warnings: gate.warnings },
            compatibility,
            documentation,
            replay,
        }
    }
}

impl Replay {
    pub(crate) fn of(checked: usize) -> Self {
        Self { checked, ..Self::default() }
    }

    pub(crate) fn refuse(&mut self, index: usize, verdict: &Verdict) {
        self.newly_rejected.push(RejectedTask { index, errors: verdict.errors.clone() });
    }
}
