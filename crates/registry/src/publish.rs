//! Publishing, rolling back and deleting a worker type: the order of checks, decided under the worker type's lock.

use crate::answer::{self, PoolView};
use crate::error::{ReadError, WriteError};
use crate::gate::{GateReport, is_live};
use crate::precondition::Precondition;
use crate::registry::Registry;
use crate::store::{Author, Change, RevisionRecord, StoreError, WorkerTypeRecord, WorkerTypeState};
use serde_json::Value;
use std::sync::Arc;
use worker_types::{
    Caller, ContentHash, Definition, Generation, Item, RevisionNumber, RolloutPolicy, WorkerTypeId, content_hash,
};

/// What every write carries beside its content.
#[derive(Clone, Debug)]
pub struct WriteContext {
    /// Who.
    pub caller: Caller,
    /// Which state it means to change.
    pub precondition: Option<Precondition>,
    /// Why.
    pub message: Option<String>,
    /// For the audit trail.
    pub request_id: Option<String>,
}

/// A definition on its way in.
#[derive(Clone, Debug)]
pub struct Publish {
    /// The definition.
    pub definition: Value,
    /// Run every stage and store nothing.
    pub dry_run: bool,
    /// Replace the newer revision of an open rollout.
    pub replace_rollout: bool,
}

/// What a write came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The worker type came into being, or back from its tombstone.
    Created,
    /// Another revision is live now.
    Updated,
    /// The content was live already.
    Unchanged,
}

/// The answer to a write.
#[derive(Clone, Debug)]
pub struct Published {
    /// What it came to.
    pub outcome: Outcome,
    /// The generation that answers to it.
    pub generation: Generation,
    /// The revision that is live.
    pub revision: RevisionNumber,
    /// The body of the answer.
    pub body: Vec<u8>,
}

/// The answer to a deletion.
#[derive(Clone, Debug)]
pub struct Deleted {
    /// The tombstone.
    pub record: WorkerTypeRecord,
}

impl Registry {
    /// Publishes a definition.
    ///
    /// # Errors
    /// No precondition; the gate's findings; another state than the one that the precondition names; an open rollout;
    /// the database.
    pub async fn publish(
        self: &Arc<Self>,
        id: WorkerTypeId,
        request: Publish,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        self.blocking(move |registry| registry.publish_now(&id, &request, &context)).await
    }

    fn publish_now(
        &self,
        id: &WorkerTypeId,
        request: &Publish,
        context: &WriteContext,
    ) -> Result<Published, WriteError> {
        if context.precondition.is_none() && !request.dry_run {
            return Err(WriteError::PreconditionRequired);
        }
        let report = self.inspect_definition(&request.definition, id);
        if !report.ok() {
            return Err(WriteError::InvalidDefinition(report));
        }
        let definition = Definition::read(&request.definition, id)
            .map_err(|errors| WriteError::InvalidDefinition(GateReport { errors, ..GateReport::default() }))?;
        let proposal = Proposal {
            content_hash: content_hash(&request.definition),
            text: request.definition.to_string(),
            warnings: warnings_text(&report.warnings),
            rollout: definition.rollout,
            replace_rollout: request.replace_rollout,
            rollback_of: None,
            // It is the caller's own words.
            pool: PoolView::Shown,
        };
        if request.dry_run {
            return self.preview(id, &proposal, context);
        }
        self.write(id, context, proposal.pool, |current| {
            if definition.pool.is_none() && hides_pool(id, current, &context.caller) {
                return Decision::Refuse(WriteError::HiddenPool(id.clone()));
            }
            decide_publish(id, current, context.precondition, &proposal)
        })
    }

    /// What publishing would answer.
    fn preview(&self, id: &WorkerTypeId, proposal: &Proposal, context: &WriteContext) -> Result<Published, WriteError> {
        let current = self.store.worker_type(id)?;
        let precondition = context.precondition.or(Some(Precondition::Any));
        let change = match decide_publish(id, current.as_ref(), precondition, proposal) {
            Decision::Refuse(error) => return Err(error),
            Decision::Unchanged => return unchanged(current, proposal.pool),
            Decision::Change(_) => proposal,
        };
        let author = author(context);
        let revision = RevisionRecord {
            revision: current.as_ref().map_or(RevisionNumber(1), |record| record.last_revision.next()),
            content_hash: change.content_hash.clone(),
            definition: change.text.clone(),
            warnings: change.warnings.clone(),
            published_at: author.at,
            published_by: author.name,
            message: author.message,
            rollback_of: None,
        };
        let record = WorkerTypeRecord {
            id: id.clone(),
            generation: current.as_ref().map_or(Generation(1), |record| record.generation.next()),
            last_revision: revision.revision,
            state: WorkerTypeState::Live { revision, older: None },
        };
        published(outcome(current.as_ref()), &record, proposal.pool)
    }

