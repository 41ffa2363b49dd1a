//! `PUT /task/{taskId}`

use crate::queue::Queue;
use crate::routes::task::TaskStatusResponse;
use crate::verdict::{Action, KeptVerdict};
use ::service::{Authorised, Id, JsonBody, Refusal};
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use worker_types::TaskId;

/// The header that carries the verdict in short.
pub(crate) const PAYLOAD_VERDICT: header::HeaderName = header::HeaderName::from_static("payload-verdict");

pub(crate) async fn create_task(
    queue: web::Data<Queue>,
    caller: Authorised,
    Id(task_id): Id<TaskId>,
    JsonBody(body): JsonBody,
) -> Result<HttpResponse, Refusal> {
    let created = queue.create_task(&caller, task_id, body).await.map_err(|error| queue.refusal(error))?;
    let mut response = HttpResponse::Ok();
    response.insert_header((PAYLOAD_VERDICT, created.verdict.header()));
    if created.verdict.action == Action::Warned {
        response.insert_header((header::LINK, queue.described_by(&created.verdict)));
    }
    Ok(response.json(TaskStatusResponse { status: created.status }))
}

impl Queue {
    /// The value of `Link` (RFC 8288) that leads to what the worker type accepts.
    pub(crate) fn described_by(&self, kept: &KeptVerdict) -> String {
        let root = self.settings().root_url.trim_end_matches('/');
        let id = &kept.verdict.worker_type_id;
        format!("<{root}/api/worker-manager/v1/worker-types/{id}/validation>; rel=\"describedby\"")
    }
}
