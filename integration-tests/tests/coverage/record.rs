//! The documents, and what was answered.

use integration_tests::http::{self, Answer};
use integration_tests::server::Server;
use reqwest::blocking::RequestBuilder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

/// An operation, as its service documents it.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The service's and the operation's name.
    pub name: String,
    pub method: String,
    /// From the root on, with `{parameters}`.
    pub path: String,
    /// The templates of the scopes that it asks for.
    pub scopes: Vec<String>,
    /// The media type of what it reads.
    pub media: Option<String>,
    /// The query parameters that must be given.
    pub query: Vec<String>,
    /// Each status, with the problems that it stands for; none for success.
    pub answers: BTreeMap<u16, BTreeSet<String>>,
}

impl Operation {
    /// The path with values in it that fit, and a query where one must be given.
    pub fn url(&self) -> String {
        let query: Vec<String> = self.query.iter().map(|name| format!("{name}=1")).collect();
        let path = expand(&self.path, '{', '}');
        if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
    }

    /// The scopes that fit this path.
    pub fn own_scopes(&self) -> Vec<String> {
        self.scopes.iter().map(|scope| expand(scope, '<', '>')).collect()
    }

    /// Whether `status` is documented.
    pub fn answers(&self, status: u16) -> bool {
        self.answers.contains_key(&status)
    }

    fn fits(&self, method: &str, path: &str) -> bool {
        let (mut wanted, mut found) = (self.path.split('/'), path.split('/'));
        let same =
            wanted.by_ref().zip(found.by_ref()).all(|(wanted, found)| wanted.starts_with('{') || wanted == found);
        self.method == method && same && self.path.matches('/').count() == path.matches('/').count()
    }
}

/// The id of the task that the loops speak of.
pub const TASK: &str = "fN1SbArXTPSVFNUvaOlinQ";

/// The address of a schema that nothing has.
const NO_SCHEMA: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

/// Fills the placeholders of a path or of a scope.
fn expand(template: &str, open: char, close: char) -> String {
    let mut text = String::new();
    for (index, part) in template.split(open).enumerate() {
        match part.split_once(close) {
            Some((name, rest)) if index > 0 => {
                text += match name {
                    "provisionerId" => "coverage",
                    "workerType" => "thing",
                    "workerTypeId" | "taskQueueId" => "coverage/thing",
                    "name" => "coverage-worker",
                    "version" => "1.0.0",
                    "revision" => "1",
                    "taskId" => TASK,
                    "hash" => NO_SCHEMA,
                    "priority" => "lowest",
                    other => panic!("a placeholder {other} that this check does not know"),
                };
                text += rest;
            }
            _ => text += part,
        }
    }
    text
}

/// Whether the scenarios that need a database that goes away took place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outage {
    Played,
    Skipped,
}

/// What was answered: operation → status → problems.
type Seen = BTreeMap<String, BTreeMap<u16, BTreeSet<String>>>;

/// A client that notes each answer.
pub struct Recorder {
    pub operations: Vec<Operation>,
    seen: Mutex<Seen>,
}

impl Recorder {
    /// Reads the documents of both services.
    pub fn of(server: &Server) -> Self {
        let documents = [("worker-manager", server.api("/openapi.json")), ("queue", server.queue("/openapi.json"))];
        let documents = documents.map(|(service, url)| (service, http::get(&url).expect(200).json()));
        let operations = documents.iter().flat_map(|(service, document)| operations(service, document)).collect();
        Self { operations, seen: Mutex::default() }
    }

    /// Sends a request, and notes its answer.
    #[track_caller]
    pub fn send(&self, request: RequestBuilder) -> Answer {
        let (method, path) = target(&request);
        let answer = http::send(request);
        self.note(&method, &path, answer.status, &problem_of(&answer.bytes));
        answer
    }

    /// Reads the head of an answer that does not end, and what it says until `enough`.
    pub fn stream(&self, request: RequestBuilder, enough: impl Fn(&str) -> bool) -> Answer {
        let (method, path) = target(&request);
        let response = request.send().unwrap_or_else(|error| panic!("no answer: {error:?}"));
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let (mut reader, mut text) = (BufReader::new(response), String::new());
        while !enough(&text) {
            assert!(reader.read_line(&mut text).unwrap_or(0) > 0, "the stream ended after {text:?}");
        }
        self.note(&method, &path, status, &problem_of(text.as_bytes()));
        Answer { status, headers, bytes: text.into_bytes() }
    }

    /// Announces a body of this length without sending it.
    pub fn announce(&self, server: &Server, operation: &Operation, length: u64) {
        let host = server.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).unwrap();
        let (method, url, media) = (&operation.method, operation.url(), operation.media.as_deref().unwrap_or_default());
        let head = format!(
            "{method} {url} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {media}\r\nif-match: *\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let (status, body) = read_answer(stream);
        self.note(method, &operation.path, status, &problem_of(&body));
    }

    fn note(&self, method: &str, path: &str, status: u16, problem: &str) {
        let fits = self.operations.iter().filter(|operation| operation.fits(method, path));
        // What is spelt out goes before what a parameter stands for.
        let operation = fits.min_by_key(|operation| operation.path.matches('{').count());
        let operation = operation.unwrap_or_else(|| panic!("no document has {method} {path}"));
        let mut seen = self.seen.lock().unwrap();
        let problems = seen.entry(operation.name.clone()).or_default().entry(status).or_default();
        if !problem.is_empty() {
            problems.insert(problem.to_owned());
        }
    }

