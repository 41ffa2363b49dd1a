//! What a proposed definition would come to: the gate, the comparison with what is live, and which recorded tasks it
//! would newly refuse. Nothing is stored.

use super::validate::not_a_task;
use crate::answer;
use crate::shapes::{CheckReport, Replay};
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpResponse, web};
use payload_schema::Input;
use registry::{Check, Registry};
use serde_json::Value;
use service::{Access, Answer, Authorised, Body, BodyLimit, Id, JsonBody, Operation, Refusal, Verb};
use std::sync::Arc;
use worker_types::{Item, Outcome, Problem, Task, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "checkDefinition",
    method: Verb::Post,
    path: "/worker-types/{provisionerId}/{workerType}/check",
    summary: "What a proposed definition would come to, compared with what is live and held against recorded tasks; nothing is stored",
    tag: "validating",
    access: Access::Scope("worker-manager:check:<workerTypeId>"),
    waits: super::AFTER_A_WRITE,
    body: Some(Body {
        media: Body::JSON,
        schema: Some("CheckRequest"),
        limit: BodyLimit { setting: "max_check_bytes", default: 64 << 20 },
        description: "The definition and, if they are at hand, recorded tasks.",
    }),
    answers: &[Answer::json(
        200,
        "CheckReport",
        "The gate's findings, also when it would refuse; what it would break; the replay, if tasks came",
    )],
    problems: &[Problem::InvalidRequest],
    ..Operation::BLANK
};

pub(super) async fn post(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    body: JsonBody,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let (definition, tasks) = read(body, &id)?;
    let check = state.registry.check(id.clone(), definition, tasks.clone().unwrap_or_default()).await;
    let registry = state.registry.clone();
    let report = web::block(move || {
        let replay = tasks.and_then(|tasks| replay(&registry, &id, &check, &tasks));
        CheckReport::of(check, replay)
    });
    Ok(answer::json(&report.await.map_err(Refusal::internal)?))
}

fn read(body: JsonBody, id: &WorkerTypeId) -> Result<(Value, Option<Vec<Task>>), Refusal> {
    let mut fields = body.fields(&["definition", "tasks"])?;
    let definition = fields.remove("definition").ok_or_else(|| missing("/definition must be given"))?;
    let tasks = match fields.remove("tasks") {
        None => None,
        Some(Value::Array(tasks)) => Some(tasks),
        Some(_) => return Err(missing("/tasks must be an array of task definitions")),
    };
    let normalised =
        |(index, task)| Task::normalised_for(task, id).map_err(|error| not_a_task(&error, &format!("/tasks/{index}")));
    let tasks = tasks.map(|tasks| tasks.into_iter().enumerate().map(normalised).collect()).transpose()?;
    Ok((definition, tasks))
}

fn missing(message: &str) -> Refusal {
    let pointer = message.split_once(' ').map_or("", |(pointer, _)| pointer);
    Refusal::new(Problem::InvalidRequest, message).errors([Item::new("invalid-request", pointer, message)])
}

/// The tasks on which the proposed definition and what is live disagree; none where the gate refuses the definition.
fn replay(registry: &Arc<Registry>, id: &WorkerTypeId, check: &Check, tasks: &[Task]) -> Option<Replay> {
    let verdicts = check.verdicts.as_ref()?;
    let mut replay = Replay::of(tasks.len());
    for (index, (task, proposed)) in tasks.iter().zip(verdicts).enumerate() {
        let refused = proposed.verdict == Outcome::Invalid;
        // A live definition that cannot be evaluated refuses nothing.
        let live = registry.verdict(id, Input::Task(task)).is_ok_and(|live| live.verdict == Outcome::Invalid);
        match (live, refused) {
            (false, true) => replay.refuse(index, proposed),
            (true, false) => replay.newly_accepted += 1,
            _ => {}
        }
    }
    Some(replay)
}
