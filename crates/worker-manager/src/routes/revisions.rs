//! The history of a worker type, also of a deleted one.

use super::scopes;
use crate::answer::{self, Freshness, document_response};
use crate::shapes::RevisionList;
use crate::state::State;
use crate::{refusal, token};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use service::{Answer, Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{Problem, RevisionNumber, WorkerTypeId};

pub(super) static LIST: Operation = Operation {
    id: "listRevisions",
    path: "/worker-types/{provisionerId}/{workerType}/revisions",
    summary: "The history, newest first",
    tag: "history",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    query: RevisionsQuery::FIELDS,
    answers: &[Answer::json(200, "RevisionList", "A page")],
    problems: &[Problem::UnknownWorkerType, Problem::InvalidContinuation, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) static GET: Operation = Operation {
    id: "getRevision",
    path: "/worker-types/{provisionerId}/{workerType}/revisions/{revision}",
    summary: "One revision; it never changes",
    tag: "history",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::json(200, "Revision", "It"), Answer::empty(304, "The client has it")],
    problems: &[Problem::UnknownWorkerType, Problem::UnknownRevision, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) struct RevisionsQuery {
    limit: Option<usize>,
    continuation: Option<String>,
}

impl QueryFields for RevisionsQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("limit", Kind::Integer(1, 1_000), "Entries on a page (100)"),
        Parameter::optional("continuationToken", Kind::Text, "From the page before"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { limit: values.parsed("limit")?, continuation: values.owned("continuationToken") })
    }
}

pub(super) async fn list(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<RevisionsQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let before = query.continuation.map(|given| token::decode(&given, &id)).transpose()?;
    let page = state.registry.revisions(&id, before, query.limit.unwrap_or(100)).await.map_err(refusal::read)?;
    Ok(answer::json(&RevisionList::of(&id, &page)))
}

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    Id(revision): Id<RevisionNumber>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let document = state.registry.revision(&caller, &id, revision).await.map_err(refusal::read)?;
    let everybody = !caller.may_see_pool(&id);
    let freshness = if everybody { Freshness::Immutable } else { Freshness::ImmutableForCaller };
    Ok(document_response(&request, &document, "application/json", freshness))
}
