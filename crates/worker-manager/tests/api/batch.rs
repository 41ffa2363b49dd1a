//! Many tasks as a stream.

use crate::harness::{Given, Server, definition, task};
use futures_util::{StreamExt, stream};
use reqwest::{Body, Method};
use serde_json::{Value, json};
use std::time::Duration;

const NDJSON: &str = "application/x-ndjson";

fn line(payload: &Value) -> String {
    task("proj/linux", payload).to_string() + "\n"
}

async fn judge(server: &Server, text: impl Into<Body>) -> Vec<Value> {
    let reply = server.request(Method::POST, "/tasks/validate").body(NDJSON, text).send().await.expect(200);
    assert_eq!(reply.header("content-type"), NDJSON);
    reply.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn each_line_gets_one_answer_in_order_and_broken_ones_do_not_end_the_stream() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let text = [
        line(&json!({"maxRunTime": 1})),
        "{\"taskQueueId\": \n".to_owned(),
        "\n".to_owned(),
        line(&json!({"maxRunTime": "1"})),
        "{}\n".to_owned(),
        "[1]\n".to_owned(),
        task("proj/none", &json!({})).to_string() + "\r\n",
        "{\"a\":1,\"a\":2}\n".to_owned(),
        line(&json!({"maxRunTime": 2})).trim_end().to_owned(),
    ]
    .concat();
    let answers = judge(&server, text).await;
    let seen: Vec<_> = answers
        .iter()
        .map(|answer| {
            let problem = answer["problem"].as_str().or(answer["reason"].as_str()).unwrap_or_default();
            (answer["line"].as_u64().unwrap(), answer["verdict"].as_str().unwrap(), problem)
        })
        .collect();
    assert_eq!(
        seen,
        [
            (1, "valid", ""),
            (2, "error", "malformed-json"),
            (4, "invalid", ""),
            (5, "error", "invalid-request"),
            (6, "error", "invalid-request"),
            (7, "unchecked", "unknown-worker-type"),
            (8, "error", "duplicate-key"),
            (9, "valid", ""),
        ]
    );
    assert_eq!(answers[2]["errors"][0]["pointer"], "/payload/maxRunTime");
    assert!(answers[1]["message"].as_str().unwrap().contains("column 16"), "{}", answers[1]);
}

#[tokio::test]
async fn a_line_over_the_limit_is_answered_and_the_next_is_judged() {
    let options = worker_manager::Options { body_limits: [("max_task_bytes", 1_000)].into(), ..Default::default() };
    let server = Given { options, ..Given::default() }.server().await;
    let long = line(&json!({"a": "x".repeat(1_000_000)}));
    let answers = judge(&server, long + &line(&json!({}))).await;
    assert_eq!((&answers[0]["problem"], &answers[1]["verdict"]), (&json!("too-large"), &json!("unchecked")));
    assert!(answers[0]["message"].as_str().unwrap().contains("max_task_bytes"));
}

#[tokio::test]
async fn nothing_in_gives_nothing_out() {
    let server = Server::local().await;
    assert!(judge(&server, "").await.is_empty());
    assert!(judge(&server, "\n \n").await.is_empty());
    server.request(Method::POST, "/tasks/validate").json(&json!({})).send().await.refused(415, "wrong-content-type");
}

#[tokio::test]
async fn answers_come_while_the_lines_still_come() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let (send, receive) = tokio::sync::mpsc::unbounded_channel::<String>();
    let lines = stream::unfold(receive, |mut receive| async move {
        let line = receive.recv().await?;
        Some((Ok::<_, std::io::Error>(line), receive))
    });
    send.send(line(&json!({"maxRunTime": 1}))).unwrap();
    let response = server.request(Method::POST, "/tasks/validate").body(NDJSON, Body::wrap_stream(lines)).open().await;
    let mut answers = response.bytes_stream();
    for number in 1..=3 {
        let part = tokio::time::timeout(Duration::from_secs(10), answers.next()).await.unwrap().unwrap().unwrap();
        let answer: Value = serde_json::from_slice(&part).unwrap();
        assert_eq!((&answer["line"], &answer["verdict"]), (&json!(number), &json!("valid")));
        send.send(line(&json!({"maxRunTime": number}))).unwrap();
    }
    drop(send);
    assert!(answers.next().await.unwrap().is_ok());
    assert!(answers.next().await.is_none());
}

#[tokio::test]
async fn ten_thousand_lines_are_answered_in_order_also_to_a_client_that_reads_late() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let text: String = (0..10_000).map(|number| line(&json!({"maxRunTime": number}))).collect();
    let request = server.request(Method::POST, "/tasks/validate").body(NDJSON, text);
    let response = request.open().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let text = response.text().await.unwrap();
    assert_eq!(text.lines().count(), 10_000);
    for (index, answer) in text.lines().enumerate() {
        assert!(answer.starts_with(&format!("{{\"line\":{},\"verdict\":\"valid\"", index + 1)), "{answer}");
    }
}

#[tokio::test]
async fn little_room_for_answers_only_slows_the_stream() {
    let options = worker_manager::Options { batch_answers: 10, ..Default::default() };
    let server = Given { options, ..Given::default() }.server().await;
    let text: String = (0..2_000).map(|_| line(&json!({}))).collect();
    assert_eq!(judge(&server, text).await.len(), 2_000);
}

#[tokio::test]
async fn each_line_is_judged_only_for_those_who_may_ask() {
    let tokens: &[(&str, &[&str])] =
        &[("some", &["worker-manager:validate:proj/linux"]), ("none", &["worker-manager:list"])];
    let server = Given::tokens_and(tokens, &[]).server().await.by(Some("some"));
    let text = line(&json!({})) + &task("other/linux", &json!({})).to_string();
    let answers = judge(&server, text.clone()).await;
    assert_eq!((&answers[0]["verdict"], &answers[1]["problem"]), (&json!("unchecked"), &json!("forbidden")));
    assert!(answers[1]["message"].as_str().unwrap().contains("worker-manager:validate:other/linux"));
    let server = server.by(Some("none"));
    server.request(Method::POST, "/tasks/validate").body(NDJSON, text).send().await.refused(403, "forbidden");
}
