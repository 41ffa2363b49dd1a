//! Verdicts on many tasks: one task definition for each line in, one verdict for each line out, in order, while the
//! lines still come.

use crate::batch;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use service::{Access, Answer, Authorised, Body, BodyLimit, NdjsonBody, Operation, Verb};

pub(super) static ROW: Operation = Operation {
    id: "validateTasks",
    method: Verb::Post,
    path: "/tasks/validate",
    summary: "The verdict on each of many tasks, as a stream; a line that is no task gets an error, and the stream goes on",
    tag: "validating",
    access: Access::Each("worker-manager:validate:<workerTypeId>"),
    waits: super::AFTER_A_WRITE,
    body: Some(Body {
        media: Body::NDJSON,
        schema: None,
        limit: BodyLimit { setting: "max_task_bytes", default: (10 << 20) + (64 << 10) },
        description: "One task definition for each line, which names its worker type; blank lines are counted and get no \
                      answer. The limit is that of a line.",
    }),
    answers: &[Answer::of(200, "application/x-ndjson", "One verdict for each line, with `line` from 1")],
    ..Operation::BLANK
};

pub(super) async fn post(Authorised(caller): Authorised, body: NdjsonBody, state: Data<State>) -> HttpResponse {
    let answers = batch::start(body.lines(), caller, state.registry.clone(), state.options.batch_answers);
    HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .insert_header(("cache-control", "no-store"))
        .streaming(answers)
}
