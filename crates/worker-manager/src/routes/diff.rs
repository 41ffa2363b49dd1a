//! What changed between two revisions, and whether tasks of the older are refused by the newer.

use super::scopes;
use crate::answer;
use crate::diff_query::DiffQuery;
use crate::refusal;
use crate::shapes::RevisionDiff;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use service::{Answer, Authorised, Id, Operation, Query, QueryFields, Refusal};
use worker_types::{Problem, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "diffRevisions",
    path: "/worker-types/{provisionerId}/{workerType}/diff",
    summary: "What changed between two revisions: a unified diff of their JSON, and what it does to tasks",
    tag: "history",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    query: DiffQuery::FIELDS,
    answers: &[Answer::json(200, "Diff", "The difference")],
    problems: &[Problem::UnknownWorkerType, Problem::UnknownRevision, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<DiffQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let diff = state.registry.diff(&caller, &id, query.from, query.to).await.map_err(refusal::read)?;
    Ok(answer::json(&RevisionDiff::of(&id, diff)))
}
