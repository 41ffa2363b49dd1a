//! What changed between two revisions, and what it does to tasks.

pub(super) mod rollback;
mod rollout;

use super::{GET, PAGE, parts};
use crate::comparison;
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use maud::{Markup, html};
use registry::{Diff, Live};
use service::{Authorised, Id, Operation, Query, QueryFields, Refusal};
use worker_manager::{DiffQuery, refusal};
use worker_types::{Problem, WorkerTypeId};

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

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<DiffQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let diff = state.registry.diff(&caller, &id, query.from, query.to).await.map_err(refusal::read)?;
    let live = state.registry.live(&id).ok();
    let rolling = live.as_ref().filter(|live| rollout::is_open(live, &diff));
    let back = live.as_ref().filter(|live| rollback::is_offered(live, &diff));
    let title = format!("{id}: revision {} to {}", query.from, query.to);
    let content = content(&id, &diff, back, rolling);
    Ok(frame::answer(&state, &Page { title: &title, place: Place::WorkerTypes, islands: &[], content }))
}

/// `back` where the difference is what going back would do, `rolling` where it is what a rollout changes.
fn content(id: &WorkerTypeId, diff: &Diff, back: Option<&Live>, rolling: Option<&Live>) -> Markup {
    let (whole, history) = (format!("/worker-types/{id}"), format!("/worker-types/{id}/revisions"));
    html! {
        (parts::crumbs(&[("/", "Worker types"), (&whole, id.as_str()), (&history, "History")]))
        h1 { "Revision " (diff.from) " to " (diff.to) }
        @if rolling.is_some() {
            p.lead { "Both are live: a rollout leads from one to the other. This is what it changes." }
            p.actions { a.button href="#_rollout" { "End the rollout…" } }
        }
        @if back.is_some() {
            p.lead { "Revision " (diff.from) " is live. This is what going back to revision " (diff.to) " would change." }
            p.actions { a.button href="#_rollback" { "Roll back to revision " (diff.to) "…" } }
        }
        div #_compatibility { (comparison::report("What it does to tasks", 2, &diff.compatibility)) }
        h2 { "The definition" }
        @if diff.unified.is_empty() { p { "Both revisions say the same." } } @else { (lines(&diff.unified)) }
        @if let Some(live) = rolling { (rollout::form(id, live, diff)) }
        @if let Some(live) = back { (rollback::form(id, live, diff)) }
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
