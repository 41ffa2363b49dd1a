//! `/tasks/new`: where a task is written, checked and submitted.

use super::PAGE;
use crate::frame::{self, Page, Place};
use crate::new_task;
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use maud::{Markup, html};
use serde_json::{Value, json};
use service::{Authorised, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{Item, Problem, TaskId, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "pageTaskCreator",
    path: "/tasks/new",
    summary: "The page on which a task is written, checked and submitted",
    tag: "pages",
    query: NewQuery::FIELDS,
    answers: PAGE,
    problems: &[Problem::UnknownWorkerType, Problem::Deleted],
    ..Operation::BLANK
};

pub(super) struct NewQuery {
    worker_type: Option<WorkerTypeId>,
    from: Option<TaskId>,
}

impl QueryFields for NewQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("workerType", Kind::Text, "The worker type that the task is for"),
        Parameter::optional("from", Kind::Text, "The id of a task to begin from"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { worker_type: id(values, "workerType")?, from: id(values, "from")? })
    }
}

fn id<T: std::str::FromStr<Err = worker_types::IdError>>(
    values: &QueryValues,
    name: &str,
) -> Result<Option<T>, Refusal> {
    values.text(name).map(str::parse).transpose().map_err(|error: worker_types::IdError| {
        let detail = format!("the query parameter {name}: {error}");
        Refusal::new(Problem::InvalidQuery, &detail).errors([Item::new("invalid-query", format!("/{name}"), detail)])
    })
}

pub(super) async fn get(
    caller: Authorised,
    Query(query): Query<NewQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let visible = query.worker_type.filter(|id| caller.has(&format!("worker-manager:get:{id}")));
    let fields = match &visible {
        Some(id) => {
            let view = state.registry.view(&caller, id, None).await.map_err(worker_manager::refusal::read)?;
            let (shared, id) = (state.clone(), id.clone());
            web::block(move || new_task::fields(&shared, &view, &id)).await.map_err(Refusal::internal)?
        }
        None => json!({"taskQueueId": "", "payload": {}}),
    };
    let mount = Mount { worker_type: visible.as_ref(), from: query.from, has_queue: state.options.has_queue, fields };
    let content = mount.content();
    let islands = &["task-creator"];
    Ok(frame::answer(&state, &Page { title: "New task", place: Place::Tasks, islands, content }))
}

/// What the island is told.
struct Mount<'a> {
    worker_type: Option<&'a WorkerTypeId>,
    from: Option<TaskId>,
    has_queue: bool,
    fields: Value,
}

impl Mount<'_> {
    fn content(&self) -> Markup {
        let from = self.from.as_ref().map(ToString::to_string);
        html! {
            h1 { "New task" }
            @if let Some(id) = self.worker_type {
                p.lead { "For " a href={ "/worker-types/" (id) } { (id) } ". It is checked while you write, in the words of the queue." }
            } @else {
                p.lead { "It is checked while you write, in the words of the queue. " code { "taskQueueId" } " says which worker type it is for." }
            }
            div #task-creator
                data-worker-manager="/api/worker-manager/v1"
                data-queue=[self.has_queue.then_some("/api/queue/v1")]
                data-worker-type=[self.worker_type]
                data-from=[from]
                data-task=(self.fields)
                data-schema=(payload_schema::create_task_schema())
            {
                p.progress.script { "The editor is loading…" }
                p.note.late { "Its script has not come yet. Without it, " code { "wm validate FILE" } " checks a task; docs/how-to/write-a-task.md shows the way." }
                noscript {
                    p.note { "The editor needs JavaScript. Without it, write the task in a file and have it checked by " code { "wm validate FILE" } " (docs/how-to/write-a-task.md shows the way). This is one to begin with:" }
                    pre { code { (format!("{:#}", self.fields)) } }
                }
            }
        }
    }
}
