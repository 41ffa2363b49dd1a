//! Going back: the content of an earlier revision becomes live again, as a new revision.

use super::scopes;
use crate::answer;
use crate::precondition::{HEADERS, Writing};
use crate::refusal;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::Value;
use service::{Answer, Body, BodyLimit, Id, JsonBody, Operation, Refusal, Verb};
use worker_types::{Item, Problem, RevisionNumber, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "rollbackWorkerType",
    method: Verb::Post,
    path: "/worker-types/{provisionerId}/{workerType}/rollback",
    summary: "Make the content of an earlier revision live again, as a new revision",
    tag: "history",
    access: scopes::PUBLISH,
    headers: HEADERS,
    body: Some(Body {
        media: Body::JSON,
        schema: Some("RollbackRequest"),
        limit: BodyLimit { setting: "max_request_bytes", default: 64 << 10 },
        description: "Which revision, and why.",
    }),
    answers: &[
        Answer::json(200, "WorkerType", "It is live; or it was already"),
        Answer::json(201, "WorkerType", "The worker type came back from its tombstone"),
    ],
    problems: &[
        Problem::InvalidRequest,
        Problem::InvalidHeader,
        Problem::UnknownWorkerType,
        Problem::UnknownRevision,
        Problem::PreconditionRequired,
        Problem::PreconditionFailed,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) async fn post(
    writing: Writing,
    Id(id): Id<WorkerTypeId>,
    body: JsonBody,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let (revision, message) = read(body)?;
    let published = state.registry.rollback(id.clone(), revision, writing.because(message)).await;
    Ok(answer::published(&state, &id, published.map_err(refusal::write)?, false))
}

fn read(body: JsonBody) -> Result<(RevisionNumber, Option<String>), Refusal> {
    let mut fields = body.fields(&["revision", "message"])?;
    let revision = fields.get("revision").and_then(Value::as_u64).filter(|number| *number > 0);
    let revision = revision.and_then(|number| u32::try_from(number).ok()).map(RevisionNumber);
    let revision =
        revision.ok_or_else(|| invalid("/revision", "must be the number of a revision, an integer from 1"))?;
    let message = match fields.remove("message") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) if text.chars().count() <= 1_000 && !text.chars().any(char::is_control) => Some(text),
        Some(_) => return Err(invalid("/message", "must be one line of at most 1000 characters")),
    };
    Ok((revision, message))
}

fn invalid(pointer: &str, rule: &str) -> Refusal {
    let message = format!("{pointer} {rule}");
    Refusal::new(Problem::InvalidRequest, message.clone()).errors([Item::new("invalid-value", pointer, message)])
}
