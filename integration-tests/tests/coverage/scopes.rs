//! Each operation asks for the scopes that its document names: who has every other scope is refused, and who has just these
//! is let through.

use super::everywhere::request;
use super::record::{Operation, Recorder, TASK};
use integration_tests::database::sqlite_url;
use integration_tests::http::Answer;
use integration_tests::server::{Server, scratch, wm};
use integration_tests::task;
use reqwest::blocking::RequestBuilder;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What creating a task takes besides, by what the task itself says (Taskcluster's rule).
const BY_THE_TASK: &[&str] = &["queue:create-task:project:none", "queue:scheduler-id:-"];

pub fn given_tokens_then_each_operation_asks_for_its_scope(recorder: &Recorder) {
    let all: BTreeSet<String> = recorder.operations.iter().flat_map(Operation::own_scopes).collect();
    assert!(all.len() >= 14, "{all:?}");
    let mut settings = "[access]\nanonymous_scopes = []\n".to_owned();
    let mut tokens = BTreeMap::new();
    for scope in &all {
        let mut others: Vec<&str> = all.iter().filter(|other| *other != scope).map(String::as_str).collect();
        others.extend(BY_THE_TASK);
        let just: Vec<&str> = [&[scope.as_str()], BY_THE_TASK].concat();
        let pair = (token(&mut settings, &just), token(&mut settings, &others));
        tokens.insert(scope.clone(), pair);
    }
    let folder = scratch();
    std::fs::write(folder.path().join("wm.toml"), settings).unwrap();
    let (registry, queue) = (folder.path().join("registry.sqlite"), folder.path().join("queue.sqlite"));
    let (registry, queue) = (sqlite_url(&registry), sqlite_url(&queue));
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--with", "queue", "--database-url", &registry];
    let server = Server::start(&[&arguments[..], &["--queue-database-url", &queue]].concat(), folder);
    for operation in &recorder.operations {
        holds(recorder, &server, operation, &tokens);
    }
}

fn holds(recorder: &Recorder, server: &Server, operation: &Operation, tokens: &BTreeMap<String, (String, String)>) {
    let name = &operation.name;
    let ask = |token: &str| with_body(request(server, operation), operation).bearer_auth(token);
    let unknown = recorder.send(ask("nobody-knows-this-one"));
    assert_eq!((unknown.status, unknown.header("www-authenticate")), (401, "Bearer"), "{name}");
    let nothing = || with_body(request(server, operation), operation);
    let scopes = operation.own_scopes();
    let Some(scope) = scopes.first() else {
        let answer = recorder.send(nothing());
        assert!(!matches!(answer.status, 401 | 403), "{name} is public, and answers {}", answer.status);
        return;
    };
    assert_eq!(scopes.len(), 1, "{name} asks for one scope");
    let (just, others) = &tokens[scope];
    for (who, refused) in [("nobody", nothing()), ("the one with every other scope", ask(others))] {
        let answer = recorder.send(refused);
        assert!(is_refused(&answer), "{name}: {who} is let in: {} {}", answer.status, answer.text());
        let names_it = [scope, &operation.scopes[0]].into_iter().any(|scope| answer.text().contains(scope));
        // Of many things, the scope of each is named.
        assert!(names_it || answer.status == 200, "{name}: {}", answer.text());
    }
    if name.ends_with(" watchEvents") {
        let answer = recorder.stream(ask(just), |text| text.contains("bookmark"));
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/event-stream"));
        return;
    }
    let answer = recorder.send(ask(just));
    assert!(!matches!(answer.status, 401) && !is_refused(&answer), "{name}: {} {}", answer.status, answer.text());
}

/// Of many things, each is refused by itself.
fn is_refused(answer: &Answer) -> bool {
    answer.status == 403 || answer.status == 200 && answer.text().contains("\"forbidden\"")
}

/// A body that names what the path names, where the operation reads one.
fn with_body(request: RequestBuilder, operation: &Operation) -> RequestBuilder {
    let Some(media) = &operation.media else { return request };
    let task = task::task("coverage/thing", &json!({}));
    let body = match operation.name.as_str() {
        "queue createTask" | "worker-manager validateTasks" => task,
        "queue tasks" => json!({"taskIds": [TASK]}),
        _ => json!({}),
    };
    request.header("content-type", media).body(body.to_string())
}

/// A new token with these scopes, and its entry in the settings, as `wm token` makes them.
fn token(settings: &mut String, scopes: &[&str]) -> String {
    let name = format!("caller-{}", settings.len());
    let mut arguments = vec!["token", "--name", &name];
    scopes.iter().for_each(|scope| arguments.extend(["--scope", scope]));
    let output = wm(&arguments).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let (token, entry) = text.trim_start().split_once('\n').unwrap();
    writeln!(settings, "{entry}").unwrap();
    token.trim().to_owned()
}
