//! Removes what is kept no longer: expired tasks with their verdicts, empty groups, old records of refusals and of tasks. A
//! batch at a time, so that nobody waits long for the database.

use crate::error::QueueError;
use crate::settings::{Recording, Retention};
use crate::store::recorded;
use crate::store::schema::{task_groups, tasks, verdicts};
use database::AnyConnection;
use diesel::prelude::*;
use jiff::{SignedDuration, Timestamp};

/// Rows of each kind that go at once.
const BATCH: i64 = 500;

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Swept {
    pub(crate) tasks: usize,
    pub(crate) groups: usize,
    pub(crate) refusals: usize,
    pub(crate) recorded: usize,
}

impl Swept {
    /// Whether there may be more to remove.
    pub(crate) fn is_full(self) -> bool {
        [self.tasks, self.groups, self.refusals, self.recorded]
            .iter()
            .any(|count| i64::try_from(*count).is_ok_and(|c| c >= BATCH))
    }
}

pub(crate) fn sweep(
    connection: &mut AnyConnection,
    retention: &Retention,
    recording: &Recording,
    now: Timestamp,
) -> Result<Swept, QueueError> {
    let tasks = expired_tasks(connection, now)?;
    let groups = expired_groups(connection, now)?;
    let refusals = old_refusals(connection, retention, now)?;
    let recorded = recorded::sweep(connection, recording, now)?;
    Ok(Swept { tasks, groups, refusals, recorded })
}

fn expired_tasks(connection: &mut AnyConnection, now: Timestamp) -> Result<usize, QueueError> {
    let expired = tasks::table.filter(tasks::expires.lt(now.as_microsecond())).order(tasks::expires.asc());
    let ids: Vec<String> = expired.select(tasks::task_id).limit(BATCH).load(connection)?;
    Ok(diesel::delete(tasks::table.filter(tasks::task_id.eq_any(&ids))).execute(connection)?)
}

fn expired_groups(connection: &mut AnyConnection, now: Timestamp) -> Result<usize, QueueError> {
    let ids: Vec<String> = task_groups::table
        .left_join(tasks::table.on(tasks::task_group_id.eq(task_groups::task_group_id)))
        .filter(task_groups::expires.lt(now.as_microsecond()))
        .filter(tasks::task_id.nullable().is_null())
        .select(task_groups::task_group_id)
        .limit(BATCH)
        .load(connection)?;
    let empty = task_groups::table.filter(task_groups::task_group_id.eq_any(&ids));
    Ok(diesel::delete(empty).execute(connection)?)
}

fn old_refusals(connection: &mut AnyConnection, retention: &Retention, now: Timestamp) -> Result<usize, QueueError> {
    let age = SignedDuration::try_from(retention.refused_for).unwrap_or(SignedDuration::MAX);
    let oldest = now.checked_sub(age).unwrap_or(Timestamp::MIN).as_microsecond();
    let refused = || verdicts::table.filter(verdicts::task_id.is_null());
    let total: i64 = refused().count().get_result(connection)?;
    let excess = total.saturating_sub(i64::try_from(retention.refused_at_most).unwrap_or(i64::MAX)).clamp(0, BATCH);
    let by_age = refused().order((verdicts::at.asc(), verdicts::id.asc()));
    let rows: Vec<(String, i64)> = by_age.select((verdicts::id, verdicts::at)).limit(BATCH).load(connection)?;
    let excess = usize::try_from(excess).unwrap_or(0);
    let goes = rows.into_iter().enumerate().filter(|(index, (_, at))| *index < excess || *at < oldest);
    let ids: Vec<String> = goes.map(|(_, (id, _))| id).collect();
    Ok(diesel::delete(verdicts::table.filter(verdicts::id.eq_any(&ids))).execute(connection)?)
}
