//! The end of a rollout: by an operator, or by itself when its time is over.

use super::{Outcome, Publish, Published, WriteContext, author, published};
use crate::answer::PoolView;
use crate::error::{ReadError, WriteError};
use crate::live::Entry;
use crate::precondition::Precondition;
use crate::registry::Registry;
use crate::store::{Author, Change, WorkerTypeRecord, WorkerTypeState};
use crate::time;
use jiff::Timestamp;
use serde_json::Value;
use std::sync::Arc;
use worker_types::{RolloutEnd, WorkerTypeId};

/// Who completes a rollout whose time is over.
const ITSELF: &str = "worker-manager";

impl Registry {
    /// Ends an open rollout: one of its two revisions is live alone.
    ///
    /// # Errors
    /// No precondition; nothing live; another state than the one that the precondition names; no open rollout; the
    /// database.
    pub async fn end_rollout(
        self: &Arc<Self>,
        id: WorkerTypeId,
        end: RolloutEnd,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        self.blocking(move |registry| registry.end_rollout_now(&id, end, &context)).await
    }

    fn end_rollout_now(
        &self,
        id: &WorkerTypeId,
        end: RolloutEnd,
        context: &WriteContext,
    ) -> Result<Published, WriteError> {
        let Some(precondition) = context.precondition else { return Err(WriteError::PreconditionRequired) };
        let mut refusal = None;
        let changed = self.store.change_worker_type(id, &author(context), &mut |current| {
            refusal = self.refuse_end(id, current);
            if refusal.is_none() && !precondition.holds(current) {
                let current = current.map(|record| record.generation);
                refusal = Some(WriteError::PreconditionFailed { id: id.clone(), current });
            }
            refusal.is_none().then_some(Change::EndRollout(end))
        })?;
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let (record, _) = changed.ok_or_else(|| self.unknown(id))?;
        self.note_ended(&record, end);
        let pool = if context.caller.may_see_pool(id) { PoolView::Shown } else { PoolView::Hidden };
        published(Outcome::Updated, &record, pool)
    }

    fn refuse_end(&self, id: &WorkerTypeId, current: Option<&WorkerTypeRecord>) -> Option<WriteError> {
        let Some(record) = current else { return Some(self.unknown(id).into()) };
        match record.state {
            WorkerTypeState::Live { older: Some(_), .. } => None,
            WorkerTypeState::Live { older: None, .. } => Some(WriteError::NoRollout(id.clone())),
            WorkerTypeState::Deleted { .. } => {
                let (last_revision, generation) = (record.last_revision, record.generation);
                Some(ReadError::Deleted { id: id.clone(), last_revision, generation }.into())
            }
        }
    }

    /// Publishes the newer revision's definition again with another `rollout`, in its place.
    ///
    /// # Errors
    /// As [`Self::end_rollout`]; a `rollout` that a definition could not have; what the compatibility policy refuses.
    pub async fn change_rollout(
        self: &Arc<Self>,
        id: WorkerTypeId,
        rollout: Value,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        self.blocking(move |registry| registry.change_rollout_now(&id, rollout, context)).await
    }

    fn change_rollout_now(
        &self,
        id: &WorkerTypeId,
        rollout: Value,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        let Some(precondition) = context.precondition else { return Err(WriteError::PreconditionRequired) };
        let current = self.store.worker_type(id)?;
        if let Some(refusal) = self.refuse_end(id, current.as_ref()) {
            return Err(refusal);
        }
        let Some(current) = current else { return Err(self.unknown(id).into()) };
        if !precondition.holds(Some(&current)) {
            return Err(WriteError::PreconditionFailed { id: id.clone(), current: Some(current.generation) });
        }
        let WorkerTypeState::Live { revision, .. } = &current.state else { return Err(self.unknown(id).into()) };
        let mut definition: Value = serde_json::from_str(&revision.definition).unwrap_or_default();
        definition["rollout"] = rollout;
        let publish = Publish { definition, replace_rollout: true, ..Publish::default() };
        // It is this generation's definition that is published again, and no other's.
        let context = WriteContext { precondition: Some(Precondition::Generation(current.generation)), ..context };
        let pool = if context.caller.may_see_pool(id) { PoolView::Shown } else { PoolView::Hidden };
        self.publish_shown(id, publish, &context, pool)
    }

    /// Completes every rollout whose time is over. Of many replicas that see so, the first does it: the others find another
    /// generation under the lock, and leave it. Blocks.
    pub(crate) fn complete_due_rollouts(&self, now: Timestamp) {
        let snapshot = self.snapshot();
        for (id, due) in snapshot.worker_types.rollouts() {
            if due.is_some_and(|due| due <= now)
                && let Some(Entry::Live(live)) = snapshot.worker_types.get(id).map(|entry| &**entry)
                && let Err(error) = self.complete(&live.record)
            {
                tracing::warn!(worker_type.id = id.as_str(), %error, "a rollout could not be completed; it is tried again");
            }
        }
    }

    fn complete(&self, seen: &WorkerTypeRecord) -> Result<(), WriteError> {
        let message = Some("its time (completeAfter) is over".to_owned());
        let author = Author { name: ITSELF.to_owned(), at: time::now(), message, request_id: None };
        let changed = self.store.change_worker_type(&seen.id, &author, &mut |current| {
            let same = current.is_some_and(|current| current.generation == seen.generation);
            same.then_some(Change::EndRollout(RolloutEnd::Completed))
        })?;
        if let Some((record, _)) = changed {
            self.note_ended(&record, RolloutEnd::Completed);
        }
        Ok(())
    }

    fn note_ended(&self, record: &WorkerTypeRecord, end: RolloutEnd) {
        let (id, generation) = (record.id.as_str(), record.generation.0);
        tracing::info!(worker_type.id = id, generation, ?end, "a rollout ended");
        self.catch_up_after_write();
    }
}
