//! The one table of what each failure becomes on the wire.

use crate::error::QueueError;
use crate::queue::Queue;
use crate::routes::create_task::PAYLOAD_VERDICT;
use ::service::Refusal;
use actix_web::http::header;
use database::DatabaseError;
use worker_types::{Item, Problem, UncheckedReason, Verdict};

impl Queue {
    /// What is answered instead.
    pub(crate) fn refusal(&self, error: QueueError) -> Refusal {
        match error {
            QueueError::NotADefinition(faults) => {
                let more =
                    if faults.more > 0 { format!(" ({} more are not listed)", faults.more) } else { String::new() };
                let first = faults.items.first().map_or("", |item| &item.message);
                let detail =
                    format!("{} of the task definition: {first}{more}", count(faults.items.len() + faults.more));
                Refusal::new(Problem::InvalidTaskSchema, detail).errors(faults.items)
            }
            QueueError::Refused(rule) => Refusal::new(Problem::InvalidTask, rule.message).errors(rule.errors),
            QueueError::MissingScopes(missing) => {
                let detail =
                    format!("creating this task needs scopes that the caller does not have: {}", missing.join(", "));
                Refusal::new(Problem::Forbidden, detail).member("missingScopes", missing)
            }
            QueueError::TaskConflict { task_id, differing } => {
                let detail = format!(
                    "taskId `{task_id}` already used by another task.\nThis could be the result of faulty idempotency!"
                );
                let item = |name: String| {
                    let message = format!("task.{name} is another than that of the task that exists");
                    Item::new("differs", format!("/{name}"), message)
                };
                Refusal::new(Problem::TaskConflict, detail).errors(differing.into_iter().map(item))
            }
            QueueError::GroupConflict { task_group_id, scheduler_id } => {
                let detail = format!(
                    "Task group `{task_group_id}` contains tasks with a schedulerId other than `{scheduler_id}`. All tasks in the same task-group must have the same schedulerId."
                );
                let item = Item::new("other-scheduler", "/schedulerId", detail.clone());
                Refusal::new(Problem::TaskConflict, detail).errors([item])
            }
            QueueError::NotAccepted(kept) => {
                let causes: Vec<Item> = kept.causes().into_iter().cloned().collect();
                let refusal = Refusal::new(Problem::InvalidTask, not_accepted(&kept.verdict, &causes));
                refusal
                    .errors(causes)
                    .header(PAYLOAD_VERDICT, kept.header())
                    .header(header::LINK, self.described_by(&kept))
                    .member("verdict", &kept.verdict)
            }
            QueueError::UnknownTask(id) => {
                let detail = format!(
                    "`{id}` does not correspond to a task that exists.\nAre you sure this task has already been submitted?"
                );
                Refusal::new(Problem::UnknownTask, detail)
            }
            QueueError::NothingEnforced(verdict) => nothing_enforced(&verdict),
            QueueError::ValidationOff(id) => {
                let detail = format!(
                    "this queue looks at no payload, whatever {id} asks for (its setting max_validation is off)"
                );
                Refusal::new(Problem::NoSchema, detail)
            }
            QueueError::InvalidContinuation => {
                let detail = "the continuation token is not one of this list; start the list again without it";
                Refusal::new(Problem::InvalidContinuation, detail)
            }
            QueueError::Database(error) => database(&error),
            error @ (QueueError::Corrupt { .. } | QueueError::CutOff(_)) => Refusal::internal(error),
        }
    }
}

fn count(faults: usize) -> String {
    if faults == 1 { "one fault".to_owned() } else { format!("{faults} faults") }
}

fn not_accepted(verdict: &Verdict, causes: &[Item]) -> String {
    let id = &verdict.worker_type_id;
    let first = causes.first().map(|item| format!(": {}", item.message)).unwrap_or_default();
    let others = causes.len() + verdict.more_errors;
    match verdict.reason {
        Some(UncheckedReason::Deleted) => {
            format!("the worker type {id} was deleted, and this queue takes no tasks for it{first}")
        }
        Some(_) => format!("there is no worker type {id}, and this queue takes no tasks for those{first}"),
        None if others > 1 => {
            format!("{id} does not accept this task{first}, and {} more{}", count(others - 1), in_rollout(verdict))
        }
        None => format!("{id} does not accept this task{first}{}", in_rollout(verdict)),
    }
}

/// What mends the task for one live revision may be what the other refuses: the author has to know of both.
fn in_rollout(verdict: &Verdict) -> String {
    let said = verdict.warnings.iter().find(|item| item.problem == "rejected-by-revision");
    said.map(|item| format!(". Know that {}", item.message)).unwrap_or_default()
}

fn nothing_enforced(verdict: &Verdict) -> Refusal {
    let id = &verdict.worker_type_id;
    let said = |problem: &str| verdict.warnings.iter().find(|item| item.problem == problem);
    let words = |reason: UncheckedReason, otherwise: String| {
        said(reason.as_str()).map_or(otherwise, |item| item.message.clone())
    };
    match verdict.reason {
        Some(reason @ UncheckedReason::UnknownWorkerType) => {
            let detail = words(reason, format!("there is no worker type {id}"));
            Refusal::new(Problem::UnknownWorkerType, detail).errors(said(reason.as_str()).cloned())
        }
        Some(reason @ UncheckedReason::Deleted) => {
            Refusal::new(Problem::Deleted, words(reason, format!("the worker type {id} was deleted")))
        }
        Some(UncheckedReason::Off) => Refusal::new(
            Problem::NoSchema,
            format!("validation is off for {id}: this queue looks at none of its payloads"),
        ),
        _ => {
            let cause =
                said("worker-manager-unavailable").map_or("worker-manager does not answer", |item| &item.message);
            let detail =
                format!("what is enforced for {id} is not known: {cause}; its tasks are created unchecked meanwhile");
            Refusal::new(Problem::NotReady, detail).header(header::RETRY_AFTER, "5")
        }
    }
}

fn database(error: &DatabaseError) -> Refusal {
    match error {
        DatabaseError::OutcomeUnknown { .. } => {
            let detail = "the connection to the database was lost while the task was written: it may or may not exist. Send the same request again; that is safe";
            Refusal::new(Problem::StoreUnavailable, detail).because(error).header(header::RETRY_AFTER, "1")
        }
        error if error.is_transient() => {
            let detail = "the queue's database cannot be reached";
            Refusal::new(Problem::StoreUnavailable, detail).because(error).header(header::RETRY_AFTER, "5")
        }
        error => Refusal::internal(error),
    }
}
