//! The change feed.

use crate::harness::{Given, Server, definition, described, wait_until};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use worker_manager::{OPERATIONS, Options};
use worker_types::EventKind;

/// The events of a stream, read one by one.
struct Feed {
    response: reqwest::Response,
    text: String,
}

#[derive(Debug, Clone)]
struct Read {
    id: String,
    kind: String,
    data: Value,
}

impl Feed {
    async fn open(server: &Server, path: &str) -> Self {
        let response = server.get(path).open().await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, text: String::new() }
    }

    /// The next event; none at the end.
    async fn next(&mut self) -> Option<Read> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let found = event.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
                    found.unwrap_or_default().to_owned()
                };
                let read =
                    Read { id: field("id"), kind: field("event"), data: serde_json::from_str(&field("data")).unwrap() };
                self.text = rest.to_owned();
                return Some(read);
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.response.chunk()).await.unwrap().unwrap()?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The next event that is no bookmark.
    async fn change(&mut self) -> Read {
        loop {
            let read = self.next().await.unwrap();
            if read.kind != "bookmark" {
                return read;
            }
        }
    }
}

#[tokio::test]
async fn list_then_watch_misses_nothing_and_repeats_nothing() {
    let server = Server::local().await;
    server.publish("proj/a", &definition()).await;
    let list = server.get("/worker-types").send().await.expect(200).json();
    server.publish("proj/b", &definition()).await;
    let mut feed = Feed::open(&server, &format!("/events?cursor={}", list["cursor"].as_str().unwrap())).await;
    let first = feed.next().await.unwrap();
    assert_eq!((first.kind.as_str(), &first.data["cursor"]), ("bookmark", &list["cursor"]));
    assert_eq!(first.id, list["cursor"].as_str().unwrap());
    let event = feed.change().await;
    assert_eq!((event.kind.as_str(), &event.data["workerTypeId"]), ("worker-type-published", &json!("proj/b")));
    server.publish("proj/b", &described("2")).await;
    server
        .post("/worker-types/proj/b/rollback", &json!({"revision": 1}))
        .header("if-match", "*")
        .send()
        .await
        .expect(200);
    server.request(Method::DELETE, "/worker-types/proj/b").header("if-match", "*").send().await.expect(200);
    server.publish_release("w@1", &json!({"variants": [{"name": "a", "payloadSchema": {"type": "object"}}]})).await;
    let kinds = ["worker-type-published", "worker-type-rolled-back", "worker-type-deleted", "release-published"];
    for (index, kind) in kinds.into_iter().enumerate() {
        let event = feed.change().await;
        assert_eq!((event.kind.as_str(), event.data["kind"].as_str().unwrap()), (kind, kind));
        assert_eq!(event.id, event.data["cursor"].as_str().unwrap());
        if index < 3 {
            assert_eq!(event.data["generation"], index + 2);
        }
    }
}

#[tokio::test]
async fn without_a_cursor_the_feed_begins_with_the_oldest_that_is_kept() {
    let server = Server::local().await;
    for name in ["a", "b"] {
        server.publish(&format!("proj/{name}"), &definition()).await;
    }
    let mut feed = Feed::open(&server, "/events").await;
    let ids = [feed.change().await.data["workerTypeId"].clone(), feed.change().await.data["workerTypeId"].clone()];
    assert_eq!(ids, [json!("proj/a"), json!("proj/b")]);
}

#[tokio::test]
async fn a_reader_resumes_after_the_last_event_that_it_saw() {
    let server = Server::local().await;
    for number in 1..=3 {
        server.publish("proj/a", &described(&number.to_string())).await;
    }
    let mut feed = Feed::open(&server, "/events").await;
    let first = feed.change().await;
    drop(feed);
    let request = server.get("/events?cursor=rubbish").header("last-event-id", &first.id);
    let response = request.open().await;
    assert_eq!(response.status(), 200, "Last-Event-ID goes before the query");
    let mut feed = Feed { response, text: String::new() };
    assert_eq!(feed.change().await.data["revision"], 2);
    assert_eq!(feed.change().await.data["revision"], 3);
}

