//! What authors would look for in vain in the documentation of a live worker type.

use super::scopes;
use crate::answer;
use crate::refusal;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpResponse, web};
use service::{Answer, Authorised, Id, Operation, Refusal};
use worker_types::{Problem, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "getDocumentationCoverage",
    path: "/worker-types/{provisionerId}/{workerType}/documentation-coverage",
    summary: "What authors would look for in vain: properties, examples and links that are not there",
    tag: "reading",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::json(200, "DocumentationCoverage", "What is documented, and what is not")],
    problems: &[Problem::UnknownWorkerType, Problem::Deleted],
    ..Operation::BLANK
};

pub(super) async fn get(_: Authorised, Id(id): Id<WorkerTypeId>, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let live = state.registry.live(&id).map_err(refusal::read)?;
    let registry = state.registry.clone();
    let coverage = web::block(move || registry.coverage(&live)).await.map_err(Refusal::internal)?;
    Ok(answer::json(&coverage))
}
