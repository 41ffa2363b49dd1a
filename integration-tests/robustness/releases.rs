//! One who publishes a release now and then and withdraws every other: what it asks for, what is recorded of it, and what
//! there is of its releases in the end.

use super::cluster::{Cluster, Replica};
use super::record::{Clock, Event};
use super::recorder::Recorder;
use super::traffic::{CURSOR, PATIENCE};
use fastrand::Rng;
use integration_tests::http::{self, Answer};
use reqwest::blocking::RequestBuilder;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const IMPLEMENTATION: &str = "robust-worker";
pub const PUBLISHED: &str = "release-published";
pub const MARKED: &str = "release-marked";

/// One write of a release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReleaseWrite {
    pub replica: usize,
    /// As in `name@version`.
    pub release: String,
    /// Microseconds since the run began.
    pub started: u64,
    /// Microseconds since the run began.
    pub ended: u64,
    pub wanted: Wanted,
    pub answered: Answered,
    /// The place in the feed that the answer names.
    pub place: Option<String>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Wanted {
    /// A publish of what says `description`: what was not acknowledged is asked for again, in the same words.
    Publish { description: String },
    /// The mark that it is withdrawn, once for each release.
    Withdraw { reason: String },
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answered {
    /// It is so.
    Done,
    /// It was not done.
    NotDone { status: u16 },
    /// Nobody can tell whether it was done.
    Unknown { why: String },
    /// The answer shows something else.
    Malformed { why: String },
}

/// A release, as a replica shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub description: String,
    /// Why it was withdrawn, if it was.
    pub withdrawn: Option<String>,
}

impl ReleaseWrite {
    /// How the feed calls it, if it is done.
    pub fn kind(&self) -> &'static str {
        match self.wanted {
            Wanted::Publish { .. } => PUBLISHED,
            Wanted::Withdraw { .. } => MARKED,
        }
    }

    pub fn was_acknowledged(&self) -> bool {
        self.answered == Answered::Done
    }
}

impl Kept {
    /// Whether it is as this write wanted it.
    pub fn is_as(&self, wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Publish { description } => self.description == *description,
            Wanted::Withdraw { reason } => self.withdrawn.as_ref() == Some(reason),
        }
    }

    fn read(answer: &Answer) -> Option<(String, Self)> {
        let body: Value = serde_json::from_slice(&answer.bytes).ok()?;
        let withdrawn = match body["mark"]["state"].as_str() {
            None => None,
            Some("withdrawn") => Some(body["mark"]["reason"].as_str()?.to_owned()),
            // Nobody asked for another.
            Some(_) => return None,
        };
        let description = body["content"]["description"].as_str()?.to_owned();
        Some((body["release"].as_str()?.to_owned(), Self { description, withdrawn }))
    }
}

/// The client, until it is told to stop.
pub fn client(seed: u64, cluster: &Cluster, recorder: &Recorder, stop: &AtomicBool) {
    let mut random = Rng::with_seed(seed);
    let mut version = 0_u64;
    while !stop.load(Ordering::SeqCst) {
        let (first, second) = (random.usize(..cluster.replicas.len()), random.usize(..cluster.replicas.len()));
        let pause = random.u64(100..300);
        let description = format!("seed {seed}, release {version}");
        let published = ask(cluster, first, version, Wanted::Publish { description }, recorder.clock);
        let is_there = published.was_acknowledged();
        recorder.release(published);
        if is_there {
            if version % 2 == 1 {
                let reason = format!("seed {seed}, of release {version}");
                recorder.release(ask(cluster, second, version, Wanted::Withdraw { reason }, recorder.clock));
            }
            version += 1;
        }
        std::thread::sleep(Duration::from_millis(pause));
    }
}

fn ask(cluster: &Cluster, replica: usize, version: u64, wanted: Wanted, clock: Clock) -> ReleaseWrite {
    let release = format!("{IMPLEMENTATION}@1.0.{version}");
    let request = request(&cluster.replicas[replica], &release, &wanted);
    let started = clock.now();
    let answer = http::try_send(request.timeout(PATIENCE));
    let ended = clock.now();
    let (answered, place) = match answer {
        Ok(answer) => (answered(&release, &wanted, &answer), Some(answer.header(CURSOR).to_owned())),
        Err(error) => (Answered::Unknown { why: error.to_string() }, None),
    };
    let place = place.filter(|place| answered == Answered::Done && !place.is_empty());
    ReleaseWrite { replica, release, started, ended, wanted, answered, place }
}

fn request(replica: &Replica, release: &str, wanted: &Wanted) -> RequestBuilder {
    match wanted {
        Wanted::Publish { description } => {
            let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"});
            let variants = json!([{"name": "default", "payloadSchema": schema}]);
            let content = json!({"description": description, "documentation": "# It", "variants": variants});
            http::with_json("PUT", &path(replica, release), &content)
        }
        Wanted::Withdraw { reason } => {
            let mark = json!({"state": "withdrawn", "reason": reason});
            http::with_json("PUT", &format!("{}/mark", path(replica, release)), &mark).header("if-match", "*")
        }
    }
}

fn path(replica: &Replica, release: &str) -> String {
    let (name, version) = release.split_once('@').unwrap_or((release, ""));
    replica.api(&format!("/implementations/{name}/releases/{version}"))
}

fn answered(release: &str, wanted: &Wanted, answer: &Answer) -> Answered {
    match answer.status {
        200 | 201 => match Kept::read(answer) {
            Some((name, kept)) if name == release && kept.is_as(wanted) => Answered::Done,
            _ => Answered::Malformed { why: answer.text() },
        },
        // The service says which of the two it is.
        503 if !answer.text().contains("nothing was changed") => Answered::Unknown { why: answer.text() },
        status @ (400..500 | 503) => Answered::NotDone { status },
        status => Answered::Unknown { why: format!("{status}: {}", answer.text()) },
    }
}

/// The releases of these changes, as a replica shows them in the end.
pub fn kept(replica: &Replica, feed: &[Event]) -> BTreeMap<String, Kept> {
    let ids = feed.iter().filter_map(|event| event.release.as_ref());
    ids.filter_map(|id| Kept::read(&http::get(&path(replica, id)))).collect()
}
