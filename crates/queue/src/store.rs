//! The queue's database: tasks, task groups and verdicts, on SQLite or PostgreSQL. A task and its verdict are written in
//! one transaction. What a task may be is decided elsewhere.

mod causes;
mod create;
mod groups;
mod recorded;
mod retention;
mod rows;
mod schema;
mod summary;
mod tasks;
mod verdicts;

pub(crate) use create::Creation;
pub(crate) use recorded::{RecordedPosition, RecordedTask, oldest as oldest_recorded};
pub(crate) use retention::Swept;
pub(crate) use summary::{Cause, Counts};
pub(crate) use tasks::StoredTask;
pub(crate) use verdicts::{Position, VerdictFilter};

use crate::error::QueueError;
use crate::new_task::NewTask;
use crate::settings::{Recording, Retention};
use crate::status::TaskStatus;
use crate::verdict::KeptVerdict;
use database::{AnyConnection, Database, DatabaseError, Migrations, Options};
use diesel_migrations::embed_migrations;
use jiff::Timestamp;
use std::sync::Arc;
use worker_types::{Object, TaskId, WorkerTypeId};

/// The queue's tables.
pub const MIGRATIONS: Migrations =
    Migrations { sqlite: embed_migrations!("migrations/sqlite"), postgres: embed_migrations!("migrations/postgres") };

/// The database, with its calls off the threads that serve requests.
#[derive(Clone)]
pub(crate) struct Store {
    database: Arc<Database>,
}

impl Store {
    /// Opens the queue's database. Blocks.
    pub(crate) fn open(url: &str, options: &Options) -> Result<Self, DatabaseError> {
        Ok(Self { database: Arc::new(Database::open(url, &MIGRATIONS, options)?) })
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, QueueError> + Send + 'static,
    ) -> Result<T, QueueError> {
        let database = Arc::clone(&self.database);
        blocking(move || database.read(work)).await
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut AnyConnection) -> Result<T, QueueError> + Send + 'static,
    ) -> Result<T, QueueError> {
        let database = Arc::clone(&self.database);
        blocking(move || database.write(work)).await
    }

    /// Whether the database answers.
    pub(crate) async fn ping(&self) -> Result<(), QueueError> {
        let database = Arc::clone(&self.database);
        blocking(move || Ok(database.ping()?)).await
    }

    /// A task, if there is one.
    pub(crate) async fn task(&self, id: TaskId) -> Result<Option<StoredTask>, QueueError> {
        self.read(move |connection| tasks::find(connection, &id)).await
    }

    /// The definitions of those tasks that exist, in the order of `ids`, up to `most_bytes` of them but one at least; and
    /// how many of the ids were gone through.
    pub(crate) async fn definitions(
        &self,
        ids: Vec<TaskId>,
        most_bytes: u64,
    ) -> Result<(Vec<(TaskId, Object)>, usize), QueueError> {
        self.read(move |connection| tasks::definitions(connection, &ids, most_bytes)).await
    }

    /// Creates a task with its verdict and its record, or finds the one that exists.
    pub(crate) async fn create(
        &self,
        task: NewTask,
        verdict: KeptVerdict,
        record: Option<RecordedTask>,
        now: Timestamp,
    ) -> Result<Creation, QueueError> {
        let database = Arc::clone(&self.database);
        blocking(move || create::create(&database, &task, &verdict, record.as_ref(), now)).await
    }

    /// The verdict of a task that exists.
    pub(crate) async fn verdict_of(&self, id: TaskId) -> Result<Option<KeptVerdict>, QueueError> {
        self.read(move |connection| verdicts::of_task(connection, &id)).await
    }

    /// Keeps the record of a refusal.
    pub(crate) async fn keep_refusal(&self, verdict: KeptVerdict) -> Result<(), QueueError> {
        self.write(move |connection| verdicts::insert(connection, &verdict)).await
    }

    /// A page of verdicts, newest first.
    pub(crate) async fn verdicts(
        &self,
        id: WorkerTypeId,
        filter: VerdictFilter,
        after: Option<Position>,
        limit: usize,
    ) -> Result<(Vec<KeptVerdict>, Option<Position>), QueueError> {
        self.read(move |connection| verdicts::page(connection, &id, &filter, after.as_ref(), limit)).await
    }

    /// How many verdicts there are since `since`, and what they complain of.
    pub(crate) async fn summary(
        &self,
        id: WorkerTypeId,
        since: Timestamp,
        causes: usize,
    ) -> Result<(Counts, Vec<Cause>), QueueError> {
        self.read(move |connection| {
            Ok((summary::counts(connection, &id, since)?, summary::causes(connection, &id, since, causes)?))
        })
        .await
    }

    /// A page of recorded tasks, newest first, and where the next begins.
    pub(crate) async fn recorded(
        &self,
        id: WorkerTypeId,
        oldest: Timestamp,
        after: Option<RecordedPosition>,
        limit: usize,
    ) -> Result<(Vec<String>, Option<RecordedPosition>), QueueError> {
        self.read(move |connection| recorded::page(connection, &id, oldest, after.as_ref(), limit)).await
    }

    /// A page of tasks that wait for a worker, in the order of their ids.
    pub(crate) async fn pending(
        &self,
        id: WorkerTypeId,
        after: Option<TaskId>,
        limit: usize,
    ) -> Result<Vec<TaskStatus>, QueueError> {
        self.read(move |connection| tasks::pending(connection, &id, after.as_ref(), limit)).await
    }

    /// Removes some of what is kept no longer.
    pub(crate) async fn sweep(
        &self,
        retention: Retention,
        recording: Recording,
        now: Timestamp,
    ) -> Result<Swept, QueueError> {
        self.write(move |connection| retention::sweep(connection, &retention, &recording, now)).await
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, QueueError> + Send + 'static,
) -> Result<T, QueueError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| QueueError::CutOff(error.to_string()))?
}
