//! Clients that read, publish, roll out, roll back and delete the same few worker types at random.

use super::cluster::{Cluster, Replica};
use super::record::{Action, Clock, Live, Operation, Outcome};
use super::recorder::Recorder;
use fastrand::Rng;
use integration_tests::http::{self, Answer};
use reqwest::blocking::RequestBuilder;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// So few that the clients get into one another's way.
const WORKER_TYPES: usize = 6;
const LEFT_ALONE: usize = 2;
/// So soon that a rollout which is left alone is over when its worker type changes next.
const COMPLETES_AFTER: &str = "1s";
const POLICIES: [&str; 3] = ["strict", "lenient", "immediate"];
/// Where a write stands in the feed: a read that brings it is answered once its replica is there.
pub const CURSOR: &str = "x-registry-cursor";
/// A service whose database is away may keep its clients waiting for as long as it waits itself.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The worker types that the clients change.
pub fn worker_types() -> impl Iterator<Item = String> {
    (0..WORKER_TYPES).map(|number| format!("robust/w{number}"))
}

/// Those whose rollouts are left alone, and complete by themselves.
pub fn left_alone() -> impl Iterator<Item = String> {
    (0..LEFT_ALONE).map(|number| format!("robust/left{number}"))
}

/// One client, until it is told to stop.
pub fn client(number: usize, seed: u64, cluster: &Cluster, recorder: &Recorder, stop: &AtomicBool) {
    let mut random = Rng::with_seed(seed);
    // The requests are the same with the same seed, whatever is answered.
    let mut pauses = random.fork();
    let worker_types: Vec<String> = worker_types().collect();
    let mut known = vec![Known::default(); worker_types.len()];
    let mut client = Client { number, cursor: None };
    for count in 0_usize.. {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let replica = random.usize(..cluster.replicas.len());
        let index = random.usize(..worker_types.len());
        let action = choose(&mut random, format!("seed {seed}, client {number}, request {count}"), known[index]);
        let operation = client.ask(cluster, replica, &worker_types[index], action, recorder.clock);
        known[index].learn(&operation.outcome);
        recorder.operation(operation);
        std::thread::sleep(Duration::from_millis(pauses.u64(..10)));
    }
}

/// What a client knows of a worker type.
#[derive(Clone, Copy, Default)]
struct Known {
    /// What its last answer named.
    generation: Option<u64>,
    /// The newest revision that it was shown.
    revision: u64,
}

impl Known {
    fn learn(&mut self, outcome: &Outcome) {
        self.generation = match outcome {
            Outcome::Live(live) | Outcome::Unchanged(live) => {
                self.revision = self.revision.max(live.revision);
                Some(live.generation)
            }
            Outcome::Done { generation } => Some(*generation),
            _ => None,
        };
    }
}