    /// What is documented and was not met, and what was met and is not documented.
    pub fn faults(&self, outage: Outage) -> Vec<String> {
        let faults = faults(&self.operations, &self.seen.lock().unwrap());
        // Where there is no database to take away, these cannot be met.
        let kept =
            |fault: &String| outage == Outage::Played || !fault.ends_with("503 is documented, and was never met");
        faults.into_iter().filter(kept).collect()
    }

    /// How much was met.
    pub fn summary(&self) -> String {
        let pairs: usize = self.seen.lock().unwrap().values().map(BTreeMap::len).sum();
        format!("{pairs} pairs of operation and status were met, of {} operations", self.operations.len())
    }
}

/// The status and the body; the server need not end the connection.
fn read_answer(stream: TcpStream) -> (u16, Vec<u8>) {
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut lines = BufReader::new(stream);
    let (mut head, mut line) = (String::new(), String::new());
    while lines.read_line(&mut line).unwrap() > 0 && line.trim() != "" {
        head += &line.to_lowercase();
        line.clear();
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")).unwrap_or("0").trim();
    let mut body = vec![0; length.parse().unwrap()];
    lines.read_exact(&mut body).unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
}

fn target(request: &RequestBuilder) -> (String, String) {
    let request = request.try_clone().and_then(|request| request.build().ok());
    let request = request.unwrap_or_else(|| panic!("a request that cannot be built"));
    (request.method().to_string(), request.url().path().to_owned())
}

fn problem_of(bytes: &[u8]) -> String {
    let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
    match body["problem"].as_str() {
        Some(problem) if body["status"].is_u64() => problem.to_owned(),
        _ => String::new(),
    }
}

fn operations(service: &str, document: &Value) -> Vec<Operation> {
    let prefix = document["servers"][0]["url"].as_str().unwrap();
    let paths = document["paths"].as_object().unwrap();
    let each = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().unwrap().iter().map(move |(method, operation)| (path, method, operation))
    });
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let required = |operation: &Value| {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let query = parameters.into_iter().filter(|field| field["in"] == "query" && field["required"] == true);
        query.map(|field| field["name"].as_str().unwrap().to_owned()).collect()
    };
    let operation = |(path, method, operation): (&String, &String, &Value)| Operation {
        name: format!("{service} {}", operation["operationId"].as_str().unwrap()),
        method: method.to_uppercase(),
        path: format!("{prefix}{path}"),
        scopes: texts(&operation["x-required-scopes"]),
        media: operation["requestBody"]["content"].as_object().and_then(|content| content.keys().next().cloned()),
        query: required(operation),
        answers: (operation["responses"].as_object().unwrap().iter())
            .map(|(status, answer)| (status.parse().unwrap(), texts(&answer["x-problems"]).into_iter().collect()))
            .collect(),
    };
    each.map(operation).collect()
}

fn faults(operations: &[Operation], seen: &Seen) -> Vec<String> {
    let mut faults = Vec::new();
    for operation in operations {
        let (name, nothing) = (&operation.name, BTreeMap::new());
        let met = seen.get(name).unwrap_or(&nothing);
        let missing = operation.answers.keys().filter(|status| !met.contains_key(status));
        faults.extend(missing.map(|status| format!("{name}: {status} is documented, and was never met")));
        for (status, problems) in met {
            match operation.answers.get(status) {
                None => faults.push(format!("{name}: {status} ({problems:?}) was answered, and is not documented")),
                Some(known) => faults.extend(
                    problems
                        .difference(known)
                        .map(|problem| format!("{name}: {status} {problem} was answered, and is not documented")),
                ),
            }
        }
    }
    faults
}

#[test]
fn the_check_of_coverage_sees_what_is_missing_and_what_is_too_much() {
    let document = serde_json::json!({"servers": [{"url": "/api"}], "paths": {"/things/{name}": {"get": {
        "operationId": "getThing", "x-required-scopes": ["things:<name>"],
        "parameters": [{"name": "of", "in": "query", "required": true}],
        "responses": {"200": {}, "404": {"x-problems": ["unknown-thing"]}},
    }}}});
    let operations = operations("service", &document);
    assert_eq!(operations[0].url(), "/api/things/coverage-worker?of=1");
    assert_eq!(operations[0].own_scopes(), ["things:coverage-worker"]);
    assert!(operations[0].fits("GET", "/api/things/x") && !operations[0].fits("PUT", "/api/things/x"));
    assert!(!operations[0].fits("GET", "/api/things/x/y") && !operations[0].fits("GET", "/api/things"));
    let recorder = Recorder { operations, seen: Mutex::default() };
    recorder.note("GET", "/api/things/x", 200, "");
    assert_eq!(recorder.faults(Outage::Played), ["service getThing: 404 is documented, and was never met"]);
    recorder.note("GET", "/api/things/x", 404, "unknown-thing");
    assert!(recorder.faults(Outage::Played).is_empty());
    recorder.note("GET", "/api/things/x", 404, "gone-thing");
    assert_eq!(
        recorder.faults(Outage::Played),
        ["service getThing: 404 gone-thing was answered, and is not documented"]
    );
    recorder.note("GET", "/api/things/x", 418, "");
    assert_eq!(recorder.faults(Outage::Played).len(), 2);
}
