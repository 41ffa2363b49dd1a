//! A task that is about to be created: the author's definition with the queue's defaults, and the rules on its times,
//! scopes and dependencies that a look at one field cannot check. Refusals are in Taskcluster's words.

use crate::error::BrokenRule;
use crate::time;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use worker_types::{ContentHash, Object, Task, TaskId, WorkerTypeId, content_hash};

/// How far the clocks of a queue and its callers may be apart.
const DRIFT: SignedDuration = SignedDuration::from_mins(15);

/// How far away a deadline may be.
const LONGEST: SignedDuration = SignedDuration::from_hours(5 * 24);

/// A task, before anything is known of its place in the queue.
#[derive(Clone, Debug)]
pub(crate) struct NewTask {
    pub(crate) task_id: TaskId,
    pub(crate) worker_type_id: WorkerTypeId,
    /// With every default, as `GET /task/{taskId}` answers it.
    pub(crate) definition: Object,
    /// Of `definition`: what makes a repeated request the same one.
    pub(crate) hash: ContentHash,
    pub(crate) created: Timestamp,
    pub(crate) deadline: Timestamp,
    pub(crate) expires: Timestamp,
    pub(crate) dependencies: Vec<TaskId>,
}

impl NewTask {
    /// Reads a task whose shape was checked. Times become those of RFC 3339 in UTC with milliseconds, so that a request
    /// that spells them otherwise is the same one.
    ///
    /// # Errors
    /// The shape was not checked.
    pub(crate) fn read(task_id: TaskId, task: &Task) -> Result<Self, BrokenRule> {
        let Value::Object(mut definition) = task.value().clone() else { return Err(unchecked("the task")) };
        let mut moment = |name: &'static str| {
            let at =
                definition.get(name).and_then(Value::as_str).and_then(time::parse).ok_or_else(|| unchecked(name))?;
            definition.insert(name.to_owned(), time::format(at).into());
            Ok(at)
        };
        let (created, deadline, expires) = (moment("created")?, moment("deadline")?, moment("expires")?);
        definition.entry("taskGroupId").or_insert_with(|| task_id.as_str().into());
        let ids = definition.get("dependencies").and_then(Value::as_array).ok_or_else(|| unchecked("dependencies"))?;
        let dependencies = ids.iter().map(|id| id.as_str().and_then(|id| id.parse().ok())).collect::<Option<_>>();
        let dependencies = dependencies.ok_or_else(|| unchecked("dependencies"))?;
        let value = Value::Object(definition);
        let hash = content_hash(&value);
        let Value::Object(definition) = value else { return Err(unchecked("the task")) };
        let worker_type_id = task.worker_type_id().clone();
        Ok(Self { task_id, worker_type_id, definition, hash, created, deadline, expires, dependencies })
    }

    /// A text field of the definition, all of which have defaults.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.definition.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The texts of a list of the definition.
    pub(crate) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.definition.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// How often it may be tried again.
    pub(crate) fn retries(&self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "an integer from 0 to 49")]
        self.definition.get("retries").and_then(Value::as_f64).map_or(0, |retries| retries as i64)
    }

    /// Whether the times make sense together, and now.
    ///
    /// # Errors
    /// The first rule that they break.
    pub(crate) fn check_times(&self, now: Timestamp) -> Result<(), BrokenRule> {
        let drift = self.created.duration_since(now);
        if drift < -DRIFT {
            return self.refuse_time("created", "`created` cannot be in the past (max 15min drift)");
        }
        if drift > DRIFT {
            return self.refuse_time("created", "`created` cannot be in the future (max 15min drift)");
        }
        if self.created > self.deadline {
            return self.refuse_time("deadline", "`deadline` cannot be before `created`");
        }
        if self.deadline < now {
            return self.refuse_time("deadline", "`deadline` cannot be in the past");
        }
        if self.deadline.duration_since(now) > LONGEST + DRIFT {
            return self.refuse_time("deadline", "`deadline` cannot be more than 5 days into the future");
        }
        if self.deadline > self.expires {
            return self.refuse_time("expires", "`expires` cannot be before `deadline`");
        }
        Ok(())
    }

    fn refuse_time(&self, field: &'static str, message: &str) -> Result<(), BrokenRule> {
        let actual = json!(self.text(field)).to_string();
        Err(BrokenRule::new("invalid-time", format!("/{field}"), message).with_actual(actual))
    }

    /// No scope may end in more than one star.
    ///
    /// # Errors
    /// Each scope that does.
    pub(crate) fn check_scopes(&self) -> Result<(), BrokenRule> {
        let message = "scopes must not end with `**`";
        let starred = self.texts("scopes").enumerate().filter(|(_, scope)| scope.ends_with("**"));
        let places = starred.map(|(index, scope)| (format!("/scopes/{index}"), json!(scope).to_string()));
        BrokenRule::at_each("invalid-scope", message, places).map_or(Ok(()), Err)
    }

    /// # Errors
    /// More dependencies than `limit`.
    pub(crate) fn check_dependency_count(&self, limit: usize) -> Result<(), BrokenRule> {
        let count = self.dependencies.len();
        if count <= limit {
            return Ok(());
        }
        let message = format!("task.dependencies has {count} entries; this queue's limit is {limit}");
        Err(BrokenRule::new("too-long", "/dependencies", message))
    }
}

fn unchecked(what: &str) -> BrokenRule {
    BrokenRule::new("invalid-value", "", format!("{what} cannot be read"))
}

#[cfg(test)]
mod tests;
