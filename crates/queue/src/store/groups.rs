//! Task groups: all tasks of one have the same scheduler.

use crate::error::QueueError;
use crate::new_task::NewTask;
use crate::store::schema::task_groups;
use database::AnyConnection;
use diesel::prelude::*;

/// Sees to it that the task's group exists, and lives as long as the task.
///
/// # Errors
/// It belongs to another scheduler.
pub(crate) fn join(connection: &mut AnyConnection, task: &NewTask) -> Result<(), QueueError> {
    let (group, scheduler) = (task.text("taskGroupId"), task.text("schedulerId"));
    let expires = task.expires.as_microsecond();
    let known = task_groups::table.find(group).select(task_groups::scheduler_id);
    match known.first::<String>(connection).optional()? {
        None => {
            let row = (
                task_groups::task_group_id.eq(group),
                task_groups::scheduler_id.eq(scheduler),
                task_groups::expires.eq(expires),
            );
            diesel::insert_into(task_groups::table).values(row).execute(connection)?;
        }
        Some(known) if known == scheduler => {
            let shorter = task_groups::table
                .filter(task_groups::task_group_id.eq(group))
                .filter(task_groups::expires.lt(expires));
            diesel::update(shorter).set(task_groups::expires.eq(expires)).execute(connection)?;
        }
        Some(_) => {
            let (task_group_id, scheduler_id) = (group.to_owned(), scheduler.to_owned());
            return Err(QueueError::GroupConflict { task_group_id, scheduler_id });
        }
    }
    Ok(())
}
