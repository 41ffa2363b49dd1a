//! Tasks that wait in a queue now: Taskcluster's `listPendingTasks`, which our queue serves too.

use super::gate::Checking;
use super::replay::{Replayed, Waiting};
use crate::Failure;
use crate::cli::ServerUrl;
use crate::connection;
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;
use worker_types::WorkerTypeId;

/// How long one page may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tasks on a page: a definition may have megabytes.
const LIMIT: &str = "100";

/// Taskcluster's `queue/v1/list-pending-tasks-response`, as far as it is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    tasks: Vec<Pending>,
    #[serde(default)]
    continuation_token: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pending {
    task_id: String,
    task: Value,
}

/// Replays the pending tasks of every worker type of the folder, from the queue below the root URL `url`.
///
/// # Errors
/// The queue does not answer, or not as Taskcluster's does; worker-manager does not.
pub async fn replay(url: &str, server: &ServerUrl, checking: &mut Checking<'_>) -> Result<(), Failure> {
    let queue = Queue::new(url, server)?;
    let mut waiting = Waiting::default();
    for id in checking.worker_types() {
        let mut token = None;
        loop {
            let page = queue.page(&id, token.as_deref()).await?;
            for Pending { task_id, task } in page.tasks {
                let size = task.to_string().len();
                waiting.push(&id, Replayed::pending(task_id, task), size, checking).await?;
            }
            token = page.continuation_token;
            if token.is_none() {
                break;
            }
        }
    }
    waiting.flush(checking).await
}

struct Queue {
    http: reqwest::Client,
    root: reqwest::Url,
    token: Option<secrecy::SecretString>,
}

impl Queue {
    fn new(url: &str, server: &ServerUrl) -> Result<Self, Failure> {
        let root = reqwest::Url::parse(url).map_err(|error| Failure::Usage(format!("--queue-url {url:?}: {error}")))?;
        if root.cannot_be_a_base() {
            return Err(Failure::Usage(format!("--queue-url {url:?} is no root URL such as https://ci.example.com")));
        }
        let http = reqwest::Client::builder().timeout(PATIENCE).build();
        let http = http.map_err(|error| Failure::Start(format!("no client for the queue: {error}")))?;
        // The token is worker-manager's: another host shall not learn it.
        let is_same = reqwest::Url::parse(&server.url).is_ok_and(|server| server.origin() == root.origin());
        let token = if is_same { connection::token(&server.credentials)? } else { None };
        Ok(Self { http, root, token })
    }

    async fn page(&self, id: &WorkerTypeId, token: Option<&str>) -> Result<Page, Failure> {
        let mut url = self.root.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["api", "queue", "v1", "task-queues", id.as_str(), "pending"]);
        }
        url.query_pairs_mut().append_pair("limit", LIMIT);
        if let Some(token) = token {
            url.query_pairs_mut().append_pair("continuationToken", token);
        }
        let failed = |words: String| Failure::Start(format!("the pending tasks of {id} at {}: {words}", self.root));
        let mut request = self.http.get(url);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.expose_secret());
        }
        let answer = request.send().await.map_err(|error| failed(error.without_url().to_string()))?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(|error| failed(error.without_url().to_string()))?;
        if !status.is_success() {
            let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
            let words = problem["detail"].as_str().or(problem["message"].as_str()).unwrap_or_default();
            return Err(failed(format!("the queue answers {status}; {words}")));
        }
        serde_json::from_slice(&body)
            .map_err(|error| failed(format!("the queue's answer is none of Taskcluster's: {error}")))
    }
}
