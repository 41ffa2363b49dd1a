//! The queue: its database, its gate, its settings, and what it answers to reads.

use crate::error::QueueError;
use crate::gate::Gate;
use crate::settings::Settings;
use crate::status::TaskStatus;
use crate::store::{self, Cause, Counts, Position, RecordedPosition, Store, VerdictFilter};
use crate::verdict::KeptVerdict;
use database::{DatabaseError, Options};
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
use worker_types::{Object, TaskId, WorkerTypeId};

/// Bytes of definitions that are read into memory for one answer, but for the last.
const PAGE_BYTES: u64 = 32 << 20;

/// A queue. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Queue {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    gate: Arc<dyn Gate>,
    settings: Settings,
    clock: Clock,
}

/// Some of a recording.
pub(crate) struct RecordedPage {
    /// JSON, newest first.
    pub(crate) tasks: Vec<String>,
    pub(crate) next: Option<RecordedPosition>,
}

type Clock = Box<dyn Fn() -> Timestamp + Send + Sync>;

impl Queue {
    /// Opens the queue's database, and asks `gate` for verdicts. Blocks while the database is made ready.
    ///
    /// # Errors
    /// Those of [`database::Database::open`].
    pub fn open(
        database_url: &str,
        options: &Options,
        gate: Arc<dyn Gate>,
        settings: Settings,
    ) -> Result<Self, DatabaseError> {
        Self::open_at(database_url, options, gate, settings, Box::new(Timestamp::now))
    }

    pub(crate) fn open_at(
        database_url: &str,
        options: &Options,
        gate: Arc<dyn Gate>,
        settings: Settings,
        clock: Clock,
    ) -> Result<Self, DatabaseError> {
        let store = Store::open(database_url, options)?;
        Ok(Self { inner: Arc::new(Inner { store, gate, settings, clock }) })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    pub(crate) fn gate(&self) -> &dyn Gate {
        &*self.inner.gate
    }

    /// The settings that it was opened with.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.inner.clock)()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// Why it does not.
    pub async fn ping(&self) -> Result<(), QueueError> {
        self.store().ping().await
    }

    /// Where a task stands.
    ///
    /// # Errors
    /// There is no such task; the database's.
    pub async fn status(&self, id: TaskId) -> Result<TaskStatus, QueueError> {
        let found = self.store().task(id.clone()).await?;
        found.map(|task| task.status).ok_or(QueueError::UnknownTask(id))
    }

    /// A task's definition, with every default.
    ///
    /// # Errors
    /// There is no such task; the database's.
    pub async fn definition(&self, id: TaskId) -> Result<Object, QueueError> {
        let found = self.definition_of(id.clone()).await?;
        found.ok_or(QueueError::UnknownTask(id))
    }

    pub(crate) async fn definition_of(&self, id: TaskId) -> Result<Option<Object>, QueueError> {
        let (mut found, _) = self.store().definitions(vec![id], u64::MAX).await?;
        Ok(found.pop().map(|(_, definition)| definition))
    }

    /// The definitions of those tasks that exist, in the order of `ids`, as many as one answer can hold, and how many of
    /// the ids were gone through.
    ///
    /// # Errors
    /// The database's.
    pub async fn definitions(&self, ids: Vec<TaskId>) -> Result<(Vec<(TaskId, Object)>, usize), QueueError> {
        self.store().definitions(ids, PAGE_BYTES).await
    }

    /// The verdict that a task was created with.
    ///
    /// # Errors
    /// There is no such task; the database's.
    pub async fn verdict_of(&self, id: TaskId) -> Result<KeptVerdict, QueueError> {
        self.store().verdict_of(id.clone()).await?.ok_or(QueueError::UnknownTask(id))
    }

    /// A page of recorded tasks, newest first.
    pub(crate) async fn recorded(
        &self,
        id: WorkerTypeId,
        after: Option<RecordedPosition>,
        limit: usize,
    ) -> Result<RecordedPage, QueueError> {
        let oldest = store::oldest_recorded(&self.settings().recording, self.now());
        let (tasks, next) = self.store().recorded(id, oldest, after, limit).await?;
        Ok(RecordedPage { tasks, next })
    }

    /// A page of tasks that wait for a worker, as many as one answer can hold, and after which the next one begins.
    pub(crate) async fn pending(
        &self,
        id: WorkerTypeId,
        after: Option<TaskId>,
        limit: usize,
    ) -> Result<(Vec<(TaskStatus, Object)>, Option<TaskId>), QueueError> {
        let mut waiting = self.store().pending(id, after, limit).await?;
        let ids: Vec<TaskId> = waiting.iter().map(|status| status.task_id.clone()).collect();
        let (definitions, done) = self.store().definitions(ids, PAGE_BYTES).await?;
        let more = done < waiting.len() || waiting.len() == limit;
        waiting.truncate(done);
        let next = waiting.last().filter(|_| more).map(|status| status.task_id.clone());
        let mut definitions: HashMap<TaskId, Object> = definitions.into_iter().collect();
        let with_definition = |status: TaskStatus| definitions.remove(&status.task_id).map(|task| (status, task));
        Ok((waiting.into_iter().filter_map(with_definition).collect(), next))
    }

    pub(crate) async fn verdicts(
        &self,
        id: WorkerTypeId,
        filter: VerdictFilter,
        after: Option<Position>,
        limit: usize,
    ) -> Result<(Vec<KeptVerdict>, Option<Position>), QueueError> {
        self.store().verdicts(id, filter, after, limit).await
    }

    pub(crate) async fn summary(
        &self,
        id: WorkerTypeId,
        since: Timestamp,
        causes: usize,
    ) -> Result<(Counts, Vec<Cause>), QueueError> {
        self.store().summary(id, since, causes).await
    }
}
