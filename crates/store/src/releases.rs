//! Releases: written once, read often; what is said of them afterwards stands beside them.

use crate::failure::Failure;
use crate::feed::{self, Happening, Subject};
use crate::rows::{self, MarkRow, NewRelease, ReleaseRow, Sorted};
use crate::schema::{release_marks, releases};
use crate::{locks, nul};
use ::worker_types::{EventKind, ReleaseId};
use database::{AnyConnection, MultiBackend};
use diesel::dsl::AsSelect;
use diesel::prelude::*;
use registry::store::{Author, Marked, ReleaseMark, ReleaseRecord};

/// One release, with its mark.
pub(crate) fn find(connection: &mut AnyConnection, id: &ReleaseId) -> Result<Option<ReleaseRecord>, Failure> {
    let query = with_marks().filter(releases::id.eq(id.to_string())).select(columns());
    let row: Option<(ReleaseRow, Option<MarkRow>)> = query.first(connection).optional()?;
    row.map(|(row, mark)| row.record(mark)).transpose()
}

/// Every release, in the order of their ids; and those that cannot be read.
pub(crate) fn all(connection: &mut AnyConnection) -> Result<Sorted<ReleaseId, ReleaseRecord>, Failure> {
    let query = with_marks().order(releases::id.asc()).select(columns());
    let rows: Vec<(ReleaseRow, Option<MarkRow>)> = query.load(connection)?;
    rows::sorted(rows.into_iter().map(|(row, mark)| (row.id.clone(), row.record(mark))))
}

#[diesel::dsl::auto_type]
fn with_marks() -> _ {
    releases::table.left_join(release_marks::table)
}

type Columns = (AsSelect<ReleaseRow, MultiBackend>, AsSelect<Option<MarkRow>, MultiBackend>);

fn columns() -> Columns {
    (ReleaseRow::as_select(), Option::<MarkRow>::as_select())
}

/// Says something of a release, or takes back what was said, with its event; nothing where that stands there already.
pub(crate) fn mark(
    connection: &mut AnyConnection,
    id: &ReleaseId,
    mark: Option<&ReleaseMark>,
    author: &Author,
    holds: &(dyn Fn(&ReleaseRecord) -> bool + Sync),
) -> Result<Option<Marked>, Failure> {
    locks::release(connection, id)?;
    let Some(there) = find(connection, id)? else { return Ok(None) };
    let said = |mark: &ReleaseMark| (mark.state, mark.reason.clone(), mark.replaced_by.clone());
    if there.mark.as_ref().map(said) == mark.map(said) {
        return Ok(Some(Marked::Same(there)));
    }
    if !holds(&there) {
        return Ok(Some(Marked::Refused(there)));
    }
    diesel::delete(release_marks::table.find(id.to_string())).execute(connection)?;
    if let Some(mark) = mark {
        insert_mark(connection, id, mark)?;
    }
    let happening = Happening { kind: EventKind::ReleaseMarked, subject: Subject::Release(id.clone()) };
    let sequence = feed::append(connection, author, &happening)?.sequence;
    let mark = mark.map(|mark| ReleaseMark { at: rows::kept(mark.at), ..mark.clone() });
    Ok(Some(Marked::Written(ReleaseRecord { mark, ..there }, sequence)))
}

fn insert_mark(connection: &mut AnyConnection, id: &ReleaseId, mark: &ReleaseMark) -> Result<(), Failure> {
    nul::refuse_in_mark(mark)?;
    diesel::insert_into(release_marks::table).values(MarkRow::of(id, mark)).execute(connection)?;
    Ok(())
}

/// Writes a release with its event, unless the id is taken.
pub(crate) fn publish(
    connection: &mut AnyConnection,
    release: &ReleaseRecord,
    author: &Author,
) -> Result<(ReleaseRecord, Option<u64>), Failure> {
    locks::release(connection, &release.id)?;
    if let Some(there) = find(connection, &release.id)? {
        return Ok((there, None));
    }
    let release = ReleaseRecord { published_at: rows::kept(release.published_at), ..release.clone() };
    insert(connection, &release)?;
    let sequence = feed::append(connection, author, &published(&release.id))?.sequence;
    Ok((release, Some(sequence)))
}

/// Writes the row and that of its mark.
pub(crate) fn insert(connection: &mut AnyConnection, release: &ReleaseRecord) -> Result<(), Failure> {
    nul::refuse_in_release(release)?;
    diesel::insert_into(releases::table).values(NewRelease::of(release)).execute(connection)?;
    match &release.mark {
        Some(mark) => insert_mark(connection, &release.id, mark),
        None => Ok(()),
    }
}

/// The event of it.
pub(crate) fn published(id: &ReleaseId) -> Happening {
    Happening { kind: EventKind::ReleasePublished, subject: Subject::Release(id.clone()) }
}
