//! Implementations and their releases.

use crate::harness::Server;
use serde_json::{Value, json};

const RELEASE: &str = "/implementations/native-worker/releases/3.1.0";

fn release() -> Value {
    json!({
        "description": "Runs tasks natively", "documentation": "# Native",
        "variants": [{"name": "posix", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}],
    })
}

#[tokio::test]
async fn a_release_is_published_once_and_a_retry_is_safe() {
    let server = Server::local().await;
    let created = server.put(&format!("{RELEASE}?message=hello"), &release()).send().await.expect(201);
    assert_eq!(created.header("location"), format!("/api/worker-manager/v1{RELEASE}"));
    let answer = created.json();
    assert_eq!((&answer["release"], &answer["message"]), (&json!("native-worker@3.1.0"), &json!("hello")));
    assert_eq!(answer["content"], release());
    assert_eq!(server.put(RELEASE, &release()).send().await.expect(200).json(), answer);
    let read = server.get(RELEASE).send().await.expect(200);
    assert_eq!(read.json(), answer);
    server.get(RELEASE).header("if-none-match", read.header("etag")).send().await.expect(304);
    let mut other = release();
    other["description"] = "something else".into();
    server.put(RELEASE, &other).send().await.refused(409, "release-exists");
}

#[tokio::test]
async fn a_dry_run_stores_nothing() {
    let server = Server::local().await;
    server.put(&format!("{RELEASE}?dryRun"), &release()).send().await.expect(200);
    server.get(RELEASE).send().await.refused(404, "unknown-release");
}

#[tokio::test]
async fn a_bad_release_is_refused_with_its_faults() {
    let server = Server::local().await;
    let bad = json!({"variants": [{"name": "posix", "payloadSchema": {"type": "objekt"}}]});
    let problem = server.put(RELEASE, &bad).send().await.refused(422, "invalid-release");
    assert!(problem["errors"][0]["pointer"].as_str().unwrap().starts_with("/variants/0/payloadSchema"), "{problem}");
    server.put("/implementations/Native/releases/1", &release()).send().await.refused(400, "invalid-id");
    server.put("/implementations/native/releases/1%2F2", &release()).send().await.refused(404, "unknown-route");
    server.put("/implementations/native/releases/1.0%2Bb2", &release()).send().await.expect(201);
    server.get("/implementations/native/releases/1.0+b2").send().await.expect(200);
}

#[tokio::test]
async fn releases_are_listed_and_say_who_uses_them() {
    let server = Server::local().await;
    server.publish_release("native-worker@3.0.0", &release()).await;
    server.publish_release("native-worker@3.1.0", &release()).await;
    let definition = json!({"description": "d", "variants": [{"name": "native", "release": "native-worker@3.1.0"}]});
    server.publish("proj/native", &definition).await;
    let list = server.get("/implementations").send().await.expect(200).json();
    let expected = json!([{"name": "native-worker", "versions": ["3.0.0", "3.1.0"], "workerTypes": 1}]);
    assert_eq!(list["implementations"], expected);
    let list = server.get("/implementations/native-worker/releases").send().await.expect(200).json();
    let names: Vec<&str> =
        list["releases"].as_array().unwrap().iter().map(|one| one["release"].as_str().unwrap()).collect();
    assert_eq!(names, ["native-worker@3.0.0", "native-worker@3.1.0"]);
    let used = server.get(&format!("{RELEASE}/used-by")).send().await.expect(200).json();
    assert_eq!(used, json!({"release": "native-worker@3.1.0", "workerTypes": [{"workerTypeId": "proj/native"}]}));
    server.get("/implementations/native-worker/releases/9/used-by").send().await.refused(404, "unknown-release");
    server.get("/implementations/other/releases").send().await.refused(404, "unknown-implementation");
    server.get("/implementations/Other/releases").send().await.refused(400, "invalid-id");
}
