//! Publishing: what becomes live, what is refused, and in which order it is asked.

use crate::harness::{Given, Server, definition, described};
use serde_json::json;

const LINUX: &str = "/worker-types/proj/linux";

#[tokio::test]
async fn given_nothing_when_published_then_it_is_created_and_read_back() {
    let server = Server::local().await;
    let path = format!("{LINUX}?message=first%20try");
    let created = server.put(&path, &definition()).header("if-none-match", "*").send().await.expect(201);
    assert_eq!(created.header("etag"), "\"g1\"");
    assert_eq!(created.header("location"), "/api/worker-manager/v1/worker-types/proj/linux");
    let answer = created.json();
    assert_eq!(answer["workerTypeId"], "proj/linux");
    assert_eq!((&answer["generation"], &answer["revision"]), (&json!(1), &json!(1)));
    assert_eq!((&answer["message"], &answer["publishedBy"]), (&json!("first try"), &json!("local")));
    assert_eq!(answer["definition"].to_string(), definition().to_string(), "in its author's order");
    let read = server.get(LINUX).send().await.expect(200);
    assert_eq!(read.bytes, created.bytes);
    assert_eq!(read.header("etag"), "\"g1\"");
}

#[tokio::test]
async fn the_order_of_checks_is_428_then_200_for_the_same_then_412() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let problem = server.put(LINUX, &described("new")).send().await.refused(428, "precondition-required");
    assert!(problem["detail"].as_str().unwrap().contains("If-Match"), "{problem}");
    server.put(LINUX, &definition()).send().await.refused(428, "precondition-required");

    let same = server.put(LINUX, &definition()).header("if-none-match", "*").send().await.expect(200);
    assert_eq!((same.header("etag"), &same.json()["revision"]), ("\"g1\"", &json!(1)));
    server.put(LINUX, &definition()).header("if-match", "\"g9\"").send().await.expect(200);

    let lost = server.put(LINUX, &described("new")).header("if-match", "\"g9\"").send().await;
    assert_eq!(lost.header("etag"), "\"g1\"");
    assert_eq!(lost.refused(412, "precondition-failed")["generation"], 1);
    server.put(LINUX, &described("new")).header("if-none-match", "*").send().await.refused(412, "precondition-failed");
    let unknown = server.put("/worker-types/proj/other", &definition()).header("if-match", "\"g1\"").send().await;
    assert_eq!(unknown.refused(412, "precondition-failed")["generation"], json!(null));
}

#[tokio::test]
async fn each_etag_of_the_live_state_is_a_precondition() {
    let server = Server::local().await;
    server.publish("proj/linux", &described("1")).await;
    for (generation, tag) in [(1, "\"g1\""), (2, "\"g2+gzip\""), (3, "\"g3-public\""), (4, "*")] {
        let next = described(&format!("after {generation}"));
        let answer = server.put(LINUX, &next).header("if-match", tag).send().await.expect(200).json();
        assert_eq!(answer["generation"], generation + 1, "{tag}");
    }
    for bad in ["g5", "W/\"g5\"", "\"five\"", "\"g5\", \"g6\""] {
        server.put(LINUX, &described("x")).header("if-match", bad).send().await.refused(400, "invalid-header");
    }
}

#[tokio::test]
async fn a_dry_run_needs_no_precondition_and_stores_nothing() {
    let server = Server::local().await;
    let reply = server.put(&format!("{LINUX}?dryRun=true"), &definition()).send().await.expect(200);
    assert_eq!((&reply.json()["revision"], reply.header("etag"), reply.header("location")), (&json!(1), "", ""));
    server.get(LINUX).send().await.refused(404, "unknown-worker-type");
    let bad = json!({"description": "x", "validation": "strict"});
    server.put(&format!("{LINUX}?dryRun=true"), &bad).send().await.refused(422, "invalid-definition");
}

