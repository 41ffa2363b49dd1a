//! Starting with ten thousand worker types: from the call of the program until it is ready.

use crate::report::{PAIRS, median};
use integration_tests::database::{PostgresDatabase, sqlite_url};
use integration_tests::http;
use integration_tests::server::{Server, scratch};
use serde_json::json;
use std::time::Instant;

const WORKER_TYPES: usize = 10_000;
/// Schemas that differ: many worker types run the same program.
const SCHEMAS: usize = 200;

/// On SQLite, and on PostgreSQL where there is a server.
pub fn measure() {
    let folder = scratch();
    let file = |name: &str| sqlite_url(&folder.path().join(name));
    let export = {
        let server = serve(&file("many.sqlite"));
        fill(&server);
        http::get(&server.api("/export")).text()
    };
    starts("SQLite", &file("many.sqlite"), &file("none.sqlite"));
    if let (Some(many), Some(none)) = (PostgresDatabase::new(), PostgresDatabase::new()) {
        import(&serve(&many.url()), &export);
        starts("PostgreSQL", &many.url(), &none.url());
    }
}

fn serve(url: &str) -> Server {
    Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", url, "--access-log", "off"], scratch())
}

/// The median of some starts, against those of an empty registry.
fn starts(database: &str, many: &str, none: &str) {
    let seconds = |url: &str| {
        let start = Instant::now();
        drop(serve(url));
        start.elapsed().as_secs_f64()
    };
    seconds(none);
    let pairs: Vec<(f64, f64)> = (0..PAIRS).map(|_| (seconds(many), seconds(none))).collect();
    let (ours, empty) =
        (median(pairs.iter().map(|pair| pair.0).collect()), median(pairs.iter().map(|pair| pair.1).collect()));
    let name = format!("start until ready, {WORKER_TYPES} worker types, {database}");
    println!("{name:<64} {ours:>9.2} {:<12} against {empty:>9.2}   with none   (bound ≤ 5)", "s");
}

/// Small contracts; the memory and the text of large ones are measured elsewhere.
fn fill(server: &Server) {
    for number in 0..WORKER_TYPES {
        let property = format!("property_{}", number % SCHEMAS);
        let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": [property],
            "properties": {&property: {"type": "string", "description": "What the task wants, in a sentence"}}});
        let definition = json!({"description": format!("worker type {number}"), "compatibility": "none",
            "documentation": "# What runs here\n\nA few words for those who write tasks.",
            "variants": [{"name": "default", "payloadSchema": schema}]});
        assert_eq!(server.publish(&format!("bench/w{number}"), &definition).status, 201);
    }
}

/// An export, as another server gave it.
fn import(server: &Server, export: &str) {
    let request = http::request("POST", &server.api("/import")).header("content-type", "application/x-ndjson");
    assert_eq!(http::send(request.body(export.to_owned())).status, 200);
}
