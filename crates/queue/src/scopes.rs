//! The scopes that creating a task takes: they depend on what the task says, so no table of routes can hold them.

use crate::definition::PRIORITIES;
use crate::error::QueueError;
use crate::new_task::NewTask;
use worker_types::Caller;

/// Whether `caller` may create `task`.
///
/// # Errors
/// Every scope that is missing; of priorities the task's own, though a higher one would do.
pub(crate) fn check(caller: &Caller, task: &NewTask) -> Result<(), QueueError> {
    let priority = task.text("priority");
    let at_priority = |priority: &str| format!("queue:create-task:{priority}:{}", task.worker_type_id);
    let mut missing: Vec<String> = task
        .texts("scopes")
        .map(str::to_owned)
        .chain(task.texts("routes").map(|route| format!("queue:route:{route}")))
        .chain([
            format!("queue:create-task:project:{}", task.text("projectId")),
            format!("queue:scheduler-id:{}", task.text("schedulerId")),
        ])
        .filter(|scope| !caller.has(scope))
        .collect();
    let as_high = PRIORITIES.iter().take_while(|other| **other != priority).chain([&priority]);
    if !as_high.into_iter().any(|priority| caller.has(&at_priority(priority))) {
        missing.push(at_priority(priority));
    }
    if missing.is_empty() { Ok(()) } else { Err(QueueError::MissingScopes(missing)) }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::error::QueueError;
    use crate::testing;
    use serde_json::json;
    use worker_types::Caller;

    fn missing(scopes: &[&str]) -> Vec<String> {
        let task = testing::new_task(json!({
            "priority": "medium", "scopes": ["secrets:get:a", "docker:*"], "routes": ["index.x"],
            "schedulerId": "sched", "projectId": "proj",
        }));
        match check(&Caller::new("ci", scopes.iter().map(ToString::to_string)), &task) {
            Ok(()) => Vec::new(),
            Err(QueueError::MissingScopes(missing)) => missing,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn every_missing_scope_is_named() {
        assert_eq!(
            missing(&[]),
            [
                "secrets:get:a",
                "docker:*",
                "queue:route:index.x",
                "queue:create-task:project:proj",
                "queue:scheduler-id:sched",
                "queue:create-task:medium:proj-a/linux",
            ]
        );
        assert!(missing(&["*"]).is_empty());
    }

    #[test]
    fn a_scope_for_a_higher_priority_does_and_one_for_a_lower_does_not() {
        let others =
            ["secrets:*", "docker:*", "queue:route:index.*", "queue:create-task:project:*", "queue:scheduler-id:sched"];
        let with = |priority: &str| {
            let own = format!("queue:create-task:{priority}:proj-a/linux");
            missing(&[&others[..], &[own.as_str()]].concat())
        };
        assert!(with("medium").is_empty());
        assert!(with("highest").is_empty());
        assert_eq!(with("low"), ["queue:create-task:medium:proj-a/linux"]);
    }
}
