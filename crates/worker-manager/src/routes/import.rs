//! An export, in: all of it or nothing.

use crate::answer;
use crate::precondition::Acting;
use crate::refusal;
use crate::shapes::ImportReport;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use service::{Access, Answer, Body, BodyLimit, NdjsonBody, Operation, Refusal, Verb};
use worker_types::Problem;

pub(super) static ROW: Operation = Operation {
    id: "import",
    method: Verb::Post,
    path: "/import",
    summary: "Take an export in, all of it or nothing; records that are there already, equal in everything, are passed over",
    tag: "moving",
    access: Access::Scope("worker-manager:import"),
    body: Some(Body {
        media: Body::NDJSON,
        schema: None,
        limit: BodyLimit { setting: "max_import_bytes", default: 1 << 30 },
        description: "What export gave.",
    }),
    answers: &[Answer::json(200, "ImportReport", "It is in")],
    problems: &[Problem::TooLarge, Problem::InvalidImport, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) async fn post(acting: Acting, body: NdjsonBody, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let ndjson = body.all().await?;
    let imported = state.registry.import(ndjson.into(), acting.because(None)).await.map_err(refusal::write)?;
    Ok(answer::written(&state, StatusCode::OK).json(ImportReport { records: imported.records, new: imported.new }))
}
