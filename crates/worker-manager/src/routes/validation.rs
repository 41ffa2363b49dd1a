//! The validation bundle: everything that decides whether the worker type accepts a task, in one document.

use super::scopes;
use crate::answer;
use crate::refusal;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use service::{Answer, Authorised, Id, Operation, Refusal};
use worker_types::{Problem, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "getValidation",
    path: "/worker-types/{provisionerId}/{workerType}/validation",
    summary: "What gates evaluate: mode, live revisions, variants and schemas in one document",
    tag: "reading",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::json(200, "Bundle", "The bundle"), Answer::empty(304, "The client has it")],
    problems: &[Problem::UnknownWorkerType, Problem::Deleted],
    ..Operation::BLANK
};

pub(super) async fn get(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let live = state.registry.live(&id).map_err(refusal::read)?;
    let document = state.registry.validation(&live).await.map_err(refusal::read)?;
    Ok(answer::live(&request, &document, "application/json"))
}
