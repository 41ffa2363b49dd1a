//! Recorded tasks in a file, replayed while they are read.

use super::gate::Checking;
use super::replay::{Replayed, Waiting};
use crate::Failure;
use crate::documents::ReadError;
use crate::tasks::{self, Subjects};
use std::path::Path;
use worker_types::Task;

/// A recording that is open.
pub struct Recording(Subjects);

/// What of a recording was not replayed.
#[derive(Default)]
pub struct Unread {
    /// How many are for worker types that the folder does not define.
    pub elsewhere: usize,
    /// Lines that are no tasks, in words.
    pub unreadable: Vec<String>,
}

impl Recording {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Ok(Self(tasks::open(path, false)?))
    }

    /// Replays the tasks for the worker types of the folder.
    ///
    /// # Errors
    /// The file breaks off, or the server does not answer.
    pub async fn replay(self, checking: &mut Checking<'_>) -> Result<Unread, Failure> {
        let (mut unread, mut waiting) = (Unread::default(), Waiting::default());
        for subject in self.0 {
            let subject = match subject {
                Ok(subject) => subject,
                Err(error @ ReadError::Io { .. }) => return Err(error.into()),
                Err(error) => {
                    unread.unreadable.push(error.to_string());
                    continue;
                }
            };
            match Task::normalised(subject.value.clone()) {
                Ok(task) if checking.defines(task.worker_type_id()) => {
                    let (id, size) = (task.worker_type_id().clone(), subject.value.to_string().len());
                    waiting.push(&id, Replayed::of_file(subject), size, checking).await?;
                }
                Ok(_) => unread.elsewhere += 1,
                Err(error) => unread.unreadable.push(format!("{}: {error}", subject.spot_of(&error.item()))),
            }
        }
        waiting.flush(checking).await?;
        Ok(unread)
    }
}
