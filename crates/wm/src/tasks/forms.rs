//! In which form tasks stand in a document: one task, a graph, a list, a payload alone.

use serde_json::{Map, Value};

/// One of them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) pointer: String,
    pub(super) label: Option<String>,
    pub(super) is_payload: bool,
    /// As taskgraph writes its graphs: dates and references are not resolved yet.
    pub(super) from_taskgraph: bool,
}

/// Fields by which a task says for which workers it is.
const QUEUE: [&str; 3] = ["taskQueueId", "provisionerId", "workerType"];

/// Fields of a task beside its payload that payloads rarely have.
const AROUND: [&str; 5] = ["metadata", "created", "deadline", "dependencies", "schedulerId"];

/// The tasks in `value`; or, where `payloads` says so, the payload that it is.
pub(super) fn find(value: &Value, payloads: bool) -> Result<Vec<Form>, String> {
    if is_task(value, payloads) {
        return Ok(vec![Form { pointer: String::new(), label: None, is_payload: false, from_taskgraph: false }]);
    }
    match value {
        Value::Array(items) if !items.is_empty() && items.iter().all(is_entry) => Ok(of_list(items, "")),
        Value::Object(members) => match members.get("tasks") {
            Some(Value::Object(tasks)) if is_graph(tasks) => Ok(of_graph(tasks, "/tasks")),
            Some(Value::Array(items)) if !items.is_empty() && items.iter().all(is_entry) => {
                Ok(of_list(items, "/tasks"))
            }
            _ if is_graph(members) => Ok(of_graph(members, "")),
            _ => other(payloads),
        },
        _ => other(payloads),
    }
}

fn other(payloads: bool) -> Result<Vec<Form>, String> {
    if payloads {
        return Ok(vec![Form { pointer: String::new(), label: None, is_payload: true, from_taskgraph: false }]);
    }
    Err("this is neither a task (with taskQueueId and payload) nor a graph of tasks; if it is a payload, name its worker \
         type by --worker-type"
        .to_owned())
}

/// Whether `value` is a task. Beside `payloads`, a field `payload` alone does not make one.
fn is_task(value: &Value, payloads: bool) -> bool {
    let Value::Object(members) = value else { return false };
    let has = |names: &[&str]| names.iter().any(|name| members.contains_key(*name));
    let named = has(&QUEUE) || (has(&AROUND) && members.contains_key("payload"));
    if payloads { named && members.contains_key("payload") } else { named || is_wrapped_payload(members) }
}

/// `{"payload": {…}}`, perhaps with fields of its own making.
fn is_wrapped_payload(members: &Map<String, Value>) -> bool {
    members.get("payload").is_some_and(Value::is_object) && !members.contains_key("task")
}

/// Whether `value` is a task, or holds one as taskgraph's entries do.
fn is_entry(value: &Value) -> bool {
    is_task(value, false) || value.get("task").is_some_and(Value::is_object)
}

/// A mapping of objects of which one at least is a task: the others are then tasks with a fault.
fn is_graph(members: &Map<String, Value>) -> bool {
    members.values().all(Value::is_object) && members.values().any(is_entry)
}

fn of_graph(members: &Map<String, Value>, at: &str) -> Vec<Form> {
    let form = |(key, value): (&String, &Value)| {
        let label = value.get("label").and_then(Value::as_str).unwrap_or(key).to_owned();
        entry(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), Some(label))
    };
    members.iter().map(form).collect()
}

fn of_list(items: &[Value], at: &str) -> Vec<Form> {
    let form = |(index, value): (usize, &Value)| {
        let label = value.get("label").and_then(Value::as_str).map(str::to_owned);
        entry(value, format!("{at}/{index}"), label)
    };
    items.iter().enumerate().map(form).collect()
}

fn entry(value: &Value, pointer: String, label: Option<String>) -> Form {
    let from_taskgraph = !is_task(value, false) && value.get("task").is_some_and(Value::is_object);
    let pointer = if from_taskgraph { format!("{pointer}/task") } else { pointer };
    Form { pointer, label, is_payload: false, from_taskgraph }
}

#[cfg(test)]
mod tests {
    use super::find;
    use serde_json::{Value, json};

    fn found(value: &Value, payloads: bool) -> Vec<(String, Option<String>, bool)> {
        let forms = find(value, payloads).unwrap_or_default();
        forms.into_iter().map(|form| (form.pointer, form.label, form.is_payload)).collect()
    }

    fn at(pointer: &str, label: Option<&str>) -> (String, Option<String>, bool) {
        (pointer.to_owned(), label.map(str::to_owned), false)
    }

    #[test]
    fn one_task_is_known_by_its_fields() {
        for task in [
            json!({"taskQueueId": "p/w", "payload": {}}),
            json!({"payload": {}, "metadata": {}}),
            json!({"payload": {}}),
        ] {
            assert_eq!(found(&task, false), [at("", None)], "{task}");
        }
        assert_eq!(found(&json!({"taskQueueId": "p/w", "payload": {}}), true), [at("", None)]);
    }

    #[test]
    fn a_payload_is_one_only_where_it_is_asked_for() {
        for payload in
            [json!({"image": "x"}), json!({"payload": {"a": 1}}), json!({"env": {"a": "b"}}), json!([1]), json!(null)]
        {
            assert_eq!(found(&payload, true), [(String::new(), None, true)], "{payload}");
        }
        assert!(find(&json!({"image": "x"}), false).unwrap_err().contains("--worker-type"));
        assert!(find(&json!({"env": {"a": "b"}}), false).is_err());
    }

    #[test]
    fn graphs_are_mappings_and_lists_of_tasks() {
        let task = json!({"taskQueueId": "p/w", "payload": {}});
        assert_eq!(
            found(&json!({"a/b": task, "c": {"oops": 1}}), false),
            [at("/a~1b", Some("a/b")), at("/c", Some("c"))]
        );
        assert_eq!(found(&json!({"tasks": {"a": task}, "other": 1}), false), [at("/tasks/a", Some("a"))]);
        assert_eq!(found(&json!({"tasks": [task, task]}), false), [at("/tasks/0", None), at("/tasks/1", None)]);
        assert_eq!(found(&json!([task]), false), [at("/0", None)]);
        let entry = json!({"label": "build", "kind": "build", "attributes": {}, "dependencies": {}, "task": task});
        assert_eq!(found(&json!({"id": entry}), false), [at("/id/task", Some("build"))]);
    }
}
