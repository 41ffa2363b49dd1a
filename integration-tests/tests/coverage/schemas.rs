//! The schemas that are derived from what is live.

use super::record::Recorder;
use super::worker_types::{definition, not_modified_to_whoever_has_it, put};
use integration_tests::http;
use integration_tests::server::Server;
use serde_json::{Value, json};

/// Which schema it refers to depends on the way that leads there: no derived document can say that.
fn dynamic() -> Value {
    let payload = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/tree", "$dynamicAnchor": "node",
        "properties": {"children": {"items": {"$dynamicRef": "#node"}}, "strict": {"$ref": "strict"}},
        "$defs": {"strict": {"$id": "strict", "$dynamicAnchor": "node", "$ref": "tree", "required": ["children"]}},
    });
    json!({"description": "For the coverage of the API", "variants": [{"name": "default", "payloadSchema": payload}]})
}

pub fn given_worker_types_then_their_schemas_are_derived(recorder: &Recorder, server: &Server) {
    let get = |path: &str| recorder.send(http::request("GET", &server.api(path)));
    for (id, definition) in
        [("schemas/thing", definition("one")), ("schemas/tree", dynamic()), ("schemas/gone", definition("one"))]
    {
        recorder.send(put(server, id, &definition).header("if-match", "*")).expect(201);
    }
    recorder
        .send(http::request("DELETE", &server.api("/worker-types/schemas/gone")).header("if-match", "*"))
        .expect(200);
    let index = get("/schemas").expect(200).json();
    let address = |name: &str| index["schemas"][name]["url"].as_str().unwrap().to_owned();
    for path in
        ["/task-schema", "/task-schema?workerType=schemas/thing&form=if-then", "/schemas", "/schema-catalog.json"]
    {
        not_modified_to_whoever_has_it(recorder, &server.api(path));
    }
    not_modified_to_whoever_has_it(recorder, &server.at(&address("schemas/thing/payload")));
    for (path, status, problem) in [
        ("/task-schema?workerType=schemas/thong", 404, "unknown-worker-type"),
        ("/task-schema?workerType=schemas/gone", 410, "deleted"),
        ("/task-schema?workerType=schemas/tree", 406, "not-acceptable"),
        ("/worker-types/schemas/tree/payload-schema?dialect=draft-07", 406, "not-acceptable"),
        ("/schemas/none", 400, "invalid-id"),
    ] {
        assert_eq!(get(path).expect(status).json()["problem"], problem, "{path}");
    }
    let tree = recorder.send(http::request("GET", &server.at(&address("schemas/tree/task")))).expect(406);
    assert_eq!(tree.json()["keyword"], "$dynamicRef");
    recorder.send(put(server, "schemas/thing", &definition("two")).header("if-match", "*")).expect(200);
    let before = recorder.send(http::request("GET", &server.at(&address("schemas/thing/payload")))).expect(404);
    assert_eq!(before.json()["problem"], "unknown-schema");
}
