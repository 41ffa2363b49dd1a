//! Whose page sent a request: one of this server's own, or another's. A name that the request itself brings proves
//! nothing, since a foreign name may resolve to this machine.

use super::host;
use actix_web::dev::RequestHead;
use actix_web::http::{Uri, header};

/// The origin of this server's pages (RFC 6454), as far as it is known.
#[derive(Clone, Debug)]
pub struct OwnOrigin(Option<String>);

impl OwnOrigin {
    /// Pages stand at `root_url`, if one is configured.
    pub(crate) fn new(root_url: Option<&str>) -> Self {
        Self(root_url.and_then(origin))
    }

    /// Whether a page of this server sent the request: its `Origin` is the configured one, or that of the loopback name
    /// to which it was sent. Those names cannot be made to lead elsewhere and back.
    pub fn sent(&self, head: &RequestHead) -> bool {
        let Some(origin) = host::text(head, header::ORIGIN) else { return false };
        if self.0.as_deref() == Some(origin) {
            return true;
        }
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let host = host::host(head);
        authority == Some(host) && host::is_loopback(host)
    }
}

/// The origin of a URL as browsers write it: in lower case, without the scheme's own port.
fn origin(url: &str) -> Option<String> {
    let url: Uri = url.parse().ok()?;
    let (scheme, host) = (url.scheme_str()?, url.host()?.to_ascii_lowercase());
    match (scheme, url.port_u16()) {
        (_, None) | ("http", Some(80)) | ("https", Some(443)) => Some(format!("{scheme}://{host}")),
        (_, Some(port)) => Some(format!("{scheme}://{host}:{port}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{OwnOrigin, origin};
    use actix_web::test::TestRequest;

    #[test]
    fn the_configured_origin_and_loopback_are_one_s_own_whatever_the_request_calls_itself() {
        let own = OwnOrigin::new(Some("https://wm.example.com/"));
        let sent = |host: &str, origin: &str| {
            let request = TestRequest::default().insert_header(("host", host)).insert_header(("origin", origin));
            own.sent(request.to_http_request().head())
        };
        for (host, origin) in [
            ("wm.example.com", "https://wm.example.com"),
            ("wm.internal:8080", "https://wm.example.com"),
            ("localhost:8080", "http://localhost:8080"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("127.0.0.1", "https://127.0.0.1"),
        ] {
            assert!(sent(host, origin), "{origin} at {host}");
        }
        for (host, origin) in [
            ("evil.example", "http://evil.example"),
            ("evil.example", "https://evil.example"),
            ("wm.example.com", "http://wm.example.com"),
            ("localhost:8080", "http://localhost:3000"),
            ("localhost:8080", "http://127.0.0.1:8080"),
            ("localhost:8080", "null"),
        ] {
            assert!(!sent(host, origin), "{origin} at {host}");
        }
        let without = TestRequest::default().insert_header(("host", "localhost")).to_http_request();
        assert!(!own.sent(without.head()), "a request of no page");
    }

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (url, expected) in [
            ("https://WM.example.com:443/at/", "https://wm.example.com"),
            ("HTTP://wm.example.com:80", "http://wm.example.com"),
            ("http://wm.example.com:8080/", "http://wm.example.com:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(origin(url).as_deref(), Some(expected), "{url}");
        }
        assert_eq!(origin("/relative"), None);
    }
}
