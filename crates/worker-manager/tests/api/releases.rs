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

#[tokio::test]
async fn a_release_is_published_on_the_state_that_is_meant() {
    let server = Server::local().await;
    let put = |name: &'static str, value: String| server.put(RELEASE, &release()).header(name, &value).send();
    let absent = put("if-match", "*".to_owned()).await.refused(412, "precondition-failed");
    assert!(absent["detail"].as_str().unwrap().contains("not there"), "{absent}");
    put("if-none-match", "*".to_owned()).await.expect(201);
    put("if-none-match", "*".to_owned()).await.expect(200);
    let etag = server.get(RELEASE).send().await.header("etag").to_owned();
    put("if-match", etag).await.expect(200);
    put("if-match", "\"sha256-other\"".to_owned()).await.refused(412, "precondition-failed");
    put("if-none-match", "\"x\"".to_owned()).await.refused(400, "invalid-header");
}

#[tokio::test]
async fn a_deprecated_release_says_so_wherever_it_is_used() {
    let server = Server::local().await;
    server.publish_release("native-worker@3.1.0", &release()).await;
    server
        .publish(
            "proj/native",
            &json!({"description": "d", "variants": [{"name": "n", "release": "native-worker@3.1.0"}]}),
        )
        .await;
    let mark = |body: Value| server.put(&format!("{RELEASE}/mark"), &body).send();
    let asked = json!({"state": "deprecated", "reason": "it leaks", "replacedBy": "native-worker@3.2.0"});
    let marked = mark(asked.clone()).await.expect(200).json();
    assert_eq!(marked["mark"]["reason"], "it leaks");
    assert_eq!(server.get(RELEASE).send().await.expect(200).json(), marked);
    mark(asked).await.expect(200);
    let verdict =
        server.post("/worker-types/proj/native/validate", &json!({"payload": {}})).send().await.expect(200).json();
    assert_eq!(verdict["warnings"][0]["problem"], "deprecated-release");
    for bad in [json!({}), json!({"state": "gone"}), json!({"state": 1}), json!({"state": "active", "replacedBy": "x"})]
    {
        mark(bad).await.refused(400, "invalid-request");
    }
    let unknown = server.put("/implementations/native-worker/releases/9/mark", &json!({"state": "withdrawn"}));
    unknown.send().await.refused(404, "unknown-release");
}

#[tokio::test]
async fn many_worker_types_are_moved_to_a_release_and_back() {
    let server = Server::local().await;
    server.publish_release("native-worker@3.1.0", &release()).await;
    server.publish_release("native-worker@3.2.0", &release()).await;
    let definition = json!({"description": "d", "variants": [{"name": "n", "release": "native-worker@3.1.0"}]});
    for id in ["proj/a", "proj/b"] {
        server.publish(id, &definition).await;
    }
    let adopt = |body: Value| server.post("/implementations/native-worker/releases/3.2.0/adopt", &body).send();
    let plan = adopt(json!({"where": {"provisionerId": "proj"}})).await.expect(200).json();
    assert_eq!((&plan["applied"], plan["workerTypes"].as_array().unwrap().len()), (&json!(false), 2), "{plan}");
    assert_eq!(
        (&plan["reports"][0]["workerTypes"], &plan["reports"][0]["compatibility"]["verdict"]),
        (&json!(2), &json!("compatible"))
    );
    let generations = json!({"proj/a": plan["workerTypes"][0]["generation"]});
    let moved =
        adopt(json!({"apply": true, "generations": generations, "message": "3.2.0 is out"})).await.expect(200).json();
    assert_eq!(
        (&moved["workerTypes"][0]["outcome"], &moved["workerTypes"][0]["revision"]),
        (&json!("published"), &json!(2))
    );
    assert_eq!(moved["workerTypes"].as_array().unwrap().len(), 1, "the other was not in the plan");
    assert_eq!(server.get("/worker-types/proj/a").send().await.json()["message"], "3.2.0 is out");
    let back = adopt(json!({"apply": true, "rollBack": true})).await.expect(200).json();
    assert_eq!(back["workerTypes"][0]["backTo"], 1, "{back}");
    for bad in [
        json!({"were": {}}),
        json!({"where": {"tga": "x"}}),
        json!({"apply": 1}),
        json!({"allowBreaking": true}),
        json!({"message": "a\nb"}),
    ] {
        adopt(bad).await.refused(400, "invalid-request");
    }
    let unknown = server.post("/implementations/native-worker/releases/9/adopt", &json!({}));
    unknown.send().await.refused(404, "unknown-release");
}
