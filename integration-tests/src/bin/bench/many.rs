//! Ten thousand worker types on two hundred schemas of 6 kB: what one of them takes in memory. Then ten thousand on ten of
//! those schemas, held against ten: whether finding the one that a task names costs more among many.

use crate::load::resident;
use crate::{load, report};
use integration_tests::http;
use integration_tests::server::Server;
use serde_json::{Map, Value, json};

const WORKER_TYPES: usize = 10_000;
const FEW: usize = 10;
const SCHEMAS: usize = 200;
/// Of one measurement: a tick of the processor clock, ten milliseconds, is then 0.04 µs a task.
const TASKS: usize = 250_000;
const BATCH: usize = 50_000;
const PAYLOADS: usize = 10_000;

/// Some 6 kB of text, each a text of its own.
fn schema(number: usize) -> Value {
    let property = |each: usize| {
        let words = format!("what this is for, in a sentence of its own, so that it is {}", number * each);
        let schema = json!({"type": "string", "title": format!("Property {each}"), "description": words});
        (format!("property_{number}_{each}"), schema)
    };
    let properties: Map<String, Value> = (0..45).map(property).collect();
    json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties,
        "required": [format!("property_{number}_0")]})
}

/// Of a worker type that is among the `count` first of its kind, on as many schemas as there are then.
fn payload(worker_type: usize, schemas: usize) -> Value {
    json!({format!("property_{}_0", worker_type % schemas): "x"})
}

/// Tasks for the first `count` worker types in turn: `w` on all schemas, `d` on few.
fn tasks(kind: char, count: usize, schemas: usize) -> String {
    let task = |each: usize| {
        let id = format!("bench/{kind}{}", each % count);
        json!({"taskQueueId": id, "payload": payload(each % count, schemas)})
    };
    (0..BATCH).map(|each| task(each).to_string() + "\n").collect()
}

/// Memory, then dispatch: in batches, and one payload at a time.
pub fn measure() {
    let server = Server::dev();
    let empty = resident(server.pid());
    let schemas: Vec<Value> = (0..SCHEMAS).map(schema).collect();
    let publish = |kind: char, schemas: &[Value]| {
        for number in 0..WORKER_TYPES {
            let definition = json!({"description": format!("worker type {number}"), "validation": "enforce",
                "variants": [{"name": "default", "payloadSchema": schemas[number % schemas.len()]}]});
            assert_eq!(server.publish(&format!("bench/{kind}{number}"), &definition).status, 201);
        }
    };
    publish('w', &schemas);
    let per_worker_type = |resident: f64| (resident - empty) / WORKER_TYPES as f64;
    let published = per_worker_type(resident(server.pid()));
    judge(&server, &tasks('w', WORKER_TYPES, SCHEMAS));
    let judged = per_worker_type(resident(server.pid()));
    println!(
        "{:<64} {published:>9.2} kB           and {judged:>13.2} once all were asked for   (bound ≤ 15)",
        format!(
            "memory per worker type, {WORKER_TYPES} on {SCHEMAS} schemas of {} bytes",
            schemas[0].to_string().len()
        )
    );
    // The same schemas on both sides: what differs is among how many the worker type is found.
    publish('d', &schemas[..FEW]);
    let (few, many) = (tasks('d', FEW, FEW), tasks('d', WORKER_TYPES, FEW));
    judge(&server, &many);
    let batches = |lines: &str| {
        let before = load::cpu_micros(server.pid());
        (0..TASKS / BATCH).for_each(|_| judge(&server, lines));
        (load::cpu_micros(server.pid()) - before) / TASKS as f64
    };
    let name = format!("CPU per task of a batch, {WORKER_TYPES} worker types against {FEW}");
    report::compare(&name, "µs", "0.8 to 1.2", || batches(&many), || batches(&few));
    let one_by_one = |count: usize| {
        let before = load::cpu_micros(server.pid());
        for each in 0..PAYLOADS {
            let worker_type = each % count;
            let url = server.api(&format!("/worker-types/bench/d{worker_type}/validate"));
            assert_eq!(http::post(&url, &json!({"payload": payload(worker_type, FEW)})).json()["verdict"], "valid");
        }
        (load::cpu_micros(server.pid()) - before) / PAYLOADS as f64
    };
    let name = format!("CPU per payload validated, {WORKER_TYPES} worker types against {FEW}");
    report::compare(&name, "µs", "0.8 to 1.2", || one_by_one(WORKER_TYPES), || one_by_one(FEW));
}

fn judge(server: &Server, lines: &str) {
    let request = http::request("POST", &server.api("/tasks/validate")).header("content-type", "application/x-ndjson");
    let answer = http::send(request.body(lines.to_owned()));
    assert_eq!(answer.text().matches("\"verdict\":\"valid\"").count(), BATCH);
}
