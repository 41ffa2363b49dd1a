//! Why a call failed, sorted by what the caller can do about it.

use std::time::Duration;
use thiserror::Error;
use worker_types::{Compatibility, Generation, Item, Problem};

/// A call that failed. Sources are not kept: their words are in the message, and the errors are shared between those
/// who waited for the same answer.
#[derive(Clone, Debug, Error)]
pub enum ClientError {
    /// No answer came: a refused connection, a name that does not resolve, a connection lost on the way.
    #[error("worker-manager cannot be reached at {url}: {cause}")]
    Unreachable {
        /// What was asked.
        url: String,
        /// Why, in words.
        cause: String,
    },
    /// The answer, or the next part of it, took too long.
    #[error("worker-manager at {url} did not answer within {} ms", .after.as_millis())]
    Timeout {
        /// What was asked.
        url: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// worker-manager refused, and said why (RFC 9457).
    #[error("{0}")]
    Problem(Box<ProblemAnswer>),
    /// Something answered that is not what this call asks for: another program, a proxy, another version.
    #[error("{0}")]
    Unexpected(Box<UnexpectedAnswer>),
    /// The answer is larger than this client takes.
    #[error("the answer of {url} is larger than {limit} bytes")]
    TooLarge {
        /// What was asked.
        url: String,
        /// The bound, in bytes.
        limit: usize,
    },
}

/// A problem document (RFC 9457 §3) as worker-manager sends it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{}", .detail.as_deref().unwrap_or(.title), .request_id.as_ref().map(|id| format!(" (request {id})")).unwrap_or_default())]
pub struct ProblemAnswer {
    /// The problem's short name, such as `precondition-failed`.
    pub problem: String,
    /// The HTTP status.
    pub status: u16,
    /// The same for every occurrence of the problem.
    pub title: String,
    /// About this occurrence.
    pub detail: Option<String>,
    /// Each fault with its place.
    pub errors: Vec<Item>,
    /// What is not wrong but should be known.
    pub warnings: Vec<Item>,
    /// What was probably meant, where a name is not known.
    pub suggestion: Option<String>,
    /// The current generation, where another was expected or the worker type was deleted.
    pub generation: Option<Generation>,
    /// What the refused definition would break.
    pub compatibility: Option<Box<Compatibility>>,
    /// Names the entry in the server's log.
    pub request_id: Option<String>,
    /// What was asked.
    pub url: String,
}

/// An answer that this call cannot use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{url} answered status {status} with {}, where {expected} was expected: {start:?}",
    .content_type.as_deref().unwrap_or("no content type")
)]
pub struct UnexpectedAnswer {
    /// What was asked.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: Option<String>,
    /// The first bytes of the body, at most 200.
    pub start: String,
    /// What would have been right, or why it could not be read.
    pub expected: String,
}

impl ClientError {
    /// The problem that worker-manager names, if it is one of the table.
    pub fn problem(&self) -> Option<Problem> {
        match self {
            Self::Problem(answer) => Problem::ALL.iter().copied().find(|problem| problem.name() == answer.problem),
            _ => None,
        }
    }

    /// Whether the same call may succeed later without anybody mending anything.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Timeout { .. } => true,
            Self::Problem(answer) => answer.status >= 500 || answer.status == 429,
            Self::Unexpected(answer) => answer.status >= 500,
            Self::TooLarge { .. } => false,
        }
    }
}
