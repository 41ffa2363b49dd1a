//! Publishing, rolling back and deleting a worker type: the order of checks, decided under the worker type's lock.

mod decision;
mod rollback;
mod rollout;

use crate::answer::{self, PoolView};
use crate::compatibility::Standing;
use crate::error::WriteError;
use crate::gate::GateReport;
use crate::live::Entry;
use crate::parsed::Parsed;
use crate::precondition::Precondition;
use crate::registry::Registry;
use crate::rollout::OpenRollout;
use crate::store::{Author, EventRecord, RevisionRecord, StoreError, WorkerTypeRecord, WorkerTypeState};
use crate::written::Commit;
use decision::{Compared, Decision, Proposal, decide_place, decide_publish, hides_pool};
use serde_json::Value;
use std::sync::Arc;
use worker_types::{Caller, Generation, Item, RevisionNumber, WorkerTypeId};

/// How often a publish is compared anew because somebody else was faster, before it is given up as a lost race.
const ROUNDS: usize = 10;

/// What every write carries beside its content.
#[derive(Clone, Debug)]
pub struct WriteContext {
    /// Who.
    pub caller: Caller,
    /// Which state it means to change.
    pub precondition: Option<Precondition>,
    /// Why.
    pub message: Option<String>,
    /// For the history and the audit.
    pub request_id: Option<String>,
}

/// A definition on its way in.
#[derive(Clone, Debug, Default)]
pub struct Publish {
    /// The definition.
    pub definition: Value,
    /// Run every stage and store nothing.
    pub dry_run: bool,
    /// Replace the newer revision of an open rollout.
    pub replace_rollout: bool,
    /// Publish although compatibility is required and the definition breaks it; the context says why.
    pub allow_breaking: bool,
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
    /// tasks that would newly be refused where that is not allowed; the database.
    pub async fn publish(
        self: &Arc<Self>,
        id: WorkerTypeId,
        request: Publish,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        #[cfg(feature = "failpoints")]
        if let Some(wrong) = self.answered_wrongly(&id, &request, &context).await {
            return wrong;
        }
        self.blocking(move |registry| registry.publish_now(&id, request, &context)).await
    }

    pub(crate) fn publish_now(
        &self,
        id: &WorkerTypeId,
        request: Publish,
        context: &WriteContext,
    ) -> Result<Published, WriteError> {
        // The definition is the caller's own words.
        self.publish_shown(id, request, context, PoolView::Shown)
    }

    fn publish_shown(
        &self,
        id: &WorkerTypeId,
        request: Publish,
        context: &WriteContext,
        pool: PoolView,
    ) -> Result<Published, WriteError> {
        if context.precondition.is_none() && !request.dry_run {
            return Err(WriteError::PreconditionRequired);
        }
        let mut report = self.inspect_definition(&request.definition, id);
        let (parsed, content_hash) = match report.read.take() {
            Some(read) if report.ok() => *read,
            _ => return Err(WriteError::InvalidDefinition(report)),
        };
        let proposal = Proposal {
            content_hash,
            text: request.definition.to_string(),
            definition: request.definition,
            warnings: report.warnings,
            rollout: parsed.definition.rollout.policy,
            replace_rollout: request.replace_rollout,
            rollback_of: None,
            allow_breaking: request.allow_breaking,
            pool,
        };
        if request.dry_run {
            return self.preview(id, &proposal, context);
        }
        let no_pool = parsed.definition.pool.is_none();
        let refuse = |current: Option<&WorkerTypeRecord>| {
            let removes_pool = no_pool && hides_pool(id, current, &context.caller);
            removes_pool.then(|| WriteError::HiddenPool(id.clone()))
        };
        self.write(id, context, &proposal, Some(parsed), refuse)
    }

    /// What publishing would answer.
    fn preview(&self, id: &WorkerTypeId, proposal: &Proposal, context: &WriteContext) -> Result<Published, WriteError> {
        let mut current = self.store.worker_type(id)?;
        let precondition = context.precondition.or(Some(Precondition::Any));
        let content = loop {
            let compared = self.compared(id, precondition, proposal);
            match decide_publish(id, current.as_ref(), precondition, proposal, &compared) {
                Decision::Refuse(error) => return Err(error),
                Decision::Unchanged => return unchanged(current, proposal.pool),
                Decision::Publish(content) => break content,
                Decision::Stale => {
                    self.catch_up()?;
                    current = self.store.worker_type(id)?;
                }
            }
        };
        let author = author(context);
        let older = current.as_ref().and_then(|record| live_one(record, content.older?));
        let revision = RevisionRecord {
            revision: current.as_ref().map_or(RevisionNumber(1), |record| record.last_revision.next()),
            content_hash: content.content_hash,
            definition: content.definition,
            warnings: content.warnings,
            published_at: author.at,
            published_by: author.name,
            message: author.message,
            rollback_of: None,
            compatibility: content.compatibility,
        };
        let record = WorkerTypeRecord {
            id: id.clone(),
            generation: current.as_ref().map_or(Generation(1), |record| record.generation.next()),
            last_revision: revision.revision,
            state: WorkerTypeState::Live { revision: Arc::new(revision), older },
        };
        published(outcome(current.as_ref()), &record, proposal.pool)
    }

