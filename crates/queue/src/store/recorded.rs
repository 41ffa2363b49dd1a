//! Keeps tasks for replays, and gives them back, newest first.

use crate::error::QueueError;
use crate::settings::Recording;
use crate::store::schema::recorded_tasks;
use database::{AnyConnection, MultiBackend};
use diesel::dsl::count_star;
use diesel::prelude::*;
use jiff::{SignedDuration, Timestamp};
use worker_types::{TaskId, WorkerTypeId};

/// Rows that go at once.
pub(super) const BATCH: i64 = 500;

/// A task that was created, as it is recorded: JSON.
#[derive(Clone, Debug)]
pub(crate) struct RecordedTask {
    pub(crate) task_id: TaskId,
    pub(crate) worker_type_id: WorkerTypeId,
    pub(crate) task: String,
    pub(crate) at: Timestamp,
}

/// The last task of a page.
#[derive(Clone, Debug)]
pub(crate) struct RecordedPosition {
    at: i64,
    task_id: String,
}

pub(crate) fn insert(connection: &mut AnyConnection, record: &RecordedTask) -> Result<(), QueueError> {
    let row = (
        recorded_tasks::task_id.eq(record.task_id.as_str()),
        recorded_tasks::task_queue_id.eq(record.worker_type_id.as_str()),
        recorded_tasks::task.eq(&record.task),
        recorded_tasks::at.eq(record.at.as_microsecond()),
    );
    // A task whose id is taken again after it expired was recorded under that id before.
    diesel::delete(recorded_tasks::table.find(record.task_id.as_str())).execute(connection)?;
    diesel::insert_into(recorded_tasks::table).values(row).execute(connection)?;
    Ok(())
}

/// The tasks of a worker type that are not older than `oldest`, newest first, from after `after` on; and where the next
/// page begins.
pub(crate) fn page(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    oldest: Timestamp,
    after: Option<&RecordedPosition>,
    limit: usize,
) -> Result<(Vec<String>, Option<RecordedPosition>), QueueError> {
    let mut query = recorded_tasks::table
        .filter(recorded_tasks::task_queue_id.eq(id.as_str()))
        .filter(recorded_tasks::at.ge(oldest.as_microsecond()))
        .order((recorded_tasks::at.desc(), recorded_tasks::task_id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select((recorded_tasks::at, recorded_tasks::task_id, recorded_tasks::task))
        .into_boxed::<MultiBackend>();
    if let Some(after) = after {
        let same_moment = recorded_tasks::at.eq(after.at).and(recorded_tasks::task_id.lt(&after.task_id));
        query = query.filter(recorded_tasks::at.lt(after.at).or(same_moment));
    }
    let rows: Vec<(i64, String, String)> = query.load(connection)?;
    let last = rows.last().filter(|_| rows.len() == limit);
    let next = last.map(|(at, task_id, _)| RecordedPosition { at: *at, task_id: task_id.clone() });
    Ok((rows.into_iter().map(|(_, _, task)| task).collect(), next))
}

/// Removes some of what is older or more than the settings say; all of it where nothing is recorded any more.
pub(crate) fn sweep(
    connection: &mut AnyConnection,
    recording: &Recording,
    now: Timestamp,
) -> Result<usize, QueueError> {
    let old = recorded_tasks::table
        .filter(recorded_tasks::at.lt(oldest(recording, now).as_microsecond()))
        .order(recorded_tasks::at.asc())
        .select(recorded_tasks::task_id)
        .limit(BATCH);
    let ids: Vec<String> = old.load(connection)?;
    let mut removed = remove(connection, &ids)?;
    let counts: Vec<(String, i64)> = recorded_tasks::table
        .group_by(recorded_tasks::task_queue_id)
        .select((recorded_tasks::task_queue_id, count_star()))
        .load(connection)?;
    let most = i64::try_from(recording.at_most).unwrap_or(i64::MAX);
    for (id, count) in counts.into_iter().filter(|(_, count)| *count > most) {
        let oldest = recorded_tasks::table
            .filter(recorded_tasks::task_queue_id.eq(&id))
            .order((recorded_tasks::at.asc(), recorded_tasks::task_id.asc()))
            .select(recorded_tasks::task_id)
            .limit((count - most).min(BATCH));
        let ids: Vec<String> = oldest.load(connection)?;
        removed += remove(connection, &ids)?;
    }
    Ok(removed)
}

/// Nothing from before this is shown or kept.
pub(crate) fn oldest(recording: &Recording, now: Timestamp) -> Timestamp {
    let age = SignedDuration::try_from(recording.kept_for).unwrap_or(SignedDuration::MAX);
    now.checked_sub(age).unwrap_or(Timestamp::MIN)
}

fn remove(connection: &mut AnyConnection, ids: &[String]) -> Result<usize, QueueError> {
    if ids.is_empty() {
        return Ok(0);
    }
    Ok(diesel::delete(recorded_tasks::table.filter(recorded_tasks::task_id.eq_any(ids))).execute(connection)?)
}
