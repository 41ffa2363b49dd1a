//! Between the registry's records and the tables' rows.

use crate::failure::Failure;
use crate::schema::{events, release_marks, releases, replicas, revisions, worker_types};
use ::worker_types::{EventKind, Generation, ReleaseId, RevisionNumber, WorkerTypeId};
use diesel::{Insertable, Queryable, Selectable};
use jiff::Timestamp;
use registry::StoreError;
use registry::store::{
    EventRecord, ReleaseMark, ReleaseRecord, ReplicaRecord, ReplicaReport, RevisionRecord, WorkerTypeRecord,
    WorkerTypeState,
};
use std::str::FromStr;
use std::sync::Arc;

/// A row of `worker_types`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = worker_types, treat_none_as_default_value = false)]
pub(crate) struct WorkerTypeRow {
    pub id: String,
    pub generation: i64,
    pub last_revision: i64,
    pub live_revision: Option<i64>,
    pub older_revision: Option<i64>,
    pub deleted_at: Option<i64>,
    pub deleted_by: Option<String>,
}

/// A row of `revisions`.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = revisions)]
pub(crate) struct RevisionRow {
    pub worker_type_id: String,
    pub number: i64,
    pub content_hash: String,
    pub definition: String,
    pub warnings: String,
    pub published_at: i64,
    pub published_by: String,
    pub message: Option<String>,
    pub rollback_of: Option<i64>,
    pub compatibility: Option<String>,
}

/// The same, to be written.
#[derive(Insertable)]
#[diesel(table_name = revisions, treat_none_as_default_value = false)]
pub(crate) struct NewRevision<'a> {
    worker_type_id: &'a str,
    number: i64,
    content_hash: &'a str,
    definition: &'a str,
    warnings: &'a str,
    published_at: i64,
    published_by: &'a str,
    message: Option<&'a str>,
    rollback_of: Option<i64>,
    compatibility: Option<&'a str>,
}

/// A row of `releases`.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = releases)]
pub(crate) struct ReleaseRow {
    pub id: String,
    pub content_hash: String,
    pub content: String,
    pub warnings: String,
    pub published_at: i64,
    pub published_by: String,
    pub message: Option<String>,
}

/// A row of `release_marks`.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = release_marks, treat_none_as_default_value = false)]
pub(crate) struct MarkRow {
    pub release_id: String,
    pub state: String,
    pub reason: Option<String>,
    pub replaced_by: Option<String>,
    pub marked_at: i64,
    pub marked_by: String,
}

/// The same, to be written.
#[derive(Insertable)]
#[diesel(table_name = releases, treat_none_as_default_value = false)]
pub(crate) struct NewRelease<'a> {
    id: String,
    content_hash: &'a str,
    content: &'a str,
    warnings: &'a str,
    published_at: i64,
    published_by: &'a str,
    message: Option<&'a str>,
}

/// A row of `events`.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(crate) struct EventRow {
    pub sequence: i64,
    pub kind: String,
    pub worker_type_id: Option<String>,
    pub release_id: Option<String>,
    pub generation: Option<i64>,
    pub revision: Option<i64>,
    pub at: i64,
}

/// What is kept of a moment: whole microseconds.
pub(crate) fn kept(moment: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}

/// A row of `replicas`.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = replicas)]
pub(crate) struct ReplicaRow {
    pub id: String,
    pub name: String,
    pub version: String,
    pub started_at: i64,
    pub seen_at: i64,
    pub applied: i64,
}

impl WorkerTypeRow {
    /// The row of `record`.
    pub fn of(record: &WorkerTypeRecord) -> Result<Self, Failure> {
        let (live, older, deleted_at, deleted_by) = match &record.state {
            WorkerTypeState::Live { revision, older } => (Some(revision), older.as_ref(), None, None),
            WorkerTypeState::Deleted { at, by } => (None, None, Some(at.as_microsecond()), Some(by.clone())),
        };
        Ok(Self {
            id: record.id.to_string(),
            generation: generation(record.generation)?,
            last_revision: record.last_revision.0.into(),
            live_revision: live.map(|revision| revision.revision.0.into()),
            older_revision: older.map(|revision| revision.revision.0.into()),
            deleted_at,
            deleted_by,
        })
    }

