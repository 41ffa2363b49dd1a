//! Files that are wrong, given to `wm`: the message begins with `file:line:column`.

use super::Given;
use integration_tests::server::{scratch, wm};

/// What `wm` says of a file with this text, by which command, and its exit status.
fn of_file(given: &Given, command: &str, name: &str, text: &str) -> (Option<i32>, String) {
    let folder = scratch();
    let file = folder.path().join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    let subject = if command == "validate" { name } else { "." };
    let output = wm(&[command, subject]).current_dir(folder.path()).env("WM_URL", &given.server.url).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

/// Whether a line of `said` begins at this place of the file, and has these words.
#[track_caller]
fn says(said: &str, file: &str, place: &str, words: &str) {
    let at = |line: &str| {
        line.find(file).is_some_and(|start| line[start + file.len()..].starts_with(&format!(":{place}: ")))
    };
    assert!(said.lines().any(|line| at(line) && line.contains(words)), "no {file}:{place} with {words:?} in:\n{said}");
}

const BOMB: &str = "a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]
h: [*g, *g, *g, *g, *g, *g, *g, *g, *g]
";

#[test]
fn files_that_are_no_definition_are_refused_at_their_line_and_column() {
    let given = Given::new();
    let file = "worker-types/bad/input.yml";
    let cases: &[(&str, &str, &str)] = &[
        (BOMB, "6:7", "aliases"),
        ("description: a\n b: [\n", "2:3", "mapping values are not allowed"),
        ("description: a\ndescription: b\n", "2:1", "twice"),
        ("description: \"a\\0b\"\n", "1:14", "U+0000"),
        ("descripton: a\n", "1:1", "did you mean \"description\"?"),
        ("description: [a]\n", "1:14", "string"),
        (
            "description: a\nvariants:\n  - name: default\n    payloadSchema: {type: strin}\n",
            "4:27",
            "did you mean \"string\"?",
        ),
        (
            "description: a\nvariants:\n  - name: default\n    payloadSchema: {required: [command]}\n    examples:\n      - payload: {}\n",
            "6:18",
            "command",
        ),
    ];
    for (text, place, words) in cases {
        for command in ["apply", "check"] {
            let (status, said) = of_file(&given, command, file, text);
            assert!(matches!(status, Some(1 | 2)), "{command} of {text:?}: {status:?} {said}");
            says(&said, file, place, words);
            assert!(!said.contains("panicked"), "{said}");
        }
    }
    given.is_untouched();
}

#[test]
fn files_that_are_no_task_are_refused_at_their_line_and_column() {
    let given = Given::new();
    let cases: &[(&str, &str, &str, &str, i32)] = &[
        ("bomb.yml", BOMB, "6:7", "aliases", 2),
        ("task.json", "{\"payload\":\n  {\"a\": }}", "2:9", "expected value", 2),
        ("task.json", "{\"payload\":\n  {\"a\": 1, \"a\": 2}}", "2:12", "twice", 2),
        ("task.json", "{\"payload\": {\"a\": \"\\u0000\"}}", "1:19", "U+0000", 2),
        (
            "task.yml",
            "taskQueueId: bad/input\npayload:\n  comand: []\n",
            "3:3",
            "is \"comand\" a misspelling of it?",
            1,
        ),
        ("task.yml", "taskQueueId: bad/input\npayload: []\n", "2:10", "object", 1),
    ];
    for (name, text, place, words, expected) in cases {
        let (status, said) = of_file(&given, "validate", name, text);
        assert_eq!(status, Some(*expected), "{text:?}: {said}");
        says(&said, name, place, words);
    }
    given.is_untouched();
}
