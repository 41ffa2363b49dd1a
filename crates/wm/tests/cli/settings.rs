//! Flags count before variables, these before the file, and that before defaults.

use crate::fake::Fake;
use crate::given::{command, wm_in};
use std::fs;

/// A server that says who it is.
fn server(name: &'static str) -> Fake {
    Fake::new(move |_| {
        let entry = format!(
            r#"{{"workerTypeId": "p/{name}", "description": "x", "validation": "warn", "generation": 1, "revision": 1}}"#
        );
        (200, "application/json", format!(r#"{{"workerTypes": [{entry}]}}"#))
    })
}

#[test]
fn each_source_counts_before_the_next() {
    let (flag, variable, file) = (server("flag"), server("variable"), server("file"));
    let folder = tempfile::tempdir().unwrap();
    let listed = |arguments: &[&str], set: bool| {
        let mut command = command(&[&["list"], arguments].concat());
        command.current_dir(folder.path());
        if set {
            command.env("WM_URL", &variable.url);
        }
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    fs::write(folder.path().join("wm.toml"), format!("url = \"{}\"\n", file.url)).unwrap();
    assert!(listed(&[], false).starts_with("p/file"));
    assert!(listed(&[], true).starts_with("p/variable"));
    assert!(listed(&["--url", &flag.url], true).starts_with("p/flag"));
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    fs::rename(folder.path().join("wm.toml"), folder.path().join("elsewhere/settings.toml")).unwrap();
    assert!(listed(&["--config", "elsewhere/settings.toml"], false).starts_with("p/file"));
    fs::write(folder.path().join("wm.toml"), "output = \"json\"\n").unwrap();
    assert!(listed(&["--url", &flag.url], false).starts_with('{'));
    assert!(listed(&["--url", &flag.url, "--output", "text"], false).starts_with("p/flag"));
}

#[test]
fn the_token_comes_from_a_flags_file_or_the_variable_or_the_files_file() {
    let server = server("any");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("flag"), "of-the-flag\n").unwrap();
    fs::write(path("file"), "of-the-file\n").unwrap();
    fs::write(path("empty"), "\n").unwrap();
    fs::write(path("wm.toml"), format!("url = \"{}\"\ntoken-file = \"file\"\n", server.url)).unwrap();
    let sent = |arguments: &[&str], token: Option<&str>| {
        let mut command = command(&[&["list"], arguments].concat());
        command.current_dir(folder.path());
        token.map(|token| command.env("WM_TOKEN", token));
        assert!(command.output().unwrap().status.success());
        server.asked().last().and_then(|request| request.header("authorization").map(str::to_owned))
    };
    assert_eq!(sent(&[], None).as_deref(), Some("Bearer of-the-file"));
    assert_eq!(sent(&[], Some("of-the-variable")).as_deref(), Some("Bearer of-the-variable"));
    assert_eq!(sent(&["--token-file", "flag"], Some("of-the-variable")).as_deref(), Some("Bearer of-the-flag"));
    let empty = wm_in(folder.path(), &["list", "--token-file", "empty"]);
    assert_eq!(empty.status, 2);
    assert!(empty.err.contains("is empty"), "{}", empty.err);
}

#[test]
fn a_file_that_cannot_be_used_ends_the_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wm.toml"), "ulr = \"http://localhost\"\n").unwrap();
    let said = wm_in(folder.path(), &["list"]);
    assert_eq!(
        (said.status, said.err.as_str()),
        (2, "error: wm.toml:1:1: \"ulr\" is not a setting; did you mean \"url\"?\n")
    );
    let said = wm_in(folder.path(), &["list", "--config", "none.toml"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("cannot read the settings none.toml"), "{}", said.err);
}
