//! The client itself: where worker-manager stands, who calls, and how long an answer may take.

use crate::call::Call;
use reqwest::{Method, Url, header, redirect};
use secrecy::{ExposeSecret, SecretString};
use std::{sync::Arc, time::Duration};
use thiserror::Error;

/// Below the root URL.
const API: [&str; 3] = ["api", "worker-manager", "v1"];

/// Why a client cannot be made.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The root URL is none.
    #[error("{given:?} is not a root URL: {reason}; it must be like https://ci.example.com")]
    RootUrl {
        /// What was given.
        given: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A token or a user agent that no header can carry.
    #[error("the {0} has characters that an HTTP header cannot carry")]
    Header(&'static str),
    /// TLS cannot be set up.
    #[error("the HTTP client cannot be set up: {0}")]
    Http(String),
}

/// A client of one worker-manager. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    http: reqwest::Client,
    root: Url,
    timeout: Duration,
    max_answer: usize,
}

/// Makes a [`Client`].
#[derive(Clone, Debug)]
pub struct ClientBuilder {
    root_url: String,
    token: Option<SecretString>,
    user_agent: String,
    timeout: Duration,
    connect_timeout: Duration,
    max_answer: usize,
}

impl Client {
    /// A client of the worker-manager below `root_url`, without credentials.
    ///
    /// # Errors
    /// `root_url` is not an http or https URL.
    pub fn new(root_url: &str) -> Result<Self, SetupError> {
        Self::builder(root_url).build()
    }

    /// Begins a client of the worker-manager below `root_url`, such as `https://ci.example.com`.
    pub fn builder(root_url: &str) -> ClientBuilder {
        ClientBuilder {
            root_url: root_url.to_owned(),
            token: None,
            user_agent: concat!("worker-manager-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(5),
            max_answer: 64 << 20,
        }
    }

    /// The root URL, without a slash at its end.
    pub fn root_url(&self) -> &str {
        self.inner.root.as_str().trim_end_matches('/')
    }

    /// The URL of a route, for links.
    pub fn url(&self, path: &[&str]) -> Url {
        let mut url = self.inner.root.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(API).extend(path);
        }
        url
    }

    /// Begins a call of a route.
    pub(crate) fn call(&self, method: Method, path: &[&str]) -> Call {
        let url = self.url(path);
        let shown = url.to_string();
        Call::new(self.inner.http.request(method, url), shown, self.inner.timeout, self.inner.max_answer)
    }

    pub(crate) fn get(&self, path: &[&str]) -> Call {
        self.call(Method::GET, path)
    }
}

impl ClientBuilder {
    /// Sends `Authorization: Bearer <token>` with every call. It goes nowhere else: redirects are not followed.
    #[must_use]
    pub fn token(mut self, token: Option<SecretString>) -> Self {
        self.token = token;
        self
    }

    /// Who calls, for the server's log. Default: this crate and its version.
    #[must_use]
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// How long a whole answer may take (default 30 s). Streams have it for their head, and then between two parts.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long a connection may take to come into being (default 5 s).
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// The largest answer that is read into memory, in bytes (default 64 MiB).
    #[must_use]
    pub fn max_answer(mut self, bytes: usize) -> Self {
        self.max_answer = bytes;
        self
    }

    /// The client. Nothing is sent yet.
    ///
    /// # Errors
    /// The root URL, the token or the user agent cannot be used.
    pub fn build(self) -> Result<Client, SetupError> {
        let root = parse_root(&self.root_url)?;
        let mut headers = header::HeaderMap::new();
        if let Some(token) = &self.token {
            let value = format!("Bearer {}", token.expose_secret());
            let mut value = header::HeaderValue::try_from(value).map_err(|_| SetupError::Header("token"))?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let user_agent =
            header::HeaderValue::try_from(self.user_agent).map_err(|_| SetupError::Header("user agent"))?;
        let mut builder = reqwest::Client::builder()
            .default_headers(headers)
            .user_agent(user_agent)
            .redirect(redirect::Policy::none())
            .connect_timeout(self.connect_timeout)
            // actix-web closes connections that were idle for 5 s; ours go first, or a call may meet the closing.
            .pool_idle_timeout(Duration::from_secs(4));
        if is_loopback(&root) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| SetupError::Http(crate::call::cause(&error)))?;
        Ok(Client { inner: Arc::new(Inner { http, root, timeout: self.timeout, max_answer: self.max_answer }) })
    }
}

fn parse_root(given: &str) -> Result<Url, SetupError> {
    let fail = |reason: &str| SetupError::RootUrl { given: given.to_owned(), reason: reason.to_owned() };
    let url: Url = given.trim().parse().map_err(|error| fail(&format!("{error}")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(fail("it does not begin with http:// or https:// and a host"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(fail("it has a query or a fragment"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(fail("it carries a user name or a password"));
    }
    Ok(url)
}

/// A proxy of the environment is for others than this machine.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::{Client, is_loopback};

    #[test]
    fn routes_stand_below_the_root_url() {
        for (root, expected) in [
            ("http://localhost:8080", "http://localhost:8080/api/worker-manager/v1/worker-types/p/w"),
            ("http://localhost:8080/", "http://localhost:8080/api/worker-manager/v1/worker-types/p/w"),
            ("https://ci.example.com/tc/", "https://ci.example.com/tc/api/worker-manager/v1/worker-types/p/w"),
        ] {
            let client = Client::new(root).unwrap();
            assert_eq!(client.url(&["worker-types", "p", "w"]).as_str(), expected);
            assert_eq!(client.root_url(), root.trim_end_matches('/'));
        }
    }

    #[test]
    fn what_is_no_root_url_is_refused_in_words() {
        for (given, reason) in [
            ("localhost:8080", "does not begin with http:// or https://"),
            ("ftp://example.com", "does not begin with http:// or https://"),
            ("http://example.com/?a=b", "query"),
            ("http://user:secret@example.com", "user name"),
            ("", "relative URL"),
        ] {
            let error = Client::new(given).unwrap_err().to_string();
            assert!(error.contains(reason), "{given}: {error}");
        }
    }

    #[test]
    fn a_token_that_no_header_can_carry_is_refused_without_being_shown() {
        let error = Client::builder("http://localhost").token(Some("s3cr\nt".into())).build().unwrap_err();
        assert_eq!(error.to_string(), "the token has characters that an HTTP header cannot carry");
    }

    #[test]
    fn loopback_is_known_in_each_spelling() {
        for (url, expected) in [
            ("http://127.0.0.1:80", true),
            ("http://[::1]:80", true),
            ("http://localhost", true),
            ("http://localhost.example.com", false),
        ] {
            assert_eq!(is_loopback(&url.parse().unwrap()), expected, "{url}");
        }
    }
}
