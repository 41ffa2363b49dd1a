//! Reads that follow a write, by its cursor.

use crate::access::{method, path};
use crate::faulty_store::FaultyStore;
use crate::harness::{Given, Reply, Request, Server, definition, described, wait_until};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use registry::store::{Author, Change};
use registry::{Cursor, Precondition, Registry, Settings, Store, WriteContext};
use reqwest::Method;
use serde_json::{Value, json};
use service::Body;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::SqlStore;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use worker_manager::{OPERATIONS, Options};
use worker_types::{Caller, Generation, WorkerTypeId, content_hash};

const CURSOR: &str = "x-registry-cursor";
const LINUX: &str = "/worker-types/proj/linux";

fn cursor(reply: &Reply) -> Cursor {
    reply.header(CURSOR).parse().unwrap_or_else(|_| panic!("no cursor: {reply:?}"))
}

fn next(server: &Server) -> Cursor {
    let here = server.registry.snapshot().cursor();
    Cursor { sequence: here.sequence + 1, ..here }
}

async fn with_patience(patience: Duration) -> Server {
    let options = Options { cursor_patience: patience, ..Options::default() };
    let server = Given { options, ..Given::default() }.server().await;
    server.publish("proj/linux", &definition()).await;
    server
}

#[tokio::test]
async fn every_write_names_the_place_of_its_event() {
    let server = Server::local().await;
    let any = |request: Request<'static>| request.header("if-match", "*");
    // Leaked: the requests of a table outlive the statement that makes them.
    let server: &'static Server = Box::leak(Box::new(server));
    let mut rolling = described("3");
    rolling["rollout"] = json!({"policy": "strict"});
    let release = json!({"variants": [{"name": "a", "payloadSchema": {"type": "object"}}]});
    let post = |path: &str| server.request(Method::POST, path);
    let writes = [
        any(server.put(LINUX, &definition())),
        any(server.put(LINUX, &described("2"))),
        any(server.put(LINUX, &rolling)),
        any(server.put(&format!("{LINUX}/rollout"), &json!({"policy": "lenient"}))),
        any(post(&format!("{LINUX}/rollout/complete"))),
        any(server.put(LINUX, &rolling)),
        any(post(&format!("{LINUX}/rollout/abort"))),
        any(server.post(&format!("{LINUX}/rollback"), &json!({"revision": 1}))),
        server.put("/implementations/w/releases/1", &release),
        any(server.put("/implementations/w/releases/1/mark", &json!({"state": "deprecated"}))),
        any(server.request(Method::DELETE, LINUX)),
    ];
    for (write, sequence) in writes.into_iter().zip(1..) {
        let reply = write.send().await;
        assert!(reply.status < 300, "{}", reply.text());
        assert_eq!(cursor(&reply).sequence, sequence, "{}", reply.text());
    }
    let export = server.get("/export").send().await.expect(200).bytes;
    let other = Server::local().await;
    let imported = other.request(Method::POST, "/import").body("application/x-ndjson", export).send().await.expect(200);
    assert_eq!(cursor(&imported), other.registry.snapshot().cursor());
    assert!(cursor(&imported).sequence > 0);
}

#[tokio::test]
async fn what_stores_nothing_names_none_and_a_retry_names_where_it_was_stored() {
    let server = Server::local().await;
    let first = server.put(LINUX, &definition()).header("if-match", "*").send().await.expect(201);
    let again = server.put(LINUX, &definition()).header("if-match", "*").send().await.expect(200);
    assert_eq!(cursor(&again), cursor(&first));
    let dry = server.put(&format!("{LINUX}?dryRun=true"), &described("2")).send().await.expect(200);
    let plan = server.post("/implementations/w/releases/1/adopt", &json!({})).send().await;
    for reply in [dry, plan] {
        assert_eq!(reply.header(CURSOR), "", "{}", reply.text());
    }
}

/// The rows that read, but for two: the feed has a cursor of its own, and the status is nobody's write.
#[test]
fn every_read_of_the_table_can_wait() {
    let reads_by_post = ["validate", "validateTasks", "checkDefinition"];
    for operation in OPERATIONS {
        let reads = operation.method.is_safe() && !["watchEvents", "status"].contains(&operation.id);
        let waits = operation.waits.is_some();
        assert_eq!(waits, reads || reads_by_post.contains(&operation.id), "{}", operation.id);
    }
}

/// A request of each row that can wait.
pub fn reads(server: &Server) -> impl Iterator<Item = (&'static str, Request<'_>)> {
    OPERATIONS.iter().filter(|operation| operation.waits.is_some()).map(move |operation| {
        let request = server.request(method(operation), &path(operation));
        let request = match operation.body {
            Some(body) if body.media == Body::JSON => request.json(&json!({"payload": {}})),
            Some(body) => request.body(body.media[0], ""),
            None => request,
        };
        (operation.id, request)
    })
}

#[tokio::test]
async fn a_read_of_what_was_applied_is_answered_as_without_a_cursor() {
    let server = with_patience(Duration::from_secs(20)).await;
    let here = server.registry.snapshot().cursor().to_string();
    for ((id, plain), (_, waiting)) in reads(&server).zip(reads(&server)) {
        let (plain, waiting) = (plain.send().await, waiting.header(CURSOR, &here).send().await);
        assert_eq!((plain.status, plain.text().len()), (waiting.status, waiting.text().len()), "{id}");
    }
}

