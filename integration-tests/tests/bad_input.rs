//! Whatever comes in wrong is answered with what is wrong, where it stands and what to do; and nothing of it is stored.

mod commands;
mod definitions;
mod limits;
mod requests;
mod starting;

use integration_tests::history::History;
use integration_tests::http::{self, Answer};
use integration_tests::server::Server;
use serde_json::{Value, json};

/// A server with one worker type, and what it holds.
struct Given {
    server: Server,
    export: String,
}

/// The worker type that every bad write means.
const ID: &str = "bad/input";

impl Given {
    fn new() -> Self {
        let server = Server::dev();
        server.publish(ID, &definition()).expect(201);
        let export = http::get(&server.api("/export")).expect(200).text();
        Self { server, export }
    }

    fn url(&self, rest: &str) -> String {
        self.server.api(&format!("/worker-types/{ID}{rest}"))
    }

    /// Publishes this text over the worker type.
    fn put(&self, body: impl Into<Vec<u8>>) -> Answer {
        let request = http::request("PUT", &self.url("")).header("content-type", "application/json");
        http::send(request.header("if-match", "*").body(body.into()))
    }

    /// Everything but storing it.
    fn dry_run(&self, definition: &Value) -> Answer {
        http::send(http::with_json("PUT", &self.url("?dryRun=true"), definition))
    }

    /// Nothing was written.
    fn is_untouched(&self) {
        assert_eq!(http::get(&self.server.api("/export")).expect(200).text(), self.export, "something was written");
        let file = self.server.folder.path().join("data/registry.sqlite");
        let history = History::read(&integration_tests::database::sqlite_url(&file));
        assert_eq!((history.revisions.len(), history.faults()), (1, Vec::new()));
    }
}

fn definition() -> Value {
    json!({"description": "Needs a command", "variants": [variant(&schema())]})
}

fn schema() -> Value {
    json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["command"]})
}

fn variant(schema: &Value) -> Value {
    json!({"name": "default", "payloadSchema": schema})
}

/// A problem answer says what, and every word of `words`.
#[track_caller]
fn is_problem(answer: &Answer, status: u16, problem: &str, words: &[&str]) -> Value {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/problem+json");
    let body = answer.json();
    assert_eq!((&body["problem"], &body["status"]), (&json!(problem), &json!(status)), "{body}");
    let items = body["errors"].as_array().unwrap().iter();
    let texts = items.flat_map(|item| [&item["message"], &item["pointer"]]).chain([&body["detail"]]);
    let said: Vec<&str> = texts.filter_map(Value::as_str).collect();
    for word in words {
        assert!(said.iter().any(|text| text.contains(word)), "no {word:?} in {said:#?}");
    }
    assert!(!body.to_string().contains("panicked"), "{body}");
    body
}

/// One of its items stands at `pointer`.
#[track_caller]
fn has_item(body: &Value, problem: &str, pointer: &str) -> Value {
    let items = body["errors"].as_array().unwrap();
    let found = items.iter().find(|item| item["problem"] == problem && item["pointer"] == pointer);
    found.unwrap_or_else(|| panic!("no {problem} at {pointer:?} in {:#}", body["errors"])).clone()
}
