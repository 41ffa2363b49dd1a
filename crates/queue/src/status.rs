//! Where a task stands: Taskcluster's `queue/v1/task-status`.

use crate::time;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use worker_types::{TaskId, WorkerTypeId};

/// The state of a task or of a run, as far as this queue takes tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits for other tasks. Of tasks only.
    Unscheduled,
    /// It waits for a worker.
    Pending,
}

/// Where a task stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskStatus {
    /// Which task.
    #[schema(value_type = String, example = "fN1SbArXTPSVFNUvaOlinQ")]
    pub task_id: TaskId,
    /// The first half of `taskQueueId`.
    pub provisioner_id: String,
    /// The second half of `taskQueueId`.
    pub worker_type: String,
    /// The worker type whose workers may take it.
    #[schema(value_type = String, example = "proj-build/linux-large")]
    pub task_queue_id: WorkerTypeId,
    /// Who made the task group.
    pub scheduler_id: String,
    /// For permissions and reports.
    pub project_id: String,
    /// The group that it belongs to.
    pub task_group_id: String,
    /// When it must be done: RFC 3339, UTC.
    pub deadline: String,
    /// When it is forgotten: RFC 3339, UTC.
    pub expires: String,
    /// How often it may still be tried again.
    pub retries_left: i64,
    /// That of the last run, or `unscheduled`.
    pub state: State,
    /// In order of their ids, which start at 0.
    pub runs: Vec<Run>,
}

/// One attempt at a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// From 0.
    pub run_id: u32,
    /// Where it stands.
    pub state: State,
    /// Why it came into being.
    pub reason_created: RunReason,
    /// When it came into being: RFC 3339, UTC.
    pub scheduled: String,
}

/// Why a run came into being.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunReason {
    /// Nothing was left to wait for.
    Scheduled,
}

impl Run {
    /// The first run of a task that waits for no other.
    pub(crate) fn first(scheduled: Timestamp) -> Self {
        Self {
            run_id: 0,
            state: State::Pending,
            reason_created: RunReason::Scheduled,
            scheduled: time::format(scheduled),
        }
    }
}
