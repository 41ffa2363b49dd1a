//! `GET /task/{taskId}`, `…/status` and `…/validation`

use crate::openapi::VerdictFields;
use crate::queue::Queue;
use crate::status::TaskStatus;
use crate::time;
use crate::verdict::{Action, KeptVerdict};
use ::service::{Authorised, Id, Refusal};
use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;
use worker_types::{TaskId, ValidationMode, Verdict};

/// Where a task stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TaskStatusResponse {
    pub(crate) status: TaskStatus,
}

/// A verdict, and what it led to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeptVerdictBody {
    /// The task, which does not exist if it was refused.
    #[schema(value_type = String, example = "fN1SbArXTPSVFNUvaOlinQ")]
    pub(crate) task_id: TaskId,
    /// What became of it.
    pub(crate) action: Action,
    /// The mode that counted: the worker type's, capped by the queue's.
    pub(crate) mode: Option<ValidationMode>,
    /// When the verdict was made: RFC 3339, UTC.
    pub(crate) checked_at: String,
    /// The verdict, with the fields that `validate` of worker-manager answers.
    #[serde(flatten)]
    #[schema(inline = false, value_type = VerdictFields)]
    pub(crate) verdict: Verdict,
}

impl From<KeptVerdict> for KeptVerdictBody {
    fn from(kept: KeptVerdict) -> Self {
        let checked_at = time::format(kept.at);
        Self { task_id: kept.task_id, action: kept.action, mode: kept.mode, checked_at, verdict: kept.verdict }
    }
}

pub(crate) async fn task(
    queue: web::Data<Queue>,
    _: Authorised,
    Id(task_id): Id<TaskId>,
) -> Result<HttpResponse, Refusal> {
    let definition = queue.definition(task_id).await.map_err(|error| queue.refusal(error))?;
    Ok(HttpResponse::Ok().json(definition))
}

pub(crate) async fn status(
    queue: web::Data<Queue>,
    _: Authorised,
    Id(task_id): Id<TaskId>,
) -> Result<HttpResponse, Refusal> {
    let status = queue.status(task_id).await.map_err(|error| queue.refusal(error))?;
    Ok(HttpResponse::Ok().json(TaskStatusResponse { status }))
}

pub(crate) async fn validation(
    queue: web::Data<Queue>,
    _: Authorised,
    Id(task_id): Id<TaskId>,
) -> Result<HttpResponse, Refusal> {
    let kept = queue.verdict_of(task_id).await.map_err(|error| queue.refusal(error))?;
    Ok(HttpResponse::Ok().json(KeptVerdictBody::from(kept)))
}
