//! A release and those who use it.

use super::record::Recorder;
use super::worker_types::not_modified_to_whoever_has_it;
use integration_tests::http;
use integration_tests::server::Server;
use serde_json::{Value, json};

pub fn given_a_release_then_its_routes_answer(recorder: &Recorder, server: &Server) {
    let releases = server.api("/implementations/coverage-worker/releases");
    let url = format!("{releases}/1.0.0");
    let put = |release: &Value| recorder.send(http::with_json("PUT", &url, release));
    let release = |words: &str| json!({"description": words, "variants": [{"name": "default"}]});
    assert_eq!(put(&json!({})).expect(422).json()["problem"], "invalid-release");
    put(&release("the first")).expect(201);
    put(&release("the first")).expect(200);
    assert_eq!(put(&release("another")).expect(409).json()["problem"], "release-exists");

    let user = json!({"description": "Uses it", "variants": [{"name": "default", "release": "coverage-worker@1.0.0"}]});
    server.publish("coverage/user", &user).expect(201);
    let get = |url: &str| recorder.send(http::request("GET", url));
    not_modified_to_whoever_has_it(recorder, &url);
    get(&releases).expect(200);
    assert!(get(&format!("{url}/used-by")).expect(200).text().contains("coverage/user"));

    let put_if = |state: &str, url: &str| {
        recorder.send(http::with_json("PUT", url, &release("the first")).header("if-match", state))
    };
    put_if("*", &url).expect(200);
    assert_eq!(put_if("*", &format!("{releases}/2.0.0")).expect(412).json()["problem"], "precondition-failed");
    assert_eq!(put_if("one", &url).expect(400).json()["problem"], "invalid-header");
    marking_and_adopting(recorder, server, &releases);
    documentation_is_measured(recorder, server);
    for missing in [format!("{releases}/2.0.0"), format!("{releases}/2.0.0/used-by")] {
        assert_eq!(get(&missing).expect(404).json()["problem"], "unknown-release", "{missing}");
    }
    let nobody = get(&server.api("/implementations/nobody/releases")).expect(404);
    assert_eq!(nobody.json()["problem"], "unknown-implementation");
    assert_eq!(get(&server.api("/implementations/No/releases")).expect(400).json()["problem"], "invalid-id");
}

fn marking_and_adopting(recorder: &Recorder, server: &Server, releases: &str) {
    let send = |method: &str, url: &str, body: Value| recorder.send(http::with_json(method, url, &body));
    let mark_if = |seen: Option<&str>, version: &str, state: &str| {
        let body = json!({"state": state, "reason": "for the check of coverage"});
        let request = http::with_json("PUT", &format!("{releases}/{version}/mark"), &body);
        recorder.send(match seen {
            Some(seen) => request.header("if-match", seen),
            None => request,
        })
    };
    let mark = |version: &str, state: &str| mark_if(Some("*"), version, state);
    assert_eq!(mark_if(None, "1.0.0", "withdrawn").expect(428).json()["problem"], "precondition-required");
    assert_eq!(mark_if(Some("\"x\""), "1.0.0", "withdrawn").expect(412).json()["problem"], "precondition-failed");
    assert_eq!(mark_if(Some("x"), "1.0.0", "withdrawn").expect(400).json()["problem"], "invalid-header");
    assert_eq!(mark("1.0.0", "deprecated").expect(200).json()["mark"]["state"], "deprecated");
    mark("1.0.0", "active").expect(200);
    assert_eq!(mark("1.0.0", "gone").expect(400).json()["problem"], "invalid-request");
    assert_eq!(mark("2.0.0", "withdrawn").expect(404).json()["problem"], "unknown-release");

    let newer = json!({"description": "the next", "variants": [{"name": "default"}]});
    send("PUT", &format!("{releases}/1.1.0"), newer).expect(201);
    let adopt = |version: &str, body: Value| send("POST", &format!("{releases}/{version}/adopt"), body);
    let plan = adopt("1.1.0", json!({})).expect(200).json();
    assert_eq!((&plan["applied"], &plan["workerTypes"][0]["outcome"]), (&json!(false), &json!("planned")), "{plan}");
    let made = adopt("1.1.0", json!({"apply": true})).expect(200).json();
    assert_eq!(made["workerTypes"][0]["outcome"], "published", "{made}");
    let back = adopt("1.1.0", json!({"apply": true, "rollBack": made["workerTypes"]})).expect(200).json();
    assert_eq!(back["workerTypes"][0]["backTo"], 1, "{back}");
    assert_eq!(adopt("1.1.0", json!({"were": {}})).expect(400).json()["problem"], "invalid-request");
    assert_eq!(adopt("2.0.0", json!({})).expect(404).json()["problem"], "unknown-release");
    mark("1.1.0", "withdrawn").expect(200);
    assert_eq!(adopt("1.1.0", json!({})).expect(409).json()["problem"], "withdrawn-release");
    mark("1.1.0", "active").expect(200);
    let token = recorder.send(http::request("GET", &format!("{releases}/1.0.0/used-by?continuationToken=x")));
    assert_eq!(token.expect(400).json()["problem"], "invalid-continuation-token");
    let used = recorder.send(http::request("GET", &server.api("/worker-types/coverage/user"))).expect(200).json();
    assert_eq!(used["revision"], 3);
}

fn documentation_is_measured(recorder: &Recorder, server: &Server) {
    let get = |id: &str| {
        let url = server.api(&format!("/worker-types/{id}/documentation-coverage"));
        recorder.send(http::request("GET", &url))
    };
    assert_eq!(get("coverage/user").expect(200).json()["complete"], true);
    assert_eq!(get("coverage/never-was").expect(404).json()["problem"], "unknown-worker-type");
    server.publish("coverage/measured", &json!({"description": "Short-lived"})).expect(201);
    let delete = http::request("DELETE", &server.api("/worker-types/coverage/measured")).header("if-match", "*");
    http::send(delete).expect(200);
    assert_eq!(get("coverage/measured").expect(410).json()["problem"], "deleted");
}
