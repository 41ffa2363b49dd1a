//! Publishing over HTTP, against bare transactions that write the same rows under the same locks; and reading meanwhile.

use crate::{load, report};
use database::Options;
use integration_tests::database::{PostgresDatabase, sqlite_url};
use integration_tests::server::{Server, scratch};
use registry::Store;
use registry::store::{Author, Change};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::SqlStore;
use worker_types::{WorkerTypeId, content_hash};

const WRITERS: usize = 4;
/// What each writer publishes in one measurement.
const PUBLISHES: usize = 150;
const READS: usize = 20_000;
/// Publishes a second while it is read: a large installation's on a busy day.
const PACE: Duration = Duration::from_millis(20);

/// Of the definition that is published next: no two are the same.
static NUMBER: AtomicUsize = AtomicUsize::new(1);

/// Both databases, where there are both.
pub fn measure() {
    let folder = scratch();
    let file = |name: &str| sqlite_url(&folder.path().join(name));
    against_bare_transactions("SQLite", &file("ours.sqlite"), &file("bare.sqlite"));
    if let (Some(ours), Some(bare)) = (PostgresDatabase::new(), PostgresDatabase::new()) {
        against_bare_transactions("PostgreSQL", &ours.url(), &bare.url());
    }
    reads_while_publishing(&file("read.sqlite"));
}

/// A definition that is new each time, whose schema is not.
fn definition(number: usize) -> Value {
    let properties: serde_json::Map<String, Value> = (0..50)
        .map(|n| (format!("property{n}"), json!({"type": "string", "maxLength": 100, "description": "How the task says what it wants, in words that are long enough"})))
        .collect();
    let schema =
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties});
    json!({"description": format!("publish {number}"), "compatibility": "none",
        "variants": [{"name": "default", "payloadSchema": schema}]})
}

fn id(writer: usize) -> WorkerTypeId {
    format!("bench/writer{writer}").parse().expect("it is an id")
}

fn serve(url: &str) -> Server {
    Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", url, "--access-log", "off"], scratch())
}

fn against_bare_transactions(database: &str, ours: &str, bare: &str) {
    let server = serve(ours);
    let store = SqlStore::open(bare, &Options::default()).expect("a database of its own");
    let over_http = |writer: usize| {
        let answer = server.publish(id(writer).as_str(), &definition(NUMBER.fetch_add(1, Ordering::Relaxed)));
        assert!(matches!(answer.status, 200 | 201), "{}", answer.text());
    };
    let in_the_store = |writer: usize| {
        let definition = definition(NUMBER.fetch_add(1, Ordering::Relaxed));
        let author = Author { name: "bench".to_owned(), at: jiff::Timestamp::now(), message: None, request_id: None };
        let (hash, text) = (content_hash(&definition), definition.to_string());
        let mut publish = |_: Option<&_>| {
            Some(Change::Publish {
                definition: text.clone(),
                content_hash: hash.clone(),
                warnings: "[]".to_owned(),
                older: None,
                rollback_of: None,
                compatibility: None,
            })
        };
        store.change_worker_type(&id(writer), &author, &mut publish).expect("it is written");
    };
    let name = format!("publish over HTTP, {database}, {WRITERS} writers");
    report::compare(&name, "publishes/s", "≥ 0.7", || rate(&over_http), || rate(&in_the_store));
}

/// Writes a second, by all writers together.
fn rate(write: &(dyn Fn(usize) + Sync)) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || (0..PUBLISHES).for_each(|_| write(writer)));
        }
    });
    (WRITERS * PUBLISHES) as f64 / start.elapsed().as_secs_f64()
}

fn reads_while_publishing(url: &str) {
    let server = serve(url);
    assert_eq!(server.publish("bench/read", &definition(0)).status, 201);
    let read = server.api("/worker-types/bench/read/payload-schema");
    let alone = || load::get(server.pid(), &read, READS).0;
    // What publishing costs by itself is not the reads' cost.
    let cost = {
        let before = load::cpu_micros(server.pid());
        let published = publishing(&server, || std::thread::sleep(Duration::from_secs(3)));
        (load::cpu_micros(server.pid()) - before) / published as f64
    };
    let meanwhile = || {
        let mut each = 0.0;
        let published = publishing(&server, || each = load::get(server.pid(), &read, READS).0);
        each - cost * published as f64 / READS as f64
    };
    let name = format!("GET payload-schema, CPU per request, {} publishes/s", 1_000 / PACE.as_millis());
    report::compare(&name, "µs", "0.9 to 1.1", meanwhile, alone);
}

/// Publishes at a steady pace while `work` goes on; says how often.
fn publishing(server: &Server, work: impl FnOnce()) -> usize {
    let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let next = Instant::now() + PACE;
                let fresh = definition(NUMBER.fetch_add(1, Ordering::Relaxed));
                assert!(matches!(server.publish("bench/other", &fresh).status, 200 | 201));
                count.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(next.saturating_duration_since(Instant::now()));
            }
        });
        work();
        stop.store(true, Ordering::Relaxed);
    });
    count.into_inner()
}
