//! The queue over HTTP: a handler for each row of the table.

mod continuation;
mod create_task;
mod payload_schema;
mod payload_verdicts;
mod pending;
mod problems;
mod recorded_tasks;
mod task;
mod tasks;

pub(crate) use payload_schema::EnforcedSchema;
pub(crate) use payload_verdicts::PayloadVerdicts;
pub(crate) use pending::PendingTasks;
pub(crate) use task::{KeptVerdictBody, TaskStatusResponse};
pub(crate) use tasks::TasksResponse;

use crate::operations;
use ::service::Api;

/// Binds the handlers.
pub(crate) fn bind(api: Api) -> Api {
    api.on(&operations::CREATE_TASK, create_task::create_task)
        .on(&operations::TASK, task::task)
        .on(&operations::STATUS, task::status)
        .on(&operations::TASK_VALIDATION, task::validation)
        .on(&operations::TASKS, tasks::tasks)
        .on(&operations::PAYLOAD_VERDICTS, payload_verdicts::payload_verdicts)
        .on(&operations::PAYLOAD_SCHEMA, payload_schema::payload_schema)
        .on(&operations::LIST_PENDING_TASKS, pending::pending)
        .on(&operations::RECORDED_TASKS, recorded_tasks::recorded_tasks)
}
