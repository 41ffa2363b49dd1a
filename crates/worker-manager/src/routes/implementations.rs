//! The implementations: the reference section.

use crate::answer;
use crate::shapes::ImplementationList;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use service::{Access, Answer, Authorised, Operation};

pub(super) static ROW: Operation = Operation {
    id: "listImplementations",
    path: "/implementations",
    summary: "Every implementation that has a release or that a live worker type names",
    tag: "releases",
    access: Access::Scope("worker-manager:list"),
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::json(200, "ImplementationList", "All of them")],
    ..Operation::BLANK
};

pub(super) async fn get(_: Authorised, state: Data<State>) -> HttpResponse {
    answer::json(&ImplementationList::of(&state.registry.implementations()))
}
