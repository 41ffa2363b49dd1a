//! What changed between two revisions, and what it does to tasks.

use super::{GET, PAGE, parts};
use crate::comparison;
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use maud::{Markup, html};
use registry::Diff;
use service::{Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_manager::refusal;
use worker_types::{Problem, RevisionNumber, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "pageDiff",
    path: "/worker-types/{provisionerId}/{workerType}/diff",
    summary: "What changed between two revisions",
    tag: "pages",
    access: GET,
    query: DiffQuery::FIELDS,
    answers: PAGE,
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
    let title = format!("{id}: revision {} to {}", query.from, query.to);
    let content = content(&id, &diff);
    Ok(frame::answer(&state.assets, &Page { title: &title, place: Place::WorkerTypes, islands: &[], content }))
}

fn content(id: &WorkerTypeId, diff: &Diff) -> Markup {
    let (whole, history) = (format!("/worker-types/{id}"), format!("/worker-types/{id}/revisions"));
    html! {
        (parts::crumbs(&[("/", "Worker types"), (&whole, id.as_str()), (&history, "History")]))
        h1 { "Revision " (diff.from) " to " (diff.to) }
        (comparison::report("What it does to tasks", 2, &diff.compatibility))
        h2 { "The definition" }
        @if diff.unified.is_empty() { p { "Both revisions say the same." } } @else { (lines(&diff.unified)) }
    }
}

/// A unified diff, its lines marked by signs as well as by colours.
fn lines(unified: &str) -> Markup {
    let class = |line: &str| match line.as_bytes().first() {
        Some(b'+') => "added",
        Some(b'-') => "removed",
        Some(b'@') => "place",
        _ => "same",
    };
    html! {
        pre.diff { code {
            @for line in unified.lines().skip(2) { span class=(class(line)) { (line) "\n" } }
        } }
    }
}
