//! One worker type: what is live, and its end.

use super::scopes;
use crate::answer;
use crate::precondition::{HEADERS, Writing};
use crate::refusal;
use crate::shapes::Tombstone;
use crate::state::State;
use actix_web::http::{StatusCode, header};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use service::{
    Access, Answer, Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal, Verb,
};
use worker_types::{Problem, WorkerTypeId};

pub(super) const PATH: &str = "/worker-types/{provisionerId}/{workerType}";

pub(super) static GET: Operation = Operation {
    id: "getWorkerType",
    path: PATH,
    summary: "The definition that is live",
    tag: "worker-types",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    answers: &[
        Answer::json(200, "WorkerType", "The live definition; ETag \"g<generation>\""),
        Answer::empty(304, "The client has it"),
    ],
    problems: &[Problem::UnknownWorkerType, Problem::Deleted],
    ..Operation::BLANK
};

pub(super) static DELETE: Operation = Operation {
    id: "deleteWorkerType",
    method: Verb::Delete,
    path: PATH,
    summary: "Leave a tombstone; the history stays",
    tag: "worker-types",
    access: Access::Scope("worker-manager:delete:<workerTypeId>"),
    query: DeleteQuery::FIELDS,
    headers: HEADERS,
    answers: &[Answer::json(200, "Tombstone", "It is deleted")],
    problems: &[
        Problem::UnknownWorkerType,
        Problem::Deleted,
        Problem::InvalidHeader,
        Problem::PreconditionRequired,
        Problem::PreconditionFailed,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) struct DeleteQuery {
    message: Option<String>,
}

impl QueryFields for DeleteQuery {
    const FIELDS: &'static [Parameter] =
        &[Parameter::optional("message", Kind::Line(1_000), "Why; the history says it where a rollout ends with it")];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { message: values.owned("message") })
    }
}

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let document = state.registry.definition(&caller, &id).await.map_err(refusal::read)?;
    Ok(answer::live(&request, &document, "application/json"))
}

pub(super) async fn delete(
    writing: Writing,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<DeleteQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let deleted = state.registry.delete(id, writing.because(query.message)).await.map_err(refusal::write)?;
    let etag = (header::ETAG, format!("\"g{}\"", deleted.record.generation));
    Ok(answer::written(&state, StatusCode::OK).insert_header(etag).json(Tombstone::of(&deleted.record)))
}
