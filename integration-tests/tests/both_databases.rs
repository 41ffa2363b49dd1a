//! The main job on SQLite and on PostgreSQL: publish, read, validate, create tasks, restart, and move the whole registry from
//! one to the other; and two replicas on one database.

use integration_tests::database::{PostgresDatabase, sqlite_url};
use integration_tests::history::History;
use integration_tests::http::{self, Answer};
use integration_tests::server::{Server, scratch};
use integration_tests::task;
use integration_tests::wait::wait_until;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};

/// worker-manager and the queue in one process.
fn start(registry: &str, queue: &str) -> Server {
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--with", "queue", "--database-url", registry];
    Server::start(&[&arguments[..], &["--queue-database-url", queue]].concat(), scratch())
}

fn enforcing(words: &str) -> Value {
    json!({"description": words, "documentation": "# Needs a command", "validation": "enforce", "owner": "ünïcode ☃",
        "variants": [{"name": "default", "payloadSchema":
            {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["command"]}}]})
}

fn create(server: &Server, id: &str, payload: &Value) -> Answer {
    let task = task::task("both/main-job", payload);
    http::send(http::with_json("PUT", &server.queue(&format!("/task/{id}")), &task))
}

/// Publishes, reads, validates and creates; after a restart everything is still there. The registry is left as it is then.
fn the_main_job(registry: &str, queue: &str) -> String {
    let (accepted, export) = {
        let server = start(registry, queue);
        let release = json!({"description": "Of a worker", "variants": [{"name": "default"}]});
        let url = server.api("/implementations/both-worker/releases/1.0.0");
        http::send(http::with_json("PUT", &url, &release)).expect(201);
        let user = json!({"description": "Uses it", "variants": [{"name": "default", "release": "both-worker@1.0.0"}]});
        server.publish("both/user", &user).expect(201);
        server.publish("both/main-job", &enforcing("one")).expect(201);
        server.publish("both/main-job", &enforcing("two")).expect(200);
        server.publish("both/gone", &enforcing("gone")).expect(201);
        let delete = http::request("DELETE", &server.api("/worker-types/both/gone")).header("if-match", "*");
        http::send(delete).expect(200);
        let accepted = task::task_id();
        works(&server);
        create(&server, &accepted, &json!({"command": ["true"]})).expect(200);
        (accepted, http::get(&server.api("/export")).expect(200).text())
    };
    let again = start(registry, queue);
    works(&again);
    assert_eq!(http::get(&again.queue(&format!("/task/{accepted}/validation"))).expect(200).json()["verdict"], "valid");
    assert_eq!(http::get(&again.api("/export")).expect(200).text(), export, "a restart changes nothing");
    assert_eq!(
        again.publish("both/main-job", &enforcing("two")).expect(200).json()["revision"],
        2,
        "it is live already"
    );
    assert_eq!(History::read(registry).faults(), Vec::<String>::new());
    export
}

/// What readers and authors get of what was published.
fn works(server: &Server) {
    let thing = |rest: &str| server.api(&format!("/worker-types/both/main-job{rest}"));
    let live = http::get(&thing("")).expect(200).json();
    assert_eq!((&live["revision"], &live["definition"]["description"]), (&json!(2), &json!("two")));
    assert_eq!(live["definition"]["owner"], "ünïcode ☃");
    assert_eq!(http::get(&thing("/documentation")).expect(200).text(), "# Needs a command");
    let old = http::get(&thing("/revisions/1")).expect(200).json();
    assert_eq!(old["definition"]["description"], "one");
    http::get(&server.api("/worker-types/both/gone")).expect(410);
    for (payload, verdict) in [(json!({"command": []}), "valid"), (json!({}), "invalid")] {
        let found = http::post(&thing("/validate"), &json!({"payload": payload})).expect(200).json();
        assert_eq!(found["verdict"], verdict, "{found}");
    }
    let refused_id = task::task_id();
    let refused = create(server, &refused_id, &json!({"comand": []})).expect(400).json();
    assert!(refused["detail"].as_str().unwrap().contains("command"), "{refused}");
    http::get(&server.queue(&format!("/task/{refused_id}"))).expect(404);
}

