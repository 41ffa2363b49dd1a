//! Who may call what: every row of the table, and the pools that not everybody sees.

use crate::harness::{Given, definition};
use reqwest::Method;
use serde_json::{Value, json};
use service::{Access, Body, COMMON, Operation};
use worker_manager::OPERATIONS;

/// A path of the operation, with ids in it.
pub fn path(operation: &Operation) -> String {
    let path = operation.path.replace("{provisionerId}", "proj").replace("{workerType}", "linux");
    let path = path.replace("{name}", "native-worker").replace("{version}", "3.1.0").replace("{revision}", "1");
    let path = path.replace("{hash}", &format!("sha256:{}", "0".repeat(64)));
    let required = operation.query.iter().filter(|field| field.required).map(|field| format!("{}=1", field.name));
    let query = required.collect::<Vec<_>>().join("&");
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

pub fn method(operation: &Operation) -> Method {
    operation.method.as_str().parse().unwrap()
}

fn scope(operation: &Operation) -> Option<String> {
    match operation.access {
        Access::Public => None,
        Access::Scope(template) | Access::Each(template) => {
            Some(template.replace("<workerTypeId>", "proj/linux").replace("<name>", "native-worker"))
        }
    }
}

#[tokio::test]
async fn every_row_is_refused_to_the_caller_who_lacks_its_scope_and_open_to_the_one_who_has_only_it() {
    let scopes: Vec<Option<String>> = OPERATIONS.iter().map(|operation| scope(operation)).collect();
    let holders: Vec<(String, Vec<&str>)> = OPERATIONS
        .iter()
        .zip(&scopes)
        .map(|(operation, scope)| (operation.id.to_owned(), scope.iter().map(String::as_str).collect()))
        .collect();
    let mut tokens: Vec<(&str, &[&str])> =
        holders.iter().map(|(id, scopes)| (id.as_str(), scopes.as_slice())).collect();
    tokens.push(("nobody", &[]));
    let server = Given::tokens_and(&tokens, &[]).server().await;
    for operation in COMMON {
        server.request(method(operation), operation.path).bearer("who?").send().await.refused(401, "unauthenticated");
        server.request(method(operation), operation.path).bearer("nobody").send().await.expect(200);
    }
    for (operation, scope) in OPERATIONS.iter().zip(&scopes) {
        let request = || {
            let request = server.request(method(operation), &path(operation));
            match operation.body {
                Some(body) if body.media == Body::JSON => request.json(&json!({})),
                Some(body) => request.body(body.media[0], ""),
                None => request,
            }
        };
        let scope = scope.as_ref().expect("no row of this service is public");
        let refusal = request().bearer("nobody").send().await.refused(403, "forbidden");
        let named = refusal["scope"].as_str().unwrap().replace("<workerTypeId>", "proj/linux");
        assert_eq!(named, *scope, "{}", operation.id);
        request().bearer("who?").send().await.refused(401, "unauthenticated");
        if operation.id != "watchEvents" {
            let status = request().bearer(operation.id).send().await.status;
            assert!(!matches!(status, 401 | 403), "{} answered {status} to the one who may", operation.id);
        }
    }
}

#[tokio::test]
async fn every_row_refuses_queries_that_it_does_not_have_and_foreign_hosts() {
    let server = Given::default().server().await;
    for operation in OPERATIONS.iter().chain(COMMON) {
        let path = path(operation);
        let path = path.split('?').next().unwrap();
        let request = || server.request(method(operation), &format!("{path}?nonsense=1"));
        request().send().await.refused(400, "invalid-query");
        request().header("host", "evil.example.com").send().await.refused(403, "foreign-host");
        if operation.method.as_str() != "GET" {
            request().header("origin", "https://evil.example.com").send().await.refused(403, "foreign-host");
        }
    }
}

#[tokio::test]
async fn callers_without_a_token_may_read_and_ask_and_change_nothing() {
    let server = Given::tokens(&[("admin", &["*"])]).server().await.by(Some("admin"));
    server.publish("proj/linux", &definition()).await;
    let server = server.by(None);
    for (operation, expected) in OPERATIONS.iter().map(|operation| {
        let open = [
            "publishWorkerType",
            "deleteWorkerType",
            "rollbackWorkerType",
            "changeRollout",
            "completeRollout",
            "abortRollout",
            "publishRelease",
            "markRelease",
            "adoptRelease",
            "export",
            "import",
        ];
        (operation, !open.contains(&operation.id))
    }) {
        if operation.id == "watchEvents" {
            continue;
        }
        let status = server.request(method(operation), &path(operation)).send().await.status;
        assert_eq!(!matches!(status, 401 | 403), expected, "{} answered {status}", operation.id);
    }
}

#[tokio::test]
async fn the_pool_is_shown_only_to_those_who_may_see_it() {
    let tokens: &[(&str, &[&str])] = &[
        ("publisher", &["worker-manager:publish:proj/*", "worker-manager:get:*"]),
        ("operator", &["worker-manager:get:*", "worker-manager:get-pool:proj/*"]),
    ];
    let server = Given::tokens(tokens).server().await.by(Some("publisher"));
    let mut with_pool = definition();
    with_pool["pool"] = json!({"providerId": "static", "config": {"secretish": 1}});
    server.publish("proj/linux", &with_pool).await;
    with_pool["description"] = "2".into();
    server.publish("proj/linux", &with_pool).await;
    let shows = |value: Value| value.to_string().contains("secretish");
    let rollback = server.post("/worker-types/proj/linux/rollback", &json!({"revision": 1})).header("if-match", "*");
    assert!(!shows(rollback.send().await.expect(200).json()), "a rollback shows no more than a read");
    let without_pool = server.put("/worker-types/proj/linux", &definition()).header("if-match", "*").send().await;
    assert_eq!(without_pool.refused(403, "forbidden")["scope"], "worker-manager:get-pool:proj/linux");
    let reads = ["/worker-types/proj/linux", "/worker-types/proj/linux/revisions/1"];
    let server = server.by(None);
    for path in reads {
        let reply = server.get(path).send().await.expect(200);
        assert!(!shows(reply.json()), "{path}");
        assert!(reply.header("vary").contains("Authorization"), "{path}");
    }
    assert_eq!(server.get(reads[0]).send().await.header("etag"), "\"g3-public\"");
    assert!(server.get(reads[1]).send().await.header("cache-control").starts_with("public"));
    let server = server.by(Some("operator"));
    for path in reads {
        assert!(shows(server.get(path).send().await.expect(200).json()), "{path}");
    }
    assert_eq!(server.get(reads[0]).send().await.header("etag"), "\"g3\"");
    assert!(server.get(reads[1]).send().await.header("cache-control").starts_with("private"));
}

#[tokio::test]
async fn who_published_and_under_which_request_is_kept() {
    let server = Given::tokens(&[("builder", &["*"])]).server().await.by(Some("builder"));
    assert_eq!(server.publish("proj/linux", &definition()).await["publishedBy"], "builder");
}
