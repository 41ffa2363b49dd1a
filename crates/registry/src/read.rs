//! Reading one worker type: what is live from memory, what was from the store.

use crate::answer::{self, PoolView};
use crate::document::Document;
use crate::error::ReadError;
use crate::live::{Entry, LiveWorkerType, Reading};
use crate::registry::Registry;
use crate::rollout::{PastRollout, past_rollouts};
use crate::snapshot::Snapshot;
use crate::store::{RevisionRecord, StoreError};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;
use worker_types::{Caller, Compatibility, ContentHash, RevisionNumber, WorkerTypeId};

/// A live worker type, held for as long as an answer needs it.
#[derive(Clone, Debug)]
pub struct Live(Arc<Entry>);

impl Live {
    /// Only for an entry that is live.
    pub(crate) fn of(entry: Arc<Entry>) -> Self {
        Self(entry)
    }
}

impl Deref for Live {
    type Target = LiveWorkerType;

    fn deref(&self) -> &LiveWorkerType {
        match &*self.0 {
            Entry::Live(live) => live,
            // `Live` is made in one place, from a live entry.
            Entry::Tombstone(_) => unreachable!("a tombstone is never handed out as live"),
        }
    }
}

/// A page of a worker type's history, newest first.
#[derive(Clone, Debug)]
pub struct RevisionPage {
    /// At most as many as were asked for.
    pub revisions: Vec<RevisionRecord>,
    /// What came of the rollouts that some of them opened.
    pub rollouts: BTreeMap<RevisionNumber, PastRollout>,
    /// Below which revision the next page begins; none on the last.
    pub next_before: Option<RevisionNumber>,
}

/// What changed between two revisions.
#[derive(Clone, Debug)]
pub struct Diff {
    /// The older text's number.
    pub from: RevisionNumber,
    /// The newer text's number.
    pub to: RevisionNumber,
    /// A unified diff of the two definitions as indented JSON; empty when they are equal.
    pub unified: String,
    /// Whether the newer accepts all that the older accepts, each taken alone.
    pub compatibility: Compatibility,
    /// Of the newer text.
    pub content_hash: ContentHash,
}

impl Registry {
    /// What is live under `id`.
    ///
    /// # Errors
    /// The id was never used, or its worker type was deleted.
    pub fn live(&self, id: &WorkerTypeId) -> Result<Live, ReadError> {
        let snapshot = self.snapshot();
        let entry = snapshot.worker_types.get(id).ok_or_else(|| unknown(&snapshot, id))?;
        match &**entry {
            Entry::Live(_) => Ok(Live(entry.clone())),
            Entry::Tombstone(record) => Err(ReadError::Deleted {
                id: id.clone(),
                last_revision: record.last_revision,
                generation: record.generation,
            }),
        }
    }

    pub(crate) fn unknown(&self, id: &WorkerTypeId) -> ReadError {
        unknown(&self.snapshot(), id)
    }

    /// One revision of the history, deleted worker types included.
    ///
    /// # Errors
    /// There is none, or the database does not answer.
    pub async fn revision(
        self: &Arc<Self>,
        caller: &Caller,
        id: &WorkerTypeId,
        number: RevisionNumber,
    ) -> Result<Document, ReadError> {
        let pool = PoolView::of(caller, id);
        let record = self.revision_record(id, number).await?;
        let body = answer::revision(id, &record, pool).map_err(|error| corrupt(id, number, &error))?;
        Ok(Document::hashed(body))
    }

    /// What people and editors read of one revision.
    ///
    /// # Errors
    /// As [`Self::revision`].
    pub async fn reading(self: &Arc<Self>, id: &WorkerTypeId, number: RevisionNumber) -> Result<Reading, ReadError> {
        let record = self.revision_record(id, number).await?;
        Ok(Reading::of(id, &record, &**self.snapshot())?)
    }

    pub(crate) async fn revision_record(
        self: &Arc<Self>,
        id: &WorkerTypeId,
        number: RevisionNumber,
    ) -> Result<RevisionRecord, ReadError> {
        let last = self.last_revision(id)?;
        let (wanted, owned) = (number, id.clone());
        let record = self.blocking(move |registry| registry.store.revision(&owned, wanted)).await?;
        record.ok_or_else(|| ReadError::UnknownRevision { id: id.clone(), revision: number, last })
    }

    fn last_revision(&self, id: &WorkerTypeId) -> Result<RevisionNumber, ReadError> {
        let snapshot = self.snapshot();
        let entry = snapshot.worker_types.get(id).ok_or_else(|| unknown(&snapshot, id))?;
        Ok(entry.record().last_revision)
    }

