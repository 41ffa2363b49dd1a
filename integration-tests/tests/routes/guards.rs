//! What a route keeps apart: one client's bytes from another's requests, other sites from this server's, and what is
//! stored behind it from the pages in front.

use super::streams::{connect, raw, read_until};
use super::upstream::{Upstream, answering, websocket_echo};
use super::{routed, routed_in};
use integration_tests::http;
use integration_tests::server::{Server, scratch};
use std::io::{BufReader, Read, Write};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;

const UPGRADE: &str = "host: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                       sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// The one answer to a request that may be unfinished: nobody waits for the end of the connection.
fn one(server: &Server, request: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(request.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let head = read_until(&mut reader, "\r\n\r\n");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

#[test]
fn an_upgrade_with_a_body_goes_nowhere_and_the_next_request_is_answered_as_itself() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let upgrade_only = UPGRADE.replace("connection: Upgrade\r\n", "");
    for (method, headers, body) in [
        ("GET", UPGRADE, "content-length: 30\r\n"),
        ("GET", UPGRADE, "transfer-encoding: chunked\r\n"),
        ("POST", UPGRADE, "content-length: 30\r\n"),
        ("POST", UPGRADE, ""),
        ("GET", upgrade_only.as_str(), "content-length: 30\r\n"),
    ] {
        let answer = one(&server, &format!("{method} /api/queue/seen/first HTTP/1.1\r\n{headers}{body}\r\n"));
        let next = http::get(&server.at("/api/queue/seen/next")).expect(418).json();
        assert_eq!((&next["method"], &next["target"]), (&"GET".into(), &"/api/queue/seen/next".into()));
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("invalid-header"), "{method} {body}: {answer}");
        assert!(answer.contains("send GET without Content-Length and Transfer-Encoding"), "{answer}");
    }
}

#[test]
fn a_connection_that_was_asked_to_upgrade_serves_nobody_else() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let plain = || http::get(&server.at("/api/queue/seen/plain")).expect(418).json()["port"].clone();
    let upgrade = || {
        let answer =
            raw(&server, &format!("GET /api/queue/seen/refused HTTP/1.1\r\n{UPGRADE}content-length: 0\r\n\r\n"));
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 418"), "{answer}");
        let seen: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(seen["headers"]["upgrade"], "websocket");
        assert!(seen["headers"].get("content-length").is_none(), "{seen}");
        seen["port"].clone()
    };
    let (first, one, other, last) = (plain(), upgrade(), upgrade(), plain());
    assert!(one != first && one != other && last != one && last != other, "{first} {one} {other} {last}");
}

#[test]
fn no_tunnel_leads_through() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let answer = raw(&server, "CONNECT /api/queue/seen/a HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 405") && answer.contains("method-not-allowed"), "{answer}");
}

#[test]
fn pages_of_others_open_no_websocket_through_a_local_server() {
    let server = routed(&[&format!("/api/live={}", websocket_echo())]);
    let url = format!("{}/api/live/socket", server.url.replace("http://", "ws://"));
    let opened = |origin: &str| {
        let mut request = url.as_str().into_client_request().unwrap();
        request.headers_mut().insert("origin", HeaderValue::from_str(origin).unwrap());
        match tungstenite::connect(request) {
            Ok((_, answer)) => answer.status().as_u16(),
            Err(tungstenite::Error::Http(answer)) => answer.status().as_u16(),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(opened(&server.url), 101);
    assert_eq!(opened("https://example.com"), 403);
    assert_eq!(opened("null"), 403);
}

#[test]
fn only_pages_of_the_configured_origin_or_of_this_machine_are_told_as_the_target_s_own() {
    let upstream = Upstream::start();
    let route = format!("/api/queue={}", upstream.url);
    let folder = scratch();
    std::fs::write(folder.path().join("wm.toml"), "[access]\nanonymous_scopes = []\n").unwrap();
    let server = routed_in(folder, &["--root-url", "https://wm.example.com/"], &[&route]);
    let told = |host: &str, origin: &str| {
        let request = http::request("POST", &server.at("/api/queue/seen/x"));
        let seen = http::send(request.header("host", host).header("origin", origin)).expect(418).json();
        seen["headers"]["origin"].as_str().unwrap_or_default().to_owned()
    };
    let own = server.url.trim_start_matches("http://");
    assert_eq!(told("wm.example.com", "https://wm.example.com"), upstream.url);
    assert_eq!(told(own, "https://wm.example.com"), upstream.url, "a proxy in front may name another host");
    assert_eq!(told(own, &server.url), upstream.url);
    // A foreign name that was made to resolve to this machine.
    assert_eq!(told("evil.example:8080", "http://evil.example:8080"), "http://evil.example:8080");
    assert_eq!(told("wm.example.com", "http://wm.example.com"), "http://wm.example.com");
}

#[test]
fn an_answer_that_never_has_a_body_is_whole_whatever_its_length_says() {
    for (upstream, head, length) in [
        ("HTTP/1.1 304 Not Modified\r\netag: \"a\"\r\ncontent-length: 10\r\n\r\n", "HTTP/1.1 304", Some("10")),
        ("HTTP/1.1 304 Not Modified\r\netag: \"a\"\r\n\r\n", "HTTP/1.1 304", None),
        ("HTTP/1.1 204 No Content\r\netag: \"a\"\r\ncontent-length: 10\r\n\r\n", "HTTP/1.1 204", None),
        (
            "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\netag: \"a\"\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 200",
            Some("0"),
        ),
    ] {
        let server = routed(&[&format!("/api/queue={}", answering(upstream))]);
        let mut stream = connect(&server);
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        // Twice by one connection: neither answer takes from the other.
        for last in ["", "connection: close\r\n"] {
            write!(stream, "GET /api/queue/x HTTP/1.1\r\nhost: localhost\r\n{last}\r\n").unwrap();
            let answer = read_until(&mut reader, "\r\n\r\n");
            assert!(answer.starts_with(head) && answer.contains("etag: \"a\"\r\n"), "{answer}");
            let said = answer.lines().find_map(|line| line.strip_prefix("content-length: "));
            assert_eq!(said, length, "{answer}");
        }
        let mut rest = String::new();
        reader.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
    }
}

#[test]
fn a_server_that_switches_protocols_unasked_is_refused() {
    let target = answering("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    let server = routed(&[&format!("/api/queue={target}")]);
    assert_eq!(http::get(&server.at("/api/queue/x")).expect(502).json()["problem"], "upstream-unreachable");
}

#[test]
fn documents_behind_a_route_do_not_run_at_this_origin() {
    let fenced = |answer: &'static str| {
        let server = routed(&[&format!("/api/queue={}", answering(answer))]);
        let answer = http::get(&server.at("/api/queue/artifact")).expect(200);
        let all = |name: &str| {
            let values = answer.headers.get_all(name).iter().map(|value| value.to_str().unwrap().to_owned());
            values.collect::<Vec<_>>().join(" + ")
        };
        (all("x-content-type-options"), all("content-security-policy"))
    };
    let expected = |policy: &str| ("nosniff".to_owned(), policy.to_owned());
    let html = "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: 2\r\n\r\nhi";
    assert_eq!(fenced(html), expected("sandbox"));
    let json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
    assert_eq!(fenced(json), expected(""));
    let own = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-content-type-options: nosniff\r\n\
               content-security-policy: default-src 'self'\r\ncontent-length: 2\r\n\r\nhi";
    assert_eq!(fenced(own), expected("default-src 'self'"));
}
