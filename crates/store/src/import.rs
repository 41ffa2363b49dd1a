//! Takes an export in: all of its records or none.

use crate::failure::Failure;
use crate::{change, feed, locks, reads, releases, rows};
use database::AnyConnection;
use registry::store::{Author, ReleaseMark, ReleaseRecord, RevisionRecord, WorkerTypeRecord, WorkerTypeState};
use registry::{Export, StoreError};
use std::sync::Arc;

/// See [`registry::Store::import`].
pub(crate) fn import(
    connection: &mut AnyConnection,
    records: &[Export],
    author: &Author,
) -> Result<(Option<u64>, usize), Failure> {
    locks::everything(connection)?;
    let mut happenings = Vec::new();
    for record in records {
        match record {
            Export::WorkerType { record, revisions } => {
                let (record, revisions) = kept_worker_type(record, revisions);
                if import_worker_type(connection, &record, &revisions)? {
                    happenings.push(change::happening(change::kind_of(&record), &record));
                }
            }
            Export::Release(release) => {
                let release = kept_release(release);
                if import_release(connection, &release)? {
                    happenings.push(releases::published(&release.id));
                }
            }
        }
    }
    let last = match happenings.as_slice() {
        [] => None,
        new => Some(feed::append_all(connection, author, new)?),
    };
    Ok((last, happenings.len()))
}

fn import_worker_type(
    connection: &mut AnyConnection,
    record: &WorkerTypeRecord,
    revisions: &[RevisionRecord],
) -> Result<bool, Failure> {
    check(record, revisions)?;
    if let Some((there, history)) = reads::history(connection, &record.id)? {
        return if there == *record && history == revisions {
            Ok(false)
        } else {
            Err(conflict(format!("worker type {} is there already, and differs", record.id)))
        };
    }
    change::write_state(connection, false, record)?;
    for revision in revisions {
        change::insert_revision(connection, &record.id, revision)?;
    }
    Ok(true)
}

fn import_release(connection: &mut AnyConnection, release: &ReleaseRecord) -> Result<bool, Failure> {
    match releases::find(connection, &release.id)? {
        Some(there) if there == *release => Ok(false),
        Some(_) => Err(conflict(format!("release {} is there already, and differs", release.id))),
        None => releases::insert(connection, release).map(|()| true),
    }
}

/// Whether the record and its history belong together.
fn check(record: &WorkerTypeRecord, revisions: &[RevisionRecord]) -> Result<(), Failure> {
    let id = &record.id;
    let expected = 1..=record.last_revision.0;
    if !revisions.iter().map(|revision| revision.revision.0).eq(expected) {
        let message = format!("worker type {id}: its revisions are not 1 to {}, in order", record.last_revision);
        return Err(conflict(message));
    }
    if let WorkerTypeState::Live { revision, older } = &record.state
        && let Some(stray) =
            [Some(revision), older.as_ref()].into_iter().flatten().find(|live| !revisions.contains(live))
    {
        return Err(conflict(format!("worker type {id}: revision {} is not as in its history", stray.revision)));
    }
    let later =
        |revision: &&RevisionRecord| revision.rollback_of.is_some_and(|of| of >= revision.revision || of.0 == 0);
    match revisions.iter().find(later) {
        Some(wrong) => {
            Err(conflict(format!("worker type {id}: revision {} rolls back to no earlier one", wrong.revision)))
        }
        None => Ok(()),
    }
}

fn conflict(message: String) -> Failure {
    StoreError::ImportConflict(message).into()
}

/// With moments as they are kept.
fn kept_worker_type(
    record: &WorkerTypeRecord,
    revisions: &[RevisionRecord],
) -> (WorkerTypeRecord, Vec<RevisionRecord>) {
    let state = match &record.state {
        WorkerTypeState::Live { revision, older } => {
            let kept = |revision: &Arc<RevisionRecord>| Arc::new(kept_revision(revision));
            WorkerTypeState::Live { revision: kept(revision), older: older.as_ref().map(kept) }
        }
        WorkerTypeState::Deleted { at, by } => WorkerTypeState::Deleted { at: rows::kept(*at), by: by.clone() },
    };
    (WorkerTypeRecord { state, ..record.clone() }, revisions.iter().map(kept_revision).collect())
}

fn kept_release(release: &ReleaseRecord) -> ReleaseRecord {
    let mark = release.mark.as_ref().map(|mark| ReleaseMark { at: rows::kept(mark.at), ..mark.clone() });
    ReleaseRecord { published_at: rows::kept(release.published_at), mark, ..release.clone() }
}

fn kept_revision(revision: &RevisionRecord) -> RevisionRecord {
    RevisionRecord { published_at: rows::kept(revision.published_at), ..revision.clone() }
}
