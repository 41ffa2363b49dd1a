//! How the registry is.

use crate::answer;
use crate::shapes::StatusReport;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use service::{Access, Answer, Authorised, Operation, Refusal};

/// Names of hosts are not for everybody.
const HOSTS: &str = "worker-manager:status:hosts";

pub(super) static ROW: Operation = Operation {
    id: "status",
    path: "/status",
    summary: "How the registry is: what is there, what changed last, the feed, the servers, the database",
    tag: "status",
    access: Access::Scope("worker-manager:status"),
    answers: &[Answer::json(200, "Status", "At most two seconds old; also while the database is away")],
    ..Operation::BLANK
};

pub(super) async fn get(Authorised(caller): Authorised, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let status = state.registry.status().await;
    let status = status.ok_or_else(|| Refusal::internal("the computation of the status was cut off"))?;
    Ok(answer::json(&StatusReport::of(&status, caller.has(HOSTS))))
}
