//! The pages, one file for each; the rows say who may see what.

mod asset;
mod definition_editor;
mod diff;
mod implementation;
mod implementations;
pub(crate) mod parts;
mod preview;
mod release;
mod revisions;
mod schema_part;
mod status;
mod task;
mod task_check;
mod task_creator;
mod terms;
mod worker_type;
mod worker_types;

use service::{Access, Answer, Api, Operation};

/// Every page.
pub static OPERATIONS: &[&Operation] = &[
    &worker_types::ROW,
    &worker_types::MOVED,
    &worker_type::ROW,
    &schema_part::ROW,
    &schema_part::OF_RELEASE,
    &revisions::ROW,
    &diff::ROW,
    &implementations::ROW,
    &implementation::ROW,
    &release::ROW,
    &status::ROW,
    &task_creator::ROW,
    &task_check::ROW,
    &task::ROW,
    &definition_editor::EDIT,
    &definition_editor::NEW,
    &preview::ROW,
    &asset::ROW,
];

/// Binds the rows, in their order.
pub(crate) fn bind(api: Api) -> Api {
    api.on(&worker_types::ROW, worker_types::get)
        .on(&worker_types::MOVED, worker_types::moved)
        .on(&worker_type::ROW, worker_type::get)
        .on(&schema_part::ROW, schema_part::get)
        .on(&schema_part::OF_RELEASE, schema_part::of_release)
        .on(&revisions::ROW, revisions::get)
        .on(&diff::ROW, diff::get)
        .on(&implementations::ROW, implementations::get)
        .on(&implementation::ROW, implementation::get)
        .on(&release::ROW, release::get)
        .on(&status::ROW, status::get)
        .on(&task_creator::ROW, task_creator::get)
        .on(&task_check::ROW, task_check::post)
        .on(&task::ROW, task::get)
        .on(&definition_editor::EDIT, definition_editor::edit)
        .on(&definition_editor::NEW, definition_editor::new)
        .on(&preview::ROW, preview::post)
        .on(&asset::ROW, asset::get)
}

const HTML: &str = "text/html";
/// What every page answers.
const PAGE: &[Answer] = &[Answer::of(200, HTML, "The page")];
const LIST: Access = Access::Scope("worker-manager:list");
const GET: Access = Access::Scope("worker-manager:get:<workerTypeId>");
const GET_RELEASE: Access = Access::Scope("worker-manager:get-release:<name>");
