//! The history of a worker type.

use super::diff::rollback;
use super::{GET, PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use maud::{Markup, html};
use registry::store::RevisionRecord;
use registry::{Ending, Live, PastRollout, RevisionPage, RolloutOutcome};
use service::{Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_manager::refusal;
use worker_types::{Compatibility, Problem, RevisionNumber, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "pageRevisions",
    path: "/worker-types/{provisionerId}/{workerType}/revisions",
    summary: "The history of a worker type",
    tag: "pages",
    access: GET,
    query: HistoryQuery::FIELDS,
    answers: PAGE,
    problems: &[Problem::UnknownWorkerType, Problem::StoreUnavailable],
    ..Operation::BLANK
};

/// Revisions on a page.
const ROWS: usize = 50;

pub(super) struct HistoryQuery {
    before: Option<RevisionNumber>,
}

impl QueryFields for HistoryQuery {
    const FIELDS: &'static [Parameter] =
        &[Parameter::optional("before", Kind::Integer(1, u32::MAX as u64), "Revisions below this one")];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { before: values.parsed("before")? })
    }
}

pub(super) async fn get(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<HistoryQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let registry = &state.registry;
    let page = registry.revisions(&id, query.before, ROWS).await.map_err(refusal::read)?;
    let live = registry.live(&id).ok();
    let title = format!("History of {id}");
    let content = content(&id, &page, live.as_ref());
    Ok(frame::answer(&state, &Page { title: &title, place: Place::WorkerTypes, islands: &[], content }))
}

fn content(id: &WorkerTypeId, page: &RevisionPage, live: Option<&Live>) -> Markup {
    let whole = format!("/worker-types/{id}");
    html! {
        (parts::crumbs(&[("/", "Worker types"), (&whole, id.as_str())]))
        h1 { "History" }
        p.lead { "Every revision of " a href=(whole) { (id) } ". None is ever changed; what was live before can be made live again." }
        ol.history {
            @for revision in &page.revisions { (entry(id, revision, page.rollouts.get(&revision.revision), live)) }
        }
        @if let Some(before) = page.next_before {
            nav.pager aria-label="Pages" { a rel="next" href={ "?before=" (before) } { "Older revisions" } }
        }
    }
}

fn entry(id: &WorkerTypeId, record: &RevisionRecord, rollout: Option<&PastRollout>, live: Option<&Live>) -> Markup {
    let number = record.revision;
    let compatibility =
        record.compatibility.as_deref().and_then(|text| serde_json::from_str::<Compatibility>(text).ok());
    // What was live, as far as that is known: after an abort or a rollback it is not the revision before.
    let compared = compatibility.as_ref().and_then(|found| found.against.last().copied());
    let before = compared.or_else(|| number.0.checked_sub(1).filter(|before| *before > 0).map(RevisionNumber));
    let mut live_now = live.into_iter().flat_map(|live| &live.validation.revisions);
    let is_live = live_now.any(|revision| revision.revision == number);
    let back = live.and_then(|live| rollback::url(live, number, &record.content_hash));
    html! {
        li {
            h2 {
                a href={ "/worker-types/" (id) "?revision=" (number) } { "Revision " (number) }
                @if is_live { " " span.badge.live { "live" } }
                @if let Some(found) = &compatibility { " " (verdicts(found)) }
            }
            p { @match record.message.as_deref() { Some(message) => (message), None => span.quiet { "no message" } } }
            p.quiet {
                (parts::time(record.published_at)) " by " (record.published_by)
                @if let Some(of) = record.rollback_of { " · brings back revision " (of) }
            }
            @if let Some(rollout) = rollout { p { (came_of(rollout)) } }
            p.actions {
                @if let Some(before) = before {
                    a href={ "/worker-types/" (id) "/diff?from=" (before) "&to=" (number) } { "What changed" }
                }
                @if let Some(back) = back { a href=(back) { "Roll back to revision " (number) "…" } }
            }
        }
    }
}

/// What the revision does to tasks; where that becomes another thing once its rollout has ended, both.
fn verdicts(found: &Compatibility) -> Markup {
    let later = found.after_rollout.as_ref().filter(|later| later.verdict != found.verdict);
    html! {
        (parts::compatibility(found.verdict))
        @if let Some(later) = later {
            span.quiet { " while it is rolled out, then " } (parts::compatibility(later.verdict))
        }
    }
}

/// What came of the rollout, and who ended it when and why.
fn came_of(PastRollout { policy, outcome }: &PastRollout) -> Markup {
    let words = match outcome {
        RolloutOutcome::Open => ", which is open.".to_owned(),
        RolloutOutcome::Ended(end, _) => format!(", which was {} ", end.participle()),
        RolloutOutcome::Deleted(_) => ", which ended when the worker type was deleted ".to_owned(),
        RolloutOutcome::Replaced(next) => format!(", in which revision {next} took its place."),
        RolloutOutcome::RolledBack(next) => format!(", which ended with the rollback in revision {next}."),
        RolloutOutcome::Superseded(next) => format!(", which ended when revision {next} became live alone."),
    };
    html! {
        "Opened a " (policy) " rollout" (words)
        @if let Some(Ending { at, by, message }) = outcome.ending() {
            span.quiet { (parts::time(*at)) " by " (by) }
            @if let Some(message) = message { ": " (message) }
        }
    }
}
