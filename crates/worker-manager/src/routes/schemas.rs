//! The index of derived schemas, and each of them under an address that never means anything else.

use crate::answer::{self, Freshness, PREFIX, document_response};
use crate::refusal;
use crate::routes::payload_schema::MEDIA;
use crate::shapes::{SchemaCatalog, SchemaList};
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, web};
use registry::Document;
use service::{Access, Answer, Authorised, Id, Operation, Refusal};
use worker_types::{ContentHash, Problem};

const LIST: Access = Access::Scope("worker-manager:list");

pub(super) static INDEX: Operation = Operation {
    id: "listSchemas",
    path: "/schemas",
    summary: "The schemas of what is live, by name, each with the immutable URL of the document that it is now",
    tag: "reading",
    access: LIST,
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::json(200, "SchemaList", "All of them"), Answer::empty(304, "The client has it")],
    ..Operation::BLANK
};

pub(super) static GET: Operation = Operation {
    id: "getSchema",
    path: "/schemas/{hash}",
    summary: "The schema under an address of the index",
    tag: "reading",
    access: Access::Each("worker-manager:get:<workerTypeId>"),
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::of(200, MEDIA, "The schema"), Answer::empty(304, "The client has it")],
    problems: &[Problem::UnknownSchema, Problem::NotAcceptable],
    ..Operation::BLANK
};

pub(super) static CATALOG: Operation = Operation {
    id: "getSchemaCatalog",
    path: "/schema-catalog.json",
    summary: "The catalogue from which editors choose a schema for a file, in SchemaStore's format",
    tag: "reading",
    access: LIST,
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::json(200, "SchemaCatalog", "The catalogue"), Answer::empty(304, "The client has it")],
    ..Operation::BLANK
};

pub(super) async fn index(_: Authorised, state: Data<State>, request: HttpRequest) -> Result<HttpResponse, Refusal> {
    let index = state.registry.schema_index().await.map_err(refusal::read)?;
    let write = move || -> Result<Document, serde_json::Error> {
        if let Some(known) = index.document.get() {
            return Ok(known.clone());
        }
        let body = serde_json::to_vec(&SchemaList::of(&index, PREFIX))?;
        Ok(index.document.get_or_init(|| Document::hashed(body)).clone())
    };
    let document = web::block(write).await.map_err(Refusal::internal)?.map_err(Refusal::internal)?;
    Ok(answer::live(&request, &document, "application/json"))
}

pub(super) async fn get(
    caller: Authorised,
    Id(hash): Id<ContentHash>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let found = state.registry.wanted_at(&hash).await.map_err(refusal::read)?;
    let Some((id, wanted)) = found else {
        let detail = format!("nothing live has the schema {hash} now; the index {PREFIX}/schemas names those that are");
        return Err(Refusal::new(Problem::UnknownSchema, detail));
    };
    caller.require(&format!("worker-manager:get:{id}"))?;
    let document = state.registry.derived(wanted).await.map_err(refusal::read)?;
    Ok(document_response(&request, &document, MEDIA, Freshness::Immutable))
}

pub(super) async fn catalog(_: Authorised, state: Data<State>, request: HttpRequest) -> Result<HttpResponse, Refusal> {
    let connection = request.connection_info().clone();
    let base = format!("{}://{}{PREFIX}", connection.scheme(), connection.host());
    let bundles = state.registry.bundles();
    // Its addresses are those by which the request came: it is written for each request, beside the serving threads.
    let write = move || serde_json::to_vec(&SchemaCatalog::of(&bundles, &base)).map(Document::hashed);
    let document = web::block(write).await.map_err(Refusal::internal)?.map_err(Refusal::internal)?;
    Ok(answer::live(&request, &document, "application/json"))
}
