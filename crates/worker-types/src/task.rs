//! A task definition with the queue's defaults filled in: the one form on which every caller evaluates contracts.

use crate::{IdError, Item, Object, WorkerTypeId, shape};
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde_json::{Value, json};
use thiserror::Error;

/// Why a value is not a task definition whose worker type is known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TaskError {
    /// Another JSON type.
    #[error("a task definition must be an object, not {0}")]
    NotAnObject(&'static str),
    /// Neither `taskQueueId` nor `provisionerId` and `workerType`.
    #[error("a task definition must name its worker type by taskQueueId, or by provisionerId and workerType")]
    NoWorkerType,
    /// A name of another JSON type.
    #[error("{0} must be a string")]
    NotText(&'static str),
    /// A name that does not fit its pattern.
    #[error("{field}: {source}")]
    InvalidId {
        /// The field it stands in.
        field: &'static str,
        /// Why it does not fit.
        source: IdError,
    },
    /// The two ways of naming it disagree.
    #[error(
        "taskQueueId is {task_queue_id}, but provisionerId and workerType are {joined}; make them agree or leave one out"
    )]
    Disagree {
        /// From `taskQueueId`.
        task_queue_id: String,
        /// From the other two.
        joined: String,
    },
}

impl TaskError {
    /// The error as an item of `errors[]`.
    pub fn item(&self) -> Item {
        let (problem, pointer) = match self {
            Self::NotAnObject(_) => ("wrong-type", String::new()),
            Self::NoWorkerType => ("missing-field", String::new()),
            Self::NotText(field) => ("wrong-type", format!("/{field}")),
            Self::InvalidId { field, .. } => ("invalid-value", format!("/{field}")),
            Self::Disagree { .. } => ("id-disagrees", "/taskQueueId".to_owned()),
        };
        Item::new(problem, pointer, self.to_string())
    }
}

/// A normalised task: `taskQueueId`, `provisionerId` and `workerType` are all there, and so is every default.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    worker_type_id: WorkerTypeId,
    value: Value,
}

impl Task {
    /// Normalises a task that names its worker type.
    ///
    /// # Errors
    /// The value is no object, or its worker type is missing, malformed or named in two ways that disagree.
    pub fn normalised(value: Value) -> Result<Self, TaskError> {
        let object = into_object(value)?;
        let worker_type_id = named_worker_type(&object)?;
        Ok(Self::fill(object, worker_type_id))
    }

    /// Normalises a task as one for `worker_type_id`, whatever it names itself; what it names stays as it is.
    ///
    /// # Errors
    /// The value is no object.
    pub fn normalised_for(value: Value, worker_type_id: &WorkerTypeId) -> Result<Self, TaskError> {
        Ok(Self::fill(into_object(value)?, worker_type_id.clone()))
    }

    fn fill(mut object: Object, worker_type_id: WorkerTypeId) -> Self {
        let expires = default_expires(&object);
        let mut default = |name: &str, value: Value| {
            object.entry(name).or_insert(value);
        };
        default("taskQueueId", worker_type_id.as_str().into());
        default("provisionerId", worker_type_id.provisioner_id().into());
        default("workerType", worker_type_id.worker_type().into());
        default("schedulerId", "-".into());
        default("projectId", "none".into());
        default("priority", "lowest".into());
        default("retries", 5.into());
        default("requires", "all-completed".into());
        for name in ["dependencies", "routes", "scopes"] {
            default(name, json!([]));
        }
        for name in ["tags", "extra"] {
            default(name, json!({}));
        }
        if let Some(expires) = expires {
            default("expires", expires.into());
        }
        Self { worker_type_id, value: Value::Object(object) }
    }

    /// The worker type that the task is evaluated for.
    pub fn worker_type_id(&self) -> &WorkerTypeId {
        &self.worker_type_id
    }

    /// The worker type that the task itself names, where that is another one.
    pub fn names_another(&self) -> Option<&str> {
        self.value["taskQueueId"].as_str().filter(|named| *named != self.worker_type_id.as_str())
    }

    /// The task definition.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The payload, if there is one.
    pub fn payload(&self) -> Option<&Value> {
        self.value.get("payload")
    }

    /// The task definition, by value.
    pub fn into_value(self) -> Value {
        self.value
    }
}

fn into_object(value: Value) -> Result<Object, TaskError> {
    match value {
        Value::Object(object) => Ok(object),
        other => Err(TaskError::NotAnObject(shape::type_name(&other))),
    }
}

fn text<'a>(object: &'a Object, field: &'static str) -> Result<Option<&'a str>, TaskError> {
    match object.get(field) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(TaskError::NotText(field)),
    }
}

