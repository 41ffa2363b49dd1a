//! worker-manager dies, stalls or lies while the queue is under load: no createTask fails for it, none waits long, and the
//! queue finds back by itself.

use integration_tests::database::sqlite_url;
use integration_tests::http;
use integration_tests::proxy::{Mood, Proxy};
use integration_tests::server::{Server, scratch};
use integration_tests::task;
use integration_tests::wait::wait_until;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The gate's deadline is 500 ms; a call that takes ten times as long hangs.
const HANG: Duration = Duration::from_secs(5);

fn worker_manager() -> Server {
    let folder = scratch();
    let url = sqlite_url(&folder.path().join("registry.sqlite"));
    Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", &url], folder)
}

fn queue(worker_manager_url: &str) -> Server {
    let folder = scratch();
    let url = sqlite_url(&folder.path().join("queue.sqlite"));
    Server::start(
        &["queue", "--listen", "127.0.0.1:0", "--database-url", &url, "--worker-manager-url", worker_manager_url],
        folder,
    )
}

fn enforcing() -> Value {
    json!({"description": "Needs a command", "validation": "enforce", "variants": [{"name": "default", "payloadSchema":
        {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["command"]}}]})
}

fn create(queue: &Server, id: &str, payload: &Value) -> http::Answer {
    http::send(http::with_json("PUT", &queue.queue(&format!("/task/{}", task::task_id())), &task::task(id, payload)))
}

/// Four clients create tasks for worker types that were seen before and that were not, while `trouble` goes on.
fn under_load(queue: &Server, known: &str, trouble: impl FnOnce()) -> Duration {
    let stop = AtomicBool::new(false);
    let slowest = Mutex::new(Duration::ZERO);
    std::thread::scope(|scope| {
        for client in 0..4 {
            let (stop, slowest) = (&stop, &slowest);
            scope.spawn(move || {
                for count in 0.. {
                    if stop.load(Ordering::SeqCst) {
                        return;
                    }
                    let unseen = format!("outage/unseen-{client}-{count}");
                    let id = if count % 5 == 0 { unseen.as_str() } else { known };
                    let start = Instant::now();
                    let answer = create(queue, id, &json!({"command": ["true"]}));
                    assert_eq!(answer.status, 200, "{}", answer.text());
                    let mut slowest = slowest.lock().unwrap();
                    *slowest = slowest.max(start.elapsed());
                }
            });
        }
        trouble();
        stop.store(true, Ordering::SeqCst);
    });
    let slowest = slowest.into_inner().unwrap();
    assert!(slowest < HANG, "a createTask took {slowest:?}");
    slowest
}

fn enforces(queue: &Server, id: &str) -> bool {
    create(queue, id, &json!({})).status == 400 && create(queue, id, &json!({"command": []})).status == 200
}

fn while_it_is(mood: Mood) {
    let manager = worker_manager();
    manager.publish("outage/known", &enforcing()).expect(201);
    let proxy = Proxy::before(manager.url.trim_start_matches("http://"));
    let queue = queue(&proxy.url);
    wait_until("the queue to know the worker type", || enforces(&queue, "outage/known"));
    let slowest = under_load(&queue, "outage/known", || {
        std::thread::sleep(Duration::from_millis(200));
        proxy.set(mood);
        std::thread::sleep(Duration::from_secs(3));
    });
    assert!(enforces(&queue, "outage/known"), "what was known before still counts");
    let unseen = create(&queue, "outage/not-seen-yet", &json!({})).expect(200);
    assert!(unseen.header("payload-verdict").starts_with("unchecked"), "{}", unseen.header("payload-verdict"));
    manager.publish("outage/later", &enforcing()).expect(201);
    proxy.set(Mood::Forward);
    wait_until("the queue to find back", || enforces(&queue, "outage/later"));
    println!("{mood:?}: the slowest createTask took {} ms", slowest.as_millis());
}

#[test]
fn robustness_answers_of_500() {
    while_it_is(Mood::Error500);
}

#[test]
fn robustness_answers_of_rubbish() {
    while_it_is(Mood::Rubbish);
}

#[test]
fn robustness_answers_of_another_shape() {
    while_it_is(Mood::WrongJson);
}

#[test]
fn robustness_one_byte_a_second() {
    while_it_is(Mood::OneByteASecond);
}

#[test]
fn robustness_a_black_hole() {
    while_it_is(Mood::BlackHole);
}

#[test]
fn robustness_refused_connections() {
    while_it_is(Mood::Refuse);
}

#[test]
fn robustness_a_stopped_process_goes_on_later() {
    let manager = worker_manager();
    manager.publish("outage/known", &enforcing()).expect(201);
    let queue = queue(&manager.url);
    wait_until("the queue to know the worker type", || enforces(&queue, "outage/known"));
    under_load(&queue, "outage/known", || {
        manager.signal("STOP");
        std::thread::sleep(Duration::from_secs(3));
        manager.signal("CONT");
    });
    manager.publish("outage/later", &enforcing()).expect(201);
    wait_until("the queue to find back", || enforces(&queue, "outage/later"));
}

#[test]
fn robustness_a_killed_process_comes_back() {
    let folder = scratch();
    let database = sqlite_url(&folder.path().join("registry.sqlite"));
    let manager = Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", &database], scratch());
    manager.publish("outage/known", &enforcing()).expect(201);
    let address = manager.url.trim_start_matches("http://").to_owned();
    let queue = queue(&manager.url);
    wait_until("the queue to know the worker type", || enforces(&queue, "outage/known"));
    under_load(&queue, "outage/known", || {
        drop(manager.kill());
        std::thread::sleep(Duration::from_secs(2));
    });
    let again = Server::start(&["serve", "--listen", &address, "--database-url", &database], scratch());
    again.publish("outage/later", &enforcing()).expect(201);
    wait_until("the queue to find back", || enforces(&queue, "outage/later"));
}