    /// The record, with the revisions that are live looked up by `find`.
    pub fn record(
        self,
        mut find: impl FnMut(i64) -> Result<Option<RevisionRecord>, Failure>,
    ) -> Result<WorkerTypeRecord, Failure> {
        let what = format!("worker type {}", self.id);
        let mut revision = |number: i64| {
            find(number)?
                .map(Arc::new)
                .ok_or_else(|| Failure::corrupt(what.clone(), &format!("revision {number} is missing")))
        };
        let state = match (self.live_revision, self.deleted_at, self.deleted_by) {
            (Some(live), _, _) => WorkerTypeState::Live {
                revision: revision(live)?,
                older: self.older_revision.map(&mut revision).transpose()?,
            },
            (None, Some(at), Some(by)) => WorkerTypeState::Deleted { at: moment(&what, at)?, by },
            (None, _, _) => return Err(Failure::corrupt(what, &"it is neither live nor deleted")),
        };
        Ok(WorkerTypeRecord {
            id: parse(&what, &self.id)?,
            generation: Generation(number(&what, self.generation)?),
            last_revision: RevisionNumber(number(&what, self.last_revision)?),
            state,
        })
    }
}

impl RevisionRow {
    /// The record.
    pub fn record(self) -> Result<RevisionRecord, Failure> {
        let what = format!("revision {} of {}", self.number, self.worker_type_id);
        Ok(RevisionRecord {
            revision: RevisionNumber(number(&what, self.number)?),
            content_hash: parse(&what, &self.content_hash)?,
            published_at: moment(&what, self.published_at)?,
            rollback_of: self.rollback_of.map(|of| number(&what, of).map(RevisionNumber)).transpose()?,
            definition: self.definition,
            warnings: self.warnings,
            published_by: self.published_by,
            message: self.message,
            compatibility: self.compatibility,
        })
    }
}

impl<'a> NewRevision<'a> {
    /// The row of `record`.
    pub fn of(id: &'a WorkerTypeId, record: &'a RevisionRecord) -> Self {
        Self {
            worker_type_id: id.as_str(),
            number: record.revision.0.into(),
            content_hash: record.content_hash.as_str(),
            definition: &record.definition,
            warnings: &record.warnings,
            published_at: record.published_at.as_microsecond(),
            published_by: &record.published_by,
            message: record.message.as_deref(),
            rollback_of: record.rollback_of.map(|number| number.0.into()),
            compatibility: record.compatibility.as_deref(),
        }
    }
}

impl ReleaseRow {
    /// The record, with its mark.
    pub fn record(self, mark: Option<MarkRow>) -> Result<ReleaseRecord, Failure> {
        let what = format!("release {}", self.id);
        Ok(ReleaseRecord {
            id: parse(&what, &self.id)?,
            content_hash: parse(&what, &self.content_hash)?,
            published_at: moment(&what, self.published_at)?,
            content: self.content,
            warnings: self.warnings,
            published_by: self.published_by,
            message: self.message,
            mark: mark.map(MarkRow::record).transpose()?,
        })
    }
}

impl MarkRow {
    /// The row of a mark.
    pub fn of(id: &ReleaseId, mark: &ReleaseMark) -> Self {
        Self {
            release_id: id.to_string(),
            state: mark.state.as_str().to_owned(),
            reason: mark.reason.clone(),
            replaced_by: mark.replaced_by.as_ref().map(ToString::to_string),
            marked_at: mark.at.as_microsecond(),
            marked_by: mark.by.clone(),
        }
    }

    fn record(self) -> Result<ReleaseMark, Failure> {
        let what = format!("the mark of release {}", self.release_id);
        Ok(ReleaseMark {
            state: parse(&what, &self.state)?,
            replaced_by: self.replaced_by.map(|id| parse(&what, &id)).transpose()?,
            at: moment(&what, self.marked_at)?,
            reason: self.reason,
            by: self.marked_by,
        })
    }
}

