//! Export and import.

use crate::harness::{Given, Server, definition, described};
use reqwest::Method;
use serde_json::{Value, json};

const NDJSON: &str = "application/x-ndjson";

async fn filled() -> Server {
    let server = Server::local().await;
    server
        .publish_release(
            "native-worker@3.1.0",
            &json!({"variants": [{"name": "posix", "payloadSchema": {"type": "object"}}]}),
        )
        .await;
    server.publish("proj/linux", &described("1")).await;
    server.publish("proj/linux", &described("2")).await;
    server
        .publish(
            "proj/native",
            &json!({"description": "d", "variants": [{"name": "n", "release": "native-worker@3.1.0"}]}),
        )
        .await;
    server.publish("proj/gone", &definition()).await;
    server.request(Method::DELETE, "/worker-types/proj/gone").header("if-match", "*").send().await.expect(200);
    server
}

#[tokio::test]
async fn export_then_import_is_the_identity() {
    let source = filled().await;
    let export = source.get("/export").send().await.expect(200);
    assert_eq!(export.header("content-type"), NDJSON);
    let target = Server::local().await;
    let import = || target.request(Method::POST, "/import").body(NDJSON, export.bytes.clone()).send();
    assert_eq!(import().await.expect(200).json(), json!({"records": 4, "new": 4}));
    assert_eq!(target.get("/export").send().await.expect(200).text(), export.text());
    assert_eq!(import().await.expect(200).json(), json!({"records": 4, "new": 0}), "a retry is safe");
    for path in
        ["/worker-types/proj/linux", "/worker-types/proj/native/validation", "/worker-types/proj/linux/revisions/1"]
    {
        assert_eq!(target.get(path).send().await.text(), source.get(path).send().await.text(), "{path}");
    }
    target.get("/worker-types/proj/gone").send().await.refused(410, "deleted");
}

#[tokio::test]
async fn an_import_with_one_bad_line_changes_nothing() {
    let source = filled().await;
    let export = source.get("/export").send().await.expect(200).text();
    let target = Server::local().await;
    let import = |text: String| target.request(Method::POST, "/import").body(NDJSON, text).send();
    let problem = import(export.replacen("\"description\":\"2\"", "\"description\":\"3\"", 1))
        .await
        .refused(422, "invalid-import");
    assert!(problem["errors"][0]["message"].as_str().unwrap().contains("hash"), "{problem}");
    import(export.clone() + "{\n").await.refused(422, "invalid-import");
    import(String::new()).await.refused(422, "invalid-import");
    let list = target.get("/worker-types").send().await.expect(200).json();
    assert_eq!(list["workerTypes"], json!([]));
}

#[tokio::test]
async fn an_import_is_bounded_and_of_its_media_type() {
    let options = worker_manager::Options { body_limits: [("max_import_bytes", 100)].into(), ..Default::default() };
    let server = Given { options, ..Given::default() }.server().await;
    let problem =
        server.request(Method::POST, "/import").body(NDJSON, "x".repeat(101)).send().await.refused(413, "too-large");
    assert_eq!(problem["setting"], "max_import_bytes");
    server.request(Method::POST, "/import").json(&Value::Null).send().await.refused(415, "wrong-content-type");
}
