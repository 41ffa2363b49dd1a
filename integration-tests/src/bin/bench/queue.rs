//! createTask while worker-manager answers, and while the queue's breaker is open.

use crate::report::median;
use integration_tests::database::sqlite_url;
use integration_tests::http;
use integration_tests::proxy::{Mood, Proxy};
use integration_tests::server::{Server, scratch};
use integration_tests::task;
use serde_json::json;
use std::time::{Duration, Instant};

const CALLS: usize = 300;

/// Milliseconds that one createTask takes, in the middle of many.
fn create(queue: &Server) -> f64 {
    let times = (0..CALLS).map(|_| {
        let request = http::with_json(
            "PUT",
            &queue.queue(&format!("/task/{}", task::task_id())),
            &task::task("bench/queue", &json!({"command": []})),
        );
        let start = Instant::now();
        assert_eq!(http::send(request).status, 200);
        start.elapsed().as_secs_f64() * 1e3
    });
    median(times.chain([0.0]).collect())
}

/// Prints both, and the difference.
pub fn measure() {
    let manager = Server::dev();
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "required": ["command"]});
    let definition = json!({"description": "x", "validation": "enforce", "variants": [{"name": "default", "payloadSchema": schema}]});
    assert_eq!(manager.publish("bench/queue", &definition).status, 201);
    let proxy = Proxy::before(manager.url.trim_start_matches("http://"));
    let folder = scratch();
    let url = sqlite_url(&folder.path().join("queue.sqlite"));
    let queue = Server::start(
        &["queue", "--listen", "127.0.0.1:0", "--database-url", &url, "--worker-manager-url", &proxy.url],
        folder,
    );
    create(&queue);
    let up = median((0..5).map(|_| create(&queue)).collect());
    proxy.set(Mood::BlackHole);
    let unseen = |number: usize| {
        let request = http::with_json(
            "PUT",
            &queue.queue(&format!("/task/{}", task::task_id())),
            &task::task(&format!("bench/unseen{number}"), &json!({})),
        );
        let start = Instant::now();
        assert_eq!(http::send(request).status, 200);
        start.elapsed()
    };
    let slowest = (0..20).map(unseen).max().unwrap_or(Duration::ZERO);
    let down = median((0..5).map(|_| create(&queue)).collect());
    let unseen_later = median((20..51).map(|number| unseen(number).as_secs_f64() * 1e3).collect());
    println!("createTask, worker-manager up                                    {up:>9.2} ms");
    println!(
        "createTask, worker-manager a black hole, breaker open            {down:>9.2} ms           (bound: 1 ms more)"
    );
    println!(
        "  the same for a worker type that was never seen                 {unseen_later:>9.2} ms           (bound: 1 ms more)"
    );
    println!(
        "  the slowest before the breaker opened                          {:>9.2} ms           (bound: the deadline of 500 ms, and createTask itself)",
        slowest.as_secs_f64() * 1e3
    );
}
