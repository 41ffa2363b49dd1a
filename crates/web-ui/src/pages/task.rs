//! `/tasks/{taskId}`: a task, what was said of it, and what to do. The queue is another service, so the island asks it.

use super::{PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use maud::{Markup, html};
use service::{Authorised, Id, Operation, Refusal};
use worker_types::TaskId;

pub(super) static ROW: Operation = Operation {
    id: "pageTask",
    path: "/tasks/{taskId}",
    summary: "The page of a task: its definition, the verdict on it, and what to do",
    tag: "pages",
    answers: PAGE,
    ..Operation::BLANK
};

pub(super) async fn get(_: Authorised, Id(id): Id<TaskId>, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let title = format!("Task {id}");
    let content = content(&id, state.options.has_queue);
    let islands: &[&str] = if state.options.has_queue { &["task"] } else { &[] };
    Ok(frame::answer(&state, &Page { title: &title, place: Place::Tasks, islands, content }))
}

fn content(id: &TaskId, has_queue: bool) -> Markup {
    html! {
        (parts::crumbs(&[("/tasks/new", "New task")]))
        h1 { "Task " code { (id) } }
        @if has_queue {
            div #task data-queue="/api/queue/v1" data-task-id=(id) {
                p.progress { "The queue is asked…" }
                noscript {
                    p.note {
                        "This page asks the queue with JavaScript. Without it, read "
                        a href={ "/api/queue/v1/task/" (id) } { "the definition" } " and "
                        a href={ "/api/queue/v1/task/" (id) "/validation" } { "the verdict" } " themselves."
                    }
                }
            }
        } @else {
            p.note { "There is no queue on this server, so it knows nothing of this task." }
            p.actions { a.button href="/tasks/new" { "Write a task" } }
        }
    }
}