    /// A page of the history, newest first.
    ///
    /// # Errors
    /// The id was never used, or the database does not answer.
    pub async fn revisions(
        self: &Arc<Self>,
        id: &WorkerTypeId,
        before: Option<RevisionNumber>,
        limit: usize,
    ) -> Result<RevisionPage, ReadError> {
        self.last_revision(id)?;
        let id = id.clone();
        self.blocking(move |registry| registry.revisions_now(&id, before, limit)).await
    }

    fn revisions_now(
        &self,
        id: &WorkerTypeId,
        before: Option<RevisionNumber>,
        limit: usize,
    ) -> Result<RevisionPage, ReadError> {
        let mut revisions = self.store.revisions(id, before, limit + 1)?;
        let more = revisions.len() > limit;
        revisions.truncate(limit);
        let next_before = if more { revisions.last().map(|last| last.revision) } else { None };
        let newer = before.map(|number| self.store.revision(id, number)).transpose()?.flatten();
        let steps = match revisions.last() {
            Some(oldest) => {
                self.store.steps(id, oldest.published_at, newer.as_ref().map(|newer| newer.published_at))?
            }
            None => Vec::new(),
        };
        let open = self.live(id).ok().and_then(|live| live.rollout);
        let rollouts = past_rollouts(&revisions, newer.as_ref(), &steps, open);
        Ok(RevisionPage { revisions, rollouts, next_before })
    }

    /// What changed from one revision to another.
    ///
    /// # Errors
    /// One of them does not exist, or the database does not answer.
    pub async fn diff(
        self: &Arc<Self>,
        caller: &Caller,
        id: &WorkerTypeId,
        from: RevisionNumber,
        to: RevisionNumber,
    ) -> Result<Diff, ReadError> {
        let pool = PoolView::of(caller, id);
        let (old, new) = (self.revision_record(id, from).await?, self.revision_record(id, to).await?);
        let text =
            |record: &RevisionRecord| indented(record, pool).map_err(|error| corrupt(id, record.revision, &error));
        let unified = unified(&text(&old)?, &text(&new)?, &format!("revision {from}"), &format!("revision {to}"));
        let content_hash = new.content_hash.clone();
        let compatibility = self.compatibility(id.clone(), old, new).await?;
        Ok(Diff { from, to, unified, compatibility, content_hash })
    }

    /// What was found when the newer was published, if it was the older that it was compared with; else found now.
    async fn compatibility(
        self: &Arc<Self>,
        id: WorkerTypeId,
        old: RevisionRecord,
        new: RevisionRecord,
    ) -> Result<Compatibility, StoreError> {
        let stored = new.compatibility.as_deref().and_then(|text| serde_json::from_str(text).ok());
        match stored.filter(|stored: &Compatibility| stored.against == [old.revision]) {
            // What was compared is the time after a rollout: each revision alone.
            Some(Compatibility { after_rollout: Some(after), .. }) => Ok(*after),
            Some(stored) => Ok(stored),
            None => self.blocking(move |registry| Ok(registry.compare_revisions(&id, &old, &new))).await,
        }
    }
}

/// A unified diff of two texts with three lines of context; empty when they are equal.
pub fn unified(old: &str, new: &str, old_name: &str, new_name: &str) -> String {
    similar::TextDiff::from_lines(old, new).unified_diff().header(old_name, new_name).to_string()
}

fn unknown(snapshot: &Snapshot, id: &WorkerTypeId) -> ReadError {
    if snapshot.unreadable.contains(id) {
        let message = "only a newer version can".to_owned();
        return StoreError::Corrupt { what: format!("the worker type {id}"), message }.into();
    }
    ReadError::UnknownWorkerType { id: id.clone(), similar: snapshot.similar_worker_type(id.as_str()) }
}

fn indented(record: &RevisionRecord, pool: PoolView) -> Result<String, serde_json::Error> {
    let text = match pool {
        PoolView::Shown => record.definition.clone(),
        PoolView::Hidden => answer::hide_pool(&record.definition)?.get().to_owned(),
    };
    let value: serde_json::Value = serde_json::from_str(&text)?;
    serde_json::to_string_pretty(&value).map(|text| text + "\n")
}

fn corrupt(id: &WorkerTypeId, number: RevisionNumber, error: &serde_json::Error) -> ReadError {
    StoreError::Corrupt { what: format!("revision {number} of {id}"), message: error.to_string() }.into()
}
