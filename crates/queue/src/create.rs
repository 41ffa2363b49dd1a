//! Creating a task, in the order that Taskcluster's queue keeps: shape, names, dependencies, scopes; then whether the task
//! exists; then times; and the payload before anything is written.

use crate::definition;
use crate::error::{BrokenRule, QueueError};
use crate::new_task::NewTask;
use crate::queue::Queue;
use crate::settings::UnknownWorkerType;
use crate::status::TaskStatus;
use crate::store::{Creation, RecordedTask, StoredTask};
use crate::verdict::{Action, KeptVerdict};
use crate::{metrics, redaction, scopes};
use serde_json::Value;
use worker_types::{Caller, Task, TaskError, TaskId, UncheckedReason, ValidationMode, Verdict};

/// A task that exists now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Where it stands.
    pub status: TaskStatus,
    /// The verdict that it was created with.
    pub verdict: KeptVerdict,
}

impl Queue {
    /// Creates the task `task_id` as `body` defines it. The same request again is answered as the first was, whatever the
    /// worker type accepts by then.
    ///
    /// # Errors
    /// What is wrong with the request; the verdict of a worker type that does not accept it; what the database says. No
    /// state of worker-manager makes it fail.
    pub async fn create_task(&self, caller: &Caller, task_id: TaskId, body: Value) -> Result<Created, QueueError> {
        let faults = definition::check(&body);
        if !faults.items.is_empty() {
            return Err(QueueError::NotADefinition(faults));
        }
        // What the worker type is asked about is the task as its author wrote it, with defaults: the same that
        // `validate` sees.
        let task = Task::normalised(body).map_err(|error| names_refused(&error))?;
        let new_task = NewTask::read(task_id, &task)?;
        new_task.check_dependency_count(self.settings().max_dependencies)?;
        scopes::check(caller, &new_task)?;
        let existing = self.store().task(new_task.task_id.clone()).await?;
        if let Some(existing) = existing.as_ref().filter(|existing| existing.hash == new_task.hash) {
            return self.created_before(existing.clone()).await;
        }
        new_task.check_times(self.now())?;
        new_task.check_scopes()?;
        if existing.is_some() {
            return self.conflict(&new_task).await;
        }
        self.create_judged(&task, new_task).await
    }

    async fn create_judged(&self, task: &Task, new_task: NewTask) -> Result<Created, QueueError> {
        let verdict = self.judge(task).await;
        let kept = KeptVerdict::decide(new_task.task_id.clone(), verdict, self.settings(), self.now());
        if kept.action == Action::Refused {
            metrics::judged(&kept);
            self.keep_refusal(&kept).await;
            return Err(QueueError::NotAccepted(Box::new(kept)));
        }
        match self.store().create(new_task.clone(), kept.clone(), self.record(&new_task), kept.at).await? {
            Creation::Created(stored) => {
                metrics::judged(&kept);
                Ok(Created { status: stored.status, verdict: kept })
            }
            Creation::Found(stored) if stored.hash == new_task.hash => self.created_before(stored).await,
            Creation::Found(_) => self.conflict(&new_task).await,
        }
    }

    /// What is kept of the task for replays.
    fn record(&self, task: &NewTask) -> Option<RecordedTask> {
        let recording = &self.settings().recording;
        (recording.at_most > 0).then(|| RecordedTask {
            task_id: task.task_id.clone(),
            worker_type_id: task.worker_type_id.clone(),
            task: Value::Object(redaction::redacted(&task.definition, &recording.redacted)).to_string(),
            at: self.now(),
        })
    }

    /// What the worker type says of the task, as far as this queue's settings ask for it.
    async fn judge(&self, task: &Task) -> Verdict {
        let settings = self.settings();
        let is_off = settings.max_validation == ValidationMode::Off;
        let off = || Verdict::unchecked(task.worker_type_id().clone(), UncheckedReason::Off);
        if is_off && settings.unknown_worker_type == UnknownWorkerType::Allow {
            return off();
        }
        let verdict = self.gate().check(task).await;
        let does_not_exist =
            matches!(verdict.reason, Some(UncheckedReason::UnknownWorkerType | UncheckedReason::Deleted));
        if is_off && !does_not_exist { off() } else { verdict }
    }

    /// The answer holds without its record.
    async fn keep_refusal(&self, kept: &KeptVerdict) {
        if let Err(error) = self.store().keep_refusal(kept.clone()).await {
            tracing::warn!(task.id = %kept.task_id, %error, "a task was refused, and there is no record of it");
        }
    }

    async fn created_before(&self, stored: StoredTask) -> Result<Created, QueueError> {
        let task_id = stored.status.task_id.clone();
        let verdict = self.verdict_of(task_id).await?;
        Ok(Created { status: stored.status, verdict })
    }

    async fn conflict(&self, new_task: &NewTask) -> Result<Created, QueueError> {
        let task_id = new_task.task_id.clone();
        let existing = self.definition_of(task_id.clone()).await?.unwrap_or_default();
        let names = existing.keys().chain(new_task.definition.keys().filter(|name| !existing.contains_key(*name)));
        let differing = names.filter(|name| differs(existing.get(*name), new_task.definition.get(*name)));
        Err(QueueError::TaskConflict { differing: differing.cloned().collect(), task_id })
    }
}

fn differs(one: Option<&Value>, other: Option<&Value>) -> bool {
    one.map(worker_types::canonical_json) != other.map(worker_types::canonical_json)
}

/// In Taskcluster's words where it has any.
fn names_refused(error: &TaskError) -> QueueError {
    let message = match error {
        TaskError::Disagree { task_queue_id, joined } => format!(
            "taskQueueId must match \"provisionerId/workerType\": {task_queue_id} is not {joined}; leave one of them out"
        ),
        TaskError::NoWorkerType => {
            "at least a provisionerId and a workerType or a taskQueueId must be provided".to_owned()
        }
        other => other.to_string(),
    };
    let mut item = error.item();
    item.message.clone_from(&message);
    BrokenRule { message, errors: vec![item] }.into()
}
