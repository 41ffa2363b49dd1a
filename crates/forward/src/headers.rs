//! Which headers go on: all but those of one connection (RFC 9110 §7.6.1), and those that say who asked (RFC 7239).

use actix_web::http::header::HeaderMap;
use reqwest::header::{HeaderMap as Outgoing, HeaderName, HeaderValue};
use std::net::IpAddr;

/// About one connection only, or made anew by whoever sends the next message.
const OF_A_CONNECTION: [&str; 10] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    // Answered by the server that was asked first.
    "expect",
];

/// What the next server is told of a request beside its own headers.
pub(crate) struct Asked<'a> {
    /// Who sent it.
    pub(crate) peer: Option<IpAddr>,
    /// `http` or `https`.
    pub(crate) scheme: &'a str,
    /// The host that it was sent to.
    pub(crate) host: &'a str,
    /// Whether a page of this server sent it.
    pub(crate) own_page: bool,
    /// The origin of the next server.
    pub(crate) target: &'a str,
    /// As our log names it.
    pub(crate) request_id: &'a str,
    /// As this proxy calls itself in `Via`.
    pub(crate) name: &'a str,
}

/// The headers of the request to the next server. The host is its own.
pub(crate) fn request(headers: &HeaderMap, asked: &Asked<'_>) -> Outgoing {
    // Where both are given, the length is not that of the body (RFC 9112 §6.3).
    let without: &[&str] =
        if headers.contains_key("transfer-encoding") { &["host", "content-length"] } else { &["host"] };
    let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
    let mut outgoing = kept(headers.collect(), without);
    if let Some(peer) = asked.peer {
        add(&mut outgoing, "x-forwarded-for", &peer.to_string());
    }
    // A proxy in front of us knows the name by which people reach us.
    for (name, value) in [("x-forwarded-host", asked.host), ("x-forwarded-proto", asked.scheme)] {
        if !outgoing.contains_key(name) {
            add(&mut outgoing, name, value);
        }
    }
    add(&mut outgoing, "forwarded", &forwarded(asked));
    add(&mut outgoing, "via", &format!("1.1 {}", asked.name));
    set(&mut outgoing, "x-request-id", asked.request_id);
    // Our own pages are the next server's own, since nobody else's reach it through us.
    if asked.own_page && outgoing.contains_key("origin") {
        set(&mut outgoing, "origin", asked.target);
    }
    outgoing
}

/// The headers of an answer.
pub(crate) fn answer(headers: &Outgoing) -> Vec<(String, Vec<u8>)> {
    let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
    let kept = kept(headers.collect(), &["content-length", "x-request-id"]);
    kept.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec())).collect()
}

/// Whether the request came through the proxy of this name before.
pub(crate) fn came_by(headers: &HeaderMap, name: &str) -> bool {
    let vias = headers.get_all("via").filter_map(|value| value.to_str().ok());
    vias.flat_map(|value| value.split(',')).any(|hop| hop.split_whitespace().nth(1) == Some(name))
}

/// Whether a body belongs to the request (RFC 9112 §6.3). A length of nothing announces none.
pub(crate) fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key("transfer-encoding") || headers.get("content-length").is_some_and(|length| length != "0")
}

fn kept(headers: Vec<(&str, &[u8])>, without: &[&str]) -> Outgoing {
    let named = headers.iter().filter(|(name, _)| *name == "connection");
    let named: Vec<String> = named.flat_map(|(_, value)| tokens(value)).collect();
    let goes = |name: &str| {
        !OF_A_CONNECTION.contains(&name) && !without.contains(&name) && !named.iter().any(|token| token == name)
    };
    let mut outgoing = Outgoing::new();
    for (name, value) in headers.iter().filter(|(name, _)| goes(name)) {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_bytes(value)) {
            outgoing.append(name, value);
        }
    }
    outgoing
}

fn tokens(value: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(value).split(',').map(|token| token.trim().to_ascii_lowercase()).collect()
}

/// An element of `Forwarded`. What may hold other characters than a token's is quoted, as an address of IPv6 must be.
fn forwarded(asked: &Asked<'_>) -> String {
    let peer = match asked.peer {
        Some(IpAddr::V6(address)) => format!("\"[{address}]\""),
        Some(address) => address.to_string(),
        None => "unknown".to_owned(),
    };
    let host: String = asked.host.chars().filter(|c| !matches!(c, '"' | '\\')).collect();
    format!("for={peer};host=\"{host}\";proto={}", asked.scheme)
}

fn add(headers: &mut Outgoing, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.append(name, value);
    }
}

