//! What a folder of definitions would change on a server, and the change itself: releases first, then worker types.
//!
//! Nothing is deleted: what is live and not in the folder is only named.

mod compare;
mod examine;
mod lines;
mod publish;
mod show;
mod workbench;

pub use compare::{AT_ONCE, compare, foresee};
pub use examine::{conflict, examine};
pub use publish::{Publishing, publish};
pub use show::{json, outcome, text};
pub use workbench::{Workbench, releases_of};

use crate::folder::{Folder, Sourced};
use std::fmt;
use worker_manager_client::RolloutRef;
use worker_types::{Compatibility, Generation, Item, ReleaseId, RevisionNumber, WorkerTypeId};

/// A folder held against a server.
#[derive(Debug)]
pub struct Plan {
    /// One for each release and each worker type of the folder, in the order in which they are published.
    pub changes: Vec<Change>,
    /// Worker types that are live and not in the folder.
    pub elsewhere: Vec<WorkerTypeId>,
}

/// What becomes of one release or one worker type.
#[derive(Debug)]
pub struct Change {
    /// Which.
    pub subject: Subject,
    /// What is to be done.
    pub action: Action,
    /// How the folder's differs from what is live; empty when it does not.
    pub diff: String,
    /// Why it would be refused, or was.
    pub errors: Vec<Item>,
    /// What the publish gate remarks.
    pub warnings: Vec<Item>,
    /// The comparison with what is live.
    pub compatibility: Option<Compatibility>,
    /// What came of it.
    pub outcome: Option<Outcome>,
}

/// A release or a worker type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A release.
    Release(ReleaseId),
    /// A worker type.
    WorkerType(WorkerTypeId),
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The same is there.
    Same,
    /// Nothing is there.
    Create,
    /// Another definition is live.
    Update {
        /// The state that was seen.
        generation: Generation,
    },
    /// A release with this version and another content is there.
    Conflict,
}

/// What came of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is live.
    Published {
        /// Of a worker type.
        revision: Option<RevisionNumber>,
        /// What it opened.
        rollout: Option<RolloutRef>,
    },
    /// The server said no.
    Refused,
    /// Somebody else was first.
    LostRace {
        /// In the server's words.
        message: String,
    },
    /// No answer came.
    Failed {
        /// Why.
        message: String,
    },
}

impl Plan {
    /// Whether something would be refused.
    pub fn has_errors(&self) -> bool {
        self.changes.iter().any(|change| !change.errors.is_empty())
    }

    /// Whether everything in the folder is live already.
    pub fn is_same(&self) -> bool {
        self.changes.iter().all(|change| change.action == Action::Same)
    }
}

impl Change {
    fn new(subject: Subject, action: Action, diff: String) -> Self {
        Self { subject, action, diff, errors: Vec::new(), warnings: Vec::new(), compatibility: None, outcome: None }
    }

    /// The files that it comes from.
    pub fn sourced<'a>(&self, folder: &'a Folder) -> Option<&'a Sourced> {
        match &self.subject {
            Subject::Release(id) => folder.releases.get(id),
            Subject::WorkerType(id) => folder.worker_types.get(id),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Release(id) => write!(f, "release {id}"),
            Self::WorkerType(id) => write!(f, "{id}"),
        }
    }
}
