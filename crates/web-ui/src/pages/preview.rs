//! `/preview`: the documentation of a definition that is being written and the reference of its payloads, as its page
//! would show them.

use crate::reference::Reference;
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use maud::{Markup, PreEscaped, html};
use registry::{Draft, Resolved, ResolvedVariant};
use serde::Serialize;
use serde_json::Value;
use service::{Access, Answer, Authorised, Body, BodyLimit, JsonBody, Operation, Refusal, Verb};
use worker_types::{Problem, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "pagePreview",
    method: Verb::Post,
    path: "/preview",
    summary: "What the page of a definition that is being written would show, as HTML that nothing acts in",
    tag: "pages",
    access: Access::Each("worker-manager:publish:<workerTypeId>"),
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
    let draw = move || registry.drafted(&id, &definition).map_or_else(String::new, |draft| shown(&id, &draft));
    let html = web::block(draw).await.map_err(Refusal::internal)?;
    Ok(HttpResponse::Ok().json(Preview { html }))
}

fn shown(id: &WorkerTypeId, draft: &Draft) -> String {
    let markup = html! {
        (PreEscaped(markdown::to_html(&draft.documentation)))
        @for variant in &draft.resolved.variants { (reference(id, &draft.resolved, variant)) }
    };
    markup.into_string()
}

fn reference(id: &WorkerTypeId, resolved: &Resolved, variant: &ResolvedVariant) -> Markup {
    let name = &variant.contract.name;
    let schema = variant.contract.payload_schema.as_ref();
    let found = schema.and_then(|reference| Some((resolved.schemas.get(&reference.hash)?, reference.dialect)));
    let elsewhere = format!("/worker-types/{id}/schema?variant={name}&at=");
    html! {
        h2 { "Payload of " (name) }
        @match found {
            Some((schema, dialect)) => div.reference { (Reference::new(schema, dialect, "preview/", elsewhere).render("", "payload", 0)) },
            None => p { "Any object is taken as a payload." },
        }
    }
}
