//! Exit statuses of what goes wrong around a command: usage, files, servers.

use crate::fake::Fake;
use crate::given::{examples, wm, wm_in};
use std::fs;

#[test]
fn wrong_usage_is_two_and_says_what_would_be_right() {
    for (arguments, words) in [
        (&["aply", "examples"][..], "a similar subcommand exists: 'apply'"),
        (&[], "Usage: wm"),
        (&["validate"], "<FILE>..."),
        (&["show", "linux"], "is not a worker type id"),
        (&["list", "--lifecycle", "old"], "old"),
        (&["apply", "examples", "--url", "ci.example.com"], "is not a root URL"),
        (&["apply", "none"], "none:1:1: No such file or directory"),
        (&["validate", "none.json"], "cannot read none.json"),
        (&["list", "--token-file", "none"], "cannot read none"),
        (&["serve"], "--database-url"),
        (&["release", "publish", "README.md"], "README.md:"),
        (&["release", "publish", "examples/releases/native-worker/3.1.0.yml", "--id", "x"], "is not a release id"),
        (&["token", "--name", ""], "--name"),
    ] {
        let said = wm(arguments);
        assert_eq!(said.status, 2, "{arguments:?}: {said:?}");
        assert!(said.err.contains(words), "{arguments:?}: {}", said.err);
        assert_eq!(said.out, "", "{arguments:?}");
    }
}

#[test]
fn a_server_that_is_not_there_is_five() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("task.json"), r#"{"taskQueueId": "p/w", "payload": {}}"#).unwrap();
    fs::create_dir_all(folder.path().join("ci/worker-types/p")).unwrap();
    fs::write(folder.path().join("ci/worker-types/p/w.yml"), "description: W\n").unwrap();
    fs::write(folder.path().join("export.ndjson"), "{}\n").unwrap();
    for arguments in [
        &["list"][..],
        &["show", "p/w"],
        &["docs", "p/w"],
        &["validate", "task.json"],
        &["validate", "task.json", "--worker-type", "p/w"],
        &["diff", "ci"],
        &["check", "ci"],
        &["apply", "ci"],
        &["release", "list"],
        &["export"],
        &["import", "export.ndjson"],
        &["provision", "--plan", "--worker-manager-url", "http://127.0.0.1:1"],
    ] {
        let url = if arguments[0] == "provision" { vec![] } else { vec!["--url", "http://127.0.0.1:1"] };
        let said = wm_in(folder.path(), &[arguments, &url].concat());
        assert_eq!(said.status, 5, "{arguments:?}: {said:?}");
        assert!(said.err.contains("cannot be reached at http://127.0.0.1:1"), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn a_server_that_talks_rubbish_is_five() {
    let server = Fake::new(|_| (200, "text/html", "<h1>It works!</h1>".to_owned()));
    for arguments in
        [&["list"][..], &["show", "p/w"], &["validate", "examples/tasks/hello.json"], &["diff", "examples"]]
    {
        let said = wm(&[arguments, &["--url", &server.url]].concat());
        assert_eq!(said.status, 5, "{arguments:?}: {said:?}");
        assert!(said.err.contains("It works!"), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn what_is_not_there_is_one_and_names_what_is_close() {
    let said = examples().wm(&["show", "linux/contaner"]);
    assert_eq!(said.status, 1);
    assert!(said.err.contains("did you mean linux/container?"), "{}", said.err);
    assert_eq!(examples().wm(&["docs", "no/such"]).status, 1);
    assert_eq!(examples().wm(&["show", "linux/container", "--revision", "99"]).status, 1);
    assert_eq!(examples().wm(&["release", "list", "nothing"]).status, 1);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let script = format!("{} completions bash | head -1", env!("CARGO_BIN_EXE_wm"));
    let output =
        std::process::Command::new("bash").args(["-c", &format!("set -o pipefail; {script}")]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn help_and_version_are_results() {
    let help = wm(&["--help"]);
    assert_eq!(help.status, 0);
    for name in [
        "dev",
        "serve",
        "queue",
        "provision",
        "migrate",
        "apply",
        "diff",
        "check",
        "validate",
        "list",
        "show",
        "docs",
        "release",
        "export",
        "import",
        "token",
        "completions",
    ] {
        assert!(help.out.contains(&format!("\n  {name} ")), "{name}: {}", help.out);
    }
    let version = wm(&["--version"]);
    // A build with faults in it says so.
    let faults = if cfg!(feature = "failpoints") { " (with failpoints)" } else { "" };
    assert_eq!((version.status, version.out), (0, format!("wm {}{faults}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = wm(&["completions", shell]);
        assert_eq!(said.status, 0);
        assert!(said.out.contains("validate") && said.out.contains("worker-type"), "{shell}");
    }
    let script = format!("eval \"$({} completions bash)\" && complete -p wm", env!("CARGO_BIN_EXE_wm"));
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
