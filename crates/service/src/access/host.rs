//! Guards of a server without configured access: against DNS rebinding (a foreign name that resolves to this machine)
//! and against web pages of others that send requests here.

use crate::Refusal;
use actix_web::dev::RequestHead;
use actix_web::http::{Method, header};
use worker_types::Problem;

/// Refuses a request whose host is not this machine, or a write that a page of another origin sends. A connection
/// that becomes a websocket writes too: browsers open one to anybody, and leave it to the server to look at the origin
/// (RFC 6455 §10.2).
pub(super) fn check(head: &RequestHead) -> Result<(), Refusal> {
    let host = host(head);
    if !is_loopback(host) {
        return Err(foreign(&format!("the request names the host {:?}", shorten(host))));
    }
    let reads = matches!(head.method, Method::GET | Method::HEAD);
    if reads && !head.headers.contains_key(header::UPGRADE) {
        return Ok(());
    }
    match text(head, header::ORIGIN) {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => {
            Err(foreign(&format!("a page of the origin {:?} sent the request", shorten(origin))))
        }
        None if text(head, header::HeaderName::from_static("sec-fetch-site")) == Some("cross-site") => {
            Err(foreign("a page of another site sent the request"))
        }
        _ => Ok(()),
    }
}

pub(super) fn host(head: &RequestHead) -> &str {
    text(head, header::HOST).or_else(|| head.uri.authority().map(|authority| authority.as_str())).unwrap_or_default()
}

pub(super) fn text(head: &RequestHead, name: header::HeaderName) -> Option<&str> {
    // A header that is no text compares equal to nothing that is allowed.
    head.headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// `localhost`, `127.0.0.1` or `[::1]`, with any port or none.
pub(super) fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name.eq_ignore_ascii_case("localhost") || matches!(name, "127.0.0.1" | "[::1]")
}

fn shorten(text: &str) -> String {
    text.chars().take(100).collect()
}

fn foreign(what: &str) -> Refusal {
    let detail = format!(
        "{what}; without configured access this server answers only to localhost, 127.0.0.1 and [::1], and to its own \
         pages. Use one of these names, or configure tokens (access.tokens)"
    );
    Refusal::new(Problem::ForeignHost, detail)
}

#[cfg(test)]
mod tests {
    use super::check;
    use actix_web::test::TestRequest;

    fn allowed(method: &str, headers: &[(&str, &str)]) -> bool {
        let request = TestRequest::default().method(method.parse().unwrap());
        let request = headers.iter().fold(request, |request, header| request.insert_header(*header));
        check(request.to_http_request().head()).is_ok()
    }

    #[test]
    fn only_the_names_of_this_machine_are_hosts() {
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080"] {
            assert!(allowed("GET", &[("host", host)]), "{host}");
        }
        for host in
            ["", "example.com", "localhost.example.com", "127.0.0.1.nip.io:8080", "localhost:", "[::1]:a", "::1"]
        {
            assert!(!allowed("GET", &[("host", host)]), "{host}");
        }
        assert!(!allowed("GET", &[]), "a request without a host");
    }

    #[test]
    fn writes_of_other_origins_are_refused_and_reads_are_the_browsers_business() {
        let host = ("host", "localhost:8080");
        assert!(allowed("PUT", &[host]));
        assert!(allowed("PUT", &[host, ("origin", "http://localhost:8080")]));
        assert!(allowed("GET", &[host, ("origin", "https://example.com")]));
        for origin in
            ["https://example.com", "http://localhost:3000", "http://localhost", "null", "", "http://127.0.0.1:8080"]
        {
            assert!(!allowed("POST", &[host, ("origin", origin)]), "{origin}");
        }
        assert!(!allowed("POST", &[host, ("sec-fetch-site", "cross-site")]));
        assert!(allowed("POST", &[host, ("sec-fetch-site", "same-origin")]));
    }

    #[test]
    fn a_websocket_of_another_origin_is_refused_although_it_begins_as_a_read() {
        let asked = [("host", "localhost:8080"), ("connection", "Upgrade"), ("upgrade", "websocket")];
        let opened = |header: (&str, &str)| allowed("GET", &[&asked[..], &[header]].concat());
        assert!(allowed("GET", &asked), "a program without an origin");
        assert!(opened(("origin", "http://localhost:8080")));
        for origin in ["https://example.com", "http://localhost:3000", "null"] {
            assert!(!opened(("origin", origin)), "{origin}");
        }
        assert!(!opened(("sec-fetch-site", "cross-site")));
    }
}
