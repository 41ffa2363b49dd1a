//! One HTTP exchange: sends, bounds what comes back in time and in bytes, and turns refusals into errors.

use crate::{ClientError, ProblemAnswer, UnexpectedAnswer};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use reqwest::{RequestBuilder, Response, StatusCode, header};
use serde::{Deserialize, de::DeserializeOwned};
use std::{error::Error, io, time::Duration};
use tokio::time::timeout;
use worker_types::{Compatibility, Generation, Item};

/// How much of an answer that nobody expected is shown, in bytes.
const SHOWN: usize = 200;

/// A request that is being put together.
pub(crate) struct Call {
    request: RequestBuilder,
    url: String,
    timeout: Duration,
    limit: usize,
}

/// An answer with a status of success; its body is still on the wire.
pub(crate) struct Answer {
    response: Response,
    url: String,
    timeout: Duration,
    limit: usize,
}

impl Call {
    pub(crate) fn new(request: RequestBuilder, url: String, timeout: Duration, limit: usize) -> Self {
        Self { request, url, timeout, limit }
    }

    pub(crate) fn query(mut self, name: &str, value: Option<impl AsRef<str>>) -> Self {
        if let Some(value) = value {
            self.request = self.request.query(&[(name, value.as_ref())]);
        }
        self
    }

    pub(crate) fn header(mut self, name: header::HeaderName, value: Option<&str>) -> Self {
        if let Some(value) = value {
            self.request = self.request.header(name, value);
        }
        self
    }

    pub(crate) fn accept(self, media_type: &'static str) -> Self {
        self.header(header::ACCEPT, Some(media_type))
    }

    pub(crate) fn body(mut self, media_type: &'static str, body: impl Into<reqwest::Body>) -> Self {
        self.request = self.request.header(header::CONTENT_TYPE, media_type).body(body);
        self
    }

    /// Takes answers of up to `bytes` instead of the client's bound.
    pub(crate) fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Waits this long at most, instead of the client's time.
    pub(crate) fn within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sends, and waits for the head of an answer of success; `304` is one.
    pub(crate) async fn send(self) -> Result<Answer, ClientError> {
        let Self { request, url, timeout: patience, limit } = self;
        let response = match timeout(patience, request.send()).await {
            Err(_) => return Err(ClientError::Timeout { url, after: patience }),
            Ok(Err(error)) => return Err(transport(&error, url, patience)),
            Ok(Ok(response)) => response,
        };
        let answer = Answer { response, url, timeout: patience, limit };
        if answer.status().is_success() || answer.status() == StatusCode::NOT_MODIFIED {
            return Ok(answer);
        }
        Err(answer.into_refusal().await)
    }

    /// Sends, and reads the answer as JSON.
    pub(crate) async fn json<T: DeserializeOwned>(self) -> Result<T, ClientError> {
        self.send().await?.json().await
    }
}

impl Answer {
    pub(crate) fn status(&self) -> StatusCode {
        self.response.status()
    }

    pub(crate) fn header(&self, name: header::HeaderName) -> Option<String> {
        self.response.headers().get(name)?.to_str().ok().map(str::to_owned)
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The whole body.
    pub(crate) async fn bytes(mut self) -> Result<Bytes, ClientError> {
        let patience = self.timeout;
        match timeout(patience, self.collect()).await {
            Ok(collected) => collected,
            Err(_) => Err(ClientError::Timeout { url: self.url, after: patience }),
        }
    }

    async fn collect(&mut self) -> Result<Bytes, ClientError> {
        let too_large = || ClientError::TooLarge { url: self.url.clone(), limit: self.limit };
        if self.response.content_length().is_some_and(|length| length > self.limit as u64) {
            return Err(too_large());
        }
        let mut body = BytesMut::new();
        while let Some(chunk) =
            self.response.chunk().await.map_err(|error| transport(&error, self.url.clone(), self.timeout))?
        {
            if body.len() + chunk.len() > self.limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }

    pub(crate) async fn json<T: DeserializeOwned>(self) -> Result<T, ClientError> {
        let shown = self.shown();
        let body = self.bytes().await?;
        serde_json::from_slice(&body).map_err(|error| shown.unexpected(&body, format!("a JSON document ({error})")))
    }

    pub(crate) async fn text(self) -> Result<String, ClientError> {
        let shown = self.shown();
        let body = self.bytes().await?;
        String::from_utf8(body.into()).map_err(|error| shown.unexpected(error.as_bytes(), "text in UTF-8".to_owned()))
    }

    /// The error for an answer whose head is already wrong.
    pub(crate) async fn unexpected(self, expected: &str) -> ClientError {
        let shown = self.shown();
        let body = self.limit_to(SHOWN * 8).bytes().await.unwrap_or_default();
        shown.unexpected(&body, expected.to_owned())
    }

    /// The body as it comes; a pause longer than the client's time ends it with an error.
    pub(crate) fn stream(self) -> impl Stream<Item = Result<Bytes, ClientError>> + Send + 'static {
        let (url, patience) = (self.url.clone(), self.timeout);
        let parts = Box::pin(self.endless_stream());
        stream::unfold(Some(parts), move |parts| {
            let url = url.clone();
            async move {
                let mut parts = parts?;
                match timeout(patience, parts.next()).await {
                    Err(_) => Some((Err(ClientError::Timeout { url, after: patience }), None)),
                    Ok(Some(Err(error))) => Some((Err(error), None)),
                    Ok(Some(Ok(part))) => Some((Ok(part), Some(parts))),
                    Ok(None) => None,
                }
            }
        })
    }

    /// The body as it comes, whatever the pauses.
    pub(crate) fn endless_stream(self) -> impl Stream<Item = Result<Bytes, ClientError>> + Send + 'static {
        let Self { response, url, timeout: patience, .. } = self;
        response.bytes_stream().map_err(move |error| transport(&error, url.clone(), patience))
    }

