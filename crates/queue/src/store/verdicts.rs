//! Keeps and lists verdicts.

use crate::error::QueueError;
use crate::store::causes;
use crate::store::rows::VerdictRow;
use crate::store::schema::verdicts;
use crate::verdict::{Action, KeptVerdict};
use database::{AnyConnection, MultiBackend};
use diesel::prelude::*;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use worker_types::{Outcome, TaskId, WorkerTypeId};

/// Which verdicts to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VerdictFilter {
    /// With one outcome.
    pub(crate) outcome: Option<Outcome>,
    /// That led to one action; none is all but those that passed silently, unless an outcome is asked for.
    pub(crate) action: Option<Action>,
    /// Not before this.
    pub(crate) since: Timestamp,
}

/// The last entry of a page: the next one begins after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    at: i64,
    id: String,
}

pub(crate) fn insert(connection: &mut AnyConnection, kept: &KeptVerdict) -> Result<(), QueueError> {
    let row = VerdictRow::of(&kept.clone().bounded())?;
    let id = row.id.clone();
    diesel::insert_into(verdicts::table).values(row).execute(connection)?;
    causes::insert(connection, &id, kept)
}

pub(crate) fn of_task(connection: &mut AnyConnection, id: &TaskId) -> Result<Option<KeptVerdict>, QueueError> {
    let query = verdicts::table.filter(verdicts::task_id.eq(id.as_str())).select(VerdictRow::as_select());
    query.first(connection).optional()?.map(VerdictRow::verdict).transpose()
}

/// Newest first, from after `after` on.
pub(crate) fn page(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    filter: &VerdictFilter,
    after: Option<&Position>,
    limit: usize,
) -> Result<(Vec<KeptVerdict>, Option<Position>), QueueError> {
    let mut query = verdicts::table
        .filter(verdicts::task_queue_id.eq(id.as_str()))
        .filter(verdicts::at.ge(filter.since.as_microsecond()))
        .order((verdicts::at.desc(), verdicts::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1))
        .select(VerdictRow::as_select())
        .into_boxed::<MultiBackend>();
    if let Some(outcome) = filter.outcome {
        query = query.filter(verdicts::outcome.eq(outcome.as_str()));
    }
    query = match (filter.action, filter.outcome) {
        (Some(action), _) => query.filter(verdicts::action.eq(action.as_str())),
        (None, None) => query.filter(verdicts::action.ne(Action::Created.as_str())),
        (None, Some(_)) => query,
    };
    if let Some(after) = after {
        let same_moment = verdicts::at.eq(after.at).and(verdicts::id.lt(&after.id));
        query = query.filter(verdicts::at.lt(after.at).or(same_moment));
    }
    let mut rows: Vec<VerdictRow> = query.load(connection)?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| Position { at: row.at, id: row.id.clone() });
    Ok((rows.into_iter().map(VerdictRow::verdict).collect::<Result<_, _>>()?, next))
}
