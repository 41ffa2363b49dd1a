//! Moving many worker types to a release.

use registry::{Adopt, Adopted, Adoption, AdoptionOutcome, AdoptionReport};
use serde::Serialize;
use utoipa::ToSchema;
use worker_types::{Compatibility, Generation, Item, RevisionNumber};

/// The plan, or what became of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdoptReport {
    /// `name@version`.
    release: String,
    /// Whether it was made; otherwise it is a plan.
    applied: bool,
    /// In the order of their ids.
    worker_types: Vec<AdoptedWorkerType>,
    /// What the move does to tasks: one for each distinct pair of contracts.
    reports: Vec<PairReport>,
    /// How many more would be moved if the caller had the scope to read them.
    not_shown: usize,
}

/// One worker type.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AdoptedWorkerType {
    worker_type_id: String,
    /// The state that was planned on: send it in `generations` to apply just this plan.
    generation: Generation,
    /// The state that publishing makes, or made; none where nothing is published. Send the rows as `rollBack` to take back
    /// what is still on this state.
    generation_after: Option<Generation>,
    /// The revision that was live when it was planned.
    revision_before: Option<RevisionNumber>,
    /// The releases that it leaves.
    from: Vec<String>,
    /// When rolling back: the revision whose content comes back.
    back_to: Option<RevisionNumber>,
    /// Which of `reports` is about it; none where it is not published anyway.
    report: Option<usize>,
    /// `planned`, `published`, `unchanged` (it was made before), `refused`, `lost-race`, `forbidden` or `failed`.
    outcome: &'static str,
    /// The new revision.
    revision: Option<RevisionNumber>,
    /// Why it was not published.
    errors: Vec<Item>,
}

/// A comparison, and how many worker types it is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PairReport {
    /// How many have this pair of contracts.
    worker_types: usize,
    compatibility: Compatibility,
}

impl AdoptReport {
    pub(crate) fn of(request: &Adopt, adopted: Adopted) -> Self {
        let report = |AdoptionReport { compatibility, worker_types }| PairReport { worker_types, compatibility };
        Self {
            release: request.release.to_string(),
            applied: request.apply,
            worker_types: adopted.changes.into_iter().map(AdoptedWorkerType::of).collect(),
            reports: adopted.reports.into_iter().map(report).collect(),
            not_shown: adopted.not_shown,
        }
    }
}

impl AdoptedWorkerType {
    fn of(change: Adoption) -> Self {
        let one = |problem: &str, message: String| vec![Item::new(problem, "", message)];
        let (outcome, revision, errors) = match change.outcome {
            AdoptionOutcome::Planned => ("planned", None, Vec::new()),
            AdoptionOutcome::Published(revision) => ("published", Some(revision), Vec::new()),
            AdoptionOutcome::Unchanged(revision) => ("unchanged", Some(revision), Vec::new()),
            AdoptionOutcome::Refused(errors) => ("refused", None, errors),
            AdoptionOutcome::LostRace(message) => ("lost-race", None, one("precondition-failed", message)),
            AdoptionOutcome::Forbidden(message) => ("forbidden", None, one("forbidden", message)),
            AdoptionOutcome::Failed(message) => ("failed", None, one("store-unavailable", message)),
        };
        Self {
            worker_type_id: change.id.to_string(),
            generation: change.generation,
            generation_after: change.generation_after,
            revision_before: change.revision_before,
            from: change.from.iter().map(ToString::to_string).collect(),
            back_to: change.back_to,
            report: change.report,
            outcome,
            revision,
            errors,
        }
    }
}
