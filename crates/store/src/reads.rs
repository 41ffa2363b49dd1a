//! Reads worker types and their revisions.

use crate::failure::Failure;
use crate::rows::{self, RevisionRow, Sorted, WorkerTypeRow};
use crate::schema::{revisions, worker_types};
use ::worker_types::{RevisionNumber, WorkerTypeId};
use database::AnyConnection;
use diesel::prelude::*;
use registry::store::{RevisionRecord, WorkerTypeRecord};
use std::collections::HashMap;

/// One worker type, with the revisions that are live.
pub(crate) fn find(connection: &mut AnyConnection, id: &WorkerTypeId) -> Result<Option<WorkerTypeRecord>, Failure> {
    let row = find_row(connection, id)?;
    row.map(|row| row.record(|number| revision_numbered(connection, id, number))).transpose()
}

fn find_row(connection: &mut AnyConnection, id: &WorkerTypeId) -> Result<Option<WorkerTypeRow>, Failure> {
    let query = worker_types::table.find(id.as_str()).select(WorkerTypeRow::as_select());
    Ok(query.first(connection).optional()?)
}

/// One revision.
pub(crate) fn revision(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    number: RevisionNumber,
) -> Result<Option<RevisionRecord>, Failure> {
    revision_numbered(connection, id, number.0.into())
}

fn revision_numbered(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    number: i64,
) -> Result<Option<RevisionRecord>, Failure> {
    let query = revisions::table.find((id.as_str(), number)).select(RevisionRow::as_select());
    query.first(connection).optional()?.map(RevisionRow::record).transpose()
}

/// Revisions below `before`, newest first.
pub(crate) fn revisions(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    before: Option<RevisionNumber>,
    limit: usize,
) -> Result<Vec<RevisionRecord>, Failure> {
    let before = before.map_or(i64::MAX, |number| number.0.into());
    let rows = revisions::table
        .filter(revisions::worker_type_id.eq(id.as_str()))
        .filter(revisions::number.lt(before))
        .order(revisions::number.desc())
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(RevisionRow::as_select())
        .load(connection)?;
    rows.into_iter().map(RevisionRow::record).collect()
}

/// One worker type with all revisions, oldest first.
pub(crate) fn history(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
) -> Result<Option<(WorkerTypeRecord, Vec<RevisionRecord>)>, Failure> {
    let Some(row) = find_row(connection, id)? else { return Ok(None) };
    let rows = revisions::table
        .filter(revisions::worker_type_id.eq(id.as_str()))
        .order(revisions::number.asc())
        .select(RevisionRow::as_select())
        .load(connection)?;
    let all = rows.into_iter().map(RevisionRow::record).collect::<Result<Vec<_>, _>>()?;
    let record = row.record(|number| Ok(all.iter().find(|each| i64::from(each.revision.0) == number).cloned()))?;
    Ok(Some((record, all)))
}

/// Every worker type with the revisions that are live, in the order of their ids; and those that cannot be read.
pub(crate) fn all(connection: &mut AnyConnection) -> Result<Sorted<WorkerTypeId, WorkerTypeRecord>, Failure> {
    let rows = worker_types::table.order(worker_types::id.asc()).select(WorkerTypeRow::as_select()).load(connection)?;
    let same = worker_types::id.eq(revisions::worker_type_id);
    // Two queries, for a condition with OR would read the whole history.
    let live = revisions::table
        .inner_join(worker_types::table.on(same.and(worker_types::live_revision.eq(revisions::number.nullable()))))
        .select(RevisionRow::as_select())
        .load(connection)?;
    let older = revisions::table
        .inner_join(worker_types::table.on(same.and(worker_types::older_revision.eq(revisions::number.nullable()))))
        .select(RevisionRow::as_select())
        .load(connection)?;
    let mut found: HashMap<(String, i64), RevisionRow> =
        live.into_iter().chain(older).map(|row| ((row.worker_type_id.clone(), row.number), row)).collect();
    rows::sorted(rows.into_iter().map(|row| {
        let id = row.id.clone();
        let record = row.record(|number| found.remove(&(id.clone(), number)).map(RevisionRow::record).transpose());
        (id, record)
    }))
}
