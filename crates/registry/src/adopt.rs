//! Moving many worker types to a release, planned first: what each would break, told once for each distinct pair of
//! contracts; then each published by itself, all or nothing, on the state that was planned on. And all of it back, where it
//! is still as the adoption left it.

mod back;
mod plan;
mod step;

use crate::error::{ReadError, WriteError};
use crate::live::Entry;
use crate::precondition::Precondition;
use crate::publish::{Publish, Published, WriteContext};
use crate::registry::Registry;
use plan::{Planning, incompatible};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use step::Step;
use worker_types::{Caller, Compatibility, Generation, Item, ReleaseId, ReleaseState, RevisionNumber, WorkerTypeId};

/// Which worker types are moved. Everything that is set must hold.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// The part of the id before the slash.
    pub provisioner_id: Option<String>,
    /// They have this tag.
    pub tag: Option<String>,
    /// They are among these; all where there are none.
    pub worker_types: BTreeSet<WorkerTypeId>,
    /// They use one of these releases now; any other of the implementation where there are none.
    pub from: Vec<ReleaseId>,
}

/// How an adoption left a worker type: a row of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The generation that the adoption made.
    pub generation: Generation,
    /// The revision that was live before.
    pub before: RevisionNumber,
    /// The releases that it left.
    pub from: Vec<ReleaseId>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Adopt {
    /// The release that they are moved to, or back from.
    pub release: ReleaseId,
    /// Which worker types.
    pub which: Which,
    /// Back to what was live before an adoption that left them like this; `which` and `generations` do not count then.
    pub back: Option<BTreeMap<WorkerTypeId, Left>>,
    /// Publish; otherwise it is planned only.
    pub apply: bool,
    /// The generations that an earlier plan showed: others are left alone, and these must still be there.
    pub generations: Option<BTreeMap<WorkerTypeId, Generation>>,
    /// Publish although compatibility is required and broken.
    pub allow_breaking: bool,
}

/// What becomes, or became, of one worker type.
#[derive(Clone, Debug)]
pub enum AdoptionOutcome {
    /// Nothing stands in the way.
    Planned,
    /// It is live, as this revision.
    Published(RevisionNumber),
    /// It was live before, as this revision: the same was asked for earlier.
    Unchanged(RevisionNumber),
    /// The gate, the policy or an open rollout says no.
    Refused(Vec<Item>),
    /// Somebody else changed or deleted it first.
    LostRace(String),
    /// The caller lacks the scope.
    Forbidden(String),
    /// The database; publishing again is safe.
    Failed(String),
}

/// One worker type.
#[derive(Clone, Debug)]
pub struct Adoption {
    /// Which.
    pub id: WorkerTypeId,
    /// The state that was planned on.
    pub generation: Generation,
    /// The state that the adoption makes, or made; none where it makes none.
    pub generation_after: Option<Generation>,
    /// The revision that is live on that state; none where there is none.
    pub revision_before: Option<RevisionNumber>,
    /// The releases that it leaves.
    pub from: Vec<ReleaseId>,
    /// When rolling back: the revision whose content comes back.
    pub back_to: Option<RevisionNumber>,
    /// Which of the reports is about it; none where it is not published anyway.
    pub report: Option<usize>,
    /// What becomes of it.
    pub outcome: AdoptionOutcome,
}

/// A comparison, and how many worker types it is about.
#[derive(Clone, Debug)]
pub struct AdoptionReport {
    /// What the move does to tasks.
    pub compatibility: Compatibility,
    /// How many have this pair of contracts.
    pub worker_types: usize,
}

/// The plan, and what came of it.
#[derive(Clone, Debug, Default)]
pub struct Adopted {
    /// In the order of their ids.
    pub changes: Vec<Adoption>,
    /// One for each distinct pair of contracts.
    pub reports: Vec<AdoptionReport>,
    /// Worker types that would be moved if the caller might read them. Nothing else is told of them.
    pub not_shown: usize,
}

impl Registry {
    /// Plans the move of many worker types to a release, or back from it, and makes it where that is asked for.
    ///
    /// # Errors
    /// There is no such release, or it was withdrawn; the database, while it is planned. What happens to one worker type
    /// stands in the answer.
    pub async fn adopt(self: &Arc<Self>, request: Adopt, context: WriteContext) -> Result<Adopted, WriteError> {
        self.blocking(move |registry| registry.adopt_now(&request, &context)).await
    }

