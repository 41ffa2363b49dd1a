//! What a queue itself asks of every task, as a JSON Schema: the rules of Taskcluster's `queue/v1/create-task-request`.
//!
//! What times mean and whether dependencies exist is asked later, by the queue. That two ways of naming an unknown worker
//! type disagree cannot be said here.

use serde_json::Value;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("create-task.json")).unwrap_or_default());

/// The schema of a createTask request, in draft-07, whatever its payload.
pub fn create_task_schema() -> &'static Value {
    &SCHEMA
}

#[cfg(test)]
mod tests {
    use super::create_task_schema;
    use crate::{Limits, inspect};
    use serde_json::json;
    use worker_types::Task;

    #[test]
    fn it_is_a_schema_without_a_remark() {
        let inspection = inspect(create_task_schema(), None, &Limits::default());
        assert_eq!((inspection.errors, inspection.warnings), (Vec::new(), Vec::new()));
    }

    #[test]
    fn its_defaults_are_those_that_normalising_fills_in() {
        let task = Task::normalised(json!({"taskQueueId": "p/w"})).unwrap();
        let properties = create_task_schema()["properties"].as_object().unwrap();
        for (name, value) in task.value().as_object().unwrap() {
            let default = properties[name].get("default");
            assert_eq!(
                default,
                Some(value).filter(|_| !["taskQueueId", "provisionerId", "workerType"].contains(&&**name))
            );
        }
        assert_eq!(properties.values().filter(|property| property.get("default").is_some()).count(), 10);
    }
}
