//! The list: what an author can use, searched on the server.

use super::{LIST, PAGE};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use maud::{Markup, html};
use registry::{ListFilter, ListPage, Live};
use service::{Authorised, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::Problem;

pub(super) static ROW: Operation = Operation {
    id: "pageWorkerTypes",
    path: "/",
    summary: "The list of worker types",
    tag: "pages",
    access: LIST,
    query: ListQuery::FIELDS,
    answers: PAGE,
    problems: &[Problem::InvalidContinuation],
    ..Operation::BLANK
};

pub(super) struct ListQuery {
    filter: ListFilter,
}

impl QueryFields for ListQuery {
    const FIELDS: &'static [Parameter] = &[Parameter::optional("query", Kind::Text, "Words")];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { filter: ListFilter { query: values.owned("query"), ..ListFilter::default() } })
    }
}

pub(super) async fn get(
    _: Authorised,
    Query(query): Query<ListQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let page = state.registry.list(&query.filter, 100, None).map_err(worker_manager::refusal::read)?;
    let content = content(&page);
    Ok(frame::answer(&state.assets, &Page { title: "Worker types", place: Place::WorkerTypes, islands: &[], content }))
}

fn content(page: &ListPage) -> Markup {
    html! {
        h1 { "Worker types" }
        ul { @for live in &page.worker_types { (row(live)) } }
    }
}

fn row(live: &Live) -> Markup {
    let id = &live.record.id;
    html! { li { a href={ "/worker-types/" (id) } { (id) } " " (live.summary.description) } }
}
