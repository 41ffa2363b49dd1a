//! How the server is: for people, for orchestrators, and as Dockerflow asks (mozilla-services/Dockerflow). Served at
//! the root for all services, and below each service's prefix for it alone.

use crate::operation::{Access, Answer, Operation};
use crate::{Api, HttpService, Refusal, Shutdown, metrics};
use actix_web::HttpResponse;
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;
use worker_types::{Item, Problem};

/// Which build answers. From <https://github.com/mozilla-services/Dockerflow/blob/main/docs/version_object.md>.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BuildInfo {
    /// Where the source is.
    pub source: String,
    /// The version.
    pub version: String,
    /// The commit, if the build knew it.
    pub commit: String,
    /// Where it was built, if it was built somewhere.
    pub build: String,
}

/// How one part of a service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// As it should be.
    Ok,
    /// Not as it should be, but requests are answered.
    Degraded,
    /// Requests should go elsewhere.
    Failed,
}

/// A part of a service, and how it is.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Which part.
    pub name: String,
    /// How it is.
    pub state: CheckState,
    /// Why, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What else is to be known of it, by name.
    #[serde(flatten)]
    pub facts: serde_json::Map<String, serde_json::Value>,
}

impl Check {
    /// A part that is as it should be.
    pub fn ok(name: impl Into<String>) -> Self {
        Self::new(name, CheckState::Ok, None)
    }

    /// A part that is not as it should be.
    pub fn degraded(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(name, CheckState::Degraded, Some(reason.into()))
    }

    /// A part that fails.
    pub fn failed(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(name, CheckState::Failed, Some(reason.into()))
    }

    fn new(name: impl Into<String>, state: CheckState, reason: Option<String>) -> Self {
        Self { name: name.into(), state, reason, facts: serde_json::Map::new() }
    }

    /// The same, with something else that is to be known of it.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }
}

const fn row(id: &'static str, path: &'static str, summary: &'static str, answers: &'static [Answer]) -> Operation {
    Operation { id, path, summary, tag: "health", access: Access::Public, answers, ..Operation::BLANK }
}

static PING: Operation = row("ping", "/ping", "Whether the service answers", &[Answer::json(200, "Ping", "It does")]);
static VERSION: Operation =
    row("version", "/__version__", "Which build answers", &[Answer::json(200, "Version", "This one")]);
static HEARTBEAT: Operation = Operation {
    problems: &[Problem::NotReady],
    ..row("heartbeat", "/__heartbeat__", "Whether every part is as it should be", HEALTHY)
};
static LBHEARTBEAT: Operation =
    row("lbheartbeat", "/__lbheartbeat__", "Whether the process answers", &[Answer::json(200, "Nothing", "It does")]);
static LIVEZ: Operation =
    row("livez", "/livez", "Whether the process answers", &[Answer::json(200, "Live", "It does")]);
static READYZ: Operation = Operation {
    problems: &[Problem::NotReady],
    ..row("readyz", "/readyz", "Whether requests are answered, with the reasons if they are not", READY)
};
static METRICS: Operation = row(
    "metrics",
    "/metrics",
    "What was measured, in Prometheus' text format",
    &[Answer::of(200, "text/plain", "All")],
);
const HEALTHY: &[Answer] = &[Answer::json(200, "Readiness", "It is")];
const READY: &[Answer] = &[Answer::json(200, "Readiness", "It is; parts may be degraded")];

/// The rows that every service has below its prefix; [`start`](crate::start) binds them.
pub static COMMON: &[&Operation] =
    &[&PING, &VERSION, &HEARTBEAT, &LBHEARTBEAT, &LIVEZ, &READYZ, &METRICS, &crate::openapi::DOCUMENT];

/// What the handlers look at.
#[derive(Clone)]
pub(crate) struct Health {
    pub(crate) services: Vec<Arc<dyn HttpService>>,
    pub(crate) build: Arc<BuildInfo>,
    pub(crate) started: Instant,
    pub(crate) shutdown: Shutdown,
}

impl Health {
    /// Binds the rows.
    pub(crate) fn bind(self, api: Api) -> Api {
        let (ping, version, heartbeat, readyz) = (self.clone(), self.clone(), self.clone(), self);
        api.on(&PING, move || answer(ping.ping()))
            .on(&VERSION, move || answer(json!(*version.build)))
            .on(&HEARTBEAT, move || std::future::ready(heartbeat.readiness(CheckState::Degraded)))
            .on(&LBHEARTBEAT, || answer(json!({})))
            .on(&LIVEZ, || answer(json!({"live": true})))
            .on(&READYZ, move || std::future::ready(readyz.readiness(CheckState::Failed)))
            .on(&METRICS, measured)
    }

    fn ping(&self) -> serde_json::Value {
        json!({"alive": true, "uptime": self.started.elapsed().as_secs_f64()})
    }

    /// Refuses when a check is as bad as `worst`, or worse.
    fn readiness(&self, worst: CheckState) -> Result<HttpResponse, Refusal> {
        let mut checks: Vec<Check> = self.services.iter().flat_map(|service| service.checks()).collect();
        if self.shutdown.is_requested() {
            checks.push(Check::failed("server", "the server is shutting down"));
        }
        let is_bad = |check: &&Check| check.state as u8 >= worst as u8;
        let bad: Vec<&Check> = checks.iter().filter(is_bad).collect();
        if bad.is_empty() {
            return Ok(uncached().json(json!({"ready": true, "checks": checks})));
        }
        let reason = |check: &&Check| format!("{}: {}", check.name, check.reason.as_deref().unwrap_or("it fails"));
        let errors = bad.iter().map(|check| Item::new(check.name.clone(), "", reason(check)));
        let detail = bad.iter().map(reason).collect::<Vec<_>>().join("; ");
        let refusal = Refusal::new(Problem::NotReady, detail).errors(errors.collect::<Vec<_>>());
        let refusal = refusal.member("ready", false).member("checks", &checks);
        Err(refusal.header(actix_web::http::header::RETRY_AFTER, "5"))
    }
}

fn uncached() -> actix_web::HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.insert_header(("cache-control", "no-store"));
    response
}

async fn answer(body: serde_json::Value) -> HttpResponse {
    uncached().json(body)
}

async fn measured() -> HttpResponse {
    uncached().content_type("text/plain; version=0.0.4; charset=utf-8").body(metrics::render())
}
