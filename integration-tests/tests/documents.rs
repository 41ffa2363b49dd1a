//! The commands in README and docs are run as they stand, and must say what the text says they say.
//!
//! A `console` block is a session: `$ ` begins a command, `> ` continues it, other lines are what it prints. A line that is
//! only `…` stands for any lines; `…` inside a line stands for any text. Each page runs on a fresh server with the examples.

use integration_tests::server::{Server, binary, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The address that the pages name.
const ADDRESS: &str = "127.0.0.1:8080";

struct Step {
    line: usize,
    command: String,
    expected: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sessions of a page, in order. Blocks that say `console no-test` are for the eye only.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, line) => match (line.strip_prefix("$ "), line.strip_prefix("> "), steps.last_mut()) {
                (Some(command), ..) => {
                    steps.push(Step { line: index + 1, command: command.to_owned(), expected: Vec::new() });
                }
                (None, Some(more), Some(step)) if step.expected.is_empty() => {
                    step.command = format!("{}\n{more}", step.command);
                }
                (None, _, Some(step)) => step.expected.push(line.to_owned()),
                (None, ..) => panic!("line {}: a session begins with a command", index + 1),
            },
            _ => {}
        }
    }
    steps
}

/// Whether `found` has the expected lines, one after the other; between `…` lines others may stand.
fn shows(expected: &[String], found: &str) -> Result<(), String> {
    let mut rest = found.lines();
    let mut anything = false;
    for wanted in expected {
        if wanted.trim() == "…" {
            anything = true;
            continue;
        }
        let fits = if anything {
            rest.any(|line| line_fits(wanted, line))
        } else {
            rest.next().is_some_and(|line| line_fits(wanted, line))
        };
        if !fits {
            return Err(format!("it does not print {wanted:?}, but:\n{found}"));
        }
        anything = false;
    }
    if !anything && rest.any(|line| !line.trim().is_empty()) {
        Err(format!("it prints more than the page shows:\n{found}"))
    } else {
        Ok(())
    }
}

fn line_fits(wanted: &str, line: &str) -> bool {
    let mut parts = wanted.trim_end().split('…');
    let line = line.trim_end();
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    if parts.is_empty() {
        return rest.is_empty();
    }
    for (index, part) in parts.iter().enumerate() {
        if index + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

fn run(page: &str) {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let steps = steps(&text);
    assert!(!steps.is_empty(), "{page} has no session");
    let folder = scratch();
    let data = folder.path().join("data").display().to_string();
    let server = Server::start(&["dev", "--listen", "127.0.0.1:0", "--data-dir", &data, "--examples"], folder);
    let work = scratch();
    let status = Command::new("cp").arg("-r").arg(root().join("examples")).arg(work.path()).status().unwrap();
    assert!(status.success());
    let path =
        format!("{}:{}", binary().parent().unwrap().canonicalize().unwrap().display(), std::env::var("PATH").unwrap());
    let address = server.url.trim_start_matches("http://");
    for step in steps {
        let mut command = Command::new("bash");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WM_")) {
            command.env_remove(name);
        }
        command.arg("-c").arg(step.command.replace(ADDRESS, address)).current_dir(work.path()).env("PATH", &path);
        let output = command.env("WM_URL", &server.url).output().unwrap();
        let found = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let found = found.replace(address, ADDRESS);
        assert!(output.status.success(), "{page}:{}: {} fails:\n{found}", step.line, step.command);
        if let Err(words) = shows(&step.expected, &found) {
            panic!("{page}:{}: {}: {words}", step.line, step.command);
        }
    }
}

#[test]
fn the_readmes_tour_works_line_by_line() {
    run("README.md");
}

#[test]
fn the_tutorial_works_line_by_line() {
    run("docs/tutorial/first-worker-type.md");
}

#[test]
fn publishing_from_git_works_line_by_line() {
    run("docs/how-to/publish-from-git.md");
}

#[test]
fn seeing_what_a_change_breaks_works_line_by_line() {
    run("docs/how-to/see-what-a-change-breaks.md");
}

#[test]
fn moving_many_worker_types_works_line_by_line() {
    run("docs/how-to/move-many-worker-types-to-a-release.md");
}

#[test]
fn rolling_out_a_schema_works_line_by_line() {
    run("docs/how-to/roll-out-a-schema-that-changes-fast.md");
}

#[test]
fn publishing_a_release_works_line_by_line() {
    run("docs/how-to/publish-a-release.md");
}

#[test]
fn adding_validation_to_a_queue_works_line_by_line() {
    run("docs/how-to/add-validation-to-a-queue.md");
}

#[test]
fn backing_up_and_restoring_works_line_by_line() {
    run("docs/how-to/back-up-and-restore.md");
}

#[test]
fn hearing_of_changes_works_line_by_line() {
    run("docs/how-to/hear-of-changes.md");
}

#[test]
fn writing_a_task_works_line_by_line() {
    run("docs/how-to/write-a-task.md");
}

#[test]
fn completing_tasks_in_an_editor_works_line_by_line() {
    run("docs/how-to/complete-tasks-in-an-editor.md");
}

#[test]
fn the_check_of_pages_sees_what_differs() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(shows(&lines("a\n…\nd"), "a\nb\nc\nd\n").is_ok());
    assert!(shows(&lines("a …, c"), "a b, c\n").is_ok());
    assert!(shows(&lines("a"), "a\nb\n").is_err());
    assert!(shows(&lines("a\nc"), "a\nb\nc\n").is_err());
    assert!(shows(&lines("a …, c"), "a b, d\n").is_err());
    let parsed = steps("x\n```console\n$ cat > f <<'E'\n> one\n> E\n$ ls\nf\n```\n");
    assert_eq!((parsed[0].command.as_str(), parsed[1].expected.len()), ("cat > f <<'E'\none\nE", 1));
}
