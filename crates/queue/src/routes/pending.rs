//! `GET /task-queues/{taskQueueId}/pending`: Taskcluster's `listPendingTasks`.

use crate::queue::Queue;
use crate::routes::continuation;
use crate::routes::tasks::Paged;
use ::service::{Authorised, Id, Query, Refusal};
use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;
use worker_types::{Object, TaskId, WorkerTypeId};

/// Tasks that wait for a worker.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingTasks {
    /// In the order of their ids.
    tasks: Vec<PendingTask>,
    /// There are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    continuation_token: Option<String>,
}

/// A task that waits for a worker.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PendingTask {
    #[schema(value_type = String)]
    task_id: TaskId,
    /// The run that waits.
    run_id: u32,
    /// Since when: RFC 3339, UTC.
    inserted: String,
    /// The definition.
    task: Object,
}

pub(crate) async fn pending(
    queue: web::Data<Queue>,
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(paged): Query<Paged>,
) -> Result<HttpResponse, Refusal> {
    let refusal = |error| queue.refusal(error);
    let asked = ("pending", id.as_str());
    let after: Option<TaskId> = match &paged.continuation_token {
        Some(token) => Some(continuation::read(&asked, token).map_err(refusal)?),
        None => None,
    };
    let (found, next) = queue.pending(id.clone(), after, paged.limit).await.map_err(refusal)?;
    let continuation_token = next.map(|next| continuation::write(&asked, &next)).transpose().map_err(refusal)?;
    let tasks = found.into_iter().filter_map(|(status, task)| {
        let run = status.runs.last()?;
        Some(PendingTask { run_id: run.run_id, inserted: run.scheduled.clone(), task_id: status.task_id, task })
    });
    Ok(HttpResponse::Ok().json(PendingTasks { tasks: tasks.collect(), continuation_token }))
}
