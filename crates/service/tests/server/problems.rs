//! Refusals: one body everywhere.

use crate::sample::{Server, answer};
use serde_json::json;

const THING: &str = "/api/sample/v1/things/p/w";

async fn problem(request: reqwest::RequestBuilder) -> (u16, String, String) {
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let body: serde_json::Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    let text = |name: &str| body[name].as_str().unwrap().to_owned();
    (body["status"].as_u64().unwrap() as u16, text("problem"), text("detail"))
}

#[tokio::test]
async fn a_problem_document_has_rfc_9457s_members_and_taskclusters() {
    let server = Server::local().await;
    let response = server.put(THING, "\"conflict\"").header("x-request-id", "my-id").send().await.unwrap();
    assert_eq!(response.headers()["x-request-id"], "my-id");
    let body: serde_json::Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    let time = body["requestInfo"]["time"].as_str().unwrap().to_owned();
    assert_eq!(
        body,
        json!({
            "type": "/problems/precondition-failed", "title": "Somebody else changed it first", "status": 412,
            "detail": "somebody was first", "instance": THING, "problem": "precondition-failed", "code": "RequestConflict",
            "message": format!("somebody was first\n\n---\n\n* method:     writeThing\n* errorCode:  RequestConflict\n* statusCode: 412\n* time:       {time}"),
            "requestInfo": {"method": "writeThing", "params": {"provisionerId": "p", "workerType": "w"}, "payload": null, "time": time},
            "errors": [], "generation": 4, "requestId": "my-id",
        })
    );
    let (status, page) = answer(server.get(body["type"].as_str().unwrap())).await;
    assert_eq!(status, 200);
    assert!(page.as_str().unwrap().contains("<h1>Somebody else changed it first</h1>"));
}

#[tokio::test]
async fn what_no_route_takes_is_a_problem_too() {
    let server = Server::local().await;
    for path in
        ["/", "/nothing", "/api/sample/v1/nothing", "/api/sample/v1/things/p", "/api/sample/v1/things/p/w/x/y/z"]
    {
        assert_eq!(problem(server.get(path)).await.1, "unknown-route", "{path}");
    }
    let request = server.http.delete(format!("{}{THING}", server.running.url()));
    let response = request.send().await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["allow"]), (405, &"GET, HEAD, PUT".parse().unwrap()));
    let request = server.http.post(format!("{}/livez", server.running.url()));
    assert_eq!(problem(request).await.1, "method-not-allowed");
    assert_eq!(problem(server.get("/problems/lost-rice")).await.1, "unknown-route");
}

#[tokio::test]
async fn ids_and_queries_are_read_strictly() {
    let server = Server::local().await;
    let (status, name, detail) = problem(server.get("/api/sample/v1/things/p/W_1")).await;
    assert_eq!((status, name.as_str()), (400, "invalid-id"));
    assert!(detail.contains("p/W_1") && detail.contains("[a-z]"), "{detail}");
    assert_eq!(problem(server.get("/api/sample/v1/things/p/%ff")).await.1, "invalid-id");
    let (_, name, detail) = problem(server.get("/api/sample/v1/things/p/w?word=x")).await;
    assert_eq!(name, "invalid-query");
    assert_eq!(detail, "there is no query parameter \"word\" here; did you mean words? (it has words)");
    assert_eq!(problem(server.put("/api/sample/v1/things/p/w?words=x", "1")).await.1, "invalid-query");
    assert_eq!(problem(server.get("/livez?full")).await.1, "invalid-query");
}

#[tokio::test]
async fn bodies_are_read_strictly() {
    let server = Server::local().await;
    let url = format!("{}{THING}", server.running.url());
    assert_eq!(problem(server.http.put(&url).body("1")).await.1, "wrong-content-type");
    assert_eq!(
        problem(server.http.put(&url).header("content-type", "text/json").body("1")).await.1,
        "wrong-content-type"
    );
    assert_eq!(problem(server.put(THING, "1").header("content-encoding", "gzip")).await.1, "wrong-content-type");
    let request = server.http.put(&url).header("content-type", "Application/JSON; charset=utf-8").body("1");
    assert_eq!(answer(request).await.0, 200);
    for (body, name) in [
        ("{", "malformed-json"),
        ("", "malformed-json"),
        ("{\"a\":1,\"a\":2}", "duplicate-key"),
        ("\"\\u0000\"", "nul-character"),
    ] {
        assert_eq!(problem(server.put(THING, body)).await.1, name, "{body}");
    }
    let deep = "[".repeat(50) + &"]".repeat(50);
    assert_eq!(answer(server.put(THING, deep)).await.0, 200);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_with_the_setting_that_holds_it() {
    let server = Server::local().await;
    let body = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
    assert_eq!(answer(server.put(THING, body(100))).await.0, 200);
    let (status, name, detail) = problem(server.put(THING, body(101))).await;
    assert_eq!((status, name.as_str()), (413, "too-large"));
    assert_eq!(detail, "the body is larger than 100 bytes, the limit that the setting max_thing_bytes holds");
    let parts = futures_util::stream::iter((0..200).map(|_| Ok::<_, std::io::Error>("1")));
    assert_eq!(problem(server.put(THING, reqwest::Body::wrap_stream(parts))).await.1, "too-large");
}

#[tokio::test]
async fn a_fault_of_ours_keeps_its_cause_to_itself() {
    let server = Server::local().await;
    let response = server.get("/api/sample/v1/broken").send().await.unwrap();
    assert_eq!(response.status(), 500);
    assert!(!response.text().await.unwrap().contains("secret"));
}
