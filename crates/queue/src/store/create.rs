//! Creates a task: its group, its dependencies, its row, its verdict and its record, all in one transaction.

use crate::error::{BrokenRule, QueueError};
use crate::new_task::NewTask;
use crate::status::Run;
use crate::store::recorded::{self, RecordedTask};
use crate::store::rows::{NewTaskRow, corrupt};
use crate::store::schema::tasks;
use crate::store::tasks::{StoredTask, expiries, find};
use crate::store::{groups, verdicts};
use crate::verdict::KeptVerdict;
use database::{AnyConnection, Database, DatabaseError};
use diesel::prelude::*;
use jiff::Timestamp;
use worker_types::TaskId;

/// How often it is tried when another transaction creates the same task or the same group.
const ATTEMPTS: usize = 5;

/// What came of it.
#[derive(Debug)]
pub(crate) enum Creation {
    /// The task exists now.
    Created(StoredTask),
    /// A task with this id was there already, with this or another definition.
    Found(StoredTask),
}

/// On SQLite writers follow one another. On PostgreSQL two may create the same row: the second waits for the first, is
/// refused its key, and then finds what the first has written.
pub(crate) fn create(
    database: &Database,
    task: &NewTask,
    verdict: &KeptVerdict,
    record: Option<&RecordedTask>,
    now: Timestamp,
) -> Result<Creation, QueueError> {
    let once = || database.write(|connection| create_once(connection, task, verdict, record, now));
    for _ in 1..ATTEMPTS {
        match once() {
            Err(QueueError::Database(DatabaseError::Conflict { message, .. })) => {
                tracing::debug!(task.id = %task.task_id, message, "another transaction was faster; looking again");
            }
            ended => return ended,
        }
    }
    once()
}

fn create_once(
    connection: &mut AnyConnection,
    task: &NewTask,
    verdict: &KeptVerdict,
    record: Option<&RecordedTask>,
    now: Timestamp,
) -> Result<Creation, QueueError> {
    if let Some(found) = find(connection, &task.task_id)? {
        return Ok(Creation::Found(found));
    }
    groups::join(connection, task)?;
    check_dependencies(connection, task)?;
    let runs = if task.dependencies.is_empty() { vec![Run::first(now)] } else { Vec::new() };
    diesel::insert_into(tasks::table).values(NewTaskRow::of(task, &runs)?).execute(connection)?;
    verdicts::insert(connection, verdict)?;
    if let Some(record) = record {
        recorded::insert(connection, record)?;
    }
    let missing = || corrupt(format!("task {}", task.task_id), &"it was written, and is not there");
    find(connection, &task.task_id)?.map(Creation::Created).ok_or_else(missing)
}

/// Every dependency exists, and is not forgotten while it may be waited for. A task may depend on itself: it then waits
/// until it is scheduled by hand.
fn check_dependencies(connection: &mut AnyConnection, task: &NewTask) -> Result<(), QueueError> {
    let is_other = |id: &TaskId| *id != task.task_id;
    let others: Vec<TaskId> = task.dependencies.iter().filter(|id| is_other(id)).cloned().collect();
    let known = expiries(connection, &others)?;
    let (mut missing, mut expiring) = (Vec::new(), Vec::new());
    for (index, id) in task.dependencies.iter().enumerate().filter(|(_, id)| is_other(id)) {
        let place = (format!("/dependencies/{index}"), format!("\"{id}\""));
        match known.get(id.as_str()) {
            None => missing.push(place),
            Some(expires) if *expires < task.deadline.as_microsecond() => expiring.push(place),
            Some(_) => {}
        }
    }
    let refusal = BrokenRule::at_each("unknown-dependency", &missing_message(&missing), missing)
        .or_else(|| BrokenRule::at_each("expiring-dependency", &expiring_message(&expiring), expiring));
    refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
}

type Place = (String, String);

fn missing_message(places: &[Place]) -> String {
    format!(
        "`task.dependencies` references non-existing tasks: {}. All taskIds in `task.dependencies` **must** exist before the task is created",
        listed(places)
    )
}

fn expiring_message(places: &[Place]) -> String {
    format!(
        "`task.dependencies` references tasks that expire before `task.deadline`: {}. All taskIds in `task.dependencies` **must** have `task.expires` greater than the `deadline` of this task",
        listed(places)
    )
}

fn listed(places: &[Place]) -> String {
    let ids: Vec<&str> = places.iter().take(10).map(|(_, id)| id.trim_matches('"')).collect();
    let more = if places.len() > ids.len() { format!(" and {} more", places.len() - ids.len()) } else { String::new() };
    format!("{}{more}", ids.join(", "))
}
