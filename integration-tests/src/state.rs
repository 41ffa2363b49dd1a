//! What stands after the changes of one worker type: the rules of the feed, written down a second time for tests.

/// A worker type, as its changes leave it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// How many changes there were.
    pub generation: u64,
    /// The newest revision.
    pub last_revision: u64,
    /// The revision that is live, the newer of two; none: it never was, or is deleted.
    pub live: Option<u64>,
    /// The older of two live revisions: a rollout is open.
    pub older: Option<u64>,
}

impl State {
    /// After one more change.
    ///
    /// # Errors
    /// This change cannot follow here: says why.
    pub fn change(&mut self, kind: &str, generation: u64, revision: u64) -> Result<(), String> {
        if generation != self.generation + 1 {
            return Err(format!("generation {generation} follows generation {}", self.generation));
        }
        let next = Self { generation, ..self.clone() };
        let (next, expected) = match (kind, self.live, self.older) {
            ("worker-type-published" | "worker-type-rolled-back", _, _) => {
                (next.publishes(None), self.last_revision + 1)
            }
            ("rollout-started", Some(live), older) => {
                (next.publishes(Some(older.unwrap_or(live))), self.last_revision + 1)
            }
            ("rollout-completed", Some(live), Some(_)) => (Self { older: None, ..next }, live),
            ("rollout-aborted", Some(_), Some(older)) => (Self { live: Some(older), older: None, ..next }, older),
            ("worker-type-deleted", Some(_), _) => (Self { live: None, older: None, ..next }, self.last_revision),
            _ => return Err(format!("{kind} cannot follow on {self:?}")),
        };
        if revision != expected {
            return Err(format!("{kind} names revision {revision}, and it can only be {expected} after {self:?}"));
        }
        *self = next;
        Ok(())
    }

    fn publishes(self, older: Option<u64>) -> Self {
        let revision = self.last_revision + 1;
        Self { last_revision: revision, live: Some(revision), older, ..self }
    }
}
