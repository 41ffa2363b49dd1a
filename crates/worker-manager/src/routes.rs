//! The table of the service: every row, and the handler that serves it. One file for each resource.

mod adopt;
mod check;
mod coverage;
mod diff;
mod documentation;
mod events;
mod export;
mod implementations;
mod import;
mod list;
mod payload_schema;
mod publish;
mod releases;
mod revisions;
mod rollback;
mod rollout;
mod schemas;
mod status;
mod task_schema;
mod tasks_validate;
mod validate;
mod validation;
mod worker_type;

use crate::after_a_write::WAITS;
use service::{Api, Condition, Operation, Remark, Waits};

/// Every row. The first ones are the hottest: paths are tried in this order.
pub static OPERATIONS: &[&Operation] = &[
    &payload_schema::ROW,
    &validation::ROW,
    &validate::ROW,
    &worker_type::GET,
    &publish::ROW,
    &worker_type::DELETE,
    &documentation::ROW,
    &task_schema::ROW,
    &schemas::INDEX,
    &schemas::GET,
    &schemas::CATALOG,
    &list::ROW,
    &tasks_validate::ROW,
    &events::ROW,
    &revisions::LIST,
    &revisions::GET,
    &diff::ROW,
    &rollback::ROW,
    &rollout::GET,
    &rollout::PUT,
    &rollout::COMPLETE,
    &rollout::ABORT,
    &check::ROW,
    &implementations::ROW,
    &releases::LIST,
    &releases::GET,
    &releases::PUT,
    &releases::USED_BY,
    &releases::MARK,
    &adopt::ROW,
    &coverage::ROW,
    &status::ROW,
    &export::ROW,
    &import::ROW,
];

/// Binds the rows, in their order; those that wait do it as `condition` says, and their answers carry what `remark` adds.
pub(crate) fn bind(api: Api, condition: Condition, remark: Remark) -> Api {
    api.waiting(condition)
        .remarking(remark)
        .on(&payload_schema::ROW, payload_schema::get)
        .on(&validation::ROW, validation::get)
        .on(&validate::ROW, validate::post)
        .on(&worker_type::GET, worker_type::get)
        .on(&publish::ROW, publish::put)
        .on(&worker_type::DELETE, worker_type::delete)
        .on(&documentation::ROW, documentation::get)
        .on(&task_schema::ROW, task_schema::get)
        .on(&schemas::INDEX, schemas::index)
        .on(&schemas::GET, schemas::get)
        .on(&schemas::CATALOG, schemas::catalog)
        .on(&list::ROW, list::get)
        .on(&tasks_validate::ROW, tasks_validate::post)
        .on(&events::ROW, events::get)
        .on(&revisions::LIST, revisions::list)
        .on(&revisions::GET, revisions::get)
        .on(&diff::ROW, diff::get)
        .on(&rollback::ROW, rollback::post)
        .on(&rollout::GET, rollout::get)
        .on(&rollout::PUT, rollout::put)
        .on(&rollout::COMPLETE, rollout::complete)
        .on(&rollout::ABORT, rollout::abort)
        .on(&check::ROW, check::post)
        .on(&implementations::ROW, implementations::get)
        .on(&releases::LIST, releases::list)
        .on(&releases::GET, releases::get)
        .on(&releases::PUT, releases::put)
        .on(&releases::USED_BY, releases::used_by)
        .on(&releases::MARK, releases::mark)
        .on(&adopt::ROW, adopt::post)
        .on(&coverage::ROW, coverage::get)
        .on(&status::ROW, status::get)
        .on(&export::ROW, export::get)
        .on(&import::ROW, import::post)
}

/// Of every read: it may follow a write on any server.
const AFTER_A_WRITE: Option<Waits> = Some(WAITS);

/// The scopes that more than one row asks for.
mod scopes {
    use service::Access;

    pub(super) const GET: Access = Access::Scope("worker-manager:get:<workerTypeId>");
    pub(super) const PUBLISH: Access = Access::Scope("worker-manager:publish:<workerTypeId>");
    pub(super) const GET_RELEASE: Access = Access::Scope("worker-manager:get-release:<name>");
}
