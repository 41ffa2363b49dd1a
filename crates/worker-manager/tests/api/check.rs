//! What a proposed definition would come to.

use crate::harness::{Server, definition, task};
use serde_json::json;

const CHECK: &str = "/worker-types/proj/linux/check";

#[tokio::test]
async fn the_gate_answers_and_stores_nothing() {
    let server = Server::local().await;
    let report = server.post(CHECK, &json!({"definition": definition()})).send().await.expect(200).json();
    let documentation = json!({"complete": false, "properties": 1, "undescribed": [], "unmentioned": ["maxRunTime"],
        "withoutExample": ["container-worker"], "deadLinks": []});
    assert_eq!(report, json!({"gate": {"ok": true, "errors": [], "warnings": []}, "documentation": documentation}));
    let report = server.post(CHECK, &json!({"definition": {"validation": "on"}})).send().await.expect(200).json();
    assert_eq!(report["gate"]["ok"], false);
    assert_eq!(report["gate"]["errors"].as_array().unwrap().len(), 2, "{report}");
    server.get("/worker-types/proj/linux").send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn documentation_is_measured_and_listed_by() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    server.publish("proj/plain", &json!({"description": "Takes any payload"})).await;
    let coverage = server.get("/worker-types/proj/linux/documentation-coverage").send().await.expect(200).json();
    assert_eq!((&coverage["complete"], &coverage["unmentioned"]), (&json!(false), &json!(["maxRunTime"])));
    let listed = async |word: &str| -> Vec<String> {
        let page = server.get(&format!("/worker-types?documented={word}")).send().await.expect(200).json();
        let names = page["workerTypes"].as_array().unwrap().iter();
        names.map(|one| one["workerTypeId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (listed("complete").await, listed("incomplete").await),
        (vec!["proj/plain".to_owned()], vec!["proj/linux".to_owned()])
    );
    server.get("/worker-types/proj/none/documentation-coverage").send().await.refused(404, "unknown-worker-type");
    server
        .request(reqwest::Method::DELETE, "/worker-types/proj/plain")
        .header("if-match", "*")
        .send()
        .await
        .expect(200);
    server.get("/worker-types/proj/plain/documentation-coverage").send().await.refused(410, "deleted");
}

#[tokio::test]
async fn recorded_tasks_that_would_newly_be_refused_are_named() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let mut proposed = definition();
    proposed["variants"][0]["payloadSchema"]["properties"]["maxRunTime"]["maximum"] = 3600.into();
    proposed["variants"][0]["payloadSchema"]["properties"]["image"] = json!({"type": "string"});
    let payloads = [
        json!({"maxRunTime": 1}),
        json!({"maxRunTime": 7200}),
        json!({"maxRunTime": "x"}),
        json!({"maxRunTime": 1, "image": "a"}),
    ];
    let tasks: Vec<_> = payloads.iter().map(|payload| task("proj/linux", payload)).collect();
    let report = server.post(CHECK, &json!({"definition": proposed, "tasks": tasks})).send().await.expect(200).json();
    let replay = &report["replay"];
    assert_eq!((&replay["checked"], &replay["newlyAccepted"]), (&json!(4), &json!(1)));
    assert_eq!(replay["newlyRejected"].as_array().unwrap().len(), 1, "{replay}");
    assert_eq!(replay["newlyRejected"][0]["index"], 1);
    assert_eq!(replay["newlyRejected"][0]["errors"][0]["pointer"], "/payload/maxRunTime");
}

#[tokio::test]
async fn without_a_live_definition_every_refusal_is_new() {
    let server = Server::local().await;
    let tasks = json!([task("proj/linux", &json!({}))]);
    let report =
        server.post(CHECK, &json!({"definition": definition(), "tasks": tasks})).send().await.expect(200).json();
    assert_eq!(report["replay"]["newlyRejected"][0]["index"], 0);
    let report = server.post(CHECK, &json!({"definition": {}, "tasks": tasks})).send().await.expect(200).json();
    assert_eq!((&report["gate"]["ok"], report.get("replay")), (&json!(false), None), "nothing to hold tasks against");
}

#[tokio::test]
async fn requests_that_cannot_be_understood_are_refused() {
    let server = Server::local().await;
    for body in [
        json!({}),
        json!({"tasks": []}),
        json!({"definition": {}, "tasks": {}}),
        json!({"definition": {}, "tasks": [1]}),
        json!({"definition": {}, "task": {}}),
    ] {
        server.post(CHECK, &body).send().await.refused(400, "invalid-request");
    }
}
