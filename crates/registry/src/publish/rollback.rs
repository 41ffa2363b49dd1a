//! Going back to an earlier revision, and deleting: what the gate is not asked about.

use super::decision::{Proposal, refuse_delete};
use super::{Deleted, Published, WriteContext, author};
use crate::answer::PoolView;
use crate::error::{ReadError, WriteError};
use crate::registry::Registry;
use crate::store::Change;
use crate::written::Commit;
use std::sync::Arc;
use worker_types::{Item, RevisionNumber, RolloutPolicy, WorkerTypeId};

impl Registry {
    /// Makes the content of an earlier revision live again, as a new revision. An open rollout ends with it.
    ///
    /// # Errors
    /// As [`Self::publish`], but for the gate and the compatibility policy: what was live once is taken as it is.
    pub async fn rollback(
        self: &Arc<Self>,
        id: WorkerTypeId,
        revision: RevisionNumber,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        self.blocking(move |registry| registry.rollback_now(&id, revision, &context)).await
    }

    pub(crate) fn rollback_now(
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
            definition: serde_json::from_str(&target.definition).unwrap_or_default(),
            content_hash: target.content_hash,
            text: target.definition,
            warnings: earlier_warnings(&target.warnings),
            rollout: RolloutPolicy::Immediate,
            replace_rollout: true,
            rollback_of: Some(number),
            // The way out of an accident is open at any time: the report is kept, and refuses nothing.
            allow_breaking: true,
            pool: PoolView::of(&context.caller, id),
        };
        self.write(id, context, &proposal, None, |_| None)
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
        let (record, event) = changed.ok_or_else(|| self.unknown(id))?;
        tracing::info!(worker_type.id = id.as_str(), generation = record.generation.0, "deleted");
        self.catch_up_with(Commit { record: record.clone(), event, parsed: None });
        Ok(Deleted { record })
    }
}

/// What the gate remarked when the revision was published. What its comparison said then is no longer true.
fn earlier_warnings(text: &str) -> Vec<Item> {
    let warnings: Vec<Item> = serde_json::from_str(text).unwrap_or_default();
    let compared = ["breaking-change", "compatibility-unknown", "not-checked-yet"];
    warnings.into_iter().filter(|item| !compared.contains(&item.problem.as_str())).collect()
}
