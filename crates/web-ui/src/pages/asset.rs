//! Style and scripts.

use crate::web_ui::State;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use service::{Answer, Authorised, Operation, Refusal};
use worker_types::Problem;

pub(super) static ROW: Operation = Operation {
    id: "pageAsset",
    path: "/assets/{file}",
    summary: "A style sheet or script, under a name that changes with its content",
    tag: "pages",
    answers: &[Answer::of(200, "text/javascript", "The file")],
    problems: &[Problem::UnknownRoute],
    ..Operation::BLANK
};

pub(super) async fn get(
    _: Authorised,
    file: Path<String>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let missing = || Refusal::new(Problem::UnknownRoute, format!("there is no file {file}; load the page again"));
    state.assets.answer(&file, request.headers()).ok_or_else(missing)
}
