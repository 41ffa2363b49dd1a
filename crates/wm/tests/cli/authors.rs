//! `wm list`, `wm show`, `wm docs`, `wm release list`: what is live, for people and for programs.

use crate::given::{examples, wm};
use serde_json::Value;

#[track_caller]
fn says(name: &str, arguments: &[&str]) {
    let said = examples().wm(arguments);
    assert_eq!(said.status, 0, "{said:?}");
    insta::assert_snapshot!(name, said.out);
}

#[test]
fn worker_types_are_listed_and_found() {
    says("list", &["list"]);
    says("list-words", &["list", "ubuntu", "desktop"]);
    says("list-release", &["list", "--release", "native-worker@3.1.0"]);
    says("list-lifecycle", &["list", "--lifecycle", "experimental"]);
    let none = examples().wm(&["list", "nothing-like-it"]);
    assert_eq!((none.status, none.out.as_str(), none.err.as_str()), (0, "", "No worker type fits.\n"));
}

#[test]
fn one_is_shown_in_a_few_lines() {
    says("show-container", &["show", "linux/container"]);
    says("show-signing", &["show", "signing/packages"]);
    says("show-revision", &["show", "ops/website-deploy", "--revision", "1"]);
}

#[test]
fn documentation_is_markdown() {
    let said = examples().wm(&["docs", "linux/container"]);
    assert_eq!(said.status, 0);
    assert!(said.out.starts_with("# Linux containers\n"), "{}", said.out);
    assert!(said.out.contains("8 virtual CPUs"), "{}", said.out);
    assert!(!said.out.contains('\u{1b}'), "{}", said.out);
}

#[test]
fn releases_are_listed() {
    says("releases", &["release", "list"]);
    says("releases-of-one", &["release", "list", "native-worker"]);
}

#[test]
fn programs_get_one_json_document() {
    for arguments in [
        &["list"][..],
        &["show", "linux/container"],
        &["docs", "linux/container"],
        &["release", "list"],
        &["release", "list", "native-worker"],
        &["diff", "examples"],
        &["check", "examples", "--tasks", "examples/tasks/recorded.ndjson"],
        &["validate", "examples/tasks/hello.json"],
        &["token"],
    ] {
        let url = if arguments == ["token"] { vec![] } else { vec!["--url", &examples().url] };
        let said = wm(&[arguments, &["--output", "json"], &url].concat());
        let document: Value = serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        assert!(document.is_object(), "{arguments:?}");
        assert_eq!(said.status, 0, "{arguments:?}: {said:?}");
    }
}
