//! The documentation for authors: Markdown for programs, HTML for browsers.

use super::scopes;
use crate::answer::{self, Freshness, document_response};
use crate::state::State;
use crate::{html, refusal};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, web};
use registry::Document;
use service::{Answer, Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{Problem, RevisionNumber, WorkerTypeId};

const MARKDOWN: &str = "text/markdown";
const HTML: &str = "text/html";

pub(super) static ROW: Operation = Operation {
    id: "getDocumentation",
    path: "/worker-types/{provisionerId}/{workerType}/documentation",
    summary: "What authors should know, in Markdown or, where Accept asks for it, as a page",
    tag: "reading",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    query: DocumentationQuery::FIELDS,
    headers: &[Parameter::optional("Accept", Kind::Text, "text/markdown (the default) or text/html")],
    answers: &[Answer::of(200, MARKDOWN, "The text; or text/html"), Answer::empty(304, "The client has it")],
    problems: &[
        Problem::UnknownWorkerType,
        Problem::Deleted,
        Problem::UnknownRevision,
        Problem::NotAcceptable,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) struct DocumentationQuery {
    revision: Option<RevisionNumber>,
}

impl QueryFields for DocumentationQuery {
    const FIELDS: &'static [Parameter] = &[Parameter::optional(
        "revision",
        Kind::Integer(1, u32::MAX as u64),
        "Of this revision instead of what is live",
    )];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { revision: values.parsed("revision")? })
    }
}

pub(super) async fn get(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<DocumentationQuery>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let wants_html = wants_html(&request)?;
    let registry = &state.registry;
    let Some(revision) = query.revision else {
        let live = registry.live(&id).map_err(refusal::read)?;
        let document =
            if wants_html { registry.page(&live, html::page).await } else { registry.documentation(&live).await };
        let document = document.map_err(refusal::read)?;
        return Ok(with_policy(answer::live(&request, &document, media(wants_html)), wants_html));
    };
    let mut document = registry.reading(&id, revision).await.map_err(refusal::read)?.documentation;
    if wants_html {
        document = page(&id, document).await?;
    }
    let response = document_response(&request, &document, media(wants_html), Freshness::Immutable);
    Ok(with_policy(response, wants_html))
}

fn wants_html(request: &HttpRequest) -> Result<bool, Refusal> {
    let best = service::best(request.headers(), &[MARKDOWN, HTML]);
    best.map(|media| media == HTML).ok_or_else(|| {
        Refusal::new(Problem::NotAcceptable, format!("the documentation comes as {MARKDOWN} or as {HTML}"))
    })
}

fn media(html: bool) -> &'static str {
    if html { "text/html; charset=utf-8" } else { "text/markdown; charset=utf-8" }
}

/// The page of a Markdown document, rendered off the threads that serve.
async fn page(id: &WorkerTypeId, markdown: Document) -> Result<Document, Refusal> {
    let title = id.to_string();
    let render = move || Document::hashed(html::page(&title, &String::from_utf8_lossy(&markdown.identity.bytes)));
    web::block(render).await.map_err(Refusal::internal)
}

fn with_policy(mut response: HttpResponse, html: bool) -> HttpResponse {
    if html {
        for (name, value) in service::html_headers().into_iter().skip(1) {
            if let Ok(value) = value.parse() {
                response.headers_mut().insert(name, value);
            }
        }
    }
    response
}