#[tokio::test]
async fn cursors_of_another_feed_or_of_the_future_are_refused() {
    let server = Server::local().await;
    server.publish("proj/a", &definition()).await;
    server.get("/events?cursor=rubbish").send().await.refused(400, "invalid-cursor");
    let here = server.registry.snapshot().cursor();
    let future = registry::Cursor { sequence: here.sequence + 1, ..here.clone() };
    server.get(&format!("/events?cursor={future}")).send().await.refused(400, "invalid-cursor");
    let other = registry::Cursor { epoch: "another".to_owned(), sequence: 1 };
    server.get(&format!("/events?cursor={other}")).send().await.refused(410, "cursor-gone");
    server.get("/events").header("last-event-id", "\u{e9}").send().await.refused(400, "invalid-cursor");
    let mut feed = Feed::open(&server, &format!("/events?cursor={here}")).await;
    assert_eq!(feed.next().await.unwrap().kind, "bookmark");
}

#[tokio::test]
async fn the_head_of_a_stream_tells_no_length() {
    let server = Server::local().await;
    let head = server.request(Method::HEAD, "/events").send().await.expect(200);
    assert_eq!((head.header("content-type"), head.header("content-length")), ("text/event-stream", ""));
}

#[tokio::test]
async fn a_quiet_feed_sends_bookmarks_that_can_be_resumed_from() {
    let options = Options { events_heartbeat: Duration::from_millis(50), ..Options::default() };
    let server = Given { options, ..Given::default() }.server().await;
    server.publish("proj/a", &definition()).await;
    let mut feed = Feed::open(&server, "/events").await;
    let event = feed.change().await;
    for _ in 0..3 {
        let bookmark = feed.next().await.unwrap();
        assert_eq!((bookmark.kind.as_str(), &bookmark.data["cursor"]), ("bookmark", &event.data["cursor"]));
    }
}

#[tokio::test]
async fn a_reader_who_wants_few_is_told_of_those_and_where_it_stands() {
    let options = Options { events_heartbeat: Duration::from_millis(50), ..Options::default() };
    let server = Given { options, ..Given::default() }.server().await;
    let mut feed = Feed::open(&server, "/events?workerTypePrefix=proj/&kinds=worker-type-published").await;
    feed.next().await.unwrap();
    server.publish("other/a", &definition()).await;
    server.publish("proj/a", &definition()).await;
    server.publish("other/a", &described("2")).await;
    assert_eq!(feed.change().await.data["workerTypeId"], "proj/a");
    let here = server.registry.snapshot().cursor().to_string();
    wait_until("a bookmark after what was left out", async || {
        let read = feed.next().await.unwrap();
        assert_eq!(read.kind, "bookmark");
        read.id == here
    })
    .await;
}

#[tokio::test]
async fn streams_end_with_a_word_when_the_server_stops() {
    let server = Server::local().await;
    let mut feed = Feed::open(&server, "/events").await;
    feed.next().await.unwrap();
    let stopping = tokio::spawn(server.running.stop());
    let last = feed.next().await.unwrap();
    assert_eq!(last.kind, "closing");
    assert!(feed.next().await.is_none());
    tokio::time::timeout(Duration::from_secs(5), stopping).await.unwrap().unwrap();
}

#[tokio::test]
async fn many_readers_see_the_same_order() {
    let server = Server::local().await;
    let mut feeds = Vec::new();
    for _ in 0..10 {
        feeds.push(Feed::open(&server, "/events").await);
    }
    for number in 1..=20 {
        server.publish(&format!("proj/w{number}"), &definition()).await;
    }
    let mut seen = Vec::new();
    for feed in &mut feeds {
        let mut ids = Vec::new();
        for _ in 0..20 {
            ids.push(feed.change().await.id);
        }
        seen.push(ids);
    }
    assert!(seen.iter().all(|ids| *ids == seen[0]));
}

#[test]
fn the_reference_names_every_kind_that_can_be_asked_for() {
    let watch = OPERATIONS.iter().find(|operation| operation.id == "watchEvents").unwrap();
    let kinds = watch.query.iter().find(|parameter| parameter.name == "kinds").unwrap();
    let named = kinds.description.split_once(": ").unwrap().1;
    assert_eq!(named.split(", ").collect::<BTreeSet<_>>(), EventKind::TOLD.iter().copied().collect());
}
