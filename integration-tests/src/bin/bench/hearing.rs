//! A queue with a thousand worker types in use: what it asks of worker-manager for each task, and how long it is from a
//! publish's answer until it enforces what was published.

use crate::report::quantile;
use integration_tests::database::sqlite_url;
use integration_tests::server::{Server, scratch};
use integration_tests::{http, task};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const WORKER_TYPES: usize = 1_000;
const TASKS: usize = 5_000;
const PUBLISHES: usize = 200;
/// What two bundles at once may take: the queue fetches a bundle when it hears of a change.
const PATIENCE: Duration = Duration::from_secs(60);

struct Stage {
    manager: Server,
    queue: Server,
}

impl Stage {
    fn set_up() -> Self {
        let (folder, queue_folder) = (scratch(), scratch());
        let url = |folder: &tempfile::TempDir| sqlite_url(&folder.path().join("db.sqlite"));
        let (registry, tasks) = (url(&folder), url(&queue_folder));
        let manager = Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", &registry], folder);
        for number in 0..WORKER_TYPES {
            publish(&manager, number, 1);
        }
        let arguments =
            ["queue", "--listen", "127.0.0.1:0", "--database-url", &tasks, "--worker-manager-url", &manager.url];
        let queue = Server::start(&arguments, queue_folder);
        Self { manager, queue }
    }

    /// Creates a task of revision `revision`, and answers the status.
    fn create(&self, number: usize, revision: usize) -> u16 {
        let url = self.queue.queue(&format!("/task/{}", task::task_id()));
        let task = task::task(&id(number), &json!({"revision": revision}));
        http::send(http::with_json("PUT", &url, &task)).status
    }

    /// Waits until the queue takes tasks of `revision` alone.
    fn enforces(&self, number: usize, revision: usize) -> Instant {
        let start = Instant::now();
        while self.create(number, revision) != 200 {
            assert!(start.elapsed() < PATIENCE, "{} was published, and the queue does not hear of it", id(number));
        }
        Instant::now()
    }

    /// Requests that worker-manager has answered, without those of this benchmark.
    fn asked(&self) -> u64 {
        let metrics = http::get(&self.manager.at("/metrics")).text();
        let operations =
            ["getValidation", "watchEvents", "listWorkerTypes", "getWorkerType", "validate", "validateTasks"];
        let counted = |line: &&str| {
            line.starts_with("http_requests_total")
                && operations.iter().any(|operation| line.contains(&format!("\"{operation}\"")))
        };
        let counts = metrics.lines().filter(counted).filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        counts.sum()
    }
}

fn id(number: usize) -> String {
    format!("bench/heard{number}")
}

/// Whose tasks must say that they are of this revision.
fn publish(manager: &Server, number: usize, revision: usize) {
    let schema: Value = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "required": ["revision"], "properties": {"revision": {"const": revision}}});
    let definition = json!({"description": "x", "validation": "enforce", "compatibility": "none",
        "variants": [{"name": "default", "payloadSchema": schema}]});
    assert!(manager.publish(&id(number), &definition).status < 300);
}

/// Prints both.
pub fn measure() {
    let stage = Stage::set_up();
    for number in 0..WORKER_TYPES {
        stage.enforces(number, 1);
        assert_eq!(stage.create(number, 2), 400, "it enforces");
    }
    let before = stage.asked();
    for task in 0..TASKS {
        assert_eq!(stage.create(task % WORKER_TYPES, 1), 200);
    }
    let for_tasks = stage.asked() - before;
    assert!(before >= WORKER_TYPES as u64, "each bundle was asked for once: {before}");

    let mut until_enforced = Vec::new();
    for round in 0..PUBLISHES {
        let number = (round * 37) % WORKER_TYPES;
        publish(&stage.manager, number, 2);
        let acknowledged = Instant::now();
        until_enforced.push(stage.enforces(number, 2).duration_since(acknowledged).as_secs_f64() * 1e3);
    }
    let for_publishes = stage.asked() - before - for_tasks;
    println!(
        "{:<64} {for_tasks:>9}              for {PUBLISHES} publishes {for_publishes:>6}   (bound 0 for tasks)",
        format!("requests to worker-manager for {TASKS} tasks, {WORKER_TYPES} worker types")
    );
    println!(
        "{:<64} {:>9.2} ms           p99 {:>13.2}   (bound ≤ 1000 at p99)",
        "from a publish's answer until the queue enforces it",
        quantile(&until_enforced, 0.5),
        quantile(&until_enforced, 0.99)
    );
}
