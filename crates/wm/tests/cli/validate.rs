//! `wm validate`: the verdict on each kind of file, at the token that is wrong.

use crate::given::{examples, wm_with_input};

#[track_caller]
fn says(name: &str, arguments: &[&str], status: i32) {
    let said = examples().wm(&[&["validate"], arguments].concat());
    assert_eq!(said.status, status, "{said:?}");
    insta::assert_snapshot!(name, format!("{}{}", said.out, said.err));
}

#[test]
fn a_task_with_five_mistakes_names_five_places() {
    says("typo", &["examples/tasks/typo.json"], 1);
}

#[test]
fn a_recording_is_judged_line_by_line() {
    says("recorded", &["examples/tasks/recorded.ndjson"], 1);
}

#[test]
fn several_files_are_counted_together() {
    says(
        "several",
        &[
            "examples/tasks/hello.json",
            "examples/tasks/signing.yml",
            "examples/tasks/graph.json",
            "examples/tasks/typo.json",
        ],
        1,
    );
}

#[test]
fn a_payload_needs_its_worker_type() {
    says("payload", &["examples/tasks/bare-payload.json", "--worker-type", "linux/container"], 0);
    says("payload-alone", &["examples/tasks/bare-payload.json"], 2);
    says("payload-unknown", &["examples/tasks/bare-payload.json", "--worker-type", "linux/containr"], 3);
}

#[test]
fn for_programs_it_is_one_document() {
    let said = examples().wm(&["validate", "examples/tasks/recorded.ndjson", "--output", "json"]);
    assert_eq!(said.status, 1);
    let document: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(document["summary"], serde_json::json!({"valid": 7, "invalid": 2, "unchecked": 1, "unreadable": 0}));
    let result = &document["results"][3];
    let error = &result["errors"][0];
    assert_eq!((result["verdict"].as_str(), result["line"].as_u64()), (Some("invalid"), Some(4)));
    assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(4), Some(320)));
    assert_eq!(document["results"].as_array().map(Vec::len), Some(10));
}

/// Standard input, judged against the examples.
fn of_input(input: &str, arguments: &[&str]) -> (i32, String) {
    let said = wm_with_input(&[&["validate", "-", "--url", &examples().url], arguments].concat(), input.as_bytes());
    (said.status, said.out + &said.err)
}

#[test]
fn a_payload_may_not_be_enough() {
    let artifact = r#"{"name": "public/a.zip", "formats": ["gpg"]}"#;
    let payload = format!(r#"{{"inputs": [{{"taskId": "Mm66wEuGTv6IgdWP9G2gfA", "artifacts": [{artifact}]}}]}}"#);
    let (status, said) = of_input(&payload, &["--worker-type", "signing/packages"]);
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("unchecked for signing/packages: the rest of the task decides"), "{said}");
}

#[test]
fn standard_input_may_be_any_of_them() {
    let task = |id: &str| {
        format!(r#"{{"taskQueueId": "{id}", "payload": {{"image": "registry.example.com/a:1", "maxRunTime": 60}}}}"#)
    };
    assert_eq!(of_input(&task("linux/container"), &[]), (0, "<stdin>: valid for linux/container\n".to_owned()));
    let yaml = "taskQueueId: linux/container\npayload:\n  image: registry.example.com/a:1\n  maxRunTime: yes\n";
    let (status, said) = of_input(yaml, &[]);
    assert_eq!(status, 1);
    assert!(said.contains("<stdin>:4:15: task.payload.maxRunTime must be an integer, not a string"), "{said}");
    let lines = format!("{}\n\n{}\nrubbish\n", task("linux/container"), task("linux/contaner"));
    let (status, said) = of_input(&lines, &[]);
    assert_eq!(status, 2);
    assert!(said.contains("<stdin>:3: unchecked for linux/contaner: there is no such worker type"), "{said}");
    assert!(said.contains("did you mean linux/container?"), "{said}");
    assert!(said.contains("<stdin>:4:1: expected value"), "{said}");
    assert!(said.contains("<stdin>: 3 tasks: 1 valid, 1 unchecked, 1 cannot be read"), "{said}");
}

#[test]
fn taskgraphs_own_graphs_are_judged_as_their_tasks_will_be() {
    let graph = r#"{"build": {"label": "build-linux", "kind": "build", "dependencies": {}, "task": {
        "provisionerId": "linux", "workerType": "container",
        "created": {"relative-datestamp": "0 seconds"}, "deadline": {"relative-datestamp": "1 day"},
        "expires": {"relative-datestamp": "28 days"},
        "payload": {"image": {"taskId": {"task-reference": "<image>"}, "artifact": "public/image.tar"}, "maxRunTime": 60,
          "artifacts": {"public/a": {"type": "file", "path": "/a", "expires": {"relative-datestamp": "7 days"}}}}}}}"#;
    assert_eq!(of_input(graph, &[]).0, 0);
    let (status, said) = of_input(&graph.replace("\"/a\"", "1"), &[]);
    assert_eq!(status, 1);
    assert!(said.starts_with("<stdin>: build-linux: invalid for linux/container"), "{said}");
    assert!(said.contains("<stdin>:6:62: task.payload.artifacts"), "{said}");
}

#[test]
fn what_is_no_task_is_told_at_its_place() {
    for (input, place, words) in [
        (r#"{"taskQueueId": "p/W", "payload": {}}"#, "<stdin>:1:17:", "is not a worker type id"),
        (r#"{"taskQueueId": "p/w", "workerType": "v", "payload": {}}"#, "<stdin>:1:17:", "make them agree"),
        (r#"{"payload": {}}"#, "<stdin>:1:1:", "must name its worker type"),
        (r#"{"taskQueueId": 5, "payload": {}}"#, "<stdin>:1:17:", "must be a string"),
    ] {
        let (status, said) = of_input(input, &[]);
        assert_eq!(status, 1, "{said}");
        assert!(said.contains(&format!("{place} ")) && said.contains(words), "{input}: {said}");
    }
}

#[test]
fn ten_thousand_tasks_stream() {
    let good =
        r#"{"taskQueueId": "linux/container", "payload": {"image": "registry.example.com/a:1", "maxRunTime": 60}}"#;
    let bad = good.replace("60", "\"60\"");
    let lines: Vec<&str> = (0..10_000).map(|index| if index % 1000 == 999 { bad.as_str() } else { good }).collect();
    let (status, said) = of_input(&lines.join("\n"), &[]);
    assert_eq!(status, 1);
    assert!(said.ends_with("<stdin>: 10000 tasks: 9990 valid, 10 invalid\n"), "{said}");
    assert!(said.contains("<stdin>:10000:99: "), "{said}");
}
