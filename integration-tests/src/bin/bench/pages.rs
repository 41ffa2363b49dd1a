//! The pages: how much a browser loads for one, and how long a search among ten thousand worker types takes.

use integration_tests::http;
use integration_tests::server::Server;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Instant;

const WORKER_TYPES: usize = 10_000;
/// On distinct schemas of this number, each with properties of its own.
const SCHEMAS: usize = 200;
const SEARCHES: usize = 200;

/// Publishes, then measures.
pub fn measure() {
    let server = Server::dev();
    let words = ["build", "test", "sign", "deploy", "measure", "lint", "package", "upload"];
    for number in 0..WORKER_TYPES {
        let word = words[number % words.len()];
        let definition = json!({
            "description": format!("{word} on machines of kind {number}"), "owner": format!("team-{}@example.com", number % 90),
            "tags": [word, format!("region-{}", number % 7)],
            "documentation": format!("# Kind {number}\n\nUse it to {word}. It has {} cores and is restarted at night.", number % 64),
            "variants": [{"name": "default", "implementation": {"name": format!("{word}-worker"), "version": "1.0.0"},
                "payloadSchema": schema(number % SCHEMAS)}],
        });
        let id = format!("pool-{}/kind-{number}", number % 40);
        assert_eq!(server.publish(&id, &definition).status, 201);
    }
    let list = http::get(&server.at("/"));
    line("list page of 10000 worker types, uncompressed", list.text().len() as f64 / 1000.0, "kB", "≤ 100");
    for (name, path, bound) in [
        ("scripts of the list page, compressed", "/", "≤ 20"),
        ("scripts of a worker type's page, compressed", "/worker-types/pool-0/kind-0", "≤ 20"),
        ("scripts of the task creator, compressed", "/tasks/new?workerType=pool-0/kind-0", "≤ 220"),
        ("scripts of the definition editor, compressed", "/worker-types/pool-0/kind-0/edit", "≤ 220"),
    ] {
        line(name, scripts(&server, path) / 1000.0, "kB", bound);
    }
    // By words of ids, descriptions, properties, documentation, of nothing; by filters.
    let queries = [
        "query=kind-77",
        "query=measure+machines",
        "query=property_42_3",
        "query=restarted",
        "query=nothing-has-this",
        "query=cores+night&tag=lint",
        "implementation=sign-worker",
        "order=changed",
        "query=42&order=changed",
        "provisionerId=pool-7",
    ];
    let mut times: Vec<f64> = (0..SEARCHES)
        .map(|each| {
            let url = server.at(&format!("/?{}", queries[each % queries.len()]));
            let started = Instant::now();
            http::get(&url).expect(200);
            started.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    line("search among 10000 worker types, the median", times[SEARCHES / 2], "ms", "");
    line("search among 10000 worker types, p95", times[SEARCHES * 95 / 100], "ms", "≤ 50");
}

fn schema(number: usize) -> Value {
    let properties: serde_json::Map<String, Value> = (0..20)
        .map(|each| {
            (
                format!("property_{number}_{each}"),
                json!({"type": "string", "description": format!("what {each} is for")}),
            )
        })
        .collect();
    json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties})
}

/// Bytes of the scripts that a page names, as a browser fetches them.
fn scripts(server: &Server, path: &str) -> f64 {
    let page = http::get(&server.at(path)).expect(200).text();
    let named =
        page.split("\"/assets/").skip(1).filter_map(|rest| rest.split('"').next()).filter(|name| name.ends_with(".js"));
    let names: BTreeSet<&str> = named.collect();
    assert!(!names.is_empty(), "the pages' scripts are not built: make web");
    let size = |name: &&str| {
        let request = http::request("GET", &server.at(&format!("/assets/{name}"))).header("accept-encoding", "gzip");
        let answer = http::send(request);
        assert_eq!(answer.header("content-encoding"), "gzip", "{name}");
        answer.bytes.len() as f64
    };
    names.iter().map(size).sum()
}

fn line(name: &str, value: f64, unit: &str, bound: &str) {
    let bound = if bound.is_empty() { String::new() } else { format!("(bound {bound})") };
    println!("{name:<64} {value:>9.2} {unit:<12} {bound}");
}