    fn adopt_now(&self, request: &Adopt, context: &WriteContext) -> Result<Adopted, WriteError> {
        // A plan is of the newest state, or of none.
        self.catch_up()?;
        let release = self.release(&request.release)?;
        let mark = release.record.mark.as_ref().filter(|mark| mark.state == ReleaseState::Withdrawn);
        // Away from a withdrawn release is always a way.
        if let Some(mark) = mark.filter(|_| request.back.is_none()) {
            return Err(WriteError::Withdrawn(Box::new(crate::gate::bundle_mark(&request.release, mark))));
        }
        let mut planning = Planning::new(self, request, &context.caller);
        for id in request.subjects(self) {
            let entry = self.snapshot().worker_types.get(&id).cloned();
            if !may_read(&context.caller, &id) {
                planning.not_readable(&id, entry.as_deref());
                continue;
            }
            let planned = match &request.back {
                Some(back) => planning.back(&id, entry.as_deref(), back.get(&id))?,
                None => planning.forward(&id, entry.as_deref()),
            };
            let Some((mut change, step)) = planned else { continue };
            if let Some(step) = step.filter(|_| request.apply && matches!(change.outcome, AdoptionOutcome::Planned)) {
                self.take(&step, &mut change, request, context);
            }
            planning.adopted.changes.push(change);
        }
        Ok(planning.adopted)
    }

    /// Makes one step, and notes what became of it.
    fn take(&self, step: &Step, change: &mut Adoption, request: &Adopt, context: &WriteContext) {
        let precondition = Some(Precondition::Generation(change.generation));
        let context = WriteContext { precondition, ..context.clone() };
        let published = match change.back_to {
            Some(number) => self.rollback_now(&change.id, number, &context),
            None => {
                let definition = step.definition.clone();
                let publish = Publish { definition, allow_breaking: request.allow_breaking, ..Publish::default() };
                self.publish_now(&change.id, publish, &context)
            }
        };
        change.generation_after = published.as_ref().ok().map(|published| published.generation);
        change.outcome = outcome(published);
    }
}

impl Adopt {
    /// The worker types to look at: those that an earlier answer names, else everything that is live.
    fn subjects(&self, registry: &Registry) -> Vec<WorkerTypeId> {
        if let Some(back) = &self.back {
            return back.keys().cloned().collect();
        }
        if let Some(generations) = &self.generations {
            return generations.keys().cloned().collect();
        }
        let snapshot = registry.snapshot();
        let live = snapshot.worker_types.iter().filter(|(_, entry)| matches!(&***entry, Entry::Live(_)));
        live.map(|(id, _)| id.clone()).collect()
    }
}

impl Adoption {
    /// A row about a worker type that is not there as it was planned.
    fn without(id: &WorkerTypeId, generation: Generation, outcome: AdoptionOutcome) -> Self {
        Self {
            id: id.clone(),
            generation,
            generation_after: None,
            revision_before: None,
            from: Vec::new(),
            back_to: None,
            report: None,
            outcome,
        }
    }
}

/// Reads of a worker type ask for this scope, and a plan shows as much as they do.
fn may_read(caller: &Caller, id: &WorkerTypeId) -> bool {
    caller.has(&format!("worker-manager:get:{id}"))
}

fn outcome(published: Result<Published, WriteError>) -> AdoptionOutcome {
    match published {
        Ok(published) => AdoptionOutcome::Published(published.revision),
        Err(WriteError::InvalidDefinition(report)) => AdoptionOutcome::Refused(report.errors),
        Err(WriteError::Incompatible { id, report }) => AdoptionOutcome::Refused(vec![incompatible(&id, report)]),
        Err(
            error @ (WriteError::PreconditionFailed { .. }
            | WriteError::Read(ReadError::Deleted { .. } | ReadError::UnknownWorkerType { .. })),
        ) => AdoptionOutcome::LostRace(error.to_string()),
        Err(error @ (WriteError::Store(_) | WriteError::Read(ReadError::Store(_)))) => {
            tracing::warn!(%error, "a worker type was not moved");
            AdoptionOutcome::Failed("the database cannot be reached; asking for the same again is safe".to_owned())
        }
        Err(error) => AdoptionOutcome::Refused(vec![Item::new("refused", "", error.to_string())]),
    }
}