fn set(headers: &mut Outgoing, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, answer, came_by, has_body, request};
    use actix_web::test::TestRequest;
    use reqwest::header::{HeaderMap, HeaderValue};

    fn sent(headers: &[(&str, &str)]) -> Vec<(String, String)> {
        sent_by(false, headers)
    }

    fn sent_by(own_page: bool, headers: &[(&str, &str)]) -> Vec<(String, String)> {
        let asked = Asked {
            peer: Some("::1".parse().unwrap()),
            scheme: "http",
            host: "localhost:8080",
            own_page,
            target: "http://10.0.0.1:81",
            request_id: "r1",
            name: "wm-1",
        };
        let incoming = headers.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
        let outgoing = request(incoming.to_http_request().headers(), &asked);
        outgoing.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect()
    }

    fn value<'a>(headers: &'a [(String, String)], name: &str) -> Vec<&'a str> {
        headers.iter().filter(|(given, _)| given == name).map(|(_, value)| value.as_str()).collect()
    }

    #[test]
    fn what_belongs_to_one_connection_stays() {
        let headers = sent(&[
            ("host", "localhost:8080"),
            ("connection", "keep-alive, X-Mine"),
            ("x-mine", "1"),
            ("te", "trailers"),
            ("proxy-authorization", "Basic a"),
            ("transfer-encoding", "chunked"),
            ("expect", "100-continue"),
            ("authorization", "Hawk id=\"a\""),
            ("accept-encoding", "gzip"),
        ]);
        for name in ["host", "connection", "x-mine", "te", "proxy-authorization", "transfer-encoding", "expect"] {
            assert!(value(&headers, name).is_empty(), "{name}");
        }
        assert_eq!(value(&headers, "authorization"), ["Hawk id=\"a\""]);
        assert_eq!(value(&headers, "accept-encoding"), ["gzip"]);
    }

    #[test]
    fn the_next_server_learns_who_asked_and_by_which_name() {
        let headers =
            sent(&[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "https"), ("x-request-id", "bad id")]);
        assert_eq!(value(&headers, "x-forwarded-for"), ["192.0.2.1", "::1"]);
        assert_eq!(value(&headers, "x-forwarded-proto"), ["https"], "a proxy in front knows better");
        assert_eq!(value(&headers, "x-forwarded-host"), ["localhost:8080"]);
        // RFC 7239 §6: an address of IPv6 stands in brackets and in quotes.
        assert_eq!(value(&headers, "forwarded"), ["for=\"[::1]\";host=\"localhost:8080\";proto=http"]);
        assert_eq!(value(&headers, "via"), ["1.1 wm-1"]);
        assert_eq!(value(&headers, "x-request-id"), ["r1"]);
    }

    #[test]
    fn a_page_of_ours_is_one_of_the_target_s_and_no_other_is() {
        let origin = ("origin", "http://localhost:8080");
        assert_eq!(value(&sent_by(true, &[origin]), "origin"), ["http://10.0.0.1:81"]);
        assert_eq!(value(&sent_by(false, &[origin]), "origin"), ["http://localhost:8080"]);
        assert!(value(&sent_by(true, &[]), "origin").is_empty());
    }

    #[test]
    fn a_length_goes_on_only_where_it_is_that_of_the_body() {
        assert_eq!(value(&sent(&[("content-length", "3")]), "content-length"), ["3"]);
        let both = [("content-length", "3"), ("transfer-encoding", "chunked")];
        assert!(value(&sent(&both), "content-length").is_empty());
        let has_body = |headers: &[(&str, &str)]| {
            let request = headers.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
            has_body(request.to_http_request().headers())
        };
        assert!(has_body(&both[..1]) && has_body(&both[1..]));
        assert!(!has_body(&[]) && !has_body(&[("content-length", "0")]));
    }

    #[test]
    fn an_answer_keeps_its_own_headers_each_as_often_as_it_comes() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("set-cookie", "a=1"),
            ("set-cookie", "b=2"),
            ("connection", "close"),
            ("keep-alive", "timeout=5"),
            ("content-length", "3"),
            ("x-request-id", "theirs"),
            ("etag", "\"x\""),
        ] {
            headers.append(name, HeaderValue::from_static(value));
        }
        let names: Vec<String> = answer(&headers).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["set-cookie", "set-cookie", "etag"]);
    }

    #[test]
    fn a_request_that_comes_back_is_known() {
        let headers = |pairs: &[(&str, &str)]| {
            let request = pairs.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
            request.to_http_request().headers().clone()
        };
        assert!(came_by(&headers(&[("via", "1.0 a, 1.1 wm-1"), ("via", "1.1 b")]), "wm-1"));
        assert!(!came_by(&headers(&[("via", "1.1 wm-10")]), "wm-1"));
    }
}
