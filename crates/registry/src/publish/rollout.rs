//! The end of a rollout: by an operator, or by itself when its time is over.

use super::decision::{Compared, lost_race};
use super::{Outcome, Publish, Published, ROUNDS, WriteContext, author, published};
use crate::answer::PoolView;
use crate::compatibility::Standing;
use crate::error::{ReadError, WriteError};
use crate::gate::GateReport;
use crate::live::Entry;
use crate::precondition::Precondition;
use crate::registry::Registry;
use crate::store::{Author, Change, EventRecord, StoreError, WorkerTypeRecord, WorkerTypeState};
use crate::time;
use crate::written::Commit;
use jiff::Timestamp;
use serde_json::Value;
use std::sync::Arc;
use worker_types::{RolloutEnd, RolloutPolicy, WorkerTypeId};

/// Who completes a rollout whose time is over.
const ITSELF: &str = "worker-manager";

impl Registry {
    /// Ends an open rollout: one of its two revisions is live alone. Aborting is the way out of an accident and refused for
    /// nothing; completing is held against the compatibility policy, as a publish of the newer definition would be.
    ///
    /// # Errors
    /// No precondition; nothing live; no open rollout; another state than the one that the precondition names; tasks that
    /// would newly be refused where that is not allowed; the database.
    pub async fn end_rollout(
        self: &Arc<Self>,
        id: WorkerTypeId,
        end: RolloutEnd,
        allow_breaking: bool,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        self.blocking(move |registry| registry.end_rollout_now(&id, end, allow_breaking, &context)).await
    }

    fn end_rollout_now(
        &self,
        id: &WorkerTypeId,
        end: RolloutEnd,
        allow_breaking: bool,
        context: &WriteContext,
    ) -> Result<Published, WriteError> {
        let Some(precondition) = context.precondition else { return Err(WriteError::PreconditionRequired) };
        let is_compared = end == RolloutEnd::Completed && !allow_breaking;
        let mut seen = None;
        for _ in 0..ROUNDS {
            let compared = is_compared.then(|| self.completion(id));
            let mut refusal = None;
            let mut is_stale = false;
            let changed = self.store.change_worker_type(id, &author(context), &mut |current| {
                seen = current.map(|record| record.generation);
                refusal = self.refuse_end(id, current).or_else(|| lost_race(id, current, precondition));
                is_stale = refusal.is_none() && compared.as_ref().is_some_and(|compared| compared.generation != seen);
                refusal = refusal.take().or_else(|| compared.as_ref().filter(|_| !is_stale)?.refusal(id));
                (refusal.is_none() && !is_stale).then_some(Change::EndRollout(end))
            })?;
            if is_stale {
                self.catch_up()?;
                continue;
            }
            if let Some(refusal) = refusal {
                return Err(refusal);
            }
            let (record, event) = changed.ok_or_else(|| self.unknown(id))?;
            self.note_ended(&record, end, event);
            return published(Outcome::Updated, &record, PoolView::of(&context.caller, id));
        }
        Err(WriteError::PreconditionFailed { id: id.clone(), current: seen })
    }

    /// What completing comes to, as this replica sees it: everything that is live held against the newer revision alone.
    fn completion(&self, id: &WorkerTypeId) -> Compared {
        let entry = self.snapshot().worker_types.get(id).cloned();
        let generation = entry.as_ref().map(|entry| entry.record().generation);
        let judgement = match entry.as_deref() {
            Some(Entry::Live(live)) if live.rollout.is_some() => {
                let definition = serde_json::from_str(&live.revision.definition).unwrap_or_default();
                self.judge(&Standing::of(live), &definition, RolloutPolicy::Immediate)
            }
            _ => None,
        };
        Compared { generation, judgement }
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
        allow_breaking: bool,
        context: WriteContext,
    ) -> Result<Published, WriteError> {
        self.blocking(move |registry| registry.change_rollout_now(&id, &rollout, allow_breaking, &context)).await
    }

