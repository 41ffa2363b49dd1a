//! Counts verdicts, and what they complain of: what an operator looks at before `enforce` is switched on.

use crate::error::QueueError;
use crate::store::rows::parse;
use crate::store::schema::{verdict_causes, verdicts};
use crate::time;
use crate::verdict::Action;
use database::AnyConnection;
use diesel::dsl::{count_star, max};
use diesel::prelude::*;
use jiff::Timestamp;
use worker_types::{Outcome, TaskId, WorkerTypeId};

/// How many verdicts of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) valid: u64,
    pub(crate) invalid: u64,
    pub(crate) unchecked: u64,
    pub(crate) warned: u64,
    pub(crate) refused: u64,
}

/// One fault at one place, in every task that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) problem: String,
    /// With `*` for positions in arrays.
    pub(crate) pointer: String,
    pub(crate) tasks: u64,
    /// The newest task that has it.
    pub(crate) last_task: TaskId,
    pub(crate) last_message: String,
    pub(crate) last_at: Timestamp,
}

pub(crate) fn counts(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    since: Timestamp,
) -> Result<Counts, QueueError> {
    let groups: Vec<(String, String, i64)> = verdicts::table
        .filter(verdicts::task_queue_id.eq(id.as_str()))
        .filter(verdicts::at.ge(since.as_microsecond()))
        .group_by((verdicts::action, verdicts::outcome))
        .select((verdicts::action, verdicts::outcome, count_star()))
        .load(connection)?;
    let mut counts = Counts::default();
    for (action, outcome, count) in groups {
        let count = count.unsigned_abs();
        match outcome.as_str() {
            outcome if outcome == Outcome::Valid.as_str() => counts.valid += count,
            outcome if outcome == Outcome::Invalid.as_str() => counts.invalid += count,
            _ => counts.unchecked += count,
        }
        match action.as_str() {
            action if action == Action::Warned.as_str() => counts.warned += count,
            action if action == Action::Refused.as_str() => counts.refused += count,
            _ => {}
        }
    }
    Ok(counts)
}

/// The most frequent causes, at most `limit`.
pub(crate) fn causes(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    since: Timestamp,
    limit: usize,
) -> Result<Vec<Cause>, QueueError> {
    let groups: Vec<(String, String, i64, Option<i64>)> = verdict_causes::table
        .filter(verdict_causes::task_queue_id.eq(id.as_str()))
        .filter(verdict_causes::at.ge(since.as_microsecond()))
        .group_by((verdict_causes::problem, verdict_causes::pointer))
        .select((verdict_causes::problem, verdict_causes::pointer, count_star(), max(verdict_causes::at)))
        .order((count_star().desc(), max(verdict_causes::at).desc(), verdict_causes::pointer.asc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .load(connection)?;
    groups
        .into_iter()
        .filter_map(|(problem, pointer, count, last)| Some((problem, pointer, count, last?)))
        .map(|(problem, pointer, count, last)| {
            let (task_id, last_message): (String, String) = verdict_causes::table
                .filter(verdict_causes::task_queue_id.eq(id.as_str()))
                .filter(verdict_causes::at.eq(last))
                .filter(verdict_causes::problem.eq(&problem))
                .filter(verdict_causes::pointer.eq(&pointer))
                .select((verdict_causes::requested_id, verdict_causes::message))
                .first(connection)?;
            let last_task = parse(|| format!("a cause of task {task_id}"), &task_id)?;
            let (tasks, last_at) = (count.unsigned_abs(), time::from_row(last));
            Ok(Cause { problem, pointer, tasks, last_task, last_message, last_at })
        })
        .collect()
}
