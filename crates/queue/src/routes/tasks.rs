//! `POST /tasks`

use crate::operations::PAGED;
use crate::queue::Queue;
use crate::routes::continuation;
use ::service::{Authorised, JsonBody, Parameter, Query, QueryFields, QueryValues, Refusal};
use actix_web::{HttpResponse, web};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
use utoipa::ToSchema;
use worker_types::{Item, Object, Problem, TaskId};

/// Those that exist.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TasksResponse {
    tasks: Vec<NamedTask>,
    /// There are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    continuation_token: Option<String>,
}

/// A task with its id.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NamedTask {
    #[schema(value_type = String)]
    task_id: TaskId,
    /// The definition.
    task: Object,
}

pub(crate) struct Paged {
    pub(super) limit: usize,
    pub(super) continuation_token: Option<String>,
}

impl QueryFields for Paged {
    const FIELDS: &'static [Parameter] = PAGED;

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let limit = values.parsed("limit")?.unwrap_or(1000);
        Ok(Self { limit, continuation_token: values.owned("continuationToken") })
    }
}

pub(crate) async fn tasks(
    queue: web::Data<Queue>,
    caller: Authorised,
    Query(paged): Query<Paged>,
    body: JsonBody,
) -> Result<HttpResponse, Refusal> {
    let asked = task_ids(body)?;
    for id in &asked {
        caller.require(&format!("queue:get-task:{id}"))?;
    }
    let refusal = |error| queue.refusal(error);
    let start = match &paged.continuation_token {
        Some(token) => continuation::read::<usize>(&asked, token).map_err(refusal)?,
        None => 0,
    };
    let end = start.saturating_add(paged.limit).min(asked.len());
    let page = asked.get(start..end).unwrap_or_default();
    // What is no task id names no task.
    let (places, ids): (Vec<usize>, Vec<TaskId>) =
        page.iter().enumerate().filter_map(|(place, id)| Some((start + place, id.parse().ok()?))).unzip();
    let (found, done) = queue.definitions(ids).await.map_err(refusal)?;
    let end = places.get(done).copied().unwrap_or(end);
    let more = end < asked.len();
    let continuation_token = more.then(|| continuation::write(&asked, &end)).transpose().map_err(refusal)?;
    let tasks = found.into_iter().map(|(task_id, task)| NamedTask { task_id, task }).collect();
    Ok(HttpResponse::Ok().json(TasksResponse { tasks, continuation_token }))
}

/// The ids of the request, each once.
fn task_ids(body: JsonBody) -> Result<Vec<String>, Refusal> {
    let mut fields = body.fields(&["taskIds"])?;
    let entries = match fields.remove("taskIds") {
        None => Vec::new(),
        Some(Value::Array(entries)) => entries,
        Some(_) => return Err(wrong_type("/taskIds", "an array")),
    };
    let mut seen = HashSet::new();
    let mut ids = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        let Value::String(id) = entry else { return Err(wrong_type(&format!("/taskIds/{index}"), "a string")) };
        if seen.insert(id.clone()) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn wrong_type(pointer: &str, wanted: &str) -> Refusal {
    let message = format!("{pointer} must be {wanted}");
    Refusal::new(Problem::InvalidRequest, message.clone()).errors([Item::new("wrong-type", pointer, message)])
}
