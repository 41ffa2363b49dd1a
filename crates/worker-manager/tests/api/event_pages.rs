//! The change feed as pages of JSON, and what filters leave out.

use crate::harness::{Server, definition, described};
use registry::Store;
use serde_json::{Value, json};

const JSON: &str = "application/json";

/// `proj/a` published twice, `other/b` once and deleted, and a release: five changes.
async fn five_changes() -> Server {
    let server = Server::local().await;
    server.publish("proj/a", &definition()).await;
    server.publish("other/b", &definition()).await;
    server.publish("proj/a", &described("2")).await;
    server.request(reqwest::Method::DELETE, "/worker-types/other/b").header("if-match", "*").send().await.expect(200);
    server.publish_release("w@1", &json!({"variants": [{"name": "a", "payloadSchema": {"type": "object"}}]})).await;
    server
}

async fn page(server: &Server, query: &str) -> Value {
    let reply = server.get(&format!("/events{query}")).header("accept", JSON).send().await.expect(200);
    assert_eq!((reply.header("content-type"), reply.header("cache-control")), (JSON, "no-store"));
    reply.json()
}

/// What changed, in short.
fn told(page: &Value) -> Vec<String> {
    let subject = |event: &Value| {
        [&event["workerTypeId"], &event["release"]].iter().find_map(|id| id.as_str()).unwrap_or_default().to_owned()
    };
    let events = page["events"].as_array().unwrap();
    events.iter().map(|event| format!("{} {}", event["kind"].as_str().unwrap(), subject(event))).collect()
}

#[tokio::test]
async fn pages_that_follow_on_one_another_are_the_whole_feed() {
    let server = five_changes().await;
    let whole = page(&server, "").await;
    assert_eq!(
        told(&whole),
        [
            "worker-type-published proj/a",
            "worker-type-published other/b",
            "worker-type-published proj/a",
            "worker-type-deleted other/b",
            "release-published w@1",
        ]
    );
    assert_eq!((&whole["more"], &whole["cursor"]), (&json!(false), &whole["events"][4]["cursor"]));
    for limit in 1..=6 {
        let (mut joined, mut query) = (Vec::new(), format!("?limit={limit}"));
        loop {
            let page = page(&server, &query).await;
            let events = page["events"].as_array().unwrap();
            assert!(events.len() <= limit);
            joined.extend(events.clone());
            if page["more"] == false {
                assert_eq!(page["cursor"], whole["cursor"]);
                break;
            }
            query = format!("?limit={limit}&cursor={}", page["cursor"].as_str().unwrap());
        }
        assert_eq!(Value::from(joined), whole["events"], "in pages of {limit}");
    }
    let here = whole["cursor"].as_str().unwrap();
    assert_eq!(page(&server, &format!("?cursor={here}")).await, json!({"events": [], "cursor": here, "more": false}));
}

#[tokio::test]
async fn filters_leave_out_what_is_not_wanted_and_the_cursor_lies_after_it() {
    let server = five_changes().await;
    let end = page(&server, "").await["cursor"].clone();
    for (query, expected) in [
        ("?workerTypePrefix=proj/", &["worker-type-published proj/a", "worker-type-published proj/a"][..]),
        ("?workerTypePrefix=other%2Fb&kinds=worker-type-deleted", &["worker-type-deleted other/b"]),
        ("?kinds=release-published,worker-type-deleted", &["worker-type-deleted other/b", "release-published w@1"]),
        ("?workerTypePrefix=o&kinds=release-published", &[]),
        ("?workerTypePrefix=pro&kinds=rollout-started", &[]),
    ] {
        let page = page(&server, query).await;
        assert_eq!(told(&page), expected, "{query}");
        assert_eq!((&page["more"], &page["cursor"]), (&json!(false), &end), "{query}");
    }
    let first = page(&server, "?workerTypePrefix=proj/&limit=1").await;
    assert_eq!((told(&first).len(), &first["more"]), (1, &json!(true)));
}