    /// Makes the content of an earlier revision live again, as a new revision. An open rollout ends with it.
    ///
    /// # Errors
    /// As [`Self::publish`], but for the gate: what was live once is taken as it is.
    pub async fn rollback(
        self: &Arc<Self>,
        id: WorkerTypeId,
        revision: RevisionNumber,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        self.blocking(move |registry| registry.rollback_now(&id, revision, &context)).await
    }

    fn rollback_now(
        &self,
        id: &WorkerTypeId,
        number: RevisionNumber,
        context: &WriteContext,
    ) -> Result<Published, WriteError> {
        if context.precondition.is_none() {
            return Err(WriteError::PreconditionRequired);
        }
        let Some(current) = self.store.worker_type(id)? else { return Err(self.unknown(id).into()) };
        let Some(target) = self.store.revision(id, number)? else {
            return Err(
                ReadError::UnknownRevision { id: id.clone(), revision: number, last: current.last_revision }.into()
            );
        };
        let proposal = Proposal {
            content_hash: target.content_hash,
            text: target.definition,
            warnings: target.warnings,
            rollout: RolloutPolicy::Immediate,
            replace_rollout: true,
            rollback_of: Some(number),
            pool: if context.caller.may_see_pool(id) { PoolView::Shown } else { PoolView::Hidden },
        };
        self.write(id, context, proposal.pool, |current| decide_publish(id, current, context.precondition, &proposal))
    }

    /// Leaves a tombstone. The history stays.
    ///
    /// # Errors
    /// No precondition, another state than it names, nothing there, the database.
    pub async fn delete(self: &Arc<Self>, id: WorkerTypeId, context: WriteContext) -> Result<Deleted, WriteError> {
        self.blocking(move |registry| registry.delete_now(&id, &context)).await
    }

    fn delete_now(&self, id: &WorkerTypeId, context: &WriteContext) -> Result<Deleted, WriteError> {
        let Some(precondition) = context.precondition else { return Err(WriteError::PreconditionRequired) };
        let mut refusal = None;
        let changed = self.store.change_worker_type(id, &author(context), &mut |current| {
            refusal = refuse_delete(id, current, precondition, self);
            refusal.is_none().then_some(Change::Delete)
        })?;
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let (record, _) = changed.ok_or_else(|| self.unknown(id))?;
        tracing::info!(worker_type.id = id.as_str(), generation = record.generation.0, "deleted");
        self.catch_up_after_write();
        Ok(Deleted { record })
    }

    /// Runs `decide` under the lock, and answers what it decided.
    fn write(
        &self,
        id: &WorkerTypeId,
        context: &WriteContext,
        pool: PoolView,
        decide: impl Fn(Option<&WorkerTypeRecord>) -> Decision,
    ) -> Result<Published, WriteError> {
        let mut seen = None;
        let mut refusal = None;
        let changed = self.store.change_worker_type(id, &author(context), &mut |current| {
            seen = current.cloned();
            refusal = None;
            match decide(current) {
                Decision::Change(change) => Some(*change),
                Decision::Unchanged => None,
                Decision::Refuse(error) => {
                    refusal = Some(error);
                    None
                }
            }
        })?;
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let Some((record, _)) = changed else { return unchanged(seen, pool) };
        let (id, generation) = (id.as_str(), record.generation.0);
        tracing::info!(worker_type.id = id, generation, revision.number = record.last_revision.0, "published");
        self.catch_up_after_write();
        published(outcome(seen.as_ref()), &record, pool)
    }

    /// The gate, with a second look when a release may be newer than this replica's memory.
    pub(crate) fn inspect_definition(&self, value: &Value, id: &WorkerTypeId) -> GateReport {
        let report = self.gate().definition(value, id, &**self.snapshot());
        let unknown_release = report.errors.iter().any(|item| item.problem == "unknown-release");
        if unknown_release && self.catch_up().is_ok() {
            return self.gate().definition(value, id, &**self.snapshot());
        }
        report
    }

