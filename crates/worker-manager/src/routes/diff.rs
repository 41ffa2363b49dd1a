//! What changed between two revisions, and whether tasks of the older are refused by the newer.

use super::scopes;
use crate::answer;
use crate::refusal;
use crate::shapes::RevisionDiff;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use service::{Answer, Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{Problem, RevisionNumber, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "diffRevisions",
    path: "/worker-types/{provisionerId}/{workerType}/diff",
    summary: "What changed between two revisions: a unified diff of their JSON, and what it does to tasks",
    tag: "history",
    access: scopes::GET,
    query: DiffQuery::FIELDS,
    answers: &[Answer::json(200, "Diff", "The difference")],
    problems: &[Problem::UnknownWorkerType, Problem::UnknownRevision, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) struct DiffQuery {
    from: RevisionNumber,
    to: RevisionNumber,
}

impl QueryFields for DiffQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::required("from", Kind::Integer(1, u32::MAX as u64), "The revision that the difference begins with"),
        Parameter::required("to", Kind::Integer(1, u32::MAX as u64), "The revision that it leads to"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let number = |name| values.parsed(name).map(|number| number.unwrap_or(RevisionNumber(1)));
        Ok(Self { from: number("from")?, to: number("to")? })
    }
}

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<DiffQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let diff = state.registry.diff(&caller, &id, query.from, query.to).await.map_err(refusal::read)?;
    Ok(answer::json(&RevisionDiff::of(&id, diff)))
}
