//! A server on a database of its own, and the requests of tests.

use crate::documented;
use crate::faulty_store::FaultyStore;
use registry::{Registry, Settings as RegistrySettings};
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use service::{AccessPolicy, Running, Settings, Token, start, token_digest};
use std::sync::Arc;
use std::time::Duration;
use store::SqlStore;
use tempfile::TempDir;
use worker_manager::{ANONYMOUS_SCOPES, Options, WorkerManager};

pub const API: &str = "/api/worker-manager/v1";

pub struct Server {
    pub running: Running,
    pub store: Arc<FaultyStore>,
    pub registry: Arc<Registry>,
    http: reqwest::Client,
    token: Option<String>,
    directory: TempDir,
}

/// How a test's server differs from the usual.
pub struct Given {
    pub access: AccessPolicy,
    pub options: Options,
    pub registry: RegistrySettings,
}

impl Default for Given {
    fn default() -> Self {
        let registry = RegistrySettings { poll: Duration::from_millis(50), ..RegistrySettings::default() };
        Self { access: AccessPolicy::Local, options: Options::default(), registry }
    }
}

impl Given {
    /// Each token is its own name; each has the scopes that stand behind it, and those that everybody has.
    pub fn tokens(tokens: &[(&str, &[&str])]) -> Self {
        Self::tokens_and(tokens, ANONYMOUS_SCOPES)
    }

    /// As [`Given::tokens`], where everybody has `anonymous`.
    pub fn tokens_and(tokens: &[(&str, &[&str])], anonymous: &[&str]) -> Self {
        let scopes = |scopes: &[&str]| scopes.iter().map(|scope| (*scope).to_owned()).collect::<Vec<_>>();
        let token = |(name, held): &(&str, &[&str])| Token::new(*name, &token_digest(name), scopes(held)).unwrap();
        let access = AccessPolicy::tokens(tokens.iter().map(token).collect(), scopes(anonymous));
        Self { access, ..Self::default() }
    }

    pub async fn server(self) -> Server {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", directory.path().join("registry.db").display());
        let store = Arc::new(FaultyStore::new(SqlStore::open(&url, &database::Options::default()).unwrap()));
        self.server_on(store, directory).await
    }

    async fn server_on(self, store: Arc<FaultyStore>, directory: TempDir) -> Server {
        let registry = Arc::new(Registry::open(store.clone(), self.registry).unwrap());
        let service = Arc::new(WorkerManager::new(registry.clone(), self.options));
        let settings = Settings { access: self.access, workers: Some(1), ..Settings::local("127.0.0.1:0") };
        let running = start(settings, vec![service]).await.unwrap();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Server { running, store, registry, http, token: None, directory }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| Value::String(self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    pub fn problem(&self) -> (u16, String) {
        (self.status, self.json()["problem"].as_str().unwrap_or_default().to_owned())
    }

    /// Fails unless the status is this one.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    /// Fails unless it is this problem.
    #[track_caller]
    pub fn refused(self, status: u16, problem: &str) -> Value {
        assert_eq!(self.problem(), (status, problem.to_owned()), "{}", self.text());
        self.json()
    }
}

impl Server {
    /// Another server on the same database, which remembers nothing of what this one saw.
    pub async fn restarted(self) -> Self {
        Given::default().server_on(self.store, self.directory).await
    }

    pub async fn local() -> Self {
        Given::default().server().await
    }

    /// The server as the bearer of a token sees it.
    pub fn by(mut self, token: Option<&str>) -> Self {
        self.token = token.map(str::to_owned);
        self
    }

    /// A request to a path below the API's prefix, or, with a leading `//`, at the root.
    pub fn request(&self, method: Method, path: &str) -> Request<'_> {
        let path =
            path.strip_prefix('/').filter(|rest| rest.starts_with('/')).map_or(format!("{API}{path}"), str::to_owned);
        let mut builder = self.http.request(method.clone(), format!("{}{path}", self.running.url()));
        if let Some(token) = &self.token {
            builder = builder.bearer_auth(token);
        }
        Request { builder, method, path, _server: self }
    }

    pub fn get(&self, path: &str) -> Request<'_> {
        self.request(Method::GET, path)
    }

    pub fn put(&self, path: &str, body: &Value) -> Request<'_> {
        self.request(Method::PUT, path).json(body)
    }

    pub fn post(&self, path: &str, body: &Value) -> Request<'_> {
        self.request(Method::POST, path).json(body)
    }

    /// Publishes whatever is there.
    pub async fn publish(&self, id: &str, definition: &Value) -> Value {
        let reply = self.put(&format!("/worker-types/{id}"), definition).header("if-match", "*").send().await;
        assert!(reply.status < 300, "{}", reply.text());
        reply.json()
    }

    pub async fn publish_release(&self, id: &str, content: &Value) -> Value {
        let (name, version) = id.split_once('@').unwrap();
        let reply = self.put(&format!("/implementations/{name}/releases/{version}"), content).send().await;
        assert!(reply.status < 300, "{}", reply.text());
        reply.json()
    }
}

/// A request that is held against the documentation when it is sent.
pub struct Request<'s> {
    builder: RequestBuilder,
    method: Method,
    path: String,
    _server: &'s Server,
}

impl Request<'_> {
    pub fn method(&self) -> Method {
        self.method.clone()
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.builder = self.builder.header(name, value);
        self
    }

    pub fn body(mut self, media: &str, body: impl Into<reqwest::Body>) -> Self {
        self.builder = self.builder.header("content-type", media).body(body);
        self
    }

    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub fn bearer(mut self, token: &str) -> Self {
        self.builder = self.builder.bearer_auth(token);
        self
    }

    pub async fn send(self) -> Reply {
        let response = self.builder.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        let path = self.path.split('?').next().unwrap();
        let media = headers.get("content-type").map(|value| value.to_str().unwrap());
        let coded = headers.contains_key("content-encoding");
        documented::check(&self.method, path, status, media.filter(|_| !coded), &bytes);
        Reply { status, headers, bytes }
    }

    /// The answer with its body still on the wire.
    pub async fn open(self) -> reqwest::Response {
        self.builder.send().await.unwrap()
    }
}

/// A definition whose payload must have an integer `maxRunTime`.
pub fn definition() -> Value {
    json!({
        "description": "Linux tasks in containers", "owner": "builds@example.com", "tags": ["linux"],
        "documentation": "# Linux\n\nRuns at most {{configuration.maxTaskRunTime}} seconds.",
        "validation": "enforce", "compatibility": "none",
        "variants": [{
            "name": "container-worker", "implementation": {"name": "container-worker", "version": "44.2.0"},
            "configuration": {"maxTaskRunTime": 86400},
            "payloadSchema": {
                "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["maxRunTime"],
                "properties": {"maxRunTime": {"type": "integer", "description": "how long the task may run, in seconds"}},
                "additionalProperties": false,
            },
        }],
    })
}

/// The same with another description.
pub fn described(description: &str) -> Value {
    let mut definition = definition();
    definition["description"] = description.into();
    definition
}

/// A task definition for a worker type.
pub fn task(id: &str, payload: &Value) -> Value {
    json!({
        "taskQueueId": id, "created": "2027-01-01T00:00:00.000Z", "deadline": "2027-01-02T00:00:00.000Z",
        "payload": payload, "metadata": {"name": "n", "description": "d", "owner": "o@example.com", "source": "https://example.com"},
    })
}

/// Asks until it holds, or fails after ten seconds.
pub async fn wait_until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..1_000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} did not come");
}