    /// The write is safe in the database; what can fail here is only that this replica's reads lag, and that is logged.
    pub(crate) fn catch_up_after_write(&self) {
        // `catch_up` records its own failures.
        let _ = self.catch_up();
    }
}

/// What is to become live.
struct Proposal {
    content_hash: ContentHash,
    text: String,
    warnings: String,
    rollout: RolloutPolicy,
    replace_rollout: bool,
    rollback_of: Option<RevisionNumber>,
    /// What the answer shows.
    pool: PoolView,
}

enum Decision {
    Change(Box<Change>),
    Unchanged,
    Refuse(WriteError),
}

/// 428 → the same content is live: unchanged → 412 → open rollout → publish.
fn decide_publish(
    id: &WorkerTypeId,
    current: Option<&WorkerTypeRecord>,
    precondition: Option<Precondition>,
    proposal: &Proposal,
) -> Decision {
    let Some(precondition) = precondition else { return Decision::Refuse(WriteError::PreconditionRequired) };
    if is_live(current, &proposal.content_hash) {
        return Decision::Unchanged;
    }
    if !precondition.holds(current) {
        let current = current.map(|record| record.generation);
        return Decision::Refuse(WriteError::PreconditionFailed { id: id.clone(), current });
    }
    let older = match current.map(|record| &record.state) {
        Some(WorkerTypeState::Live { revision, older: Some(older) }) if !proposal.replace_rollout => {
            let (from, to) = (older.revision, revision.revision);
            return Decision::Refuse(WriteError::RolloutOpen { id: id.clone(), from, to });
        }
        Some(WorkerTypeState::Live { revision, older }) if proposal.rollout != RolloutPolicy::Immediate => {
            Some(older.as_ref().unwrap_or(revision).revision)
        }
        _ => None,
    };
    Decision::Change(Box::new(Change::Publish {
        definition: proposal.text.clone(),
        content_hash: proposal.content_hash.clone(),
        warnings: proposal.warnings.clone(),
        older,
        rollback_of: proposal.rollback_of,
    }))
}

/// Whether the live definition has a pool that the caller cannot know of.
fn hides_pool(id: &WorkerTypeId, current: Option<&WorkerTypeRecord>, caller: &Caller) -> bool {
    let Some(WorkerTypeState::Live { revision, .. }) = current.map(|record| &record.state) else { return false };
    let definition: Option<Value> = serde_json::from_str(&revision.definition).ok();
    definition.is_some_and(|definition| definition.get("pool").is_some()) && !caller.may_see_pool(id)
}

fn refuse_delete(
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
    let holds = precondition.holds(current);
    (!holds).then(|| WriteError::PreconditionFailed { id: id.clone(), current: Some(record.generation) })
}

fn outcome(before: Option<&WorkerTypeRecord>) -> Outcome {
    match before.map(|record| &record.state) {
        Some(WorkerTypeState::Live { .. }) => Outcome::Updated,
        _ => Outcome::Created,
    }
}

fn unchanged(record: Option<WorkerTypeRecord>, pool: PoolView) -> Result<Published, WriteError> {
    match record {
        Some(record) => published(Outcome::Unchanged, &record, pool),
        None => Err(WriteError::PreconditionRequired),
    }
}

fn published(outcome: Outcome, record: &WorkerTypeRecord, pool: PoolView) -> Result<Published, WriteError> {
    let corrupt = |message| StoreError::Corrupt { what: format!("the worker type {}", record.id), message };
    let WorkerTypeState::Live { revision, older } = &record.state else {
        return Err(corrupt("it is not live".to_owned()).into());
    };
    let older = older.as_ref().map(|older| older.revision);
    let body = answer::live(record, revision, older, pool).map_err(|error| corrupt(error.to_string()))?;
    Ok(Published { outcome, generation: record.generation, revision: revision.revision, body })
}

pub(crate) fn warnings_text(warnings: &[Item]) -> String {
    serde_json::to_string(warnings).unwrap_or_else(|_| "[]".to_owned())
}

pub(crate) fn author(context: &WriteContext) -> Author {
    Author {
        name: context.caller.name().to_owned(),
        at: crate::time::now(),
        message: context.message.clone(),
        request_id: context.request_id.clone(),
    }
}