    /// Holds the proposal against what is live as this replica sees it. The lock decides whether that is the newest.
    fn compared(&self, id: &WorkerTypeId, precondition: Option<Precondition>, proposal: &Proposal) -> Compared {
        let entry = self.snapshot().worker_types.get(id).cloned();
        let generation = entry.as_ref().map(|entry| entry.record().generation);
        let judgement = match entry.as_deref() {
            // What is refused or unchanged anyway is not worth a comparison.
            Some(Entry::Live(live)) => match decide_place(id, Some(&live.record), precondition, proposal) {
                Ok(Some(_)) => self.judge(&Standing::of(live), &proposal.definition, proposal.rollout),
                _ => None,
            },
            _ => None,
        };
        Compared { generation, judgement }
    }

    /// Compares, decides under the lock, and answers what was decided. A comparison takes longer than a lock may be
    /// held: when something else became live meanwhile, it is made anew.
    fn write(
        &self,
        id: &WorkerTypeId,
        context: &WriteContext,
        proposal: &Proposal,
        parsed: Option<Parsed>,
        refuse: impl Fn(Option<&WorkerTypeRecord>) -> Option<WriteError> + Sync,
    ) -> Result<Published, WriteError> {
        let mut seen = None;
        for _ in 0..ROUNDS {
            let compared = self.compared(id, context.precondition, proposal);
            let decide = |current: Option<&WorkerTypeRecord>| match refuse(current) {
                Some(error) => Decision::Refuse(error),
                None => decide_publish(id, current, context.precondition, proposal, &compared),
            };
            let mut decision = Decision::Unchanged;
            let changed = self.store.change_worker_type(id, &author(context), &mut |current| {
                seen = current.cloned();
                decision = decide(current);
                match &decision {
                    Decision::Publish(content) => Some(content.change()),
                    _ => None,
                }
            })?;
            match decision {
                Decision::Refuse(error) => return Err(error),
                Decision::Stale => self.catch_up()?,
                Decision::Unchanged | Decision::Publish(_) => {
                    let Some((record, event)) = changed else {
                        // What is there already may be another server's, and new to this one.
                        self.catch_up_after_write(None);
                        return unchanged(seen, proposal.pool);
                    };
                    self.note_published(&record, event, parsed);
                    return published(outcome(seen.as_ref()), &record, proposal.pool);
                }
            }
        }
        let current = seen.map(|record| record.generation);
        Err(WriteError::PreconditionFailed { id: id.clone(), current })
    }

    fn note_published(&self, record: &WorkerTypeRecord, event: EventRecord, parsed: Option<Parsed>) {
        let (id, generation) = (record.id.as_str(), record.generation.0);
        tracing::info!(worker_type.id = id, generation, revision.number = record.last_revision.0, "published");
        self.catch_up_with(Commit { record: record.clone(), event, parsed });
    }

    /// The gate, with a second look when a release may be newer than this replica's memory.
    pub(crate) fn inspect_definition(&self, value: &Value, id: &WorkerTypeId) -> GateReport {
        let look = || {
            let snapshot = self.snapshot();
            let in_use = match snapshot.worker_types.get(id).map(|entry| &**entry) {
                Some(Entry::Live(live)) => live.summary.releases.as_slice(),
                _ => &[],
            };
            self.gate().definition(value, id, &**snapshot, in_use)
        };
        let report = look();
        let unknown_release = report.errors.iter().any(|item| item.problem == "unknown-release");
        if unknown_release && self.catch_up().is_ok() {
            return look();
        }
        report
    }
}

/// The live revision with this number.
fn live_one(record: &WorkerTypeRecord, number: RevisionNumber) -> Option<Arc<RevisionRecord>> {
    let WorkerTypeState::Live { revision, older } = &record.state else { return None };
    [Some(revision), older.as_ref()].into_iter().flatten().find(|live| live.revision == number).cloned()
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
    let rollout = older.as_ref().map(|older| OpenRollout::read(older, revision));
    let body = answer::live(record, revision, rollout, pool).map_err(|error| corrupt(error.to_string()))?;
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
