//! Publishing over HTTP, against bare transactions that write the same rows under the same locks; and reading meanwhile.

use crate::load::{self, Connection};
use crate::report;
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
const PUBLISHES: usize = 500;
/// Some seconds of reads: what a clock of 10 ms says of them is exact to a percent.
const READS: usize = 100_000;
/// Reads alone and reads while publishing take turns, so that a machine that becomes slower meanwhile slows both.
const SLICES: usize = 10;
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
    reads_while_publishing(&file("read.sqlite"), &file("beside.sqlite"));
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
    let host = server.url.trim_start_matches("http://");
    let over_http = || {
        let requests = each_writer(|writer, definition| request(host, id(writer).as_str(), definition));
        rate(requests, |requests| {
            let mut connection = Connection::open(host);
            requests.iter().for_each(|request| assert!(matches!(connection.exchange(request), 200 | 201)));
        })
    };
    let in_the_store = || {
        let changes = each_writer(|writer, definition| (id(writer), change(definition)));
        rate(changes, |changes| changes.iter().for_each(|(id, change)| write(&store, id, change)))
    };
    let name = format!("publish over HTTP, {database}, {WRITERS} writers");
    report::compare(&name, "publishes/s", "≥ 0.7", over_http, in_the_store);
}

/// What each writer will send, made before anything is measured.
fn each_writer<T>(make: impl Fn(usize, &Value) -> T) -> Vec<Vec<T>> {
    let of_one = |writer| {
        let definitions = (0..PUBLISHES).map(|_| definition(NUMBER.fetch_add(1, Ordering::Relaxed)));
        definitions.map(|definition| make(writer, &definition)).collect()
    };
    (0..WRITERS).map(of_one).collect()
}

fn request(host: &str, id: &str, definition: &Value) -> Vec<u8> {
    let body = definition.to_string();
    let head = format!(
        "PUT /api/worker-manager/v1/worker-types/{id} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nif-match: *\r\n\r\n",
        body.len()
    );
    (head + &body).into_bytes()
}

fn change(definition: &Value) -> Change {
    Change::Publish {
        definition: definition.to_string(),
        content_hash: content_hash(definition),
        warnings: "[]".to_owned(),
        older: None,
        rollback_of: None,
        compatibility: None,
    }
}

fn write(store: &SqlStore, id: &WorkerTypeId, change: &Change) {
    let author = Author { name: "bench".to_owned(), at: jiff::Timestamp::now(), message: None, request_id: None };
    store.change_worker_type(id, &author, &mut |_| Some(change.clone())).expect("it is written");
}

/// Writes a second, by all writers together.
fn rate<T: Sync>(writes: Vec<Vec<T>>, write: impl Fn(&[T]) + Sync) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for writes in &writes {
            let write = &write;
            scope.spawn(move || write(writes));
        }
    });
    (WRITERS * PUBLISHES) as f64 / start.elapsed().as_secs_f64()
}

fn reads_while_publishing(url: &str, beside: &str) {
    let [(server, read), (_other, read_elsewhere)] = [url, beside].map(|url| {
        let server = serve(url);
        assert_eq!(server.publish("bench/read", &definition(0)).status, 201);
        let read = server.api("/worker-types/bench/read/payload-schema");
        (server, read)
    });
    let busy = |read: &str| {
        load::get(server.pid(), read, READS / SLICES);
    };
    let name = format!("GET payload-schema, CPU per request, {} publishes/s", 1_000 / PACE.as_millis());
    report::compare_pairs(&name, "µs", "0.9 to 1.1", || {
        let [mut alone, mut meanwhile, mut beside] = [Spent::default(); 3];
        for _ in 0..SLICES {
            alone.add(server.pid(), || {
                busy(&read);
                0
            });
            meanwhile.add(server.pid(), || publishing(&server, || busy(&read)));
            beside.add(server.pid(), || publishing(&server, || busy(&read_elsewhere)));
        }
        // What publishing costs by itself is not the reads' cost. The machine is as busy then: another server is read.
        let of_publishes = beside.micros / beside.publishes as f64 * meanwhile.publishes as f64;
        ((meanwhile.micros - of_publishes) / READS as f64, alone.micros / READS as f64)
    });
}

/// Processor time of a server, and how often it published meanwhile.
#[derive(Clone, Copy, Default)]
struct Spent {
    micros: f64,
    publishes: usize,
}

impl Spent {
    fn add(&mut self, pid: u32, work: impl FnOnce() -> usize) {
        let before = load::cpu_micros(pid);
        self.publishes += work();
        self.micros += load::cpu_micros(pid) - before;
    }
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