#[tokio::test]
async fn a_cursor_that_was_never_given_out_is_refused_at_once() {
    let server = with_patience(Duration::from_secs(600)).await;
    let (epoch, future) = (Cursor { epoch: "another".to_owned(), sequence: 1 }, next(&server));
    for given in ["", "rubbish", "\u{e9}", &epoch.to_string(), &future.to_string()] {
        for (_, request) in reads(&server) {
            request.header(CURSOR, given).send().await.refused(400, "invalid-cursor");
        }
    }
}

#[tokio::test]
async fn a_server_that_cannot_hear_of_the_change_says_so_after_a_bounded_time() {
    let server = with_patience(Duration::from_millis(100)).await;
    let missing = next(&server);
    server.store.set_away(true);
    for (id, request) in reads(&server) {
        let start = Instant::now();
        let reply = request.header(CURSOR, &missing.to_string()).send().await;
        assert!(start.elapsed() < Duration::from_secs(10), "{id}: {:?}", start.elapsed());
        assert_eq!(reply.header("retry-after"), "1", "{id}");
        let refusal = reply.refused(503, "behind");
        assert_eq!((&refusal["applied"], &refusal["wanted"]), (&json!(1), &json!(2)), "{id}");
    }
}

#[tokio::test]
async fn a_read_that_waits_is_answered_as_soon_as_the_change_is_heard_of() {
    let server = with_patience(Duration::from_secs(60)).await;
    let missing = next(&server).to_string();
    server.store.set_away(true);
    wait_until("the registry notices", async || server.registry.health().trouble.is_some()).await;
    let waiting = server.get(LINUX).header(CURSOR, &missing);
    let (reply, ()) = tokio::join!(waiting.send(), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.store.set_away(false);
        server.publish("proj/linux", &described("new")).await;
    });
    assert_eq!(reply.expect(200).json()["definition"]["description"], "new");
}

/// The token of another page of the same list, as a server gives it that has applied more or less, or has another feed.
fn of_another(token: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut written: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(token).unwrap()).unwrap();
    change(&mut written);
    BASE64_URL_SAFE_NO_PAD.encode(written.to_string())
}

#[tokio::test]
async fn a_list_that_another_server_began_goes_on_from_no_earlier_state() {
    let server = with_patience(Duration::from_millis(100)).await;
    server.publish("proj/other", &definition()).await;
    let first = server.get("/worker-types?limit=1").send().await.expect(200).json();
    let token = first["continuationToken"].as_str().unwrap();
    let next = async |token: &str| server.get(&format!("/worker-types?limit=1&continuationToken={token}")).send().await;
    assert_eq!(next(token).await.expect(200).json()["workerTypes"][0]["workerTypeId"], "proj/other");
    let later = of_another(token, |token| token["sequence"] = json!(token["sequence"].as_u64().unwrap() + 1));
    next(&later).await.refused(400, "invalid-continuation-token");
    server.store.set_away(true);
    next(&later).await.refused(503, "behind");
    let foreign = of_another(token, |token| token["epoch"] = json!("another"));
    next(&foreign).await.refused(400, "invalid-continuation-token");
}

fn linux() -> WorkerTypeId {
    "proj/linux".parse().unwrap()
}

/// What another server publishes.
fn published_elsewhere(store: &SqlStore, definition: &Value) {
    let change = Change::Publish {
        definition: definition.to_string(),
        content_hash: content_hash(definition),
        warnings: "[]".to_owned(),
        older: None,
        rollback_of: None,
        compatibility: None,
    };
    let author = Author { name: "elsewhere".to_owned(), at: jiff::Timestamp::now(), message: None, request_id: None };
    store.change_worker_type(&linux(), &author, &mut |_| Some(change.clone())).unwrap();
}

/// A deletion looks at nothing that reads show, so that nothing but the order of events decides here.
#[tokio::test]
async fn a_write_that_was_overtaken_does_not_hide_the_later_state_that_reads_show_already() {
    let store = Arc::new(FaultyStore::new(SqlStore::open("sqlite::memory:", &database::Options::default()).unwrap()));
    let registry = Arc::new(Registry::open(store.clone(), Settings::default()).unwrap());
    let (deleting, runtime) = (registry.clone(), Handle::current());
    let (sender, deleted) = oneshot::channel();
    store.before_the_next_read(move |store| {
        let registry = deleting.clone();
        let (precondition, message, request_id) = (Some(Precondition::Any), None, None);
        let context = WriteContext { caller: Caller::unrestricted("ann"), precondition, message, request_id };
        runtime.spawn(async move { sender.send(registry.delete(linux(), context).await).unwrap() });
        let patience = Instant::now() + Duration::from_secs(60);
        while deleting.written().sequence < 2 {
            assert!(Instant::now() < patience, "the deletion did not come to its end");
            std::thread::sleep(Duration::from_millis(1));
        }
        published_elsewhere(store, &described("third"));
    });
    published_elsewhere(store.inner(), &described("first"));
    let first = Cursor { sequence: 1, ..registry.snapshot().cursor() };
    registry.wait_for(&first, Duration::from_secs(60)).await.unwrap();
    let shown = registry.live(&linux()).unwrap().record.generation;
    let tombstone = deleted.await.unwrap().unwrap().record.generation;
    assert_eq!((tombstone, shown), (Generation(2), Generation(3)), "the read for the first change saw the third");
    assert_eq!(registry.live(&linux()).unwrap().record.generation, shown);
}
