//! `/preview`: the documentation of a definition that is being written, as its page would show it.

use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use serde::Serialize;
use serde_json::Value;
use service::{Answer, Authorised, Body, BodyLimit, JsonBody, Operation, Refusal, Verb};
use worker_types::{Problem, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "pagePreview",
    method: Verb::Post,
    path: "/preview",
    summary: "The documentation of a definition that is being written, as HTML that nothing acts in",
    tag: "pages",
    body: Some(Body {
        media: Body::JSON,
        schema: None,
        limit: BodyLimit { setting: "max_definition_body_bytes", default: (1 << 20) + (256 << 10) },
        description: "`{\"workerTypeId\": …, \"definition\": …}`",
    }),
    answers: &[Answer::of(200, "application/json", "`{\"html\": …}`, empty where nothing can be read")],
    problems: &[Problem::InvalidRequest, Problem::InvalidId],
    ..Operation::BLANK
};

#[derive(Serialize)]
struct Preview {
    html: String,
}

pub(super) async fn post(_: Authorised, body: JsonBody, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let mut fields = body.fields(&["workerTypeId", "definition"])?;
    let id = fields.get("workerTypeId").and_then(Value::as_str).unwrap_or_default();
    let id: WorkerTypeId = id
        .parse()
        .map_err(|error: worker_types::IdError| Refusal::new(Problem::InvalidId, format!("/workerTypeId: {error}")))?;
    let definition = fields.remove("definition").unwrap_or(Value::Null);
    let registry = state.registry.clone();
    let render = move || {
        let words = registry.drafted_documentation(&id, &definition);
        words.map_or_else(String::new, |words| markdown::to_html(&words))
    };
    let html = web::block(render).await.map_err(Refusal::internal)?;
    Ok(HttpResponse::Ok().json(Preview { html }))
}
