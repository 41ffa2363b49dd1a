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
    assert_eq!(
        used,
        json!({"release": "native-worker@3.1.0", "workerTypes": [{"workerTypeId": "proj/native"}], "continuationToken": null})
    );
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
    server.publish_release("native-worker@3.2.0", &release()).await;
    server
        .publish(
            "proj/native",
            &json!({"description": "d", "variants": [{"name": "n", "release": "native-worker@3.1.0"}]}),
        )
        .await;
    let mark_if = |header: &'static str, seen: &str, body: Value| {
        server.put(&format!("{RELEASE}/mark"), &body).header(header, seen).send()
    };
    let mark = |body: Value| mark_if("if-match", "*", body);
    let etag = server.get(RELEASE).send().await.expect(200).header("etag").to_owned();
    let asked = json!({"state": "deprecated", "reason": "it leaks", "replacedBy": "native-worker@3.2.0"});
    let marked = mark(asked.clone()).await.expect(200).json();
    assert_eq!(marked["mark"]["reason"], "it leaks");
    assert_eq!(server.get(RELEASE).send().await.expect(200).json(), marked);
    mark(asked).await.expect(200);
    let verdict =
        server.post("/worker-types/proj/native/validate", &json!({"payload": {}})).send().await.expect(200).json();
    assert_eq!(verdict["warnings"][0]["problem"], "deprecated-release");
    let instead = |other: &str| json!({"state": "deprecated", "replacedBy": other});
    for bad in [
        json!({}),
        json!({"state": "gone"}),
        json!({"state": 1}),
        instead("x"),
        instead("native-worker@3.1.0"),
        instead("native-worker@9"),
    ] {
        mark(bad).await.refused(400, "invalid-request");
    }
    let withdrawn = json!({"state": "withdrawn"});
    server.put(&format!("{RELEASE}/mark"), &withdrawn).send().await.refused(428, "precondition-required");
    mark_if("if-none-match", "*", withdrawn.clone()).await.refused(412, "precondition-failed");
    mark_if("if-none-match", "\"x\"", withdrawn.clone()).await.refused(400, "invalid-header");
    let lost = mark_if("if-match", &etag, withdrawn.clone()).await;
    let now = server.get(RELEASE).send().await.expect(200).header("etag").to_owned();
    assert_eq!(lost.header("etag"), now, "the mark has made another ETag of the release");
    lost.refused(412, "precondition-failed");
    let written = mark_if("if-match", &now, withdrawn.clone()).await;
    assert_ne!(written.header("etag"), now);
    assert_eq!(written.expect(200).json()["mark"]["state"], "withdrawn");
    let unknown = server.put("/implementations/native-worker/releases/9/mark", &withdrawn).header("if-match", "*");
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
    assert_eq!(
        (&moved["workerTypes"][0]["generation"], &moved["workerTypes"][0]["generationAfter"]),
        (&json!(1), &json!(2))
    );
    let back = || adopt(json!({"apply": true, "rollBack": moved["workerTypes"]}));
    let made = back().await.expect(200).json();
    assert_eq!(
        (&made["workerTypes"][0]["backTo"], &made["workerTypes"][0]["outcome"]),
        (&json!(1), &json!("published"))
    );
    assert_eq!(back().await.expect(200).json()["workerTypes"][0]["outcome"], "unchanged");
    let used_by = |query: &str| server.get(&format!("{RELEASE}/used-by?{query}")).send();
    let first = used_by("limit=1").await.expect(200).json();
    let token = first["continuationToken"].as_str().unwrap();
    let second = used_by(&format!("limit=1&continuationToken={token}")).await.expect(200).json();
    assert_eq!(
        (&first["workerTypes"], &second["workerTypes"], &second["continuationToken"]),
        (&json!([{"workerTypeId": "proj/a"}]), &json!([{"workerTypeId": "proj/b"}]), &Value::Null)
    );
    used_by("continuationToken=x").await.refused(400, "invalid-continuation-token");
    for bad in [
        json!({"were": {}}),
        json!({"where": {"tga": "x"}}),
        json!({"apply": 1}),
        json!({"allowBreaking": true}),
        json!({"message": "a\nb"}),
        json!({"rollBack": true}),
        json!({"rollBack": [], "where": {"tag": "x"}}),
    ] {
        adopt(bad).await.refused(400, "invalid-request");
    }
    let unknown = server.post("/implementations/native-worker/releases/9/adopt", &json!({}));
    unknown.send().await.refused(404, "unknown-release");

    // Ten thousand rows as long as ids can be.
    let many: Vec<Value> = (0..10_000)
        .map(|n| {
            let id = format!("{}/{}{n:05}", "p".repeat(38), "w".repeat(33));
            json!({"workerTypeId": id, "generation": 1000, "generationAfter": 1001, "revisionBefore": 1000, "from": ["native-worker@3.1.0"],
                "backTo": null, "report": 0, "outcome": "published", "revision": 1001, "errors": []})
        })
        .collect();
    let ids: Vec<&Value> = many.iter().map(|row| &row["workerTypeId"]).collect();
    assert_eq!(adopt(json!({"where": {"workerTypes": ids}})).await.expect(200).json()["workerTypes"], json!([]));
    let rows = adopt(json!({"rollBack": many})).await.expect(200).json();
    assert_eq!(rows["workerTypes"].as_array().unwrap().len(), 10_000);
    assert_eq!(rows["workerTypes"][0]["outcome"], "lost-race");

    let mark = server.put("/implementations/native-worker/releases/3.2.0/mark", &json!({"state": "withdrawn"}));
    mark.header("if-match", "*").send().await.expect(200);
    adopt(json!({})).await.refused(409, "withdrawn-release");
}
