//! The change feed and the audit: the one place that writes them, so that no change goes without.

use crate::failure::Failure;
use crate::rows::{self, EventRow};
use crate::schema::{audit, events, feed};
use ::worker_types::{EventKind, Generation, ReleaseId, RevisionNumber, WorkerTypeId};
use database::AnyConnection;
use diesel::prelude::*;
use jiff::Timestamp;
use registry::store::{Author, EventRecord, FeedBounds, Step};

/// The feed's one row.
const ROW: i64 = 1;

/// What happened, before it has its place in the feed.
pub(crate) struct Happening {
    pub kind: EventKind,
    pub subject: Subject,
}

/// What it happened to.
pub(crate) enum Subject {
    WorkerType { id: WorkerTypeId, generation: Generation, revision: RevisionNumber },
    Release(ReleaseId),
}

/// Writes an event and its audit row. Call it last in the transaction, as [`append_all`].
pub(crate) fn append(
    connection: &mut AnyConnection,
    author: &Author,
    happening: &Happening,
) -> Result<EventRecord, Failure> {
    let newest = take_numbers(connection, 1)?;
    write(connection, author, newest, happening)
}

/// Writes an event and an audit row for each, and answers the sequence of the last. Call it last in the transaction:
/// from here until the commit all others wait, which makes sequence numbers dense and visible in their order.
pub(crate) fn append_all(
    connection: &mut AnyConnection,
    author: &Author,
    happenings: &[Happening],
) -> Result<u64, Failure> {
    let count: i64 = rows::number("the number of events", happenings.len())?;
    let newest = take_numbers(connection, count)?;
    for (sequence, happening) in (newest - count + 1..).zip(happenings) {
        write(connection, author, sequence, happening)?;
    }
    rows::number("the feed", newest)
}

/// Takes the feed's lock and its next numbers; answers the last of them.
fn take_numbers(connection: &mut AnyConnection, count: i64) -> Result<i64, Failure> {
    diesel::update(feed::table.find(ROW)).set(feed::newest.eq(feed::newest + count)).execute(connection)?;
    Ok(feed::table.find(ROW).select(feed::newest).first(connection)?)
}

fn write(
    connection: &mut AnyConnection,
    author: &Author,
    sequence: i64,
    happening: &Happening,
) -> Result<EventRecord, Failure> {
    let kind = happening.kind.as_str();
    let at = author.at.as_microsecond();
    let mut event = EventRow {
        sequence,
        kind: kind.to_owned(),
        worker_type_id: None,
        release_id: None,
        generation: None,
        revision: None,
        at,
    };
    let subject = match &happening.subject {
        Subject::WorkerType { id, generation, revision } => {
            event.worker_type_id = Some(id.to_string());
            event.generation = Some(rows::generation(*generation)?);
            event.revision = Some(revision.0.into());
            id.to_string()
        }
        Subject::Release(id) => {
            event.release_id = Some(id.to_string());
            id.to_string()
        }
    };
    diesel::insert_into(events::table).values(&event).execute(connection)?;
    diesel::insert_into(audit::table)
        .values((
            audit::sequence.eq(sequence),
            audit::kind.eq(kind),
            audit::subject.eq(subject),
            audit::caller.eq(&author.name),
            audit::message.eq(author.message.as_deref()),
            audit::request_id.eq(author.request_id.as_deref()),
            audit::at.eq(at),
        ))
        .execute(connection)?;
    event.record()
}

/// The changes of a worker type between two publishes, of the audit, since the feed forgets.
pub(crate) fn steps(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    from: Timestamp,
    until: Option<Timestamp>,
) -> Result<Vec<Step>, Failure> {
    let first = publish_at(connection, id, from)?;
    let last = until.map(|until| publish_at(connection, id, until)).transpose()?.flatten();
    let rows: Vec<(String, i64, String, Option<String>)> = audit::table
        .filter(audit::subject.eq(id.as_str()))
        .filter(audit::sequence.ge(first.unwrap_or(0)))
        .filter(audit::sequence.le(last.unwrap_or(i64::MAX)))
        .order(audit::sequence.asc())
        .select((audit::kind, audit::at, audit::caller, audit::message))
        .load(connection)?;
    let step = |(kind, at, by, message): (String, i64, String, Option<String>)| {
        let kind = kind.parse().unwrap_or(EventKind::Unknown);
        Ok(Step { kind, at: rows::moment("the audit", at)?, by, message })
    };
    rows.into_iter().map(step).collect()
}