    fn change_rollout_now(
        &self,
        id: &WorkerTypeId,
        rollout: &Value,
        allow_breaking: bool,
        context: &WriteContext,
    ) -> Result<Published, WriteError> {
        let Some(precondition) = context.precondition else { return Err(WriteError::PreconditionRequired) };
        let mut seen = None;
        for _ in 0..ROUNDS {
            let Some(current) = self.store.worker_type(id)? else { return Err(self.unknown(id).into()) };
            seen = Some(current.generation);
            if let Some(refusal) = self.refuse_end(id, Some(&current)) {
                return Err(refusal);
            }
            let WorkerTypeState::Live { revision, .. } = &current.state else { return Err(self.unknown(id).into()) };
            let mut definition: Value = serde_json::from_str(&revision.definition).map_err(|error| {
                let what = format!("revision {} of {id}", revision.revision);
                StoreError::Corrupt { what, message: error.to_string() }
            })?;
            definition["rollout"] = rollout.clone();
            let publish = Publish { definition, replace_rollout: true, allow_breaking, ..Publish::default() };
            // Whatever is there: then it is this generation's definition that is published again, and no other's.
            let any = precondition == Precondition::Any;
            let meant = if any { Precondition::Generation(current.generation) } else { precondition };
            let context = WriteContext { precondition: Some(meant), ..context.clone() };
            match self.publish_shown(id, publish, &context, PoolView::of(&context.caller, id)) {
                Err(WriteError::PreconditionFailed { .. }) if any => {}
                Err(WriteError::InvalidDefinition(report)) => {
                    return Err(WriteError::InvalidDefinition(of_rollout(report)));
                }
                done => return done,
            }
        }
        Err(WriteError::PreconditionFailed { id: id.clone(), current: seen })
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
        if let Some((record, event)) = changed {
            self.note_ended(&record, RolloutEnd::Completed, event);
        }
        Ok(())
    }

    fn note_ended(&self, record: &WorkerTypeRecord, end: RolloutEnd, event: EventRecord) {
        let (id, generation, live) = (record.id.as_str(), record.generation.0, live_number(record));
        tracing::info!(worker_type.id = id, generation, revision.number = live, end = end.verb(), "a rollout ended");
        self.catch_up_with(Commit { record: record.clone(), event, parsed: None });
    }
}

fn live_number(record: &WorkerTypeRecord) -> Option<u32> {
    match &record.state {
        WorkerTypeState::Live { revision, .. } => Some(revision.revision.0),
        WorkerTypeState::Deleted { .. } => None,
    }
}

/// The gate speaks of a definition; the caller sent its `rollout` alone. What is wrong elsewhere stands in the revision
/// that is published again, and not in what was sent.
fn of_rollout(mut report: GateReport) -> GateReport {
    for item in &mut report.errors {
        let inside = item.pointer.strip_prefix("/rollout");
        match inside.filter(|inside| inside.is_empty() || inside.starts_with('/')) {
            Some(inside) => {
                item.pointer = inside.to_owned();
                // The message names the same place.
                if let Some(rest) = item.message.strip_prefix("/rollout/") {
                    item.message = format!("/{rest}");
                }
            }
            None => {
                let place = if item.pointer.is_empty() { "" } else { &format!("{}: ", item.pointer) };
                item.message = format!("the newer revision cannot be published again: {place}{}", item.message);
                item.pointer.clear();
            }
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::of_rollout;
    use crate::gate::GateReport;
    use worker_types::Item;

    #[test]
    fn places_are_those_of_what_was_sent() {
        let errors = vec![
            Item::new("invalid-value", "/rollout/policy", "/rollout/policy: soon is no policy"),
            Item::new("unknown-release", "/variants/0/release", "there is no release w@1"),
        ];
        let report = of_rollout(GateReport { errors, ..GateReport::default() });
        let told: Vec<_> = report.errors.iter().map(|item| (item.pointer.as_str(), item.message.as_str())).collect();
        let elsewhere = "the newer revision cannot be published again: /variants/0/release: there is no release w@1";
        assert_eq!(told, [("/policy", "/policy: soon is no policy"), ("", elsewhere)]);
    }
}
