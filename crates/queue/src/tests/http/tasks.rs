//! Creating and reading tasks.

use super::Server;
use crate::testing::{Given, definition, definition_with, minutes, task_id};
use crate::tests::contract;
use reqwest::Method;
use serde_json::{Value, json};
use service::AccessPolicy;

#[tokio::test(flavor = "multi_thread")]
async fn answers_fit_the_schemas_that_taskcluster_publishes() {
    let server = Server::start().await;
    let (id, waiting) = (task_id(), task_id());
    let full = json!({
        "priority": "very-high", "projectId": "a/b", "schedulerId": "s", "taskGroupId": task_id(), "retries": 0, "requires": "all-resolved",
        "routes": ["r"], "scopes": ["s"], "tags": {"a": "b"}, "extra": {"x": [1]}, "expires": minutes(600),
    });
    let created = server.put(&id, definition_with(full)).await;
    let unscheduled = server.put(&waiting, definition_with(json!({"dependencies": [id]}))).await;
    let (task, status) = (server.get(&format!("/task/{id}")).await, server.get(&format!("/task/{id}/status")).await);
    let tasks = server.post("/tasks?limit=1", json!({"taskIds": [id, waiting]})).await;
    let pending = server.get("/task-queues/proj-a%2Flinux/pending").await;
    assert_eq!(pending.body["tasks"].as_array().map(Vec::len), Some(1), "the other waits for it");
    assert_eq!((&status.body, &tasks.body["tasks"][0]["task"]), (&created.body, &task.body));
    for (name, answers) in [
        ("task-status-response", vec![&created, &unscheduled, &status]),
        ("task", vec![&task]),
        ("tasks-response", vec![&tasks]),
        ("list-pending-tasks-response", vec![&pending]),
    ] {
        let Some(schema) = contract::schema(name) else { return };
        for answer in answers {
            assert_eq!(answer.status, 200);
            let faults = schema.explain(&answer.body, "", &Default::default());
            assert!(schema.is_valid(&answer.body), "{name}: {:#} {:?}", answer.body, faults.errors);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_of_being_wrong_has_taskclusters_code() {
    let server = Server::start().await;
    let put = async |id: &str, definition: Value| {
        server.ask(Method::PUT, &format!("/api/queue/v1/task/{id}"), Some(definition), None).await
    };
    put("not-a-slug", definition()).await.refused(400, "invalid-id", "InvalidRequestArguments");
    server.get("/task/fN1SbArXTPSVFNUvaOlinB").await.refused(400, "invalid-id", "InvalidRequestArguments");
    server.get("/task/fN1SbArXTPSVFNUvaOlinB/status").await.refused(400, "invalid-id", "InvalidRequestArguments");

    let id = task_id();
    let answer = put(id.as_str(), definition_with(json!({"retries": -1, "extra": 1}))).await;
    answer.refused(400, "invalid-task-definition", "InputValidationError");
    let pointers: Vec<&str> =
        answer.body["errors"].as_array().unwrap().iter().map(|item| item["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, ["/retries", "/extra"]);
    put(id.as_str(), json!([])).await.refused(400, "invalid-task-definition", "InputValidationError");

    let answer = put(id.as_str(), definition_with(json!({"created": minutes(-16)}))).await;
    answer.refused(400, "invalid-task", "InputError");
    assert!(answer.body["message"].as_str().unwrap().starts_with("`created` cannot be in the past (max 15min drift)"));
    put(id.as_str(), definition_with(json!({"workerType": "mac"}))).await.refused(400, "invalid-task", "InputError");
    put(id.as_str(), definition_with(json!({"scopes": ["**"]}))).await.refused(400, "invalid-task", "InputError");
    put(id.as_str(), definition_with(json!({"dependencies": [task_id()]}))).await.refused(
        400,
        "invalid-task",
        "InputError",
    );

    assert_eq!(put(id.as_str(), definition()).await.status, 200);
    let answer = put(id.as_str(), definition_with(json!({"payload": {}}))).await;
    answer.refused(409, "task-conflict", "RequestConflict");
    let words = format!("taskId `{id}` already used by another task.\nThis could be the result of faulty idempotency!");
    assert!(answer.body["message"].as_str().unwrap().starts_with(&words), "{:#}", answer.body);
    let answer = put(task_id().as_str(), definition_with(json!({"taskGroupId": id, "schedulerId": "other"}))).await;
    answer.refused(409, "task-conflict", "RequestConflict");
    let words = format!("Task group `{id}` contains tasks with a schedulerId other than `other`.");
    assert!(answer.body["message"].as_str().unwrap().starts_with(&words), "{:#}", answer.body);
    server.get("/task/x?unknown=1").await.refused(400, "invalid-query", "InvalidRequestArguments");
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_are_read_in_pages_and_those_that_do_not_exist_are_left_out() {
    let server = Server::start().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(server.given.created(json!({})).await.to_string());
    }
    let asked = json!({"taskIds": [ids[2], ids[0], "no task id", ids[0], task_id(), ids[1]]});
    let (mut seen, mut query) = (Vec::new(), "?limit=2".to_owned());
    loop {
        let page = server.post(&format!("/tasks{query}"), asked.clone()).await;
        assert_eq!(page.status, 200, "{:#}", page.body);
        seen.extend(
            page.body["tasks"].as_array().unwrap().iter().map(|task| task["taskId"].as_str().unwrap().to_owned()),
        );
        let Some(token) = page.body["continuationToken"].as_str() else { break };
        query = format!("?limit=2&continuationToken={token}");
    }
    assert_eq!(seen, [ids[2].clone(), ids[0].clone(), ids[1].clone()]);
    let other = server.post(&format!("/tasks{query}"), json!({"taskIds": [ids[0]]})).await;
    other.refused(400, "invalid-continuation-token", "InputError");
    assert_eq!(server.post("/tasks", json!({})).await.body, json!({"tasks": []}));
    server.post("/tasks", json!({"taskIds": [1]})).await.refused(400, "invalid-request", "InputError");
    server.post("/tasks", json!({"ids": []})).await.refused(400, "invalid-request", "InputError");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_cannot_be_read_is_refused_before_anything_else() {
    let given = Given::on_sqlite().reopened(|settings| settings.body_limit = 1000);
    let server = Server::of(given, AccessPolicy::Local).await;
    let put = async |body: String, content_type: &'static str| {
        let url = format!("{}/api/queue/v1/task/{}", server.running.url(), task_id());
        let request = server.client.put(url).header("content-type", content_type).body(body);
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap();
        (status, body["problem"].as_str().unwrap().to_owned(), body["code"].as_str().unwrap().to_owned())
    };
    let text = definition().to_string();
    let json = "application/json";
    for (body, content_type, expected) in [
        ("{".to_owned(), json, (400, "malformed-json", "MalformedPayload")),
        (text.replace("a test", "a \\u0000 test"), json, (400, "nul-character", "MalformedPayload")),
        (
            text.replace("{\"taskQueueId\"", "{\"payload\":{},\"taskQueueId\""),
            json,
            (400, "duplicate-key", "MalformedPayload"),
        ),
        (text.clone(), "text/plain", (415, "wrong-content-type", "MalformedPayload")),
        (text.replace("a test", &"a".repeat(1000)), json, (413, "too-large", "InputTooLarge")),
    ] {
        let (status, problem, code) = expected;
        assert_eq!(put(body, content_type).await, (status, problem.to_owned(), code.to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_comes_as_tasks_that_wm_check_reads() {
    let given = Given::on_sqlite().reopened(|settings| settings.recording.at_most = 40);
    let server = Server::of(given, AccessPolicy::Local).await;
    for n in 1..=42 {
        server.given.created(json!({"payload": {"n": n, "env": {"KEY": "s3cret"}}})).await;
    }
    let answer = server.get("/task-queues/proj-a/linux/recorded-tasks").await;
    let lines = |answer: &super::Answer| -> Vec<Value> {
        answer.body.as_str().unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    let tasks = lines(&answer);
    assert_eq!(tasks.len(), 40, "swept or not, no more are shown than are kept");
    assert!(tasks.iter().all(|task| task["payload"]["env"] == json!({"KEY": "redacted"})), "{}", tasks[0]);
    assert!(tasks.iter().all(|task| worker_types::Task::normalised(task.clone()).is_ok()));
    let two = server.get("/task-queues/proj-a/linux/recorded-tasks?limit=2").await;
    assert_eq!(lines(&two), tasks[..2]);
    assert_eq!(server.get("/task-queues/proj-a/other/recorded-tasks").await.body, "");
}
