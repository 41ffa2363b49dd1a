//! The verdict on one task, or on a payload alone.

use crate::answer;
use crate::refusal;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, web};
use payload_schema::Input;
use registry::Registry;
use serde_json::Value;
use service::{Access, Answer, Authorised, Body, BodyLimit, Id, JsonBody, Operation, Refusal, Verb, announced_length};
use std::sync::Arc;
use worker_types::{Item, Problem, Task, TaskError, Verdict, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "validate",
    method: Verb::Post,
    path: "/worker-types/{provisionerId}/{workerType}/validate",
    summary: "The verdict on a task, or on a payload alone; an unknown worker type is a verdict too",
    tag: "validating",
    access: Access::Scope("worker-manager:validate:<workerTypeId>"),
    waits: super::AFTER_A_WRITE,
    body: Some(Body {
        media: Body::JSON,
        schema: Some("ValidateRequest"),
        // What the queue takes, and the words around it.
        limit: BodyLimit { setting: "max_task_bytes", default: (10 << 20) + (64 << 10) },
        description: "Exactly one of `payload` and `task`.",
    }),
    answers: &[Answer::json(200, "Verdict", "The verdict")],
    problems: &[Problem::InvalidRequest],
    ..Operation::BLANK
};

/// Bytes up to which a body is judged at once. A larger one would keep the other requests of its thread waiting.
const SMALL: usize = 32 << 10;

/// What is held against the contract.
pub(super) enum Subject {
    Payload(Value),
    Task(Task),
}

pub(super) async fn post(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    body: JsonBody,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let subject = read(body, &id)?;
    if announced_length(&request).is_some_and(|length| length <= SMALL) {
        return verdict(&state.registry, &id, &subject).map(|verdict| answer::json(&verdict));
    }
    let registry = state.registry.clone();
    let verdict = web::block(move || verdict(&registry, &id, &subject)).await.map_err(Refusal::internal)??;
    Ok(answer::json(&verdict))
}

fn verdict(registry: &Arc<Registry>, id: &WorkerTypeId, subject: &Subject) -> Result<Verdict, Refusal> {
    let input = match subject {
        Subject::Payload(payload) => Input::Payload(payload),
        Subject::Task(task) => Input::Task(task),
    };
    registry.verdict(id, input).map_err(refusal::read)
}

fn read(body: JsonBody, id: &WorkerTypeId) -> Result<Subject, Refusal> {
    let mut fields = body.fields(&["payload", "task"])?;
    match (fields.remove("payload"), fields.remove("task")) {
        (Some(payload), None) => Ok(Subject::Payload(payload)),
        (None, Some(task)) => {
            Ok(Subject::Task(Task::normalised_for(task, id).map_err(|error| not_a_task(&error, "/task"))?))
        }
        _ => {
            let detail = "the body must have exactly one of the fields payload and task";
            Err(Refusal::new(Problem::InvalidRequest, detail).errors([Item::new("invalid-value", "", detail)]))
        }
    }
}

/// A value that is no task definition, at its place in the body.
pub(super) fn not_a_task(error: &TaskError, pointer: &str) -> Refusal {
    Refusal::new(Problem::InvalidRequest, format!("{pointer}: {error}")).errors([error.item().below(pointer)])
}
