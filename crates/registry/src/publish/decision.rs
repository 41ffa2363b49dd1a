//! What is to become live, and whether it may, as seen under the worker type's lock.

use crate::answer::PoolView;
use crate::compatibility::Judgement;
use crate::error::{ReadError, WriteError};
use crate::gate::is_live;
use crate::precondition::Precondition;
use crate::registry::Registry;
use crate::store::{Change, WorkerTypeRecord, WorkerTypeState};
use serde_json::Value;
use worker_types::{Caller, ContentHash, Generation, Item, RevisionNumber, RolloutPolicy, WorkerTypeId};

/// What is to become live.
pub(super) struct Proposal {
    pub(super) definition: Value,
    pub(super) content_hash: ContentHash,
    /// The definition as its author wrote it.
    pub(super) text: String,
    pub(super) warnings: Vec<Item>,
    pub(super) rollout: RolloutPolicy,
    pub(super) replace_rollout: bool,
    pub(super) rollback_of: Option<RevisionNumber>,
    /// Whether it is published although the policy refuses it.
    pub(super) allow_breaking: bool,
    /// What the answer shows.
    pub(super) pool: PoolView,
}

/// A proposal held against one generation of what is live.
pub(super) struct Compared {
    /// None where the id was never used.
    pub(super) generation: Option<Generation>,
    /// None where nothing is live, nothing asks for a comparison, or nothing would change.
    pub(super) judgement: Option<Judgement>,
}

impl Compared {
    /// What the compatibility policy says, if it refuses.
    pub(super) fn refusal(&self, id: &WorkerTypeId) -> Option<WriteError> {
        let judgement = self.judgement.as_ref().filter(|judgement| judgement.refuses())?;
        Some(WriteError::Incompatible { id: id.clone(), report: Box::new(judgement.report.clone()) })
    }
}

/// The next revision, apart from its number, its time and its author.
pub(super) struct Content {
    pub(super) definition: String,
    pub(super) content_hash: ContentHash,
    /// JSON array.
    pub(super) warnings: String,
    /// JSON.
    pub(super) compatibility: Option<String>,
    /// The revision that stays live beside it.
    pub(super) older: Option<RevisionNumber>,
    rollback_of: Option<RevisionNumber>,
}

impl Content {
    pub(super) fn change(&self) -> Change {
        Change::Publish {
            definition: self.definition.clone(),
            content_hash: self.content_hash.clone(),
            warnings: self.warnings.clone(),
            older: self.older,
            rollback_of: self.rollback_of,
            compatibility: self.compatibility.clone(),
        }
    }
}

pub(super) enum Decision {
    Publish(Box<Content>),
    Unchanged,
    Refuse(WriteError),
    /// Another generation is there than the one that the proposal was compared with.
    Stale,
}

/// 428 → the same content is live: unchanged → 412 → open rollout → incompatible → publish.
pub(super) fn decide_publish(
    id: &WorkerTypeId,
    current: Option<&WorkerTypeRecord>,
    precondition: Option<Precondition>,
    proposal: &Proposal,
    compared: &Compared,
) -> Decision {
    let older = match decide_place(id, current, precondition, proposal) {
        Ok(Some(older)) => older.stays,
        Ok(None) => return Decision::Unchanged,
        Err(error) => return Decision::Refuse(error),
    };
    if current.map(|record| record.generation) != compared.generation {
        return Decision::Stale;
    }
    if let Some(refusal) = compared.refusal(id).filter(|_| !proposal.allow_breaking) {
        return Decision::Refuse(refusal);
    }
    let judgement = compared.judgement.as_ref();
    let warnings: Vec<Item> =
        proposal.warnings.iter().cloned().chain(judgement.into_iter().flat_map(Judgement::remarks)).collect();
    Decision::Publish(Box::new(Content {
        definition: proposal.text.clone(),
        content_hash: proposal.content_hash.clone(),
        warnings: super::warnings_text(&warnings),
        older,
        rollback_of: proposal.rollback_of,
        compatibility: judgement.and_then(Judgement::text),
    }))
}

/// The revision that stays live beside the proposed one, if any.
pub(super) struct Place {
    stays: Option<RevisionNumber>,
}

/// Everything that is decided without a comparison; none where the content is live already.
pub(super) fn decide_place(
    id: &WorkerTypeId,
    current: Option<&WorkerTypeRecord>,
    precondition: Option<Precondition>,
    proposal: &Proposal,
) -> Result<Option<Place>, WriteError> {
    let precondition = precondition.ok_or(WriteError::PreconditionRequired)?;
    // Going back to the newer of two live revisions is a change: the older one goes.
    let ends_rollout = proposal.rollback_of.is_some() && is_rolling(current);
    if is_live(current, &proposal.content_hash) && !ends_rollout {
        return Ok(None);
    }
    if let Some(refusal) = lost_race(id, current, precondition) {
        return Err(refusal);
    }
    let stays = match current.map(|record| &record.state) {
        Some(WorkerTypeState::Live { revision, older: Some(older) }) if !proposal.replace_rollout => {
            let (from, to) = (older.revision, revision.revision);
            return Err(WriteError::RolloutOpen { id: id.clone(), from, to });
        }
        Some(WorkerTypeState::Live { revision, older }) if proposal.rollout != RolloutPolicy::Immediate => {
            Some(older.as_ref().unwrap_or(revision).revision)
        }
        _ => None,
    };
    Ok(Some(Place { stays }))
}

fn is_rolling(current: Option<&WorkerTypeRecord>) -> bool {
    matches!(current.map(|record| &record.state), Some(WorkerTypeState::Live { older: Some(_), .. }))
}

/// Whether the live definition has a pool that the caller cannot know of.
pub(super) fn hides_pool(id: &WorkerTypeId, current: Option<&WorkerTypeRecord>, caller: &Caller) -> bool {
    let Some(WorkerTypeState::Live { revision, .. }) = current.map(|record| &record.state) else { return false };
    if caller.may_see_pool(id) {
        return false;
    }
    let definition: Option<Value> = serde_json::from_str(&revision.definition).ok();
    definition.is_some_and(|definition| definition.get("pool").is_some())
}

/// Another state is there than the one that was meant.
pub(super) fn lost_race(
    id: &WorkerTypeId,
    current: Option<&WorkerTypeRecord>,
    precondition: Precondition,
) -> Option<WriteError> {
    let lost = || WriteError::PreconditionFailed { id: id.clone(), current: current.map(|record| record.generation) };
    (!precondition.holds(current)).then(lost)
}

pub(super) fn refuse_delete(
    id: &WorkerTypeId,
    current: Option<&WorkerTypeRecord>,
    precondition: Precondition,
    registry: &Registry,
) -> Option<WriteError> {
    let Some(record) = current else { return Some(registry.unknown(id).into()) };
    if let WorkerTypeState::Deleted { .. } = record.state {
        let (last_revision, generation) = (record.last_revision, record.generation);
        return Some(ReadError::Deleted { id: id.clone(), last_revision, generation }.into());
    }
    lost_race(id, current, precondition)
}
