//! Every way in which a call of the queue ends without what it asked for. What each becomes on the wire stands in
//! `routes/problems.rs`.

use crate::definition::Faults;
use crate::verdict::KeptVerdict;
use database::{DatabaseError, Failure};
use thiserror::Error;
use worker_types::{Item, TaskId, Verdict, WorkerTypeId};

/// Why a call failed.
#[derive(Debug, Error)]
pub enum QueueError {
    /// The request is no task definition.
    #[error("the request is not a task definition: {}", first(&.0.items))]
    NotADefinition(Faults),
    /// A task definition that breaks a rule of the queue.
    #[error("{0}")]
    Refused(#[from] BrokenRule),
    /// The caller lacks scopes.
    #[error("the caller lacks {}", .0.join(", "))]
    MissingScopes(Vec<String>),
    /// The task exists with another definition.
    #[error("the task {task_id} exists with another definition")]
    TaskConflict {
        /// Which task.
        task_id: TaskId,
        /// The fields that differ.
        differing: Vec<String>,
    },
    /// The task group belongs to another scheduler.
    #[error("the task group {task_group_id} has another scheduler than {scheduler_id}")]
    GroupConflict {
        /// Which group.
        task_group_id: String,
        /// Whose task was to join it.
        scheduler_id: String,
    },
    /// The worker type does not accept the task, and that is enforced.
    #[error("the worker type {} does not accept the task", .0.verdict.worker_type_id)]
    NotAccepted(Box<KeptVerdict>),
    /// There is no such task.
    #[error("there is no task {0}")]
    UnknownTask(TaskId),
    /// This queue enforces no schema for the worker type; the verdict says why.
    #[error("no payload schema is enforced for {}", .0.worker_type_id)]
    NothingEnforced(Box<Verdict>),
    /// Validation is switched off at this queue.
    #[error("this queue looks at no payload of {0}")]
    ValidationOff(WorkerTypeId),
    /// A continuation token of another list.
    #[error("the continuation token is not one of this list")]
    InvalidContinuation,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A row that was written by something else, or by a newer version.
    #[error("{what} in the database cannot be read: {message}")]
    Corrupt {
        /// Which row.
        what: String,
        /// What is wrong with it.
        message: String,
    },
    /// The work was cut off, as when the process ends.
    #[error("the work was cut off: {0}")]
    CutOff(String),
}

fn first(items: &[Item]) -> &str {
    items.first().map_or("", |item| &item.message)
}

impl Failure for QueueError {
    fn database(&self) -> Option<&DatabaseError> {
        match self {
            Self::Database(error) => Some(error),
            _ => None,
        }
    }
}

impl From<diesel::result::Error> for QueueError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Database(error.into())
    }
}

/// A rule of the queue that a definition breaks, in Taskcluster's words, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct BrokenRule {
    /// For people.
    pub message: String,
    /// Each place.
    pub errors: Vec<Item>,
}

impl BrokenRule {
    /// One place.
    pub(crate) fn new(problem: &str, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { errors: vec![Item::new(problem, pointer, message.clone())], message }
    }

    pub(crate) fn with_actual(mut self, actual: String) -> Self {
        self.errors.iter_mut().for_each(|item| item.actual = Some(actual.clone()));
        self
    }

    /// The same message at each place with what stands there, the first hundred; none if there is no place.
    pub(crate) fn at_each(
        problem: &str,
        message: &str,
        places: impl IntoIterator<Item = (String, String)>,
    ) -> Option<Self> {
        let item = |(pointer, actual)| Item { actual: Some(actual), ..Item::new(problem, pointer, message) };
        let errors: Vec<Item> = places.into_iter().take(100).map(item).collect();
        (!errors.is_empty()).then(|| Self { message: message.to_owned(), errors })
    }
}
