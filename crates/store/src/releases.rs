//! Releases: written once, read often.

use crate::failure::Failure;
use crate::feed::{self, Happening, Subject};
use crate::rows::{self, NewRelease, ReleaseRow};
use crate::schema::releases;
use crate::{locks, nul};
use ::worker_types::{EventKind, ReleaseId};
use database::AnyConnection;
use diesel::prelude::*;
use registry::store::{Author, ReleaseRecord};

/// One release.
pub(crate) fn find(connection: &mut AnyConnection, id: &ReleaseId) -> Result<Option<ReleaseRecord>, Failure> {
    let query = releases::table.find(id.to_string()).select(ReleaseRow::as_select());
    query.first(connection).optional()?.map(ReleaseRow::record).transpose()
}

/// Every release, in the order of their ids.
pub(crate) fn all(connection: &mut AnyConnection) -> Result<Vec<ReleaseRecord>, Failure> {
    let rows = releases::table.order(releases::id.asc()).select(ReleaseRow::as_select()).load(connection)?;
    rows.into_iter().map(ReleaseRow::record).collect()
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
    let sequence = feed::append(connection, author, &[published(&release.id)])?;
    Ok((release, Some(sequence)))
}

/// Writes the row alone.
pub(crate) fn insert(connection: &mut AnyConnection, release: &ReleaseRecord) -> Result<(), Failure> {
    nul::refuse_in_release(release)?;
    diesel::insert_into(releases::table).values(NewRelease::of(release)).execute(connection)?;
    Ok(())
}

/// The event of it.
pub(crate) fn published(id: &ReleaseId) -> Happening {
    Happening { kind: EventKind::ReleasePublished, subject: Subject::Release(id.clone()) }
}
