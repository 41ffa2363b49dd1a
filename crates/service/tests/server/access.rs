//! Who may do what.

use crate::sample::{Server, answer};

const READ: &str = "/api/sample/v1/things/p/w";

#[tokio::test]
async fn a_local_server_lets_anyone_on_this_machine_do_everything() {
    let server = Server::local().await;
    let (status, body) = answer(server.get(READ)).await;
    assert_eq!((status, body["caller"].as_str()), (200, Some("local")));
    assert_eq!(answer(server.put(READ, "1")).await.0, 200);
}

#[tokio::test]
async fn a_local_server_refuses_foreign_hosts_and_foreign_pages() {
    let server = Server::local().await;
    for request in [
        server.get(READ).header("host", "evil.example.com"),
        server.get("/livez").header("host", "evil.example.com"),
        server.get("/nothing").header("host", "evil.example.com"),
        server.put(READ, "1").header("origin", "https://evil.example.com"),
    ] {
        let (status, body) = answer(request).await;
        assert_eq!((status, body["problem"].as_str()), (403, Some("foreign-host")));
    }
    let response = server.get(READ).send().await.unwrap();
    assert!(!response.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn with_tokens_each_caller_may_do_what_its_scopes_say() {
    let server = Server::with_tokens().await;
    for (token, read_p, read_q, write) in
        [(None, 403, 403, 403), (Some("r"), 200, 403, 403), (Some("w"), 200, 200, 200), (Some("x"), 401, 401, 401)]
    {
        let with = |request: reqwest::RequestBuilder| match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        assert_eq!(answer(with(server.get(READ))).await.0, read_p, "{token:?}");
        assert_eq!(answer(with(server.get("/api/sample/v1/things/q/w"))).await.0, read_q, "{token:?}");
        assert_eq!(answer(with(server.put(READ, "1"))).await.0, write, "{token:?}");
    }
}

#[tokio::test]
async fn a_refusal_names_the_scope_and_comes_before_the_request_is_read() {
    let server = Server::with_tokens().await;
    let (status, body) = answer(server.put("/api/sample/v1/things/p%2Fw?nonsense=1", "{").bearer_auth("r")).await;
    assert_eq!((status, body["scope"].as_str()), (403, Some("sample:write:p/w")));
    assert_eq!(body["detail"], "this needs the scope sample:write:p/w, which reader does not have");
    let response = server.get(READ).bearer_auth("x").send().await.unwrap();
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
}

#[tokio::test]
async fn pages_of_others_may_read_where_access_is_configured() {
    let server = Server::with_tokens().await;
    let response = server.get("/livez").header("host", "ci.example.com").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    let response = server.put(READ, "1").bearer_auth("w").send().await.unwrap();
    assert!(!response.headers().contains_key("access-control-allow-origin"));
}
