//! A small HTTP client for tests: one call, one answer, nothing hidden.

use reqwest::blocking::{Client, RequestBuilder};
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::sync::LazyLock;
use std::time::Duration;

static CLIENT: LazyLock<Client> = LazyLock::new(|| {
    let builder = Client::builder().timeout(Duration::from_secs(60)).redirect(reqwest::redirect::Policy::none());
    builder.build().unwrap_or_else(|error| panic!("the HTTP client: {error}"))
});

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Panics
    /// It is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error} in {}: {}", self.status, self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// A header, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The answer, if its status is `status`.
    ///
    /// # Panics
    /// It is another.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }
}

/// Begins a request.
pub fn request(method: &str, url: &str) -> RequestBuilder {
    let method = method.parse().unwrap_or_else(|_| panic!("{method} is no method"));
    CLIENT.request(method, url)
}

/// Sends a request.
///
/// # Errors
/// The server does not answer.
pub fn try_send(request: RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send()?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Answer { status, headers, bytes: response.bytes()?.to_vec() })
}

/// Sends a request to a server that answers.
///
/// # Panics
/// It does not.
#[track_caller]
pub fn send(request: RequestBuilder) -> Answer {
    try_send(request).unwrap_or_else(|error| panic!("no answer: {error:?}"))
}

/// GET.
#[track_caller]
pub fn get(url: &str) -> Answer {
    send(request("GET", url))
}

/// A request with a JSON body.
pub fn with_json(method: &str, url: &str, body: &Value) -> RequestBuilder {
    request(method, url).header("content-type", "application/json").body(body.to_string())
}

/// POST with a JSON body.
#[track_caller]
pub fn post(url: &str, body: &Value) -> Answer {
    send(with_json("POST", url, body))
}
