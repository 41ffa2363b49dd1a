//! `/tasks/check`: what a queue itself asks of a task's shape, beside what its worker type says of it. For the editor, so
//! that the whole task is marked while it is written and not only its payload.

use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use payload_schema::{Limits, Schema, create_task_schema};
use serde::Serialize;
use serde_json::Value;
use service::{Access, Answer, Authorised, Body, BodyLimit, JsonBody, Operation, Refusal, Verb};
use std::sync::LazyLock;
use worker_types::{Dialect, Item, Problem};

pub(super) static ROW: Operation = Operation {
    id: "pageTaskCheck",
    method: Verb::Post,
    path: "/tasks/check",
    summary: "What a queue itself asks of the shape of a task",
    tag: "pages",
    access: Access::Each("worker-manager:validate:<workerTypeId>"),
    body: Some(Body {
        media: Body::JSON,
        schema: None,
        limit: BodyLimit { setting: "max_task_bytes", default: 10 << 20 },
        description: "`{\"task\": …}`",
    }),
    answers: &[Answer::of(200, "application/json", "`{\"errors\": […]}`, empty where the shape is right")],
    problems: &[Problem::InvalidRequest],
    ..Operation::BLANK
};

#[derive(Serialize)]
struct Report {
    errors: Vec<Item>,
}

/// The queue's schema; none if it could not be compiled, which a test of its crate rules out.
static SCHEMA: LazyLock<Option<Schema>> =
    LazyLock::new(|| Schema::compile(create_task_schema(), Some(Dialect::Draft07), &Limits::default()).ok());

pub(super) async fn post(_: Authorised, body: JsonBody, _: Data<State>) -> Result<HttpResponse, Refusal> {
    let mut fields = body.fields(&["task"])?;
    let task = fields.remove("task").unwrap_or(Value::Null);
    // A task of many megabytes is no work for a thread that serves.
    let check = move || SCHEMA.as_ref().map_or_else(Vec::new, |schema| faults(schema, &task));
    let errors = web::block(check).await.map_err(Refusal::internal)?;
    Ok(HttpResponse::Ok().json(Report { errors }))
}

fn faults(schema: &Schema, task: &Value) -> Vec<Item> {
    if schema.is_valid(task) {
        return Vec::new();
    }
    schema.explain(task, "", &Limits::default()).errors
}

#[cfg(test)]
mod tests {
    use super::{SCHEMA, faults};
    use serde_json::json;

    #[test]
    fn faults_of_shape_have_their_places() {
        let task = json!({"taskQueueId": "p/w", "created": 5, "deadline": "2030-01-01T00:00:00Z", "payload": {},
            "metadata": {"name": "n", "description": "d", "owner": "o", "source": "https://example.com"}, "retires": 5});
        let items = faults(SCHEMA.as_ref().unwrap(), &task);
        let found: Vec<_> = items.iter().map(|item| (item.problem.as_str(), item.pointer.as_str())).collect();
        assert!(found.contains(&("type", "/created")), "{items:?}");
        assert!(found.contains(&("additionalProperties", "/retires")), "{items:?}");
    }
}