impl<'a> NewRelease<'a> {
    /// The row of `record`.
    pub fn of(record: &'a ReleaseRecord) -> Self {
        Self {
            id: record.id.to_string(),
            content_hash: record.content_hash.as_str(),
            content: &record.content,
            warnings: &record.warnings,
            published_at: record.published_at.as_microsecond(),
            published_by: &record.published_by,
            message: record.message.as_deref(),
        }
    }
}

impl ReplicaRow {
    /// The row of a server that was there at `seen_at`.
    pub fn of(report: &ReplicaReport, seen_at: i64) -> Result<Self, Failure> {
        Ok(Self {
            id: report.id.clone(),
            name: report.name.clone(),
            version: report.version.clone(),
            started_at: report.started_at.as_microsecond(),
            seen_at,
            applied: number("the newest event that is served", report.applied)?,
        })
    }

    /// The record.
    pub fn record(self) -> Result<ReplicaRecord, Failure> {
        let what = format!("replica {}", self.id);
        let report = ReplicaReport {
            started_at: moment(&what, self.started_at)?,
            applied: number(&what, self.applied)?,
            id: self.id,
            name: self.name,
            version: self.version,
        };
        Ok(ReplicaRecord { report, seen_at: moment(&what, self.seen_at)? })
    }
}

impl EventRow {
    /// The record.
    pub fn record(self) -> Result<EventRecord, Failure> {
        let what = format!("event {}", self.sequence);
        let kind = self.kind.parse().unwrap_or(EventKind::Unknown);
        // What a newer version means by an event's columns need not be what they mean here.
        let is_foreign = kind == EventKind::Unknown;
        Ok(EventRecord {
            sequence: number(&what, self.sequence)?,
            kind,
            worker_type_id: named(&what, self.worker_type_id, is_foreign)?,
            release: named(&what, self.release_id, is_foreign)?,
            generation: self.generation.map(|value| number(&what, value).map(Generation)).transpose()?,
            revision: self.revision.map(|value| number(&what, value).map(RevisionNumber)).transpose()?,
            at: moment(&what, self.at)?,
        })
    }
}

/// A generation as the tables keep it.
pub(crate) fn generation(generation: Generation) -> Result<i64, Failure> {
    number("the generation to be written", generation.0)
}

/// A number of another type, if it fits.
pub(crate) fn number<F, T>(what: &str, value: F) -> Result<T, Failure>
where
    T: TryFrom<F>,
    T::Error: std::fmt::Display,
{
    T::try_from(value).map_err(|error| Failure::corrupt(what.to_owned(), &error))
}

/// An id of an event; one that cannot be read is none where that `may_be`.
fn named<T>(what: &str, text: Option<String>, may_be: bool) -> Result<Option<T>, Failure>
where
    T: FromStr,
    T::Err: std::fmt::Display,
{
    match text.map(|text| parse(what, &text)).transpose() {
        Err(_) if may_be => Ok(None),
        read => read,
    }
}

/// What could be read, and what could not, each with the reason.
pub(crate) type Sorted<I, R> = (Vec<R>, Vec<(I, StoreError)>);

/// Puts what cannot be read aside: one row is no reason to know none of the others.
pub(crate) fn sorted<I, R>(records: impl Iterator<Item = (String, Result<R, Failure>)>) -> Result<Sorted<I, R>, Failure>
where
    I: FromStr,
    I::Err: std::fmt::Display,
{
    let (mut read, mut unreadable) = (Vec::new(), Vec::new());
    for (id, record) in records {
        match record {
            Ok(record) => read.push(record),
            Err(Failure::Refused(error @ StoreError::Corrupt { .. })) => {
                unreadable.push((parse("an id", &id)?, error));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((read, unreadable))
}

fn parse<T>(what: &str, text: &str) -> Result<T, Failure>
where
    T: FromStr,
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error| Failure::corrupt(what.to_owned(), &error))
}

pub(crate) fn moment(what: &str, microseconds: i64) -> Result<Timestamp, Failure> {
    Timestamp::from_microsecond(microseconds).map_err(|error| Failure::corrupt(what.to_owned(), &error))
}
