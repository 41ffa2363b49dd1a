//! `wm apply` when others publish at the same time, or the server fails in the middle of it.

use crate::fake::{Answer, Fake, Request};
use crate::given::wm_in;
use std::fs;
use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    for name in ["a", "b", "c"] {
        let path = folder.path().join("worker-types/p");
        fs::create_dir_all(&path).expect("there is room");
        fs::write(path.join(format!("{name}.yml")), format!("description: New {name}\n")).expect("there is room");
    }
    folder
}

/// A server on which each worker type is at generation 3; `put` answers what is really published.
fn server(put: impl Fn(&Request) -> Answer + Send + 'static) -> Fake {
    Fake::new(move |request| {
        let path = request.path.split('?').next().unwrap_or_default();
        if path.ends_with("/worker-types") {
            (200, "application/json", r#"{"workerTypes": []}"#.to_owned())
        } else if request.method == "GET" || request.is_dry_run() {
            (200, "application/json", worker_type(path, 3))
        } else {
            put(request)
        }
    })
}

fn worker_type(path: &str, generation: u32) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    let definition = serde_json::json!({"description": format!("Old {name}")});
    let hash = worker_types::content_hash(&definition);
    format!(
        r#"{{"workerTypeId": "p/{name}", "generation": {generation}, "revision": {generation}, "contentHash": "{hash}",
             "definition": {definition}, "warnings": []}}"#
    )
}

fn problem(status: u16, name: &str, detail: &str) -> Answer {
    let body = format!(r#"{{"problem": "{name}", "title": "{name}", "status": {status}, "detail": "{detail}"}}"#);
    (status, "application/problem+json", body)
}

fn published(request: &Request) -> Answer {
    (200, "application/json", worker_type(request.path.split('?').next().unwrap_or_default(), 4))
}

#[test]
fn a_lost_race_is_named_and_the_others_are_published() {
    let server = server(|request| {
        if request.path.contains("/p/b") {
            problem(412, "precondition-failed", "p/b is at generation 7 now, not at the one that the request names")
        } else {
            published(request)
        }
    });
    let said = wm_in(folder().path(), &["apply", ".", "--url", &server.url, "--message", "why"]);
    assert_eq!(said.status, 4, "{said:?}");
    insta::assert_snapshot!("lost-race", said.out);
    let asked = server.asked();
    let puts: Vec<_> = asked.iter().filter(|request| request.method == "PUT" && !request.is_dry_run()).collect();
    assert_eq!(puts.len(), 3);
    assert!(puts.iter().all(|put| put.header("if-match") == Some("\"g3\"") && put.path.contains("message=why")));
}

#[test]
fn what_is_refused_counts_before_a_lost_race() {
    let server = server(|request| {
        match request.path.as_bytes() {
        path if path.windows(4).any(|part| part == b"/p/a") => problem(412, "precondition-failed", "lost"),
        path if path.windows(4).any(|part| part == b"/p/b") => (
            422,
            "application/problem+json",
            r#"{"problem": "invalid-definition", "title": "x", "errors": [{"problem": "x", "pointer": "/description", "message": "too dull"}]}"#
                .to_owned(),
        ),
        _ => published(request),
    }
    });
    let said = wm_in(folder().path(), &["apply", ".", "--url", &server.url]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.out.contains("worker-types/p/b.yml:1:14: too dull"), "{}", said.out);
    assert!(said.out.contains("published p/c, revision 4"), "{}", said.out);
}

#[test]
fn an_answer_that_does_not_come_is_asked_for_again_and_then_told() {
    let server = server(|request| {
        if request.path.contains("/p/a") {
            problem(503, "store-unavailable", "the database is away")
        } else {
            published(request)
        }
    });
    let said = wm_in(folder().path(), &["apply", ".", "--url", &server.url]);
    assert_eq!(said.status, 5, "{said:?}");
    assert!(said.out.contains("not known p/a: the database is away"), "{}", said.out);
    assert!(said.out.contains("published p/b") && said.out.contains("published p/c"), "{}", said.out);
    let tries =
        server.asked().iter().filter(|request| request.path.ends_with("/p/a") && request.method == "PUT").count();
    assert_eq!(tries, 3);
}

#[test]
fn a_pool_that_the_caller_may_not_see_is_not_shown_as_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("worker-types/p");
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("a.yml"), "description: New a\npool:\n  providerId: static\n").unwrap();
    // The hash is of the whole definition, of which this caller sees a part.
    let whole =
        worker_types::content_hash(&serde_json::json!({"description": "Old a", "pool": {"providerId": "static"}}));
    let part = worker_types::content_hash(&serde_json::json!({"description": "Old a"}));
    let seen = worker_type("p/a", 3).replace(part.as_str(), whole.as_str());
    let server = Fake::new(move |request| {
        let checked = r#"{"gate": {"ok": true, "errors": [], "warnings": []}}"#;
        if request.path.ends_with("/check") {
            return (200, "application/json", checked.to_owned());
        }
        let body = if request.path.contains("/p/a") { seen.clone() } else { r#"{"workerTypes": []}"#.to_owned() };
        (200, "application/json", body)
    });
    let said = wm_in(folder.path(), &["diff", ".", "--url", &server.url]);
    assert_eq!(said.status, 2);
    assert!(said.out.contains("+description: New a") && !said.out.contains("+pool"), "{}", said.out);
    assert!(said.out.contains("hidden from this caller"), "{}", said.out);
}
