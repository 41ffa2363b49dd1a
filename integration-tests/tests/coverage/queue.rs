//! The queue's routes, with worker-manager at hand and without.

use super::record::Recorder;
use integration_tests::database::sqlite_url;
use integration_tests::http::{self, Answer};
use integration_tests::server::{Server, scratch};
use integration_tests::task;
use integration_tests::wait::wait_until;
use serde_json::{Value, json};

pub fn given_tasks_then_the_queue_answers(recorder: &Recorder, server: &Server) {
    let enforcing = json!({"description": "Needs a command", "validation": "enforce", "variants": [{"name": "default",
        "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["command"]}}]});
    server.publish("coverage/queue", &enforcing).expect(201);
    let create = |id: &str, definition: &Value| -> Answer {
        recorder.send(http::with_json("PUT", &server.queue(&format!("/task/{id}")), definition))
    };
    let get = |path: &str| recorder.send(http::request("GET", &server.queue(path)));

    let (id, accepted) = (task::task_id(), task::task("coverage/queue", &json!({"command": []})));
    assert_eq!(create(&id, &accepted).expect(200).header("payload-verdict"), "valid");
    create(&id, &accepted).expect(200);
    assert_eq!(
        create(&id, &task::task("coverage/queue", &json!({"command": [1]}))).expect(409).json()["problem"],
        "task-conflict"
    );
    let refused = create(&task::task_id(), &task::task("coverage/queue", &json!({}))).expect(400);
    assert_eq!(refused.json()["problem"], "invalid-task");
    assert_eq!(create(&task::task_id(), &json!({})).expect(400).json()["problem"], "invalid-task-definition");
    assert_eq!(create("no-slug", &accepted).expect(400).json()["problem"], "invalid-id");

    for read in ["", "/status", "/validation"] {
        get(&format!("/task/{id}{read}")).expect(200);
        let missing = get(&format!("/task/{}{read}", task::task_id())).expect(404).json();
        assert_eq!(missing["problem"], "unknown-task", "{read}");
    }
    let several = json!({"taskIds": [id, task::task_id()]});
    let tasks = recorder.send(http::with_json("POST", &server.queue("/tasks"), &several)).expect(200).json();
    assert_eq!(tasks["tasks"].as_array().map(Vec::len), Some(1), "{tasks}");
    let verdicts = get("/task-queues/coverage/queue/payload-verdicts").expect(200).json();
    assert_eq!(verdicts["summary"]["refused"], 1, "{verdicts}");
    let bad = get("/task-queues/coverage/queue/payload-verdicts?continuationToken=x").expect(400).json();
    assert_eq!(bad["problem"], "invalid-continuation-token");
    let pending = get("/task-queues/coverage/queue/pending?limit=1").expect(200).json();
    assert_eq!((&pending["tasks"][0]["taskId"], &pending["tasks"][0]["runId"]), (&json!(id), &json!(0)), "{pending}");
    let bad = get("/task-queues/coverage/queue/pending?continuationToken=x").expect(400).json();
    assert_eq!(bad["problem"], "invalid-continuation-token");
    assert_eq!(get("/task-queues/coverage/queue/recorded-tasks").expect(200).text(), "", "it is off");
    what_is_enforced(recorder, server);
}

fn what_is_enforced(recorder: &Recorder, server: &Server) {
    let get =
        |id: &str| recorder.send(http::request("GET", &server.queue(&format!("/task-queues/{id}/payload-schema"))));
    assert_eq!(get("coverage/queue").expect(200).json()["mode"], "enforce");
    assert_eq!(get("coverage/never").expect(404).json()["problem"], "unknown-worker-type");
    server.publish("coverage/off", &json!({"description": "Looks at nothing", "validation": "off"})).expect(201);
    wait_until("the queue to know that validation is off", || get("coverage/off").status != 503);
    server.publish("coverage/ended", &json!({"description": "Short-lived"})).expect(201);
    let delete = http::request("DELETE", &server.api("/worker-types/coverage/ended")).header("if-match", "*");
    http::send(delete).expect(200);
    wait_until("the queue to hear of the tombstone", || get("coverage/ended").status == 410);
}

pub fn given_no_worker_manager_then_the_queue_says_so(recorder: &Recorder) {
    let folder = scratch();
    let url = sqlite_url(&folder.path().join("queue.sqlite"));
    // Port 9 is discard: nothing answers there.
    let arguments = ["queue", "--listen", "127.0.0.1:0", "--database-url", &url];
    let arguments = [&arguments[..], &["--worker-manager-url", "http://127.0.0.1:9"]].concat();
    let server = Server::start(&arguments, folder);
    let url = server.queue("/task-queues/coverage/thing/payload-schema");
    let answer = recorder.send(http::request("GET", &url)).expect(503);
    assert_eq!(answer.json()["problem"], "not-ready");
    assert!(!answer.header("retry-after").is_empty());
}
