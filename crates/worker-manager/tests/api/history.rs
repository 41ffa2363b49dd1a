//! Revisions, their differences, and going back.

use crate::harness::{Server, definition, described};
use reqwest::Method;
use serde_json::json;

const LINUX: &str = "/worker-types/proj/linux";

#[tokio::test]
async fn the_history_is_listed_newest_first_in_pages() {
    let server = Server::local().await;
    for number in 1..=5 {
        server.publish("proj/linux", &described(&number.to_string())).await;
    }
    let first = server.get(&format!("{LINUX}/revisions?limit=2")).send().await.expect(200).json();
    let numbers = |list: &serde_json::Value| -> Vec<u64> {
        list["revisions"].as_array().unwrap().iter().map(|one| one["revision"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&first), [5, 4]);
    let token = first["continuationToken"].as_str().unwrap();
    let rest = server.get(&format!("{LINUX}/revisions?continuationToken={token}")).send().await.expect(200).json();
    assert_eq!(numbers(&rest), [3, 2, 1]);
    assert!(rest.get("continuationToken").is_none());
    server.publish("proj/other", &definition()).await;
    let path = format!("/worker-types/proj/other/revisions?continuationToken={token}");
    server.get(&path).send().await.refused(400, "invalid-continuation-token");
    server.get("/worker-types/proj/none/revisions").send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn a_revision_is_read_as_it_was_published() {
    let server = Server::local().await;
    let published = server.publish("proj/linux", &described("1")).await;
    server.publish("proj/linux", &described("2")).await;
    let revision = server.get(&format!("{LINUX}/revisions/1")).send().await.expect(200).json();
    assert_eq!(revision["definition"], described("1"));
    assert_eq!(revision["contentHash"], published["contentHash"]);
    assert!(revision.get("generation").is_none(), "a revision does not change with what is live");
    let problem = server.get(&format!("{LINUX}/revisions/3")).send().await.refused(404, "unknown-revision");
    assert_eq!(problem["lastRevision"], 2);
    for bad in ["0", "x", "-1", "4294967296"] {
        server.get(&format!("{LINUX}/revisions/{bad}")).send().await.refused(400, "invalid-id");
    }
    server.get("/worker-types/proj/none/revisions/1").send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn a_difference_is_shown_as_lines() {
    let server = Server::local().await;
    server.publish("proj/linux", &described("old words")).await;
    server.publish("proj/linux", &described("new words")).await;
    let diff = server.get(&format!("{LINUX}/diff?from=1&to=2")).send().await.expect(200).json();
    let unified = diff["unified"].as_str().unwrap();
    assert!(unified.contains("--- revision 1") && unified.contains("+++ revision 2"), "{unified}");
    assert!(
        unified.contains("-  \"description\": \"old words\"") && unified.contains("+  \"description\": \"new words\""),
        "{unified}"
    );
    let same = server.get(&format!("{LINUX}/diff?from=2&to=2")).send().await.expect(200).json();
    assert_eq!((&same["equal"], &same["unified"]), (&json!(true), &json!("")));
    server.get(&format!("{LINUX}/diff?from=1&to=9")).send().await.refused(404, "unknown-revision");
    server.get(&format!("{LINUX}/diff?from=1")).send().await.refused(400, "invalid-query");
    server.get("/worker-types/proj/none/diff?from=1&to=1").send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn a_rollback_is_a_new_revision_with_the_old_content() {
    let server = Server::local().await;
    let first = server.publish("proj/linux", &described("1")).await;
    server.publish("proj/linux", &described("2")).await;
    let rollback = |body: serde_json::Value| server.post(&format!("{LINUX}/rollback"), &body);
    rollback(json!({"revision": 1})).send().await.refused(428, "precondition-required");
    rollback(json!({"revision": 1})).header("if-match", "\"g1\"").send().await.refused(412, "precondition-failed");
    let body = json!({"revision": 1, "message": "2 broke the builds"});
    let answer = rollback(body).header("if-match", "\"g2\"").send().await.expect(200);
    assert_eq!(answer.header("etag"), "\"g3\"");
    let answer = answer.json();
    assert_eq!((&answer["revision"], &answer["rollbackOf"]), (&json!(3), &json!(1)));
    assert_eq!((&answer["contentHash"], &answer["message"]), (&first["contentHash"], &json!("2 broke the builds")));
    let again = rollback(json!({"revision": 1})).header("if-match", "\"g2\"").send().await.expect(200).json();
    assert_eq!(again["revision"], 3, "a retry after an unknown outcome is safe");
    rollback(json!({"revision": 9})).header("if-match", "*").send().await.refused(404, "unknown-revision");
    for bad in [
        json!({}),
        json!({"revision": 0}),
        json!({"revision": "1"}),
        json!([]),
        json!({"revision": 1, "message": 1}),
        json!({"revision": 1, "mesage": "x"}),
    ] {
        rollback(bad).header("if-match", "*").send().await.refused(400, "invalid-request");
    }
    rollback(json!({"revision": 1})).header("if-match", "nonsense").send().await.refused(400, "invalid-header");
    let request = server.post("/worker-types/proj/none/rollback", &json!({"revision": 1})).header("if-match", "*");
    request.send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn a_rollback_brings_a_deleted_worker_type_back() {
    let server = Server::local().await;
    server.publish("proj/linux", &described("1")).await;
    server.request(Method::DELETE, LINUX).header("if-match", "*").send().await.expect(200);
    let request = server.post(&format!("{LINUX}/rollback"), &json!({"revision": 1})).header("if-match", "*");
    let back = request.send().await.expect(201);
    assert_eq!(back.header("location"), "/api/worker-manager/v1/worker-types/proj/linux");
    server.get(LINUX).send().await.expect(200);
}
