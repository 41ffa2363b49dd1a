//! Runs a program of `integration-tests/editors`, which reads one JSON value and writes one.

use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether the packages from npm are installed; says visibly where they are not.
pub fn is_there() -> bool {
    let there = std::env::var_os("WM_TEST_NODE_FOLDER").is_some();
    if !there {
        println!("skipped: WM_TEST_NODE_FOLDER names no packages from npm (scripts/test installs them)");
    }
    there
}

/// What the program answers to `request`.
pub fn ask(program: &str, request: &Value) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors").join(program);
    let mut command = Command::new("node");
    command.arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("node: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let text = request.to_string();
    let writing = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    assert!(output.status.success(), "{program} failed");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{program}: {error}"))
}
