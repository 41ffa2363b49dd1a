//! The queue over HTTP, as clients meet it.

mod access;
mod payloads;
mod tasks;

use crate::QueueService;
use crate::testing::{FakeGate, Given};
use reqwest::{Client, Method};
use serde_json::Value;
use service::{AccessPolicy, Running, Settings, start};
use std::sync::Arc;
use worker_types::TaskId;

struct Server {
    given: Given,
    running: Running,
    client: Client,
}

struct Answer {
    status: u16,
    headers: reqwest::header::HeaderMap,
    body: Value,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// What every refusal must be: a problem document that Taskcluster's clients read too.
    fn refused(&self, status: u16, problem: &str, code: &str) -> &Self {
        let found = (self.status, self.body["problem"].as_str(), self.body["code"].as_str());
        assert_eq!(found, (status, Some(problem), Some(code)), "{:#}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert!(self.body["message"].as_str().unwrap().contains(&format!("* errorCode:  {code}")));
        assert!(self.body["requestInfo"]["method"].is_string());
        self
    }
}

impl Server {
    async fn start() -> Self {
        Self::of(Given::on_sqlite(), AccessPolicy::Local).await
    }

    async fn of(given: Given, access: AccessPolicy) -> Self {
        let settings = Settings { access, workers: Some(2), ..Settings::local("127.0.0.1:0") };
        let running = start(settings, vec![Arc::new(QueueService::new(given.queue.clone()))]).await.unwrap();
        Self { given, running, client: Client::new() }
    }

    fn gate(&self) -> &FakeGate {
        &self.given.gate
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>, token: Option<&str>) -> Answer {
        let url = format!("{}{path}", self.running.url());
        let mut request = self.client.request(method, url);
        if let Some(body) = body {
            request = request.json(&body);
        }
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let answer = request.send().await.unwrap();
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let text = answer.text().await.unwrap();
        Answer { status, headers, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) }
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, &format!("/api/queue/v1{path}"), None, None).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::POST, &format!("/api/queue/v1{path}"), Some(body), None).await
    }

    async fn put(&self, id: &TaskId, definition: Value) -> Answer {
        self.ask(Method::PUT, &format!("/api/queue/v1/task/{id}"), Some(definition), None).await
    }
}
