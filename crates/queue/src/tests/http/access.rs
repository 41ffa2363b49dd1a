//! Who may do what, and how the service is.

use super::Server;
use crate::testing::{Given, definition, definition_with, gate_state, task_id, valid};
use database::testing::PrivateServer;
use reqwest::Method;
use serde_json::{Value, json};
use service::{AccessPolicy, Token, token_digest};
use std::time::{Duration, Instant};
use worker_manager_client::{GateState, WatchState};

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_manager_that_is_away_does_not_make_the_queue_unready() {
    let server = Server::start().await;
    let ready = server.ask(Method::GET, "/readyz", None, None).await;
    assert_eq!((ready.status, &ready.body["ready"]), (200, &json!(true)));
    let watch = WatchState { connected: false, cause: Some("connection refused".to_owned()), ..gate_state().watch };
    server.gate().is(GateState { stale: 3, watch, ..gate_state() });
    let ready = server.ask(Method::GET, "/readyz", None, None).await;
    assert_eq!(ready.status, 200);
    let checks = ready.body["checks"].as_array().unwrap();
    let gate = checks.iter().find(|check| check["name"] == "payload gate").unwrap();
    assert_eq!(gate["state"], "degraded");
    let reason = gate["reason"].as_str().unwrap();
    assert!(reason.contains("connection refused") && reason.contains("since 2027-01-02T12:00:00Z"), "{reason}");
    assert_eq!((&gate["feedConnected"], &gate["since"]), (&json!(false), &json!("2027-01-02T12:00:00Z")));
    measured(&server, "queue_gate_feed_connected 0").await;
    server.gate().is(gate_state());
    measured(&server, "queue_gate_feed_connected 1").await;
    let well = server.ask(Method::GET, "/__heartbeat__", None, None).await;
    assert_eq!(well.status, 200, "without a task that asked: {}", well.body);
    assert_eq!(server.get("/ping").await.body["alive"], true);
    assert_eq!(server.get("/openapi.json").await.body["info"]["title"], "Queue");
    server.gate().says(valid());
    server.put(&task_id(), definition()).await;
    let metrics = server.get("/metrics").await.body.as_str().unwrap().to_owned();
    assert!(metrics.contains("queue_verdicts_total") && metrics.contains("operation=\"createTask\""), "{metrics}");
}

/// Waits until the metrics say so; they are set every two seconds.
async fn measured(server: &Server, line: &str) {
    let guard = Instant::now() + Duration::from_secs(60);
    while !server.get("/metrics").await.body.as_str().is_some_and(|text| text.lines().any(|one| one == line)) {
        assert!(Instant::now() < guard, "never measured: {line}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_need_the_scopes_that_the_task_asks_for() {
    let scopes = [
        "queue:create-task:low:proj-a/linux",
        "queue:create-task:project:none",
        "queue:scheduler-id:-",
        "queue:status:*",
    ];
    let token = |name: &str, scopes: &[&str]| {
        Token::new(name, &token_digest(name), scopes.iter().map(ToString::to_string).collect()).unwrap()
    };
    let access = AccessPolicy::tokens(vec![token("author", &scopes), token("stranger", &["other:*"])], vec![]);
    let server = Server::of(Given::on_sqlite(), access).await;
    let id = task_id();
    let path = format!("/api/queue/v1/task/{id}");
    let put = async |definition: Value, token: Option<&'static str>| {
        server.ask(Method::PUT, &path, Some(definition), token).await
    };
    put(definition(), None).await.refused(403, "forbidden", "InsufficientScopes");
    put(definition(), Some("stranger")).await.refused(403, "forbidden", "InsufficientScopes");
    let answer = put(definition_with(json!({"priority": "high", "scopes": ["secrets:a"]})), Some("author")).await;
    answer.refused(403, "forbidden", "InsufficientScopes");
    assert_eq!(answer.body["missingScopes"], json!(["secrets:a", "queue:create-task:high:proj-a/linux"]));
    assert_eq!(put(definition(), Some("author")).await.status, 200);
    let get = async |below: &str| server.ask(Method::GET, &format!("{path}{below}"), None, Some("author")).await;
    assert_eq!(get("/status").await.status, 200);
    get("").await.refused(403, "forbidden", "InsufficientScopes");
    get("/validation").await.refused(403, "forbidden", "InsufficientScopes");
    let schema = server.ask(Method::GET, "/api/queue/v1/task-queues/proj-a/linux/payload-schema", None, None).await;
    assert_ne!(schema.status, 403, "what is enforced is public");
}

/// Asks again until the answer is as it should be. The server notices within seconds.
async fn wait_for_readiness(server: &Server, status: u16) {
    for _ in 0..600 {
        if server.ask(Method::GET, "/readyz", None, None).await.status == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("/readyz did not become {status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_away_is_said_in_words_and_comes_back() {
    let Some(postgres) = PrivateServer::start("queue-outage") else { return };
    let server = Server::of(Given::at(postgres.url().to_owned()), AccessPolicy::Local).await;
    let id = task_id();
    let before = server.put(&id, definition()).await;
    assert_eq!(before.status, 200);
    postgres.stop(true);
    let away = server.put(&task_id(), definition()).await;
    away.refused(503, "store-unavailable", "InternalServerError");
    assert_eq!(away.header("retry-after"), "5");
    server.get(&format!("/task/{id}/status")).await.refused(503, "store-unavailable", "InternalServerError");
    wait_for_readiness(&server, 503).await;
    postgres.restart();
    wait_for_readiness(&server, 200).await;
    assert_eq!(server.put(&id, definition()).await.body, before.body);
}