    fn limit_to(mut self, bytes: usize) -> Self {
        self.limit = self.limit.min(bytes);
        self
    }

    fn shown(&self) -> Shown {
        Shown { url: self.url.clone(), status: self.status().as_u16(), content_type: self.header(header::CONTENT_TYPE) }
    }

    async fn into_refusal(self) -> ClientError {
        let shown = self.shown();
        let request_id = self.header(header::HeaderName::from_static("x-request-id"));
        let body = match self.limit_to(4 << 20).bytes().await {
            Ok(body) => body,
            Err(error) => return error,
        };
        match serde_json::from_slice::<ProblemBody>(&body) {
            Ok(problem) => ClientError::Problem(Box::new(problem.answer(shown, request_id))),
            Err(_) => shown.unexpected(&body, "an answer of worker-manager".to_owned()),
        }
    }
}

/// What is said of an answer that cannot be used.
struct Shown {
    url: String,
    status: u16,
    content_type: Option<String>,
}

impl Shown {
    fn unexpected(self, body: &[u8], expected: String) -> ClientError {
        let start = String::from_utf8_lossy(&body[..body.len().min(SHOWN)]).into_owned();
        ClientError::Unexpected(Box::new(UnexpectedAnswer {
            url: self.url,
            status: self.status,
            content_type: self.content_type,
            start,
            expected,
        }))
    }
}

/// The members of a problem document that are read. `problem` tells it from any other JSON.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProblemBody {
    problem: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    detail: Option<String>,
    #[serde(default)]
    errors: Vec<Item>,
    #[serde(default)]
    warnings: Vec<Item>,
    #[serde(default)]
    suggestion: Option<String>,
    #[serde(default)]
    generation: Option<Generation>,
    #[serde(default)]
    compatibility: Option<Box<Compatibility>>,
    #[serde(default)]
    request_id: Option<String>,
}

impl ProblemBody {
    fn answer(self, shown: Shown, request_id: Option<String>) -> ProblemAnswer {
        ProblemAnswer {
            title: if self.title.is_empty() { self.problem.clone() } else { self.title },
            problem: self.problem,
            status: shown.status,
            detail: self.detail,
            errors: self.errors,
            warnings: self.warnings,
            suggestion: self.suggestion,
            generation: self.generation,
            compatibility: self.compatibility,
            request_id: self.request_id.or(request_id),
            url: shown.url,
        }
    }
}

/// The error for an exchange that broke.
fn transport(error: &reqwest::Error, url: String, patience: Duration) -> ClientError {
    if error.is_timeout() {
        ClientError::Timeout { url, after: patience }
    } else {
        ClientError::Unreachable { url, cause: cause(error) }
    }
}

/// The innermost cause of `error`, in words.
pub(crate) fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    match innermost.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => "the connection was refused; is it running there?".to_owned(),
        Some(io::ErrorKind::ConnectionReset) => "the connection was reset".to_owned(),
        _ => innermost.to_string(),
    }
}
