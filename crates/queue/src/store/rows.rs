//! Between rows and what they mean.

use crate::error::QueueError;
use crate::new_task::NewTask;
use crate::status::{Run, State, TaskStatus};
use crate::store::schema::{tasks, verdicts};
use crate::time;
use crate::verdict::{Action, KeptVerdict};
use diesel::{Insertable, Queryable, Selectable};
use std::fmt::Display;
use std::str::FromStr;

/// A row of `tasks` but for its definition.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = tasks)]
pub(crate) struct StatusRow {
    pub task_id: String,
    pub task_queue_id: String,
    pub task_group_id: String,
    pub scheduler_id: String,
    pub project_id: String,
    pub definition_hash: String,
    pub deadline: i64,
    pub expires: i64,
    pub retries_left: i64,
    pub state: String,
    pub runs: String,
}

/// A row of `tasks`, to be written.
#[derive(Insertable)]
#[diesel(table_name = tasks)]
pub(crate) struct NewTaskRow<'a> {
    task_id: &'a str,
    task_queue_id: &'a str,
    task_group_id: &'a str,
    scheduler_id: &'a str,
    project_id: &'a str,
    definition: String,
    definition_bytes: i64,
    definition_hash: &'a str,
    created: i64,
    deadline: i64,
    expires: i64,
    retries_left: i64,
    state: &'static str,
    runs: String,
}

/// A row of `verdicts`.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = verdicts, treat_none_as_default_value = false)]
pub(crate) struct VerdictRow {
    pub id: String,
    pub task_id: Option<String>,
    pub requested_id: String,
    pub task_queue_id: String,
    pub action: String,
    pub mode: Option<String>,
    pub outcome: String,
    pub verdict: String,
    pub at: i64,
}

impl<'a> NewTaskRow<'a> {
    /// The row of a task that waits for others, or of one with its first run.
    pub fn of(task: &'a NewTask, runs: &[Run]) -> Result<Self, QueueError> {
        let definition = text_of(&task.definition)?;
        Ok(Self {
            task_id: task.task_id.as_str(),
            task_queue_id: task.worker_type_id.as_str(),
            task_group_id: task.text("taskGroupId"),
            scheduler_id: task.text("schedulerId"),
            project_id: task.text("projectId"),
            definition_bytes: i64::try_from(definition.len()).unwrap_or(i64::MAX),
            definition,
            definition_hash: task.hash.as_str(),
            created: task.created.as_microsecond(),
            deadline: task.deadline.as_microsecond(),
            expires: task.expires.as_microsecond(),
            retries_left: task.retries(),
            state: state_name(runs.last().map_or(State::Unscheduled, |run| run.state)),
            runs: text_of(&runs)?,
        })
    }
}

impl StatusRow {
    /// Where the task stands.
    pub fn status(self) -> Result<TaskStatus, QueueError> {
        let what = || format!("task {}", self.task_id);
        let task_queue_id: worker_types::WorkerTypeId = parse(what, &self.task_queue_id)?;
        Ok(TaskStatus {
            task_id: parse(what, &self.task_id)?,
            provisioner_id: task_queue_id.provisioner_id().to_owned(),
            worker_type: task_queue_id.worker_type().to_owned(),
            task_queue_id,
            runs: from_text(what, &self.runs)?,
            state: match self.state.as_str() {
                "unscheduled" => State::Unscheduled,
                "pending" => State::Pending,
                other => return Err(corrupt(what(), &format!("the state {other:?} is not known"))),
            },
            scheduler_id: self.scheduler_id,
            project_id: self.project_id,
            task_group_id: self.task_group_id,
            deadline: time::format(time::from_row(self.deadline)),
            expires: time::format(time::from_row(self.expires)),
            retries_left: self.retries_left,
        })
    }
}

impl VerdictRow {
    /// The row of a verdict.
    pub fn of(kept: &KeptVerdict) -> Result<Self, QueueError> {
        Ok(Self {
            id: uuid::Uuid::new_v4().simple().to_string(),
            task_id: (kept.action != Action::Refused).then(|| kept.task_id.to_string()),
            requested_id: kept.task_id.to_string(),
            task_queue_id: kept.verdict.worker_type_id.to_string(),
            action: kept.action.as_str().to_owned(),
            mode: kept.mode.map(|mode| mode.as_str().to_owned()),
            outcome: kept.verdict.verdict.as_str().to_owned(),
            verdict: text_of(&kept.verdict)?,
            at: kept.at.as_microsecond(),
        })
    }

    /// The verdict.
    pub fn verdict(self) -> Result<KeptVerdict, QueueError> {
        let what = || format!("verdict {}", self.id);
        Ok(KeptVerdict {
            task_id: parse(what, &self.requested_id)?,
            action: parse(what, &self.action)?,
            mode: self.mode.as_deref().map(|mode| parse(what, mode)).transpose()?,
            verdict: from_text(what, &self.verdict)?,
            at: time::from_row(self.at),
        })
    }
}

/// How a row spells a state.
pub(crate) fn state_name(state: State) -> &'static str {
    match state {
        State::Unscheduled => "unscheduled",
        State::Pending => "pending",
    }
}

fn text_of(value: &impl serde::Serialize) -> Result<String, QueueError> {
    serde_json::to_string(value).map_err(|error| corrupt("a value to be written".to_owned(), &error))
}

/// JSON of a row.
pub(crate) fn from_text<T: serde::de::DeserializeOwned>(
    what: impl Fn() -> String,
    text: &str,
) -> Result<T, QueueError> {
    serde_json::from_str(text).map_err(|error| corrupt(what(), &error))
}

/// An id or a word of a row.
pub(crate) fn parse<T: FromStr<Err: Display>>(what: impl Fn() -> String, text: &str) -> Result<T, QueueError> {
    text.parse().map_err(|error: T::Err| corrupt(what(), &error))
}

/// A row that cannot be read.
pub(crate) fn corrupt(what: String, error: &dyn Display) -> QueueError {
    QueueError::Corrupt { what, message: error.to_string() }
}
