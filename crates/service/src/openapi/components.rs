//! The schemas of bodies: those that a service adds, and those that all have.

use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Components as Finished, ComponentsBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};
use worker_types::Item;

/// Named schemas.
#[derive(Clone, Default)]
pub struct Components(BTreeMap<String, RefOr<Schema>>);

impl Components {
    /// Those that every service has.
    pub fn new() -> Self {
        Self::default()
            .with::<Problem>()
            .with::<Ping>()
            .with::<Version>()
            .with::<Readiness>()
            .with::<Live>()
            .with::<Nothing>()
    }

    /// Adds a type and every type that it names.
    #[must_use]
    pub fn with<T: ToSchema + PartialSchema>(mut self) -> Self {
        let mut nested = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut nested);
        self.0.extend(nested);
        self
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn finish(self) -> Finished {
        ComponentsBuilder::new().schemas_from_iter(self.0).build()
    }
}

/// A problem document (RFC 9457), with the members that Taskcluster's clients know. A problem may have more members.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct Problem {
    /// The URI of the problem's page.
    r#type: String,
    /// The same for every occurrence.
    title: String,
    /// The HTTP status.
    status: u16,
    /// What is wrong with this request, and how to mend it.
    detail: String,
    /// The path that was asked for.
    instance: String,
    /// The short name. It stays the same for ever.
    problem: String,
    /// Taskcluster's error code.
    code: String,
    /// The detail, and the lines that Taskcluster's services append to it.
    message: String,
    #[schema(rename = "requestInfo")]
    request_info: RequestInfo,
    /// Each fault with its place.
    errors: Vec<Item>,
    /// What is not wrong but should be known.
    warnings: Option<Vec<Item>>,
    /// Names the entry in the server's log.
    #[schema(rename = "requestId")]
    request_id: String,
}

/// What was asked, as Taskcluster's services repeat it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct RequestInfo {
    /// The operation.
    method: String,
    /// The path's parameters.
    params: BTreeMap<String, String>,
    /// Always null.
    payload: Value,
    /// RFC 3339, UTC.
    time: String,
}

/// The service answers.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct Ping {
    alive: bool,
    /// Seconds since the start.
    uptime: f64,
}

/// Dockerflow's version object.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct Version {
    source: String,
    version: String,
    commit: String,
    build: String,
}

/// Whether requests are answered.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct Readiness {
    ready: bool,
    checks: Vec<Check>,
}

/// How one part is.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct Check {
    name: String,
    /// `ok`, `degraded` or `failed`.
    state: String,
    /// Why it is not ok.
    reason: Option<String>,
    /// Of `store`: the newest event that reads see.
    #[schema(nullable = false)]
    applied: Option<u64>,
    /// Of `store`: seconds since the database last answered. What is served is at most so old.
    #[schema(rename = "ageSeconds", nullable = false)]
    age_seconds: Option<f64>,
}

/// The process answers.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct Live {
    live: bool,
}

/// An empty object.
#[derive(ToSchema)]
struct Nothing {}
