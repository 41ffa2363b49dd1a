//! The one way by which a worker type changes: under its lock, decided from what is there, all in one transaction.

use crate::failure::Failure;
use crate::feed::{self, Happening, Subject};
use crate::rows::{self, NewRevision, WorkerTypeRow};
use crate::schema::{revisions, worker_types};
use crate::{locks, nul, reads};
use ::worker_types::{EventKind, Generation, RevisionNumber, RolloutEnd, WorkerTypeId};
use database::AnyConnection;
use diesel::prelude::*;
use registry::StoreError;
use registry::store::{Author, Change, Decide, EventRecord, RevisionRecord, WorkerTypeRecord, WorkerTypeState};
use std::sync::Arc;

/// See [`registry::Store::change_worker_type`].
pub(crate) fn change(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    author: &Author,
    decide: Decide<'_>,
) -> Result<Option<(WorkerTypeRecord, EventRecord)>, Failure> {
    locks::worker_type(connection, id)?;
    let current = reads::find(connection, id)?;
    let Some(change) = decide(current.as_ref()) else { return Ok(None) };
    let (exists, adds_revision) = (current.is_some(), matches!(change, Change::Publish { .. }));
    let (record, kind) = match change {
        Change::Delete => deleted(id, author, current.as_ref())?,
        Change::EndRollout(end) => rollout_ended(id, end, current)?,
        Change::Publish { definition, content_hash, warnings, older, rollback_of, compatibility } => {
            let last = current.as_ref().map(|current| current.last_revision);
            let revision = RevisionRecord {
                revision: last.map_or(RevisionNumber(1), RevisionNumber::next),
                content_hash,
                definition,
                warnings,
                published_at: rows::kept(author.at),
                published_by: author.name.clone(),
                message: author.message.clone(),
                rollback_of,
                compatibility,
            };
            let older = older.map(|number| still_live(connection, id, number)).transpose()?;
            published(id, current.as_ref(), revision, older.map(Arc::new))
        }
    };
    write_state(connection, exists, &record)?;
    if let (true, WorkerTypeState::Live { revision, .. }) = (adds_revision, &record.state) {
        insert_revision(connection, id, revision)?;
    }
    let event = feed::append(connection, author, &happening(kind, &record))?;
    Ok(Some((record, event)))
}

fn published(
    id: &WorkerTypeId,
    current: Option<&WorkerTypeRecord>,
    revision: RevisionRecord,
    older: Option<Arc<RevisionRecord>>,
) -> (WorkerTypeRecord, EventKind) {
    let kind = live_kind(&revision, older.as_deref());
    let record = WorkerTypeRecord {
        id: id.clone(),
        generation: current.map_or(Generation(1), |current| current.generation.next()),
        last_revision: revision.revision,
        state: WorkerTypeState::Live { revision: Arc::new(revision), older },
    };
    (record, kind)
}

fn rollout_ended(
    id: &WorkerTypeId,
    end: RolloutEnd,
    current: Option<WorkerTypeRecord>,
) -> Result<(WorkerTypeRecord, EventKind), Failure> {
    let nothing = || StoreError::Failed { message: format!("a rollout of {id} is to end, but none is open") };
    let current = current.ok_or_else(nothing)?;
    let WorkerTypeState::Live { revision: newer, older: Some(older) } = current.state else {
        return Err(nothing().into());
    };
    let (revision, kind) = match end {
        RolloutEnd::Completed => (newer, EventKind::RolloutCompleted),
        RolloutEnd::Aborted => (older, EventKind::RolloutAborted),
    };
    let state = WorkerTypeState::Live { revision, older: None };
    Ok((WorkerTypeRecord { generation: current.generation.next(), state, ..current }, kind))
}

fn deleted(
    id: &WorkerTypeId,
    author: &Author,
    current: Option<&WorkerTypeRecord>,
) -> Result<(WorkerTypeRecord, EventKind), Failure> {
    match current {
        Some(current) if matches!(current.state, WorkerTypeState::Live { .. }) => {
            let record = WorkerTypeRecord {
                id: id.clone(),
                generation: current.generation.next(),
                last_revision: current.last_revision,
                state: WorkerTypeState::Deleted { at: rows::kept(author.at), by: author.name.clone() },
            };
            Ok((record, EventKind::WorkerTypeDeleted))
        }
        _ => Err(StoreError::Failed { message: format!("{id} is to be deleted, but nothing of it is live") }.into()),
    }
}

fn still_live(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    number: RevisionNumber,
) -> Result<RevisionRecord, Failure> {
    let found = reads::revision(connection, id, number)?;
    let missing = || StoreError::Failed { message: format!("{id} has no revision {number} that could stay live") };
    Ok(found.ok_or_else(missing)?)
}

/// How the feed calls it that `revision` became live, beside `older` if there is one.
fn live_kind(revision: &RevisionRecord, older: Option<&RevisionRecord>) -> EventKind {
    match (older, revision.rollback_of) {
        (Some(_), _) => EventKind::RolloutStarted,
        (None, Some(_)) => EventKind::WorkerTypeRolledBack,
        (None, None) => EventKind::WorkerTypePublished,
    }
}

/// How the feed calls it that an import brought `record`.
pub(crate) fn kind_of(record: &WorkerTypeRecord) -> EventKind {
    match &record.state {
        WorkerTypeState::Live { revision, older } => live_kind(revision, older.as_deref()),
        WorkerTypeState::Deleted { .. } => EventKind::WorkerTypeDeleted,
    }
}

/// The event that leads to `record`.
pub(crate) fn happening(kind: EventKind, record: &WorkerTypeRecord) -> Happening {
    let revision = match &record.state {
        WorkerTypeState::Live { revision, .. } => revision.revision,
        WorkerTypeState::Deleted { .. } => record.last_revision,
    };
    let subject = Subject::WorkerType { id: record.id.clone(), generation: record.generation, revision };
    Happening { kind, subject }
}

/// Writes the row of `worker_types`; its revisions may follow until the commit.
pub(crate) fn write_state(
    connection: &mut AnyConnection,
    exists: bool,
    record: &WorkerTypeRecord,
) -> Result<(), Failure> {
    let row = WorkerTypeRow::of(record)?;
    if exists {
        diesel::update(worker_types::table.find(&row.id))
            .set((
                worker_types::generation.eq(row.generation),
                worker_types::last_revision.eq(row.last_revision),
                worker_types::live_revision.eq(row.live_revision),
                worker_types::older_revision.eq(row.older_revision),
                worker_types::deleted_at.eq(row.deleted_at),
                worker_types::deleted_by.eq(row.deleted_by.as_deref()),
            ))
            .execute(connection)?;
    } else {
        diesel::insert_into(worker_types::table).values(row).execute(connection)?;
    }
    Ok(())
}

/// Writes a row of `revisions`.
pub(crate) fn insert_revision(
    connection: &mut AnyConnection,
    id: &WorkerTypeId,
    revision: &RevisionRecord,
) -> Result<(), Failure> {
    nul::refuse_in_revision(revision)?;
    diesel::insert_into(revisions::table).values(NewRevision::of(id, revision)).execute(connection)?;
    Ok(())
}
