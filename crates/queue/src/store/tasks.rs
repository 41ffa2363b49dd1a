//! Reads tasks.

use crate::error::QueueError;
use crate::status::{State, TaskStatus};
use crate::store::rows::{StatusRow, from_text, parse, state_name};
use crate::store::schema::tasks;
use database::AnyConnection;
use diesel::prelude::*;
use std::collections::HashMap;
use worker_types::{ContentHash, Object, TaskId, WorkerTypeId};

/// A task that exists.
#[derive(Clone, Debug)]
pub(crate) struct StoredTask {
    pub(crate) status: TaskStatus,
    pub(crate) hash: ContentHash,
}

/// Ids that one query asks for.
const AT_ONCE: usize = 500;

pub(crate) fn find(connection: &mut AnyConnection, id: &TaskId) -> Result<Option<StoredTask>, QueueError> {
    let query = tasks::table.find(id.as_str()).select(StatusRow::as_select());
    let row = query.first(connection).optional()?;
    row.map(|row| {
        let hash = parse(|| format!("task {}", row.task_id), &row.definition_hash)?;
        Ok(StoredTask { status: row.status()?, hash })
    })
    .transpose()
}

/// Those of a worker type that wait for a worker, in the order of their ids, from after `after` on.
pub(crate) fn pending(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    after: Option<&TaskId>,
    limit: usize,
) -> Result<Vec<TaskStatus>, QueueError> {
    let query = tasks::table
        .filter(tasks::task_queue_id.eq(id.as_str()))
        .filter(tasks::state.eq(state_name(State::Pending)))
        .filter(tasks::task_id.gt(after.map_or("", TaskId::as_str)))
        .order(tasks::task_id.asc())
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(StatusRow::as_select());
    query.load(connection)?.into_iter().map(StatusRow::status).collect()
}

/// The definitions of those that exist, in the order of `ids`, up to `most_bytes` of them but one at least; and how many
/// of the ids were gone through.
pub(crate) fn definitions(
    connection: &mut AnyConnection,
    ids: &[TaskId],
    most_bytes: u64,
) -> Result<(Vec<(TaskId, Object)>, usize), QueueError> {
    let mut found = Vec::new();
    let (mut taken, mut done) = (0_u64, 0);
    for some in ids.chunks(AT_ONCE) {
        let named = tasks::table.filter(tasks::task_id.eq_any(some.iter().map(TaskId::as_str)));
        let sizes = named.select((tasks::task_id, tasks::definition_bytes)).load::<(String, i64)>(connection)?;
        let sizes: HashMap<String, u64> = sizes.into_iter().map(|(id, size)| (id, size.unsigned_abs())).collect();
        let fits = |id: &&TaskId| {
            let size = sizes.get(id.as_str()).copied().unwrap_or(0);
            let fits = size == 0 || taken == 0 || taken.saturating_add(size) <= most_bytes;
            taken = taken.saturating_add(size);
            fits
        };
        let fitting: Vec<&TaskId> = some.iter().take_while(fits).collect();
        found.extend(read(connection, &fitting)?);
        done += fitting.len();
        if fitting.len() < some.len() {
            break;
        }
    }
    Ok((found, done))
}

fn read(connection: &mut AnyConnection, ids: &[&TaskId]) -> Result<Vec<(TaskId, Object)>, QueueError> {
    let named = tasks::table.filter(tasks::task_id.eq_any(ids.iter().map(|id| id.as_str())));
    let rows = named.select((tasks::task_id, tasks::definition)).load::<(String, String)>(connection)?;
    let mut found: HashMap<String, String> = rows.into_iter().collect();
    let definitions = ids.iter().filter_map(|id| Some((*id, found.remove(id.as_str())?)));
    definitions.map(|(id, definition)| Ok((id.clone(), from_text(|| format!("task {id}"), &definition)?))).collect()
}

/// When those that exist are forgotten.
pub(crate) fn expiries(connection: &mut AnyConnection, ids: &[TaskId]) -> Result<HashMap<String, i64>, QueueError> {
    let mut found = HashMap::new();
    for some in ids.chunks(AT_ONCE) {
        let some = some.iter().map(TaskId::as_str);
        let query = tasks::table.filter(tasks::task_id.eq_any(some)).select((tasks::task_id, tasks::expires));
        found.extend(query.load::<(String, i64)>(connection)?);
    }
    Ok(found)
}