#[tokio::test]
async fn a_bad_definition_is_refused_with_every_fault_at_its_place() {
    let server = Server::local().await;
    let bad = json!({"descripton": "x", "validation": "enforced", "tags": [1]});
    let reply = server.put(LINUX, &bad).header("if-match", "*").header("x-request-id", "r").send().await;
    let mut problem = reply.refused(422, "invalid-definition");
    problem["requestInfo"]["time"] = json!("[time]");
    problem["message"] = json!(problem["message"].as_str().unwrap().split("* time").next().unwrap());
    insta::assert_snapshot!(serde_json::to_string_pretty(&problem).unwrap());
    server.get(LINUX).send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn bodies_that_are_no_definition_are_refused() {
    let server = Server::local().await;
    let send = |body: &'static str| {
        server.request(reqwest::Method::PUT, LINUX).header("if-match", "*").body("application/json", body).send()
    };
    send("{").await.refused(400, "malformed-json");
    send(r#"{"description":"a","description":"b"}"#).await.refused(400, "duplicate-key");
    send(r#"{"description":"\u0000"}"#).await.refused(400, "nul-character");
    send("[]").await.refused(422, "invalid-definition");
    let deep = format!("{{\"description\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    let reply = server.request(reqwest::Method::PUT, LINUX).header("if-match", "*").body("application/json", deep);
    reply.send().await.refused(400, "too-deep");
    let yaml =
        server.request(reqwest::Method::PUT, LINUX).header("if-match", "*").body("application/yaml", "description: x");
    let problem = yaml.send().await.refused(415, "wrong-content-type");
    assert!(problem["detail"].as_str().unwrap().contains("application/json"), "{problem}");
}

#[tokio::test]
async fn a_definition_over_the_limit_is_refused_and_one_at_the_limit_is_not() {
    let server = Server::local().await;
    let sized = |bytes: usize| {
        let shell =
            json!({"description": "d", "documentation": "", "variants": [{"name": "a", "configuration": {"x": ""}}]});
        let mut definition = shell.clone();
        definition["variants"][0]["configuration"]["x"] = "x".repeat(bytes - shell.to_string().len()).into();
        definition
    };
    server.put(LINUX, &sized(1 << 20)).header("if-match", "*").send().await.expect(201);
    let problem = server.put(LINUX, &sized((1 << 20) + 1)).header("if-match", "*").send().await;
    assert_eq!(problem.refused(422, "invalid-definition")["errors"][0]["problem"], "too-large");
    let problem = server.put(LINUX, &sized(2 << 20)).header("if-match", "*").send().await.refused(413, "too-large");
    assert_eq!((&problem["limit"], &problem["setting"]), (&json!(1_310_720), &json!("max_definition_body_bytes")));
    let given = Given {
        options: worker_manager::Options {
            body_limits: [("max_definition_body_bytes", 50)].into(),
            ..Default::default()
        },
        ..Given::default()
    };
    let small = given.server().await;
    small.put(LINUX, &definition()).header("if-match", "*").send().await.refused(413, "too-large");
}

#[tokio::test]
async fn a_rollout_keeps_two_revisions_live_until_it_is_replaced() {
    let server = Server::local().await;
    server.publish("proj/linux", &described("1")).await;
    let mut second = described("2");
    second["rollout"] = json!({"policy": "lenient"});
    let answer = server.publish("proj/linux", &second).await;
    let rollout = &answer["rollout"];
    assert_eq!((&rollout["from"], &rollout["to"], &rollout["policy"]), (&json!(1), &json!(2), &json!("lenient")));
    let reply = server.put(LINUX, &described("3")).header("if-match", "*").send().await;
    assert_eq!(reply.refused(409, "rollout-open")["from"], 1);
    let path = format!("{LINUX}?rollout=replace");
    let answer = server.put(&path, &described("3")).header("if-match", "\"g2\"").send().await.expect(200).json();
    assert_eq!((&answer["revision"], answer.get("rollout")), (&json!(3), None));
    server.put(&format!("{LINUX}?rollout=keep"), &described("4")).send().await.refused(400, "invalid-query");
}

#[tokio::test]
async fn ids_in_path_and_body_must_agree_and_fit() {
    let server = Server::local().await;
    let mut named = definition();
    named["workerTypeId"] = "proj/windows".into();
    let reply = server.put(LINUX, &named).header("if-match", "*").send().await;
    assert_eq!(reply.refused(422, "invalid-definition")["errors"][0]["problem"], "id-disagrees");
    server
        .put("/worker-types/proj/Linux", &definition())
        .header("if-match", "*")
        .send()
        .await
        .refused(400, "invalid-id");
    server.put("/worker-types/proj%2Flinux", &definition()).header("if-match", "*").send().await.expect(201);
}
