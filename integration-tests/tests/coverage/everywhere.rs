//! What holds for every operation of both documents, whatever it does.

use super::record::{Operation, Recorder};
use integration_tests::http;
use integration_tests::server::Server;
use reqwest::blocking::RequestBuilder;

/// More than any limit on a body.
const HUGE: u64 = 1 << 40;

pub fn given_what_no_operation_takes_then_each_refuses(recorder: &Recorder, server: &Server) {
    assert!(recorder.operations.len() >= 45, "the documents have lost operations");
    for operation in &recorder.operations {
        let name = &operation.name;
        an_unknown_query_parameter(recorder, server, operation);
        foreign_hosts_and_origins(recorder, server, operation);
        if operation.answers(415) {
            let answer = recorder.send(request(server, operation).header("content-type", "text/plain").body("{}"));
            assert_eq!((answer.status, answer.json()["problem"].as_str()), (415, Some("wrong-content-type")), "{name}");
        }
        if operation.answers.get(&400).is_some_and(|problems| problems.contains("invalid-cursor")) {
            let answer = recorder.send(request(server, operation).header(cursor_header(operation), "rubbish"));
            assert_eq!((answer.status, answer.json()["problem"].as_str()), (400, Some("invalid-cursor")), "{name}");
        }
        if operation.answers(413) {
            recorder.announce(server, operation, HUGE);
        }
    }
    // What asks for nothing answers as it is.
    let plain = recorder.operations.iter().filter(|operation| {
        operation.method == "GET" && !operation.path.contains('{') && !operation.name.ends_with(" watchEvents")
    });
    for operation in plain {
        let answer = recorder.send(request(server, operation));
        assert_eq!(answer.status, 200, "{}: {}", operation.name, answer.text());
    }
}

/// By which header the operation is told a place in the feed.
fn cursor_header(operation: &Operation) -> &'static str {
    if operation.name.ends_with(" watchEvents") { "last-event-id" } else { "x-registry-cursor" }
}

/// A request that fits the operation, as far as its URL and its headers go.
pub fn request(server: &Server, operation: &Operation) -> RequestBuilder {
    http::request(&operation.method, &server.at(&operation.url())).header("if-match", "*")
}

fn an_unknown_query_parameter(recorder: &Recorder, server: &Server, operation: &Operation) {
    let mark = if operation.query.is_empty() { '?' } else { '&' };
    let url = server.at(&format!("{}{mark}colour=green", operation.url()));
    let answer = recorder.send(http::request(&operation.method, &url).header("if-match", "*"));
    let body = answer.json();
    assert_eq!((answer.status, body["problem"].as_str()), (400, Some("invalid-query")), "{}", operation.name);
    assert!(body["detail"].as_str().unwrap().contains("colour"), "{}: {body}", operation.name);
}

/// Where access is open, a name of somebody else's that leads here is refused, and so is a write that a foreign page sends.
fn foreign_hosts_and_origins(recorder: &Recorder, server: &Server, operation: &Operation) {
    let rebound = recorder.send(request(server, operation).header("host", "rebound.example.com"));
    assert_eq!((rebound.status, rebound.json()["problem"].as_str()), (403, Some("foreign-host")), "{}", operation.name);
    if operation.method != "GET" {
        let foreign = recorder.send(request(server, operation).header("origin", "https://foreign.example.com"));
        let found = (foreign.status, foreign.json()["problem"].as_str().map(str::to_owned));
        assert_eq!(found, (403, Some("foreign-host".to_owned())), "{}", operation.name);
    }
}