/// One who starts rollouts of a worker type of its own and waits until they are over, until it is told to stop.
pub fn one_who_waits(
    number: usize,
    seed: u64,
    worker_type: &str,
    cluster: &Cluster,
    recorder: &Recorder,
    stop: &AtomicBool,
) {
    let mut random = Rng::with_seed(seed);
    let mut client = Client { number, cursor: None };
    for count in 0_usize.. {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let replica = random.usize(..cluster.replicas.len());
        let marker = format!("seed {seed}, client {number}, request {count}");
        let action = Action::Publish { marker, rollout: count > 0, expects: None };
        recorder.operation(client.ask(cluster, replica, worker_type, action, recorder.clock));
        let pause = random.u64(600..1_500);
        // In parts, so that the end of the run is not waited for.
        for _ in 0..pause / 50 {
            if !stop.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        let replica = random.usize(..cluster.replicas.len());
        recorder.operation(client.ask(cluster, replica, worker_type, Action::Read { follows: true }, recorder.clock));
    }
}

fn choose(random: &mut Rng, marker: String, known: Known) -> Action {
    let (kind, either, counts_on_it) = (random.u8(..30), random.bool(), random.bool());
    let (back, policy) = (random.u64(..4), random.usize(..POLICIES.len()));
    // Half of those who know a generation count on it.
    let expects = known.generation.filter(|_| counts_on_it);
    match kind {
        0..8 => Action::Publish { marker, rollout: false, expects },
        8..13 => Action::Publish { marker, rollout: true, expects },
        13..16 => Action::EndRollout { complete: either, expects },
        16 => Action::Delete { expects },
        // No step back is none if that revision is live still. Who knows of none asks for the first.
        17..19 => Action::Rollback { marker, revision: known.revision.saturating_sub(back).max(1), expects },
        19..23 => Action::ChangeRollout { marker, policy: POLICIES[policy].to_owned(), expects },
        _ => Action::Read { follows: either },
    }
}

/// Who asks.
pub struct Client {
    pub number: usize,
    /// Where its last write stands in the feed.
    pub cursor: Option<String>,
}

impl Client {
    /// One request, and what came of it.
    pub fn ask(
        &mut self,
        cluster: &Cluster,
        replica: usize,
        worker_type: &str,
        action: Action,
        clock: Clock,
    ) -> Operation {
        let followed = self.cursor.clone().filter(|_| action == Action::Read { follows: true });
        let action = match action {
            Action::Read { .. } => Action::Read { follows: followed.is_some() },
            write => write,
        };
        let mut request = request(&cluster.replicas[replica], worker_type, &action);
        if let Some(cursor) = followed {
            request = request.header(CURSOR, cursor);
        }
        let started = clock.now();
        let answer = http::try_send(request.timeout(PATIENCE));
        let ended = clock.now();
        let (outcome, place) = match answer {
            Ok(answer) => (outcome(&action, &answer), Some(answer.header(CURSOR).to_owned())),
            Err(error) => (Outcome::Unknown { why: error.to_string() }, None),
        };
        let worker_type = worker_type.to_owned();
        let mut operation =
            Operation { client: self.number, replica, worker_type, started, ended, action, outcome, place: None };
        if operation.made().is_some() {
            operation.place = place.filter(|place| !place.is_empty());
            self.cursor.clone_from(&operation.place);
        }
        operation
    }
}

fn request(replica: &Replica, worker_type: &str, action: &Action) -> RequestBuilder {
    let url = replica.api(&format!("/worker-types/{worker_type}"));
    let condition =
        |expects: &Option<u64>| expects.map_or_else(|| "*".to_owned(), |generation| format!("\"g{generation}\""));
    match action {
        Action::Publish { marker, rollout, expects } => {
            let mut definition = json!({"description": marker});
            if *rollout {
                definition["rollout"] = rollout_by("strict");
            }
            let request = http::with_json("PUT", &format!("{url}?rollout=replace"), &definition);
            request.query(&[("message", marker)]).header("if-match", condition(expects))
        }
        Action::Rollback { marker, revision, expects } => {
            let body = json!({"revision": revision, "message": marker});
            http::with_json("POST", &format!("{url}/rollback"), &body).header("if-match", condition(expects))
        }
        Action::ChangeRollout { marker, policy, expects } => {
            let request = http::with_json("PUT", &format!("{url}/rollout"), &rollout_by(policy));
            request.query(&[("message", marker)]).header("if-match", condition(expects))
        }
        Action::EndRollout { complete, expects } => {
            let end = if *complete { "complete" } else { "abort" };
            http::request("POST", &format!("{url}/rollout/{end}")).header("if-match", condition(expects))
        }
        Action::Delete { expects } => http::request("DELETE", &url).header("if-match", condition(expects)),
        Action::Read { .. } => http::request("GET", &url),
    }
}

/// A rollout that is over soon, whatever becomes of whoever wanted it.
fn rollout_by(policy: &str) -> Value {
    match policy {
        "immediate" => json!({"policy": policy}),
        _ => json!({"policy": policy, "completeAfter": COMPLETES_AFTER}),
    }
}

fn outcome(action: &Action, answer: &Answer) -> Outcome {
    let generation = etag(answer);
    match (action, answer.status) {
        (Action::Delete { .. } | Action::EndRollout { .. }, 200) => match generation {
            Some(generation) => Outcome::Done { generation },
            None => Outcome::Malformed { why: format!("its ETag is {:?}", answer.header("etag")) },
        },
        (_, 200 | 201) => match live(answer) {
            Some((live, message)) if is_another_write(action, &message) => Outcome::Unchanged(live),
            Some((live, _)) => Outcome::Live(live),
            None => Outcome::Malformed { why: format!("{}: {}", answer.status, answer.text()) },
        },
        // A rollout that is not open is not found either.
        (_, 404) if answer.text().contains("unknown-worker-type") => Outcome::Absent { generation: None },
        (_, 410) if generation.is_none() => Outcome::Malformed { why: "a tombstone without a generation".to_owned() },
        (_, 410) => Outcome::Absent { generation },
        (_, 412) => Outcome::LostRace { generation },
        // A read changes nothing.
        (Action::Read { .. }, status @ 503) => Outcome::NotDone { status },
        // The service says which of the two it is.
        (_, 503) if !answer.text().contains("nothing was changed") => Outcome::Unknown { why: answer.text() },
        (_, status @ (400..500 | 503)) => Outcome::NotDone { status },
        (_, status) => Outcome::Unknown { why: format!("{status}: {}", answer.text()) },
    }
}

/// The generation that an answer names.
pub fn etag(answer: &Answer) -> Option<u64> {
    answer.header("etag").strip_prefix("\"g")?.strip_suffix('"')?.parse().ok()
}

/// Whether what is live was written by another request than the one that was answered. What a publish says is always new.
fn is_another_write(action: &Action, message: &str) -> bool {
    match action {
        Action::Rollback { marker, .. } | Action::ChangeRollout { marker, .. } => marker != message,
        _ => false,
    }
}

/// What an answer shows, and the message of whoever wrote it.
fn live(answer: &Answer) -> Option<(Live, String)> {
    let body: Value = serde_json::from_slice(&answer.bytes).ok()?;
    let message = body["message"].as_str().unwrap_or_default().to_owned();
    let live = Live {
        generation: body["generation"].as_u64()?,
        revision: body["revision"].as_u64()?,
        content_hash: body["contentHash"].as_str()?.to_owned(),
        marker: body["definition"]["description"].as_str()?.to_owned(),
        stale: !answer.header("x-registry-age").is_empty(),
    };
    Some((live, message))
}
