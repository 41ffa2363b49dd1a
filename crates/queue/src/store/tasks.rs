//! Reads tasks.

use crate::error::QueueError;
use crate::status::TaskStatus;
use crate::store::rows::{StatusRow, from_text, parse};
use crate::store::schema::tasks;
use database::AnyConnection;
use diesel::prelude::*;
use std::collections::HashMap;
use worker_types::{ContentHash, Object, TaskId};

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

/// The definitions of those that exist, in the order of `ids`.
pub(crate) fn definitions(
    connection: &mut AnyConnection,
    ids: Vec<TaskId>,
) -> Result<Vec<(TaskId, Object)>, QueueError> {
    let mut found: HashMap<String, String> = HashMap::new();
    for some in ids.chunks(AT_ONCE) {
        let some = some.iter().map(TaskId::as_str);
        let query = tasks::table.filter(tasks::task_id.eq_any(some)).select((tasks::task_id, tasks::definition));
        found.extend(query.load::<(String, String)>(connection)?);
    }
    ids.into_iter()
        .filter_map(|id| found.remove(id.as_str()).map(|definition| (id, definition)))
        .map(|(id, definition)| {
            let object = from_text(|| format!("task {id}"), &definition)?;
            Ok((id, object))
        })
        .collect()
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
