//! A request that is refused: which problem of the table it is, and what to say about this occurrence.
//!
//! Handlers return it as their error; the edge makes the problem document of it (RFC 9457), because only there it is
//! known which request it was.

use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use worker_types::{Item, JsonError, Object, Problem};

/// Why a request is refused.
#[derive(Debug)]
pub struct Refusal(Box<Parts>);

#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) problem: Problem,
    pub(crate) detail: String,
    pub(crate) errors: Vec<Item>,
    pub(crate) warnings: Vec<Item>,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) members: Object,
    pub(crate) internal: Option<String>,
}

impl Refusal {
    /// A refusal; `detail` says in words what is wrong with this request and how to mend it.
    pub fn new(problem: Problem, detail: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            problem,
            detail: detail.into(),
            errors: Vec::new(),
            warnings: Vec::new(),
            headers: Vec::new(),
            members: Object::new(),
            internal: None,
        }))
    }

    /// A fault of ours. `cause` goes to the log, not to the caller.
    pub fn internal(cause: impl fmt::Display) -> Self {
        let mut refusal = Self::new(Problem::Internal, "the server failed; its log says why, under this request's id");
        refusal.0.internal = Some(cause.to_string());
        refusal
    }

    /// What the log shall say beside what the caller is told.
    #[must_use]
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.0.internal = Some(cause.to_string());
        self
    }

    /// Adds items to `errors`.
    #[must_use]
    pub fn errors(mut self, errors: impl IntoIterator<Item = Item>) -> Self {
        self.0.errors.extend(errors);
        self
    }

    /// Adds items to `warnings`.
    #[must_use]
    pub fn warnings(mut self, warnings: impl IntoIterator<Item = Item>) -> Self {
        self.0.warnings.extend(warnings);
        self
    }

    /// Adds a header. A value that no header can carry is left out.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: impl AsRef<str>) -> Self {
        if let Ok(value) = HeaderValue::from_str(value.as_ref()) {
            self.0.headers.push((name, value));
        }
        self
    }

    /// Adds a member to the problem document (RFC 9457 §3.2).
    #[must_use]
    pub fn member(mut self, name: &str, value: impl Serialize) -> Self {
        self.0.members.insert(name.to_owned(), serde_json::to_value(value).unwrap_or(Value::Null));
        self
    }

    /// Which problem it is.
    pub fn problem(&self) -> Problem {
        self.0.problem
    }

    /// What is said about this occurrence.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0
    }
}

impl From<JsonError> for Refusal {
    fn from(error: JsonError) -> Self {
        Self::new(error.problem, format!("the body is not taken as JSON: {error}")).errors([error.item()])
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.problem, self.0.detail)
    }
}

impl std::error::Error for Refusal {}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.0.problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Without a body: the edge puts the problem document in.
    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}
