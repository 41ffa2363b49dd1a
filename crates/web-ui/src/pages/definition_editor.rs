//! `/worker-types/{p}/{w}/edit` and `/new`: where a definition is changed, checked and published.

use super::{GET, PAGE};
use crate::definition_schema::definition_schema;
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use maud::{Markup, html};
use service::{Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{Problem, WorkerTypeId};

pub(super) static EDIT: Operation = Operation {
    id: "pageEditWorkerType",
    path: "/worker-types/{provisionerId}/{workerType}/edit",
    summary: "The page on which a definition is changed, checked and published",
    tag: "pages",
    access: GET,
    answers: PAGE,
    problems: &[Problem::UnknownWorkerType, Problem::Deleted],
    ..Operation::BLANK
};

pub(super) static NEW: Operation = Operation {
    id: "pageNewWorkerType",
    path: "/new",
    summary: "The page on which the first definition of a worker type is written",
    tag: "pages",
    query: NewQuery::FIELDS,
    answers: PAGE,
    ..Operation::BLANK
};

pub(super) struct NewQuery {
    worker_type: Option<String>,
}

impl QueryFields for NewQuery {
    const FIELDS: &'static [Parameter] =
        &[Parameter::optional("workerType", Kind::Line(200), "The id that it shall have")];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { worker_type: values.owned("workerType") })
    }
}

pub(super) async fn edit(_: Authorised, Id(id): Id<WorkerTypeId>, state: Data<State>) -> Result<HttpResponse, Refusal> {
    state.registry.live(&id).map_err(worker_manager::refusal::read)?;
    let title = format!("Edit {id}");
    let content = html! {
        h1 { "Edit " a href={ "/worker-types/" (id) } { (id) } }
        p.lead { "Publishing makes the next revision. It is checked while you write; nothing changes before you publish." }
        (mount(&state, Some(id.as_str()), false))
    };
    Ok(answer(&state, &title, content))
}

pub(super) async fn new(
    _: Authorised,
    Query(query): Query<NewQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let content = html! {
        h1 { "New worker type" }
        p.lead { "A description is enough to begin with; a payload schema lets the queue check tasks, documentation tells their authors how to write them." }
        (mount(&state, query.worker_type.as_deref(), true))
    };
    Ok(answer(&state, "New worker type", content))
}

fn answer(state: &State, title: &str, content: Markup) -> HttpResponse {
    let islands = &["definition-editor"];
    frame::answer(state, &Page { title, place: Place::WorkerTypes, islands, content })
}

/// What the island is told.
fn mount(state: &State, id: Option<&str>, is_new: bool) -> Markup {
    html! {
        div #definition-editor
            data-worker-manager="/api/worker-manager/v1"
            data-queue=[state.options.has_queue.then_some("/api/queue/v1")]
            data-worker-type=[id]
            data-new=[is_new.then_some("true")]
            data-schema=(definition_schema())
        {
            p.progress.script { "The editor is loading…" }
            p.note.late { "Its script has not come yet. Without it, " code { "wm apply DIR" } " publishes definitions that are kept as files; docs/how-to/publish-from-git.md shows the way." }
            noscript {
                p.note {
                    "The editor needs JavaScript. Without it, keep definitions as files and publish them with "
                    code { "wm apply DIR" } "; " code { "wm check DIR" } " says beforehand what would come of it. docs/how-to/publish-from-git.md shows the way."
                }
            }
        }
    }
}
