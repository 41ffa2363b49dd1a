//! Recorded tasks, by the worker type that they are for.

use crate::Failure;
use crate::documents::ReadError;
use crate::folder::Folder;
use crate::tasks::{self, Subject};
use std::collections::BTreeMap;
use std::path::Path;
use worker_types::{Task, WorkerTypeId};

/// The tasks of a recording.
#[derive(Default)]
pub struct Recording {
    tasks: BTreeMap<WorkerTypeId, Vec<Subject>>,
    /// How many are for worker types that the folder does not define.
    pub elsewhere: usize,
    /// Lines that are no tasks, in words.
    pub unreadable: Vec<String>,
}

impl Recording {
    /// Reads the file at `path`; kept are the tasks for worker types of `folder`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &Path, folder: &Folder) -> Result<Self, Failure> {
        let mut recording = Self::default();
        for subject in tasks::open(path, false)? {
            match subject {
                Ok(subject) => recording.add(subject, folder),
                Err(error @ ReadError::Io { .. }) => return Err(error.into()),
                Err(error) => recording.unreadable.push(error.to_string()),
            }
        }
        Ok(recording)
    }

    fn add(&mut self, subject: Subject, folder: &Folder) {
        match Task::normalised(subject.value.clone()) {
            Ok(task) if folder.worker_types.contains_key(task.worker_type_id()) => {
                self.tasks.entry(task.worker_type_id().clone()).or_default().push(subject);
            }
            Ok(_) => self.elsewhere += 1,
            Err(error) => self.unreadable.push(format!("{}: {error}", subject.spot_of(&error.item()))),
        }
    }

    /// The tasks for one worker type, in the order in which they were recorded.
    pub fn of(&self, id: &WorkerTypeId) -> &[Subject] {
        self.tasks.get(id).map_or(&[], Vec::as_slice)
    }
}
