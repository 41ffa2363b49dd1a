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

    for missing in [format!("{releases}/2.0.0"), format!("{releases}/2.0.0/used-by")] {
        assert_eq!(get(&missing).expect(404).json()["problem"], "unknown-release", "{missing}");
    }
    let nobody = get(&server.api("/implementations/nobody/releases")).expect(404);
    assert_eq!(nobody.json()["problem"], "unknown-implementation");
    assert_eq!(get(&server.api("/implementations/No/releases")).expect(400).json()["problem"], "invalid-id");
}