/// Where in commit order a revision was published: clocks of replicas differ, but a revision has the time of its row.
fn publish_at(connection: &mut AnyConnection, id: &WorkerTypeId, at: Timestamp) -> Result<Option<i64>, Failure> {
    let publishes = [EventKind::WorkerTypePublished, EventKind::WorkerTypeRolledBack, EventKind::RolloutStarted];
    let found = audit::table
        .filter(audit::subject.eq(id.as_str()))
        .filter(audit::at.eq(at.as_microsecond()))
        .filter(audit::kind.eq_any(publishes.map(EventKind::as_str)))
        .select(diesel::dsl::min(audit::sequence));
    Ok(found.first(connection)?)
}

/// Where the feed begins and ends.
pub(crate) fn bounds(connection: &mut AnyConnection) -> Result<FeedBounds, Failure> {
    let (epoch, newest, compacted): (String, i64, i64) =
        feed::table.find(ROW).select((feed::epoch, feed::newest, feed::compacted)).first(connection)?;
    Ok(FeedBounds { epoch, newest: rows::number("the feed", newest)?, compacted: rows::number("the feed", compacted)? })
}

/// Gives the feed a new epoch; with a condition, only where the epoch is still this and the feed ends before `seen`.
pub(crate) fn rename(connection: &mut AnyConnection, condition: Option<(&str, u64)>) -> Result<(), Failure> {
    let epoch = uuid::Uuid::new_v4().simple().to_string();
    match condition {
        None => diesel::update(feed::table.find(ROW)).set(feed::epoch.eq(epoch)).execute(connection)?,
        Some((known, seen)) => {
            let seen: i64 = rows::number("the feed", seen)?;
            diesel::update(feed::table.find(ROW).filter(feed::epoch.eq(known)).filter(feed::newest.lt(seen)))
                .set(feed::epoch.eq(epoch))
                .execute(connection)?
        }
    };
    Ok(())
}

/// Events after `after`, in order.
pub(crate) fn events(connection: &mut AnyConnection, after: u64, limit: usize) -> Result<Vec<EventRecord>, Failure> {
    let rows = events::table
        .filter(events::sequence.gt(i64::try_from(after).unwrap_or(i64::MAX)))
        .order(events::sequence.asc())
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(EventRow::as_select())
        .load(connection)?;
    rows.into_iter().map(EventRow::record).collect()
}

/// Events that one transaction forgets: others want to write too, and a statement has its time.
const SLICE: u64 = 10_000;

/// Forgets the oldest events: those before the first one that is not older than `oldest`, and all but the newest `keep`.
/// At most a slice of them; answers how many places further the feed begins now.
pub(crate) fn compact(connection: &mut AnyConnection, oldest: Timestamp, keep: u64) -> Result<u64, Failure> {
    let bounds = bounds(connection)?;
    // Clocks may disagree: what is kept is always the feed's end, without holes.
    let first_young: Option<i64> = events::table
        .filter(events::at.ge(oldest.as_microsecond()))
        .order(events::sequence.asc())
        .select(events::sequence)
        .first(connection)
        .optional()?;
    let by_age = match first_young {
        Some(first) => rows::number("the feed", first - 1)?,
        None => bounds.newest,
    };
    let compacted = by_age.max(bounds.newest.saturating_sub(keep)).min(bounds.compacted + SLICE);
    if compacted <= bounds.compacted {
        return Ok(0);
    }
    let upto: i64 = rows::number("the feed", compacted)?;
    diesel::delete(events::table.filter(events::sequence.le(upto))).execute(connection)?;
    diesel::update(feed::table.find(ROW).filter(feed::compacted.lt(upto)))
        .set(feed::compacted.eq(upto))
        .execute(connection)?;
    Ok(compacted - bounds.compacted)
}
