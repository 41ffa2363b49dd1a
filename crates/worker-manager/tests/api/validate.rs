//! Verdicts on one task.

use crate::harness::{Given, Server, definition, task};
use reqwest::Method;
use serde_json::{Value, json};

const VALIDATE: &str = "/worker-types/proj/linux/validate";

#[tokio::test]
async fn a_payload_or_a_task_gets_a_verdict() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    for body in
        [json!({"payload": {"maxRunTime": 3600}}), json!({"task": task("proj/linux", &json!({"maxRunTime": 3600}))})]
    {
        let verdict = server.post(VALIDATE, &body).send().await.expect(200).json();
        assert_eq!((&verdict["verdict"], &verdict["variants"]), (&json!("valid"), &json!(["container-worker"])));
    }
    let body = json!({"payload": {"maxRunTime": "3600"}});
    let mut verdict = server.post(VALIDATE, &body).send().await.expect(200).json();
    verdict["revisions"][0]["contentHash"] = json!("[hash]");
    insta::assert_snapshot!(serde_json::to_string_pretty(&verdict).unwrap());
}

#[tokio::test]
async fn what_cannot_be_decided_is_unchecked_with_the_reason() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let verdict =
        server.post("/worker-types/proj/linus/validate", &json!({"payload": {}})).send().await.expect(200).json();
    assert_eq!((&verdict["verdict"], &verdict["reason"]), (&json!("unchecked"), &json!("unknown-worker-type")));
    assert_eq!(verdict["warnings"][0]["suggestion"], "proj/linux");
    server.request(Method::DELETE, "/worker-types/proj/linux").header("if-match", "*").send().await.expect(200);
    let verdict = server.post(VALIDATE, &json!({"payload": {}})).send().await.expect(200).json();
    assert_eq!(verdict["reason"], "deleted");
    server.publish("proj/bare", &json!({"description": "d"})).await;
    let verdict =
        server.post("/worker-types/proj/bare/validate", &json!({"payload": {}})).send().await.expect(200).json();
    assert_eq!(verdict["reason"], "no-schema");
}

#[tokio::test]
async fn a_task_of_another_worker_type_is_held_against_this_one_with_a_warning() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let body = json!({"task": task("proj/windows", &json!({"maxRunTime": 1}))});
    let verdict = server.post(VALIDATE, &body).send().await.expect(200).json();
    assert_eq!(
        (&verdict["verdict"], &verdict["warnings"][0]["problem"]),
        (&json!("valid"), &json!("other-worker-type"))
    );
}

#[tokio::test]
async fn bodies_that_ask_nothing_are_refused() {
    let server = Server::local().await;
    for (body, pointer) in [
        (json!({}), ""),
        (json!({"payload": {}, "task": {}}), ""),
        (json!([]), ""),
        (json!({"payload": {}, "tasks": []}), "/tasks"),
        (json!({"task": 7}), "/task"),
    ] {
        let problem = server.post(VALIDATE, &body).send().await.refused(400, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    server.request(Method::POST, VALIDATE).body("text/plain", "{}").send().await.refused(415, "wrong-content-type");
    server.request(Method::POST, VALIDATE).body("application/json", "{").send().await.refused(400, "malformed-json");
    server.post("/worker-types/proj/Linux/validate", &json!({"payload": {}})).send().await.refused(400, "invalid-id");
}

#[tokio::test]
async fn a_body_a_byte_over_the_limit_is_refused() {
    let options = worker_manager::Options { body_limits: [("max_task_bytes", 100)].into(), ..Default::default() };
    let server = Given { options, ..Given::default() }.server().await;
    let sized = |bytes: usize| -> Value {
        let empty = json!({"payload": {"a": ""}}).to_string().len();
        json!({"payload": {"a": "x".repeat(bytes - empty)}})
    };
    server.post(VALIDATE, &sized(100)).send().await.expect(200);
    server.post(VALIDATE, &sized(101)).send().await.refused(413, "too-large");
}
