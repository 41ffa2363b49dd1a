//! Tasks on their way to a replay, and what became of them. Tasks are let go as soon as they are answered.

use super::gate::Checking;
use crate::Failure;
use crate::folder::Spot;
use crate::tasks::Subject;
use serde_json::Value;
use std::collections::BTreeMap;
use worker_types::{Item, WorkerTypeId};

/// The most tasks of one worker type, and bytes of all, that wait before they are sent.
const TASKS: usize = 1000;
const BYTES: usize = 16 << 20;

/// A task that is replayed.
pub struct Replayed {
    pub value: Value,
    source: Source,
}

enum Source {
    /// It stands in a file.
    File(Box<Subject>),
    /// It waits in the queue, under this id.
    Pending(String),
}

/// What a server, or the workbench, says of some tasks, by their place among them.
#[derive(Default)]
pub struct Answer {
    pub newly_refused: Vec<(usize, Vec<Item>)>,
    pub newly_accepted: u64,
}

/// What would become of a worker type's tasks.
#[derive(Default)]
pub struct Replay {
    pub checked: u64,
    pub newly_refused: Vec<Refused>,
    pub newly_accepted: u64,
    /// Tasks to which nothing was said, since the gate refuses the definition.
    pub unanswered: u64,
}

/// A task that would newly be refused.
pub struct Refused {
    /// Where it begins; none for one of the queue.
    pub spot: Option<Spot>,
    /// Its key in a graph, or its id in the queue.
    pub label: Option<String>,
    /// Its name among people.
    pub name: Option<String>,
    /// Why, each where it stands.
    pub errors: Vec<(Option<Spot>, Item)>,
}

impl Replayed {
    pub fn of_file(mut subject: Subject) -> Self {
        let value = std::mem::take(&mut subject.value);
        Self { value, source: Source::File(Box::new(subject)) }
    }

    pub fn pending(task_id: String, value: Value) -> Self {
        Self { value, source: Source::Pending(task_id) }
    }

    fn refused(&self, errors: Vec<Item>) -> Refused {
        let name = self.value.pointer("/metadata/name").and_then(Value::as_str).map(str::to_owned);
        match &self.source {
            Source::File(subject) => Refused {
                spot: Some(subject.spot()),
                label: subject.label.clone(),
                name,
                errors: errors.into_iter().map(|item| (Some(subject.spot_of(&item)), item)).collect(),
            },
            Source::Pending(id) => Refused {
                spot: None,
                label: Some(id.clone()),
                name,
                errors: errors.into_iter().map(|item| (None, item)).collect(),
            },
        }
    }
}

impl Replay {
    /// Notes what was said of `tasks`; nothing was, where there is no answer.
    pub fn add(&mut self, tasks: &[Replayed], answer: Option<Answer>) {
        let count = tasks.len() as u64;
        let Some(answer) = answer else {
            self.unanswered += count;
            return;
        };
        self.checked += count;
        self.newly_accepted += answer.newly_accepted;
        let refused = |(index, errors): (usize, Vec<Item>)| Some(tasks.get(index)?.refused(errors));
        self.newly_refused.extend(answer.newly_refused.into_iter().filter_map(refused));
    }
}

/// Tasks that wait until there are enough for a request.
#[derive(Default)]
pub struct Waiting {
    tasks: BTreeMap<WorkerTypeId, Vec<Replayed>>,
    bytes: usize,
}

impl Waiting {
    /// Lets `task` wait, and replays those for which there is no more room.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn push(
        &mut self,
        id: &WorkerTypeId,
        task: Replayed,
        size: usize,
        checking: &mut Checking<'_>,
    ) -> Result<(), Failure> {
        self.bytes += size;
        let waiting = self.tasks.entry(id.clone()).or_default();
        waiting.push(task);
        if self.bytes >= BYTES {
            return self.flush(checking).await;
        }
        if waiting.len() >= TASKS {
            let full = std::mem::take(waiting);
            checking.replay(id, full).await?;
        }
        Ok(())
    }

    /// Replays everything that waits.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn flush(&mut self, checking: &mut Checking<'_>) -> Result<(), Failure> {
        self.bytes = 0;
        for (id, tasks) in std::mem::take(&mut self.tasks) {
            if !tasks.is_empty() {
                checking.replay(&id, tasks).await?;
            }
        }
        Ok(())
    }
}