fn named_worker_type(object: &Object) -> Result<WorkerTypeId, TaskError> {
    let task_queue_id = text(object, "taskQueueId")?
        .map(|text| {
            text.parse::<WorkerTypeId>().map_err(|source| TaskError::InvalidId { field: "taskQueueId", source })
        })
        .transpose()?;
    let joined = match (text(object, "provisionerId")?, text(object, "workerType")?) {
        (Some(provisioner_id), Some(worker_type)) => {
            let joined = WorkerTypeId::new(provisioner_id, worker_type);
            Some(joined.map_err(|source| TaskError::InvalidId { field: "workerType", source })?)
        }
        _ => None,
    };
    match (task_queue_id, joined) {
        (Some(one), Some(other)) if one != other => {
            Err(TaskError::Disagree { task_queue_id: one.to_string(), joined: other.to_string() })
        }
        (Some(id), _) | (None, Some(id)) => half_agrees(object, id),
        (None, None) => Err(TaskError::NoWorkerType),
    }
}

/// `taskQueueId` beside only one of `provisionerId` and `workerType`: that one must agree too.
fn half_agrees(object: &Object, id: WorkerTypeId) -> Result<WorkerTypeId, TaskError> {
    let provisioner_id = text(object, "provisionerId")?.unwrap_or(id.provisioner_id());
    let worker_type = text(object, "workerType")?.unwrap_or(id.worker_type());
    if (provisioner_id, worker_type) == (id.provisioner_id(), id.worker_type()) {
        return Ok(id);
    }
    Err(TaskError::Disagree { task_queue_id: id.to_string(), joined: format!("{provisioner_id}/{worker_type}") })
}

/// A year after the deadline, as the queue sets it.
fn default_expires(object: &Object) -> Option<String> {
    let deadline: Timestamp = object.get("deadline")?.as_str()?.parse().ok()?;
    let expires = deadline.to_zoned_datetime(TimeZone::UTC).checked_add(1.year()).ok()?;
    Some(format!("{:.3}", expires.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::{Task, TaskError};
    use serde_json::json;

    #[test]
    fn both_ways_of_naming_the_worker_type_are_filled_in() {
        for named in [json!({"taskQueueId": "p/w"}), json!({"provisionerId": "p", "workerType": "w"})] {
            let task = Task::normalised(named).unwrap();
            assert_eq!(task.worker_type_id().as_str(), "p/w");
            assert_eq!(task.value()["taskQueueId"], "p/w");
            assert_eq!(task.value()["provisionerId"], "p");
            assert_eq!(task.value()["workerType"], "w");
        }
    }

    #[test]
    fn names_that_disagree_or_are_missing_are_refused() {
        let disagree = json!({"taskQueueId": "p/w", "provisionerId": "p", "workerType": "v"});
        assert!(matches!(Task::normalised(disagree), Err(TaskError::Disagree { .. })));
        assert!(matches!(
            Task::normalised(json!({"taskQueueId": "p/w", "workerType": "v"})),
            Err(TaskError::Disagree { .. })
        ));
        assert_eq!(Task::normalised(json!({"provisionerId": "p"})), Err(TaskError::NoWorkerType));
        assert_eq!(Task::normalised(json!([])), Err(TaskError::NotAnObject("an array")));
        assert_eq!(Task::normalised(json!({"taskQueueId": 5})), Err(TaskError::NotText("taskQueueId")));
        assert!(matches!(Task::normalised(json!({"taskQueueId": "p/W"})), Err(TaskError::InvalidId { .. })));
    }

    #[test]
    fn the_queues_defaults_are_filled_in_and_given_values_stay() {
        let task =
            Task::normalised(json!({"taskQueueId": "p/w", "deadline": "2027-01-02T00:00:00.000Z", "retries": 1}))
                .unwrap();
        assert_eq!(
            *task.value(),
            json!({
                "taskQueueId": "p/w", "deadline": "2027-01-02T00:00:00.000Z", "retries": 1, "provisionerId": "p", "workerType": "w",
                "schedulerId": "-", "projectId": "none", "priority": "lowest", "requires": "all-completed", "dependencies": [],
                "routes": [], "scopes": [], "tags": {}, "extra": {}, "expires": "2028-01-02T00:00:00.000Z",
            })
        );
    }

    #[test]
    fn normalising_twice_changes_nothing_more() {
        let once = Task::normalised(json!({"taskQueueId": "p/w", "deadline": "2027-01-02T00:00:00.000Z"})).unwrap();
        assert_eq!(Task::normalised(once.value().clone()).unwrap(), once);
    }

    #[test]
    fn a_task_can_be_read_as_one_for_another_worker_type() {
        let task = Task::normalised_for(json!({"taskQueueId": "p/other"}), &"p/w".parse().unwrap()).unwrap();
        assert_eq!(task.names_another(), Some("p/other"));
        assert_eq!(task.worker_type_id().as_str(), "p/w");
    }
}
