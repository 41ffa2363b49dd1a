//! VS Code's JSON service on the served task schema: it completes the payload of the worker type that the task names, and
//! marks what is wrong where it stands.

use super::node;
use integration_tests::http;
use integration_tests::server::Server;
use serde_json::{Value, json};

/// Where a text's cursor stands.
const CURSOR: &str = "▮";

fn payload_schema(properties: &Value, required: &[&str]) -> Value {
    json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties,
        "required": required, "additionalProperties": false})
}

fn given() -> Server {
    let server = Server::dev();
    let linux = json!({
        "image": {"type": "string", "description": "The container's image."},
        "command": {"type": "array", "items": {"type": "string"}},
        "maxRunTime": {"type": "integer", "description": "How long the task may run, in seconds."},
        "network": {"enum": ["none", "outgoing"]},
    });
    let windows =
        json!({"script": {"type": "string"}, "mounts": {"type": "array", "items": {"$ref": "#/definitions/mount"}}});
    let mut windows = payload_schema(&windows, &["script"]);
    windows["definitions"] = json!({"mount": {"type": "object", "properties": {"directory": {"type": "string"}, "content": {"type": "object"}}}});
    for (id, payload) in [("editors/linux", payload_schema(&linux, &["image"])), ("editors/windows", windows)] {
        let definition = json!({"description": id, "validation": "enforce", "variants": [{"name": "default", "payloadSchema": payload}]});
        server.publish(id, &definition).expect(201);
    }
    server
}

/// A task as its author types it; the cursor may stand in the payload.
fn task(worker_type: &str, payload: &str) -> (String, Option<usize>) {
    let (provisioner, worker) = worker_type.split_once('/').unwrap();
    let named = match worker {
        "windows" => format!("\"provisionerId\": \"{provisioner}\", \"workerType\": \"{worker}\""),
        _ => format!("\"taskQueueId\": \"{worker_type}\""),
    };
    let text = format!(
        "{{{named}, \"created\": \"2027-01-01T00:00:00.000Z\", \"deadline\": \"2027-01-02T00:00:00.000Z\",\n \
         \"metadata\": {{\"name\": \"n\", \"description\": \"d\", \"owner\": \"o@example.com\", \"source\": \"https://example.com\"}},\n \
         \"payload\": {payload}}}"
    );
    // Offsets are in UTF-16 units, and everything before the cursor is ASCII.
    let offset = text.find(CURSOR);
    (text.replace(CURSOR, ""), offset)
}

/// What the editor shows for one document.
struct Shown {
    /// What it offers at the cursor.
    offers: Vec<String>,
    /// The texts that it marks, with what it says of them.
    problems: Vec<(String, String)>,
}

fn ask(schema: &Value, documents: &[(String, Option<usize>)]) -> Vec<Shown> {
    let document = |(text, offset): &(String, Option<usize>)| match offset {
        Some(offset) => json!({"text": text, "offset": offset}),
        None => json!({"text": text}),
    };
    let documents: Vec<Value> = documents.iter().map(document).collect();
    let answers = node::ask("vscode.mjs", &json!({"schema": schema, "documents": documents}));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let shown = |answer: &Value| Shown {
        offers: list(&answer["offers"]).iter().map(text).collect(),
        problems: list(&answer["problems"])
            .iter()
            .map(|problem| (text(&problem["text"]), text(&problem["message"])))
            .collect(),
    };
    list(&answers).iter().map(shown).collect()
}

const QUERIES: [&str; 4] = [
    "",
    "?form=if-then",
    "?dialect=draft-07",
    "?workerType=editors/linux,editors/windows&form=if-then&dialect=draft-07",
];

#[test]
fn an_editor_completes_the_payload_of_the_worker_type_that_the_task_names() {
    if !node::is_there() {
        return;
    }
    let server = given();
    let documents = [
        task("editors/linux", "{\"image\": \"debian\", ▮}"),
        task("editors/windows", "{\"script\": \"build.ps1\", ▮}"),
        task("editors/linux", "{\"image\": \"debian\", \"network\": ▮}"),
        task("editors/windows", "{\"script\": \"build.ps1\", \"mounts\": [{▮}]}"),
        task("editors/unknown", "{▮}"),
    ];
    for query in QUERIES {
        let schema = http::get(&server.api(&format!("/task-schema{query}"))).expect(200).json();
        let offers: Vec<_> = ask(&schema, &documents).into_iter().map(|shown| shown.offers).collect();
        let has = |index: usize, word: &str| offers[index].iter().any(|offer: &String| offer.trim_matches('"') == word);
        for word in ["command", "maxRunTime", "network"] {
            assert!(has(0, word) && !has(1, word) && !has(4, word), "{query}: {word}: {offers:?}");
        }
        assert!(has(1, "mounts") && !has(0, "mounts") && !has(0, "script"), "{query}: {offers:?}");
        assert!(has(2, "outgoing") && has(3, "directory"), "{query}: {offers:?}");
    }
}

#[test]
fn an_editor_marks_a_mistake_where_it_stands() {
    if !node::is_there() {
        return;
    }
    let server = given();
    let documents = [
        task("editors/linux", "{\"image\": \"debian\", \"maxRunTime\": 60}"),
        task("editors/windows", "{\"script\": \"build.ps1\"}"),
        task("editors/unknown", "{\"anything\": 1}"),
        task("editors/linux", "{\"image\": \"debian\", \"maxRunTim\": 60}"),
        task("editors/linux", "{\"image\": \"debian\", \"maxRunTime\": \"60\"}"),
        task("editors/windows", "{\"script\": \"build.ps1\", \"image\": \"debian\"}"),
    ];
    for query in QUERIES {
        let schema = http::get(&server.api(&format!("/task-schema{query}"))).expect(200).json();
        let problems: Vec<_> = ask(&schema, &documents).into_iter().map(|shown| shown.problems).collect();
        for right in &problems[..3] {
            assert_eq!(*right, [], "{query}");
        }
        for (wrong, mark) in problems[3..].iter().zip(["\"maxRunTim\"", "\"60\"", "\"image\""]) {
            assert_eq!(wrong.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), [mark], "{query}: {wrong:?}");
        }
    }
}
