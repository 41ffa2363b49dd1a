//! Which servers are on this database, and what else the status asks of it at one moment.

use crate::failure::Failure;
use crate::schema::{audit, events, replicas};
use crate::{feed, rows};
use database::AnyConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use jiff::Timestamp;
use registry::store::{EventRecord, Glance, ReplicaRecord, ReplicaReport};
use rows::{EventRow, ReplicaRow};
use std::collections::BTreeMap;
use std::time::Duration;

/// Writes that a server is there now, and forgets those that were not for `forgotten_after`.
pub(crate) fn report(
    connection: &mut AnyConnection,
    report: &ReplicaReport,
    forgotten_after: Duration,
) -> Result<(), Failure> {
    let now = now(connection)?;
    let row = ReplicaRow::of(report, now)?;
    let known = diesel::update(replicas::table.find(&row.id))
        .set((replicas::seen_at.eq(row.seen_at), replicas::applied.eq(row.applied)))
        .execute(connection)?;
    let id = row.id.clone();
    if known == 0 {
        diesel::insert_into(replicas::table).values(row).execute(connection)?;
    }
    let others = replicas::table.filter(replicas::id.ne(id));
    if is_alone(connection) {
        diesel::delete(others).execute(connection)?;
    } else {
        let before = now.saturating_sub(microseconds(forgotten_after));
        diesel::delete(others.filter(replicas::seen_at.lt(before))).execute(connection)?;
    }
    Ok(())
}

/// The feed's bounds, the last `changes` changes, and the servers that were there within `seen_within`.
pub(crate) fn glance(connection: &mut AnyConnection, changes: usize, seen_within: Duration) -> Result<Glance, Failure> {
    let now = now(connection)?;
    let since = now.saturating_sub(microseconds(seen_within));
    let rows = replicas::table
        .filter(replicas::seen_at.ge(since))
        .order((replicas::started_at.asc(), replicas::id.asc()))
        .select(ReplicaRow::as_select())
        .load(connection)?;
    Ok(Glance {
        at: rows::moment("the database's clock", now)?,
        feed: feed::bounds(connection)?,
        changes: newest_changes(connection, changes)?,
        replicas: rows.into_iter().map(ReplicaRow::record).collect::<Result<Vec<ReplicaRecord>, _>>()?,
        bytes: bytes(connection)?,
    })
}

/// Each with its caller, who stands in the audit under the same sequence.
fn newest_changes(connection: &mut AnyConnection, limit: usize) -> Result<Vec<(EventRecord, Option<String>)>, Failure> {
    let rows = events::table
        .order(events::sequence.desc())
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(EventRow::as_select())
        .load(connection)?;
    let Some(oldest) = rows.last().map(|row| row.sequence) else { return Ok(Vec::new()) };
    let callers = audit::table.filter(audit::sequence.ge(oldest)).select((audit::sequence, audit::caller));
    let mut callers: BTreeMap<i64, String> = callers.load(connection)?.into_iter().collect();
    let change = |row: EventRow| {
        let caller = callers.remove(&row.sequence);
        Ok((row.record()?, caller))
    };
    rows.into_iter().map(change).collect()
}

/// No second server opens a SQLite file: a row of another one is of an earlier process.
fn is_alone(connection: &AnyConnection) -> bool {
    matches!(connection, AnyConnection::Sqlite(_))
}

/// Microseconds since 1970, by the one clock that all servers on the database share.
fn now(connection: &mut AnyConnection) -> Result<i64, Failure> {
    match connection {
        AnyConnection::Sqlite(_) => Ok(Timestamp::now().as_microsecond()),
        AnyConnection::Postgresql(connection) => {
            let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS number";
            Ok(sql_query(sql).get_result::<Number>(connection)?.number)
        }
    }
}

/// How much room the database takes; none where it does not say.
fn bytes(connection: &mut AnyConnection) -> Result<Option<u64>, Failure> {
    let found: Number = match connection {
        AnyConnection::Sqlite(connection) => {
            let sql = "SELECT page_count * page_size AS number FROM pragma_page_count(), pragma_page_size()";
            sql_query(sql).get_result(connection)?
        }
        AnyConnection::Postgresql(connection) => {
            sql_query("SELECT pg_database_size(current_database()) AS number").get_result(connection)?
        }
    };
    Ok(u64::try_from(found.number).ok())
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}