/// Imports, and exports what is there then.
fn moved(export: &str, registry: &str, queue: &str) -> String {
    let server = start(registry, queue);
    let import = || {
        let request = http::request("POST", &server.api("/import")).header("content-type", "application/x-ndjson");
        http::send(request.body(export.to_owned())).expect(200).json()
    };
    let (first, again) = (import(), import());
    assert_eq!((&first["records"], &again["new"]), (&again["records"], &json!(0)), "the second time it is all there");
    works(&server);
    let history = History::read(registry);
    assert_eq!((history.revisions.len(), history.is_audited()), (4, true), "the feed tells what became live");
    http::get(&server.api("/export")).expect(200).text()
}

#[test]
fn the_main_job_works_on_sqlite_and_moves_to_another_file() {
    let folder = scratch();
    let url = |name: &str| sqlite_url(&folder.path().join(name));
    let export = the_main_job(&url("registry.sqlite"), &url("queue.sqlite"));
    assert_eq!(moved(&export, &url("other.sqlite"), &url("other-queue.sqlite")), export);
}

#[test]
fn the_main_job_works_on_postgresql_and_moves_to_sqlite_and_back() {
    let (Some(registry), Some(queue)) = (PostgresDatabase::new(), PostgresDatabase::new()) else { return };
    let export = the_main_job(&registry.url(), &queue.url());
    let folder = scratch();
    let url = |name: &str| sqlite_url(&folder.path().join(name));
    let on_sqlite = moved(&export, &url("registry.sqlite"), &url("queue.sqlite"));
    assert_eq!(on_sqlite, export, "byte for byte");
    let (Some(back), Some(queue)) = (PostgresDatabase::new(), PostgresDatabase::new()) else { return };
    assert_eq!(moved(&on_sqlite, &back.url(), &queue.url()), export, "byte for byte");
}

#[test]
fn two_replicas_see_the_same_and_lose_nothing() {
    let (Some(registry), Some(queue)) = (PostgresDatabase::new(), PostgresDatabase::new()) else { return };
    let (registry, queue) = (registry.url(), queue.url());
    let replicas = [start(&registry, &queue), start(&registry, &queue)];
    let feed = http::request("GET", &replicas[1].api("/events")).send().unwrap();
    replicas[0].publish("both/main-job", &enforcing("one")).expect(201);
    let mut lines = BufReader::new(feed).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("worker-type-published") && line.contains("both/main-job")));
    let read = replicas[1].api("/worker-types/both/main-job");
    wait_until("the other replica to show the publish", || http::get(&read).status == 200);
    wait_until("the other replica to enforce it", || create(&replicas[1], &task::task_id(), &json!({})).status == 400);
    writers_lose_nothing(&replicas);
    assert_eq!(History::read(&registry).faults(), Vec::<String>::new());
}

const WRITERS: usize = 8;
const EACH: usize = 5;

/// Each writer reads, adds its mark, and writes with what it has read as the precondition, until that is still the state.
fn writers_lose_nothing(replicas: &[Server; 2]) {
    replicas[0].publish("both/list", &json!({"description": "Marks", "tags": ["start"]})).expect(201);
    let path = "/worker-types/both/list";
    wait_until("the other replica to have the list", || http::get(&replicas[1].api(path)).status == 200);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let url = replicas[writer % 2].api(path);
            scope.spawn(move || (0..EACH).for_each(|count| add(&url, &format!("w{writer}-{count}"))));
        }
    });
    let count = 1 + WRITERS * EACH;
    for replica in replicas {
        wait_until("both replicas to show every mark", || {
            let tags = http::get(&replica.api(path)).json()["definition"]["tags"].as_array().map(Vec::len);
            tags == Some(count)
        });
    }
    let live = http::get(&replicas[0].api(path)).json();
    assert_eq!(live["revision"], count, "one revision for each write");
}

fn add(url: &str, mark: &str) {
    wait_until("a write to win its race", || {
        let seen = http::get(url).expect(200);
        let mut definition = seen.json()["definition"].clone();
        definition["tags"].as_array_mut().unwrap().push(mark.into());
        let written = http::send(http::with_json("PUT", url, &definition).header("if-match", seen.header("etag")));
        assert!(matches!(written.status, 200 | 412), "{}", written.text());
        written.status == 200
    });
}
