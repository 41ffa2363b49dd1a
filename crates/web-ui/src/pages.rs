//! The pages, one file for each; the rows say who may see what.

mod asset;
mod task;
mod task_check;
mod task_creator;
mod worker_types;

use service::{Access, Answer, Api, Operation};

/// Every page.
pub static OPERATIONS: &[&Operation] =
    &[&worker_types::ROW, &task_creator::ROW, &task_check::ROW, &task::ROW, &asset::ROW];

/// Binds the rows, in their order.
pub(crate) fn bind(api: Api) -> Api {
    api.on(&worker_types::ROW, worker_types::get)
        .on(&task_creator::ROW, task_creator::get)
        .on(&task_check::ROW, task_check::post)
        .on(&task::ROW, task::get)
        .on(&asset::ROW, asset::get)
}

const HTML: &str = "text/html";
/// What every page answers.
const PAGE: &[Answer] = &[Answer::of(200, HTML, "The page")];
const LIST: Access = Access::Scope("worker-manager:list");
const GET: Access = Access::Scope("worker-manager:get:<workerTypeId>");
