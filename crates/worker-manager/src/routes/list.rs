//! The list of worker types: the labels that an author can use.

use crate::after_a_write;
use crate::answer;
use crate::refusal;
use crate::shapes::WorkerTypeList;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpResponse, web};
use registry::ListFilter;
use service::{Access, Answer, Authorised, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{LifecycleState, Problem};

pub(super) static ROW: Operation = Operation {
    id: "listWorkerTypes",
    path: "/worker-types",
    summary: "The worker types that are live, in the order of their ids",
    tag: "worker-types",
    access: Access::Scope("worker-manager:list"),
    waits: super::AFTER_A_WRITE,
    query: ListQuery::FIELDS,
    answers: &[Answer::json(200, "WorkerTypeList", "A page, and the cursor from which to watch on")],
    problems: &[Problem::InvalidContinuation],
    ..Operation::BLANK
};

pub(super) struct ListQuery {
    filter: ListFilter,
    limit: Option<usize>,
    continuation: Option<String>,
}

impl QueryFields for ListQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("query", Kind::Text, "Words that all stand in the id, the description, the owner or a tag"),
        Parameter::optional("provisionerId", Kind::Text, "The part of the id before the slash"),
        Parameter::optional("implementation", Kind::Text, "A variant runs this implementation"),
        Parameter::optional("release", Kind::Text, "A variant comes from this release (name@version)"),
        Parameter::optional("lifecycle", Kind::OneOf(LifecycleState::NAMES), "Where it stands in its life"),
        Parameter::optional("tag", Kind::Text, "It has this tag"),
        Parameter::optional(
            "documented",
            Kind::OneOf(&["complete", "incomplete"]),
            "Whether authors find everything (see documentation-coverage)",
        ),
        Parameter::optional("limit", Kind::Integer(1, 1_000), "Entries on a page (1000)"),
        Parameter::optional("continuationToken", Kind::Text, "From the page before, with the same query"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let filter = ListFilter {
            query: values.owned("query"),
            provisioner_id: values.owned("provisionerId"),
            implementation: values.owned("implementation"),
            release: values.owned("release"),
            lifecycle: values.parsed("lifecycle")?,
            tag: values.owned("tag"),
            documented: values.text("documented").map(|word| word == "complete"),
        };
        Ok(Self { filter, limit: values.parsed("limit")?, continuation: values.owned("continuationToken") })
    }
}

pub(super) async fn get(
    _: Authorised,
    Query(query): Query<ListQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let limit = query.limit.unwrap_or(1_000);
    after_a_write::continued(&state, query.continuation.as_deref()).await?;
    let page = if query.filter.documented.is_some() {
        // Documentation that nobody has asked about is measured first.
        let registry = state.registry.clone();
        let list = move || registry.list(&query.filter, limit, query.continuation.as_deref());
        web::block(list).await.map_err(Refusal::internal)?
    } else {
        state.registry.list(&query.filter, limit, query.continuation.as_deref())
    };
    Ok(answer::json(&WorkerTypeList::of(&page.map_err(refusal::read)?)))
}
