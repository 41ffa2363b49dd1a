//! The database goes away while the server runs, and comes back.

use super::everywhere::request;
use super::record::{Outage, Recorder};
use super::worker_types::definition;
use integration_tests::database::PostgresDatabase;
use integration_tests::history::History;
use integration_tests::http::{self, Answer};
use integration_tests::proxy::{Mood, Proxy};
use integration_tests::server::{Server, scratch};
use integration_tests::task;
use integration_tests::wait::wait_until;
use reqwest::blocking::RequestBuilder;
use serde_json::{Value, json};

const CURSOR: &str = "x-registry-cursor";

/// A server whose databases can be taken away.
struct Stage {
    registry: PostgresDatabase,
    proxy: Proxy,
    server: Server,
    task: String,
    /// A cursor of another feed: only the database could say whether it is one of its own.
    foreign: String,
    _queue: PostgresDatabase,
}

pub fn given_a_database_that_goes_away_then_writes_wait_and_live_reads_go_on(recorder: &Recorder) -> Outage {
    let Some(stage) = set_up() else { return Outage::Skipped };
    let before = History::read(&stage.registry.url());
    for request in stage.needing() {
        assert!(is_well(recorder.send(request).status), "all is well before");
    }
    stage.rollouts_are_asked_for(recorder);
    let at_rest = History::read(&stage.registry.url());
    stage.proxy.set(Mood::Refuse);
    std::thread::scope(|scope| {
        for request in stage.needing().into_iter().chain(stage.ending_rollouts()) {
            scope.spawn(move || is_away(recorder, request));
        }
    });
    live_reads_go_on(&stage.server);
    let not_ready = [("worker-manager", "__heartbeat__"), ("queue", "__heartbeat__"), ("queue", "readyz")];
    for (service, check) in not_ready {
        let url = stage.server.at(&format!("/api/{service}/v1/{check}"));
        wait_until("the server to say that it is not ready", || {
            recorder.send(http::request("GET", &url)).status == 503
        });
    }
    for check in ["livez", "readyz"] {
        let url = stage.server.api(&format!("/{check}"));
        // Reads go on: taking worker-manager out of service would help nobody.
        recorder.send(http::request("GET", &url)).expect(200);
    }
    assert_eq!(History::read(&stage.registry.url()), at_rest, "nothing was written meanwhile");
    let written = stage.reads_wait_for_what_another_wrote(recorder);
    stage.proxy.set(Mood::Forward);
    let ready = stage.server.at("/readyz");
    wait_until("the server to be ready again", || http::get(&ready).status == 200);
    for request in stage.needing() {
        let answer = recorder.send(request);
        assert!(is_well(answer.status), "restored: {} {}", answer.status, answer.text());
    }
    stage.rollouts_are_asked_for(recorder);
    let read = http::request("GET", &stage.server.api("/worker-types/outage/elsewhere"));
    recorder.send(read.header(CURSOR, written)).expect(200);
    let after = History::read(&stage.registry.url());
    assert_eq!(after.faults(), Vec::<String>::new());
    assert!(before.revisions.len() < after.revisions.len());
    Outage::Played
}

fn is_well(status: u16) -> bool {
    matches!(status, 200 | 201 | 410 | 412)
}

fn set_up() -> Option<Stage> {
    let (registry, queue) = (PostgresDatabase::new()?, PostgresDatabase::new()?);
    let proxy = Proxy::before(registry.address());
    let address = proxy.url.trim_start_matches("http://");
    let (registry_url, queue_url) = (registry.url_by(address), queue.url_by(address));
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--with", "queue", "--database-url", &registry_url];
    let server = Server::start(
        &[&arguments[..], &["--queue-database-url", &queue_url, "--record-tasks", "10"]].concat(),
        scratch(),
    );
    server.publish("outage/thing", &definition("one")).expect(201);
    server.publish("outage/thing", &definition("two")).expect(200);
    server.publish("outage/gone", &definition("one")).expect(201);
    let release = serde_json::json!({"variants": [{"name": "default"}]});
    http::send(http::with_json("PUT", &server.api("/implementations/outage/releases/1"), &release)).expect(201);
    let task = task::task_id();
    let definition = task::task("outage/thing", &json!({"command": []}));
    http::send(http::with_json("PUT", &server.queue(&format!("/task/{task}")), &definition)).expect(200);
    let other = Server::dev();
    let foreign = http::get(&other.api("/worker-types")).expect(200).json()["cursor"].as_str().unwrap().to_owned();
    Some(Stage { registry, proxy, server, task, foreign, _queue: queue })
}

impl Stage {
    /// The database says that none is open.
    fn rollouts_are_asked_for(&self, recorder: &Recorder) {
        for request in self.ending_rollouts() {
            assert_eq!(recorder.send(request).expect(404).json()["problem"], "no-rollout");
        }
    }

