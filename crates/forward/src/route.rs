//! Where a prefix leads, as whoever starts the server says it: `/api/queue=http://127.0.0.1:8081`.

use reqwest::Url;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A prefix of paths, and the server that answers below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    prefix: String,
    target: Url,
}

/// Why a text is no route.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RouteError {
    /// Not of the form.
    #[error("it must be PREFIX=URL, as in /api/queue=http://127.0.0.1:8081")]
    Form,
    /// A prefix that no path can begin with, or every path does.
    #[error("the prefix {0:?} must be one or more segments of letters, digits and -._~, as in /api/queue")]
    Prefix(String),
    /// A URL that cannot be asked.
    #[error("{url:?} is no URL to forward to: {reason}; it must be as http://127.0.0.1:8081")]
    Target {
        /// As it was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Route {
    /// The prefix: `/api/queue`, without a slash at its end.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The server behind it.
    pub fn target(&self) -> &Url {
        &self.target
    }

    /// The URL of a path and query there; none if dots in the path lead out of the prefix.
    pub(crate) fn url(&self, path_and_query: &str) -> Option<Url> {
        let base = self.target.as_str().trim_end_matches('/');
        let url = Url::parse(&format!("{base}{path_and_query}")).ok()?;
        let below = format!("{}{}", self.target.path().trim_end_matches('/'), self.prefix);
        let rest = url.path().strip_prefix(&below)?;
        (rest.is_empty() || rest.starts_with('/')).then_some(url)
    }
}

impl FromStr for Route {
    type Err = RouteError;

    fn from_str(text: &str) -> Result<Self, RouteError> {
        let (prefix, url) = text.split_once('=').ok_or(RouteError::Form)?;
        let prefix = prefix.trim_end_matches('/');
        let sane = |segment: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
            !segment.is_empty() && segment.bytes().all(plain) && segment != "." && segment != ".."
        };
        if !prefix.strip_prefix('/').is_some_and(|segments| segments.split('/').all(sane)) {
            return Err(RouteError::Prefix(prefix.to_owned()));
        }
        let wrong = |reason: &str| RouteError::Target { url: url.to_owned(), reason: reason.to_owned() };
        let target = Url::parse(url).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(target.scheme(), "http" | "https") || !target.has_host() {
            return Err(wrong("its scheme is not http or https"));
        }
        if target.query().is_some() || target.fragment().is_some() {
            return Err(wrong("it has a query or a fragment"));
        }
        if !target.username().is_empty() || target.password().is_some() {
            return Err(wrong("it holds credentials; callers send their own"));
        }
        Ok(Self { prefix: prefix.to_owned(), target })
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.prefix, self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::{Route, RouteError};

    fn url(route: &str, path: &str) -> Option<String> {
        route.parse::<Route>().unwrap().url(path).map(|url| url.to_string())
    }

    #[test]
    fn the_whole_path_goes_to_the_target() {
        let queue = "/api/queue/=http://127.0.0.1:8081/";
        assert_eq!(
            url(queue, "/api/queue/v1/ping?a=b%20c").unwrap(),
            "http://127.0.0.1:8081/api/queue/v1/ping?a=b%20c"
        );
        assert_eq!(url(queue, "/api/queue").unwrap(), "http://127.0.0.1:8081/api/queue");
        assert_eq!(url("/a=https://h/base", "/a/x%2Fy").unwrap(), "https://h/base/a/x%2Fy");
    }

    #[test]
    fn dots_do_not_lead_out_of_the_prefix() {
        for path in ["/api/queue/../secrets", "/api/queue/%2e%2E/%2e./secrets", "/api/queue/..", "/api/queuex"] {
            assert_eq!(url("/api/queue=http://h", path), None, "{path}");
        }
        assert_eq!(url("/api/queue=http://h", "/api/queue/a/../b").unwrap(), "http://h/api/queue/b");
    }

    #[test]
    fn what_is_no_route_says_what_it_should_be() {
        let error = |text: &str| text.parse::<Route>().unwrap_err();
        assert_eq!(error("/api/queue"), RouteError::Form);
        for prefix in ["", "/", "api", "/a//b", "/a/../b", "/{x}", "/a b", "/ä"] {
            assert!(matches!(error(&format!("{prefix}=http://h")), RouteError::Prefix(_)), "{prefix}");
        }
        for url in ["", "h", "ftp://h", "http://", "http://h?a=b", "http://h#a", "http://user@h", "file:///etc"] {
            assert!(matches!(error(&format!("/a={url}")), RouteError::Target { .. }), "{url}");
        }
    }
}
