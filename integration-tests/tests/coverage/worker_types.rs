//! One worker type from its first revision to its tombstone, as its readers see it.

use super::record::Recorder;
use integration_tests::http::{self, Answer};
use integration_tests::server::Server;
use reqwest::blocking::RequestBuilder;
use serde_json::{Value, json};

/// A definition whose documentation says `words`.
pub fn definition(words: &str) -> Value {
    json!({"description": "For the coverage of the API", "documentation": words, "variants": [{"name": "default",
        "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["command"]}}]})
}

/// Its path below worker-manager's API.
pub fn path(id: &str) -> String {
    format!("/worker-types/{id}")
}

/// A write that replaces whatever is there.
pub fn put(server: &Server, id: &str, definition: &Value) -> RequestBuilder {
    http::with_json("PUT", &server.api(&path(id)), definition)
}

pub fn given_a_worker_type_then_its_routes_answer(recorder: &Recorder, server: &Server) {
    let at = |rest: &str| server.api(&format!("/worker-types/coverage/thing{rest}"));
    let get = |url: &str| recorder.send(http::request("GET", url));
    let first = recorder.send(put(server, "coverage/thing", &definition("one")).header("if-none-match", "*"));
    assert_eq!((first.status, first.header("etag")), (201, "\"g1\""));
    let second = recorder.send(put(server, "coverage/thing", &definition("two")).header("if-match", "\"g1\""));
    assert_eq!((second.status, second.header("etag")), (200, "\"g2\""));

    for live in ["", "/validation", "/documentation", "/payload-schema", "/revisions/1"] {
        not_modified_to_whoever_has_it(recorder, &at(live));
    }
    for other in ["/revisions", "/diff?from=1&to=2", "/documentation?revision=1", "/payload-schema?revision=1"] {
        get(&at(other)).expect(200);
    }
    assert_eq!(get(&at("/documentation?revision=1")).text(), "one");
    for missing in ["/revisions/9", "/diff?from=1&to=9", "/documentation?revision=9", "/payload-schema?revision=9"] {
        assert_eq!(get(&at(missing)).expect(404).json()["problem"], "unknown-revision", "{missing}");
    }
    let reads =
        ["", "/validation", "/documentation", "/payload-schema", "/revisions", "/revisions/1", "/diff?from=1&to=2"];
    for read in reads {
        let answer = get(&server.api(&format!("/worker-types/coverage/thong{read}"))).expect(404).json();
        assert_eq!(
            (&answer["problem"], &answer["suggestion"]),
            (&"unknown-worker-type".into(), &"coverage/thing".into())
        );
        let bad = get(&server.api(&format!("/worker-types/coverage/-{read}"))).expect(400).json();
        assert_eq!(bad["problem"], "invalid-id", "{read}");
    }
    let picture = recorder.send(http::request("GET", &at("/documentation")).header("accept", "image/png")).expect(406);
    assert!(picture.text().contains("text/markdown"), "{}", picture.text());
    let page = recorder.send(http::request("GET", &at("/documentation")).header("accept", "text/html")).expect(200);
    assert!(page.header("content-type").starts_with("text/html"));

    verdicts(recorder, server);
    lists_and_feed(recorder, server);
    the_whole_registry(recorder, server);
}

/// The same URL again, with the ETag that it gave: 304, and no body.
pub fn not_modified_to_whoever_has_it(recorder: &Recorder, url: &str) {
    let given = recorder.send(http::request("GET", url)).expect(200);
    let again = recorder.send(http::request("GET", url).header("if-none-match", given.header("etag"))).expect(304);
    assert!(again.bytes.is_empty(), "{url}");
    assert_eq!(again.header("etag"), given.header("etag"), "{url}");
}

fn verdicts(recorder: &Recorder, server: &Server) {
    let post = |url: &str, body: &Value| recorder.send(http::with_json("POST", &server.api(url), body));
    let thing = |rest: &str| format!("/worker-types/coverage/thing{rest}");
    let verdict = post(&thing("/validate"), &json!({"payload": {}})).expect(200).json();
    assert_eq!(verdict["verdict"], "invalid");
    assert_eq!(post(&thing("/validate"), &json!({"payloads": {}})).expect(400).json()["problem"], "invalid-request");
    let report = post(&thing("/check"), &json!({"definition": definition("three")})).expect(200).json();
    assert_eq!(report["gate"]["ok"], true);
    assert_eq!(post(&thing("/check"), &json!([])).expect(400).json()["problem"], "invalid-request");
    let lines = "{\"taskQueueId\": \"coverage/thing\", \"payload\": {\"command\": []}}\nno JSON\n";
    let request = http::request("POST", &server.api("/tasks/validate")).header("content-type", "application/x-ndjson");
    let answer = recorder.send(request.body(lines)).expect(200).text();
    assert_eq!(answer.lines().count(), 2, "{answer}");
}

fn lists_and_feed(recorder: &Recorder, server: &Server) {
    let get = |url: &str| recorder.send(http::request("GET", &server.api(url)));
    let list = get("/worker-types?provisionerId=coverage").expect(200).json();
    assert_eq!(list["workerTypes"][0]["workerTypeId"], "coverage/thing");
    let bad = get("/worker-types?continuationToken=x").expect(400).json();
    assert_eq!(bad["problem"], "invalid-continuation-token");
    let bad = get("/worker-types/coverage/thing/revisions?continuationToken=x").expect(400).json();
    assert_eq!(bad["problem"], "invalid-continuation-token");

    let events = recorder.stream(http::request("GET", &server.api("/events")), |text| text.contains("\"revision\":2"));
    assert!(events.text().starts_with("id: "), "{}", events.text());
    let page = |query: &str| {
        http::request("GET", &server.api(&format!("/events{query}"))).header("accept", "application/json")
    };
    let first = recorder.send(page("?workerTypePrefix=coverage/&limit=1")).expect(200).json();
    assert_eq!((first["events"][0]["revision"].as_u64(), first["more"].as_bool()), (Some(1), Some(true)), "{first}");
    let html = http::request("GET", &server.api("/events")).header("accept", "text/html");
    assert_eq!(recorder.send(html).expect(406).json()["problem"], "not-acceptable");
    assert_eq!(get("/events?cursor=x").expect(400).json()["problem"], "invalid-cursor");
    let other = Server::dev();
    let foreign = http::get(&other.api("/worker-types")).expect(200).json()["cursor"].as_str().unwrap().to_owned();
    assert_eq!(get(&format!("/events?cursor={foreign}")).expect(410).json()["problem"], "cursor-gone");
}

fn the_whole_registry(recorder: &Recorder, server: &Server) {
    let export = recorder.send(http::request("GET", &server.api("/export"))).expect(200);
    let import = |body: Vec<u8>| -> Answer {
        let request = http::request("POST", &server.api("/import")).header("content-type", "application/x-ndjson");
        recorder.send(request.body(body))
    };
    assert_eq!(import(export.bytes).expect(200).json()["new"], 0, "all of it is there already");
    assert_eq!(import(b"{}\n".to_vec()).expect(422).json()["problem"], "invalid-import");
}
