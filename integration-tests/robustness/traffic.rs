//! Clients that read, publish, roll out and delete the same few worker types at random.

use super::cluster::{Cluster, Replica};
use super::record::{Action, Clock, Live, Operation, Outcome};
use fastrand::Rng;
use integration_tests::http::{self, Answer};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// So few that the clients get into one another's way.
const WORKER_TYPES: usize = 6;
/// Where a write stands in the feed: a read that brings it is answered once its replica is there.
const CURSOR: &str = "x-registry-cursor";
/// A service whose database is away may keep its clients waiting for as long as it waits itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// The worker types of every run.
pub fn worker_types() -> impl Iterator<Item = String> {
    (0..WORKER_TYPES).map(|number| format!("robust/w{number}"))
}

/// One client, until it is told to stop.
pub fn client(number: usize, seed: u64, cluster: &Cluster, clock: Clock, stop: &AtomicBool) -> Vec<Operation> {
    let mut random = Rng::with_seed(seed);
    let worker_types: Vec<String> = worker_types().collect();
    let mut known: Vec<Option<u64>> = vec![None; worker_types.len()];
    let mut operations: Vec<Operation> = Vec::new();
    let mut cursor = None;
    while !stop.load(Ordering::SeqCst) {
        let replica = random.usize(..cluster.replicas.len());
        let index = random.usize(..worker_types.len());
        let action = choose(&mut random, format!("client {number}, request {}", operations.len()), known[index]);
        let started = clock.now();
        let outcome = send(&cluster.replicas[replica], &worker_types[index], &action, &mut cursor);
        let ended = clock.now();
        known[index] = match &outcome {
            Outcome::Live(live) => Some(live.generation),
            _ => None,
        };
        let worker_type = worker_types[index].clone();
        operations.push(Operation { client: number, replica, worker_type, started, ended, action, outcome });
        std::thread::sleep(Duration::from_millis(random.u64(..10)));
    }
    operations
}

fn choose(random: &mut Rng, marker: String, known: Option<u64>) -> Action {
    // Half of those who know a generation count on it.
    let expects = known.filter(|_| random.bool());
    match random.u8(..20) {
        0..9 => Action::Publish { marker, rollout: false, expects },
        9..12 => Action::Publish { marker, rollout: true, expects },
        12 => Action::EndRollout { complete: random.bool() },
        13 => Action::Delete { expects },
        _ => Action::Read { follows: random.bool() },
    }
}

/// `cursor` is where the client's last write stands in the feed.
fn send(replica: &Replica, worker_type: &str, action: &Action, cursor: &mut Option<String>) -> Outcome {
    let url = replica.api(&format!("/worker-types/{worker_type}"));
    let condition =
        |expects: &Option<u64>| expects.map_or_else(|| "*".to_owned(), |generation| format!("\"g{generation}\""));
    let request = match action {
        Action::Publish { marker, rollout, expects } => {
            let mut definition = json!({"description": marker});
            if *rollout {
                definition["rollout"] = json!({"policy": "strict", "completeAfter": "1s"});
            }
            let url = format!("{url}?rollout=replace");
            http::with_json("PUT", &url, &definition).header("if-match", condition(expects))
        }
        Action::EndRollout { complete } => {
            let end = if *complete { "complete" } else { "abort" };
            http::request("POST", &format!("{url}/rollout/{end}")).header("if-match", "*")
        }
        Action::Delete { expects } => http::request("DELETE", &url).header("if-match", condition(expects)),
        Action::Read { follows } => {
            let request = http::request("GET", &url);
            match cursor.as_ref().filter(|_| *follows) {
                Some(cursor) => request.header(CURSOR, cursor),
                None => request,
            }
        }
    };
    match http::try_send(request.timeout(PATIENCE)) {
        Ok(answer) => {
            if !matches!(action, Action::Read { .. }) && matches!(answer.status, 200 | 201) {
                *cursor = Some(answer.header(CURSOR).to_owned());
            }
            outcome(action, &answer)
        }
        Err(error) => Outcome::Unknown { why: error.to_string() },
    }
}

fn outcome(action: &Action, answer: &Answer) -> Outcome {
    match (action, answer.status) {
        (Action::Delete { .. } | Action::EndRollout { .. }, 200) => Outcome::Done,
        (_, 200 | 201) => Outcome::Live(live(answer)),
        (_, 404 | 410) => Outcome::Absent,
        (_, 412) => Outcome::LostRace,
        // The service says which of the two it is.
        // A read changes nothing.
        (Action::Read { .. }, status @ 503) => Outcome::NotDone { status },
        (_, 503) if !answer.text().contains("nothing was changed") => Outcome::Unknown { why: answer.text() },
        (_, status @ (400..500 | 503)) => Outcome::NotDone { status },
        (_, status) => Outcome::Unknown { why: format!("{status}: {}", answer.text()) },
    }
}

fn live(answer: &Answer) -> Live {
    let body = answer.json();
    Live {
        generation: number(&body["generation"]),
        revision: number(&body["revision"]),
        content_hash: text(&body["contentHash"]),
        marker: text(&body["definition"]["description"]),
        stale: !answer.header("x-registry-age").is_empty(),
    }
}

/// A number of an answer.
pub fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A text of an answer.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