    /// Another replica, whose database is there, writes; every read that may wait for it says that it did not hear of it.
    fn reads_wait_for_what_another_wrote(&self, recorder: &Recorder) -> String {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--database-url", &self.registry.url()];
        let other = Server::start(&arguments, scratch());
        let written = other.publish("outage/elsewhere", &definition("one")).expect(201).header(CURSOR).to_owned();
        let waiting = recorder
            .operations
            .iter()
            .filter(|operation| operation.answers.get(&503).is_some_and(|problems| problems.contains("behind")));
        std::thread::scope(|scope| {
            for operation in waiting {
                let written = written.clone();
                scope.spawn(move || {
                    let answer = recorder.send(request(&self.server, operation).header(CURSOR, written));
                    assert_eq!(
                        (answer.status, &answer.json()["problem"]),
                        (503, &json!("behind")),
                        "{}",
                        operation.name
                    );
                });
            }
        });
        written
    }

    fn ending_rollouts(&self) -> Vec<RequestBuilder> {
        let rollout = |rest: &str| self.server.api(&format!("/worker-types/outage/thing/rollout{rest}"));
        let change = http::with_json("PUT", &rollout(""), &json!({"policy": "strict"}));
        let end = |verb: &str| http::request("POST", &rollout(verb));
        [change, end("/complete"), end("/abort")].map(|request| request.header("if-match", "*")).into()
    }

    /// A request for every operation that cannot answer without the database.
    fn needing(&self) -> Vec<RequestBuilder> {
        let thing = |rest: &str| self.server.api(&format!("/worker-types/outage/thing{rest}"));
        let get = |url: String| http::request("GET", &url);
        let json = |method: &str, url: String, body: Value| http::with_json(method, &url, &body);
        let new = uuid::Uuid::new_v4();
        let ndjson = "{\"kind\":\"header\",\"format\":1}\n";
        vec![
            get(thing("/revisions")),
            get(thing("/revisions/1")),
            get(thing("/diff?from=1&to=2")),
            get(thing("/documentation?revision=1")),
            get(thing("/payload-schema?revision=1")),
            get(self.server.api(&format!("/events?cursor={}", self.foreign))),
            json(
                "PUT",
                self.server.api(&format!("/worker-types/outage/n{}", &new.simple().to_string()[..8])),
                definition("new"),
            )
            .header("if-match", "*"),
            json("POST", thing("/rollback"), json!({"revision": 1})).header("if-match", "*"),
            http::request("DELETE", &self.server.api("/worker-types/outage/gone")).header("if-match", "*"),
            json(
                "PUT",
                self.server.api(&format!("/implementations/outage/releases/{new}")),
                json!({"variants": [{"name": "default"}]}),
            ),
            json(
                "PUT",
                self.server.api("/implementations/outage/releases/1/mark"),
                serde_json::json!({"state": "deprecated"}),
            )
            .header("if-match", "*"),
            json("POST", self.server.api("/implementations/outage/releases/1/adopt"), serde_json::json!({})),
            http::request("POST", &self.server.api("/import"))
                .header("content-type", "application/x-ndjson")
                .body(ndjson),
            json(
                "PUT",
                self.server.queue(&format!("/task/{}", task::task_id())),
                task::task("outage/thing", &json!({"command": []})),
            ),
            get(self.server.queue(&format!("/task/{}", self.task))),
            get(self.server.queue(&format!("/task/{}/status", self.task))),
            get(self.server.queue(&format!("/task/{}/validation", self.task))),
            json("POST", self.server.queue("/tasks"), json!({"taskIds": [self.task]})),
            get(self.server.queue("/task-queues/outage/thing/payload-verdicts")),
            get(self.server.queue("/task-queues/outage/thing/pending")),
            get(self.server.queue("/task-queues/outage/thing/recorded-tasks")),
        ]
    }
}

/// Each waits for its own deadline, and says then when to come back.
fn is_away(recorder: &Recorder, request: RequestBuilder) {
    let shown = format!("{request:?}");
    let answer = recorder.send(request);
    assert_eq!(answer.status, 503, "{shown}: {}", answer.text());
    assert_eq!(answer.json()["problem"], "store-unavailable", "{shown}");
    assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{shown}");
    assert!(!answer.text().contains("postgres"), "what the driver says stays in the log: {}", answer.text());
}

/// What is live is in memory.
fn live_reads_go_on(server: &Server) {
    for read in ["", "/validation", "/documentation", "/payload-schema"] {
        let answer: Answer = http::get(&server.api(&format!("/worker-types/outage/thing{read}"))).expect(200);
        assert!(!answer.bytes.is_empty());
    }
    let verdict = http::post(&server.api("/worker-types/outage/thing/validate"), &json!({"payload": {}})).expect(200);
    assert_eq!(verdict.json()["verdict"], "invalid");
    http::get(&server.api("/worker-types")).expect(200);
    for page in ["/", "/worker-types/outage/thing", "/worker-types/outage/thing/edit"] {
        let shown = http::get(&server.at(page)).expect(200);
        assert!(shown.header("x-registry-age").parse::<u64>().is_ok(), "{page}");
        assert!(shown.text().contains("The database has not answered for "), "{page}");
    }
}
