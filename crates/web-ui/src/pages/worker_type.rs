//! One worker type: what runs there, its documentation, what its payloads must be.

mod about;
mod contract;
mod payloads;

use super::{GET, PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use markdown::{Heading, Sections};
use maud::{Markup, PreEscaped, html};
use payloads::Payloads;
use registry::View;
use service::{Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_manager::refusal;
use worker_types::{DocumentationCoverage, Problem, RevisionNumber, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "pageWorkerType",
    path: "/worker-types/{provisionerId}/{workerType}",
    summary: "What runs there, its documentation and its payload schema",
    tag: "pages",
    access: GET,
    query: RevisionQuery::FIELDS,
    answers: PAGE,
    problems: &[Problem::UnknownWorkerType, Problem::Deleted, Problem::UnknownRevision, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) struct RevisionQuery {
    revision: Option<RevisionNumber>,
}

impl QueryFields for RevisionQuery {
    const FIELDS: &'static [Parameter] =
        &[Parameter::optional("revision", Kind::Integer(1, u32::MAX as u64), "This revision instead of what is live")];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { revision: values.parsed("revision")? })
    }
}

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<RevisionQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let view = state.registry.view(&caller, &id, query.revision).await.map_err(refusal::read)?;
    let pinned = query.revision.is_some();
    let beside = match view.live.as_ref().and_then(|live| live.rollout).filter(|_| !pinned) {
        Some(rollout) => Some(state.registry.view(&caller, &id, Some(rollout.from)).await.map_err(refusal::read)?),
        None => None,
    };
    let (shared, title) = (state.clone(), id.to_string());
    let content = web::block(move || {
        let coverage = view.live.as_ref().filter(|_| view.is_newest()).map(|live| shared.registry.coverage(live));
        let payloads = Payloads::of(&shared, &id, &view, beside.as_ref(), pinned);
        content(&shared, &id, &view, coverage.as_ref(), pinned, &payloads)
    });
    let content = content.await.map_err(Refusal::internal)?;
    Ok(frame::answer(&state, &Page { title: &title, place: Place::WorkerTypes, islands: &[], content }))
}

/// Properties in the table of contents.
const TOPS: usize = 40;

fn content(
    state: &State,
    id: &WorkerTypeId,
    view: &View,
    coverage: Option<&DocumentationCoverage>,
    pinned: bool,
    payloads: &Payloads,
) -> Markup {
    let documentation = Documentation::of(view);
    html! {
        div data-live="worker-type" data-worker-type=(id) data-revision=(view.revision.revision) data-generation=[view.live.as_ref().map(|live| live.record.generation)] data-cursor=(state.registry.snapshot().cursor()) {
            (parts::crumbs(&[("/", "Worker types")]))
            (about::head(id, view))
            (about::notices(id, view, pinned))
            (about::links(state, id, view))
            div.columns {
                nav.toc aria-label="On this page" {
                    ul {
                        li { a href="#_runs" { "What runs here" } }
                        li { a href="#_documentation" { "Documentation" }
                            ul { @for heading in documentation.headings.iter().filter(|heading| heading.level <= 4).take(60) {
                                li class={ "level-" (heading.level) } { a href={ "#" (heading.id) } { (heading.text) } }
                            } }
                        }
                        @for contract in &payloads.sections {
                            li { a href={ "#" (contract.id) } { (contract.title) }
                                ul { @for (anchor, name) in contract.properties.iter().take(TOPS) {
                                    li { a href={ "#" (anchor) } { code { (name) } } }
                                } }
                            }
                        }
                        @if coverage.is_some() { li { a href="#_coverage" { "Documentation coverage" } } }
                    }
                }
                div.text {
                    (about::what_runs(view))
                    section aria-labelledby="_documentation" {
                        h2 #_documentation { "Documentation" }
                        div.markdown { (documentation.markup) }
                    }
                    (payloads.note)
                    @for contract in &payloads.sections { (contract.markup) }
                    @if let Some(coverage) = coverage { (about::coverage(coverage)) }
                    @if state.options.has_queue { (about::verdicts(id)) }
                }
            }
        }
    }
}

/// The parts of the documentation, each under a heading of its own.
struct Documentation {
    markup: Markup,
    headings: Vec<Heading>,
}

impl Documentation {
    fn of(view: &View) -> Self {
        let mut sections = Sections::default();
        let (mut headings, mut parts) = (Vec::new(), Vec::new());
        for (index, part) in view.documentation.iter().enumerate() {
            let section = sections.add(&part.text, if part.about.is_some() { 4 } else { 3 });
            let id = format!("_part-{index}");
            headings.extend(part.about.as_ref().map(|about| Heading { level: 3, id: id.clone(), text: about.clone() }));
            headings.extend(section.headings);
            parts.push((part.about.as_deref().map(|about| (id, about)), section.html));
        }
        let markup = html! {
            @if parts.is_empty() { p.quiet { "Its owner has written none yet." } }
            @for (about, html) in &parts {
                @if let Some((id, about)) = about { h3 id=(id) { (about) } }
                (PreEscaped(html))
            }
        };
        Self { markup, headings }
    }
}