#[tokio::test]
async fn what_cannot_be_filtered_or_paged_is_refused_in_words() {
    let server = five_changes().await;
    let refused = async |query: &str, accept: &str| {
        let reply = server.get(&format!("/events{query}")).header("accept", accept).send().await;
        reply.refused(400, "invalid-query")["detail"].as_str().unwrap().to_owned()
    };
    let detail = refused("?kinds=worker-type-published,publish", JSON).await;
    assert!(detail.contains("\"publish\"") && detail.contains("rollout-completed"), "{detail}");
    let detail = refused("?kinds=", "text/event-stream").await;
    assert!(detail.contains("worker-type-published"), "{detail}");
    let detail = refused("?workerTypePrefix=proj/A", JSON).await;
    assert!(detail.contains("workerTypePrefix") && detail.contains("proj/A"), "{detail}");
    let detail = refused("?limit=10", "text/event-stream").await;
    assert!(detail.contains("Accept: application/json"), "{detail}");
    refused("?limit=10", "*/*").await;
    refused("?limit=0", JSON).await;
    refused("?limit=1001", JSON).await;
    let reply = server.get("/events").header("accept", "text/html").send().await;
    let detail = reply.refused(406, "not-acceptable")["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("text/event-stream") && detail.contains(JSON), "{detail}");
}

#[tokio::test]
async fn pages_refuse_the_cursors_that_streams_refuse() {
    let server = five_changes().await;
    let refused = async |cursor: String, status, problem| {
        server.get(&format!("/events?cursor={cursor}")).header("accept", JSON).send().await.refused(status, problem);
    };
    refused("rubbish".to_owned(), 400, "invalid-cursor").await;
    let here = server.registry.snapshot().cursor();
    refused(registry::Cursor { sequence: here.sequence + 1, ..here.clone() }.to_string(), 400, "invalid-cursor").await;
    refused(registry::Cursor { epoch: "another".to_owned(), ..here }.to_string(), 410, "cursor-gone").await;
}

#[tokio::test]
async fn what_was_forgotten_is_gone_and_a_list_leads_on() {
    let server = five_changes().await;
    let first = page(&server, "?limit=1").await["cursor"].as_str().unwrap().to_owned();
    assert_eq!(server.store.inner().compact_events(jiff::Timestamp::UNIX_EPOCH, 2).unwrap(), 3);
    let server = server.restarted().await;
    for accept in [JSON, "text/event-stream"] {
        let request = server.get("/events").header("accept", accept).header("last-event-id", &first);
        request.send().await.refused(410, "cursor-gone");
    }
    let kept = page(&server, "").await;
    assert_eq!(told(&kept), ["worker-type-deleted other/b", "release-published w@1"]);
    let list = server.get("/worker-types").send().await.expect(200).json();
    server.publish("proj/a", &described("3")).await;
    let next = page(&server, &format!("?cursor={}", list["cursor"].as_str().unwrap())).await;
    assert_eq!(told(&next), ["worker-type-published proj/a"]);
}

#[tokio::test]
async fn rollouts_and_releases_are_told_by_kinds_of_their_own() {
    let server = five_changes().await;
    let rolling = |words: &str| json!({"description": words, "rollout": {"policy": "strict"}});
    let post = |path: &str| server.request(reqwest::Method::POST, path).header("if-match", "*").send();
    server.publish("proj/a", &rolling("3")).await;
    post("/worker-types/proj/a/rollout/complete").await.expect(200);
    server.publish("proj/a", &rolling("4")).await;
    post("/worker-types/proj/a/rollout/abort").await.expect(200);
    let back = server.post("/worker-types/proj/a/rollback", &json!({"revision": 2})).header("if-match", "*");
    back.send().await.expect(200);
    let withdrawn = json!({"state": "withdrawn", "reason": "it leaks"});
    server.put("/implementations/w/releases/1/mark", &withdrawn).header("if-match", "*").send().await.expect(200);
    for (kinds, expected) in [
        ("rollout-started", &["rollout-started proj/a", "rollout-started proj/a"][..]),
        ("rollout-completed,rollout-aborted", &["rollout-completed proj/a", "rollout-aborted proj/a"]),
        ("worker-type-rolled-back", &["worker-type-rolled-back proj/a"]),
        ("release-published,release-marked", &["release-published w@1", "release-marked w@1"]),
    ] {
        assert_eq!(told(&page(&server, &format!("?kinds={kinds}")).await), expected, "{kinds}");
    }
}
