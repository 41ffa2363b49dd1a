//! A worker-manager as far as gates and watches need one, with a switch for every way to misbehave.

use crate::fake::{Fake, Request, Step, answer, json, problem};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};
use tokio::sync::mpsc;
use worker_manager_client::{Client, GateSettings};
use worker_types::{Task, content_hash};

/// How bundles are answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Mood {
    Well,
    Slow(Duration),
    /// Accepts, and says nothing: a stopped process, a black hole.
    Stalled,
    StalledInTheBody,
    OneByteASecond,
    HangsUp,
    CutOff,
    Rubbish(&'static str),
    Status(u16),
    Problem(u16, &'static str),
    Redirect,
    Huge,
    Endless,
    AnotherBundle,
    NotModifiedUnasked,
}

/// How the change feed is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    Well,
    Refused,
    Gone,
    Html,
}

pub struct State {
    pub mood: Mood,
    pub feed: Feed,
    pub epoch: u32,
    worker_types: BTreeMap<String, WorkerType>,
    events: Vec<String>,
    readers: Vec<mpsc::UnboundedSender<String>>,
    /// Their connections stay open, and nothing is sent to them.
    lost: Vec<mpsc::UnboundedSender<String>>,
}

#[derive(Clone)]
struct WorkerType {
    generation: u64,
    /// None for a tombstone.
    bundle: Option<Value>,
}

pub struct World {
    pub fake: Fake,
    state: Arc<Mutex<State>>,
}

impl World {
    pub async fn start() -> Self {
        let state = Arc::new(Mutex::new(State {
            mood: Mood::Well,
            feed: Feed::Well,
            epoch: 1,
            worker_types: BTreeMap::new(),
            events: Vec::new(),
            readers: Vec::new(),
            lost: Vec::new(),
        }));
        let handled = Arc::clone(&state);
        let fake = Fake::start(Arc::new(move |request| handled.lock().unwrap().handle(request))).await;
        Self { fake, state }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn client(&self) -> Client {
        Client::new(&self.fake.url()).unwrap()
    }

    pub fn mood(&self, mood: Mood) {
        self.state().mood = mood;
    }

    /// A worker type whose payload must have an integer `maxRunTime` below `limit`.
    pub fn publish(&self, id: &str, limit: u32) {
        let schema = json!({"type": "object", "required": ["maxRunTime"],
            "properties": {"maxRunTime": {"type": "integer", "maximum": limit}}});
        self.publish_schema(id, &schema, "enforce");
    }

    pub fn publish_schema(&self, id: &str, schema: &Value, validation: &str) {
        self.publish_quietly(id, schema, validation);
        self.state().tell("worker-type-published", id);
    }

    /// The event is still on its way.
    pub fn publish_quietly(&self, id: &str, schema: &Value, validation: &str) {
        let mut state = self.state();
        let generation = state.worker_types.get(id).map_or(1, |known| known.generation + 1);
        let hash = content_hash(schema);
        let bundle = json!({
            "workerTypeId": id, "generation": generation, "validation": validation, "rollout": null,
            "revisions": [{"revision": generation, "contentHash": hash, "validation": validation, "acceptance": "any",
                "lifecycle": {"state": "active"}, "variants": [{"name": "default",
                    "payloadSchema": {"hash": hash, "dialect": "draft-07"}}]}],
            "schemas": {hash.as_str(): schema},
        });
        state.worker_types.insert(id.to_owned(), WorkerType { generation, bundle: Some(bundle) });
    }

    /// The event of a change of which the server that answers has not heard.
    pub fn tell_of_the_next(&self, id: &str) {
        let mut state = self.state();
        state.worker_types.get_mut(id).unwrap().generation += 1;
        state.tell("worker-type-published", id);
        state.worker_types.get_mut(id).unwrap().generation -= 1;
    }

    /// As if its only variant came from a release.
    pub fn use_release(&self, id: &str, release: &str) {
        let mut state = self.state();
        let bundle = state.worker_types.get_mut(id).unwrap().bundle.as_mut().unwrap();
        bundle["revisions"][0]["variants"][0]["release"] = release.into();
    }

    /// Deprecates a release: it stands in the bundles of those who use it, and the feed says that it was marked.
    pub fn mark(&self, release: &str) {
        let mut state = self.state();
        for bundle in state.worker_types.values_mut().filter_map(|known| known.bundle.as_mut()) {
            if bundle["revisions"][0]["variants"][0]["release"] == release {
                bundle["releaseMarks"] = json!([{"release": release, "state": "deprecated", "reason": "it leaks"}]);
            }
        }
        let cursor = format!("{}-{}", state.epoch, state.events.len() + 1);
        let data =
            json!({"cursor": cursor, "kind": "release-marked", "release": release, "at": "2027-01-01T00:00:00Z"});
        let event = format!("id: {cursor}\nevent: release-marked\ndata: {data}\n\n");
        state.send(&event);
        state.events.push(event);
    }

    pub fn delete(&self, id: &str) {
        let mut state = self.state();
        let known = state.worker_types.get_mut(id).unwrap();
        known.generation += 1;
        known.bundle = None;
        state.tell("worker-type-deleted", id);
    }

    /// Ends every connection of the feed.
    pub fn cut_the_feed(&self) {
        self.state().readers.clear();
    }

    pub fn bookmark(&self) {
        let mut state = self.state();
        let cursor = state.cursor();
        state.send(&format!("id: {cursor}\nevent: bookmark\ndata: {{\"cursor\": \"{cursor}\"}}\n\n"));
    }

    /// Sends any text to those who read the feed.
    pub fn send(&self, text: &str) {
        self.state().send(text);
    }

    /// How many read the feed now.
    pub fn readers(&self) -> usize {
        let mut state = self.state();
        state.readers.retain(|reader| !reader.is_closed());
        state.readers.len()
    }

    /// The requests for bundles so far.
    pub fn fetches(&self) -> Vec<Request> {
        self.fake.requests().into_iter().filter(|request| request.path().ends_with("/validation")).collect()
    }
}

impl State {
    fn cursor(&self) -> String {
        format!("{}-{}", self.epoch, self.events.len())
    }

    fn tell(&mut self, kind: &str, id: &str) {
        let generation = self.worker_types[id].generation;
        let cursor = format!("{}-{}", self.epoch, self.events.len() + 1);
        let data = json!({"cursor": cursor, "kind": kind, "workerTypeId": id, "generation": generation,
            "revision": 1, "at": "2027-01-01T00:00:00Z"});
        let event = format!("id: {cursor}\nevent: {kind}\ndata: {data}\n\n");
        self.send(&event);
        self.events.push(event);
    }

    /// As when a router forgets connections: no side is told.
    pub fn lose_the_readers(&mut self) {
        self.lost.append(&mut self.readers);
    }

    fn send(&mut self, text: &str) {
        self.readers.retain(|reader| reader.send(text.to_owned()).is_ok());
    }

    fn handle(&mut self, request: &Request) -> Vec<Step> {
        match request.path() {
            "/worker-types" => self.list(),
            "/events" => self.events(request),
            path => match path.strip_prefix("/worker-types/").and_then(|path| path.strip_suffix("/validation")) {
                Some(id) => self.bundle(&id.replace("%2F", "/"), request),
                None => problem(404, "unknown-route", "no such route", None),
            },
        }
    }

    fn list(&self) -> Vec<Step> {
        let live = self.worker_types.iter().filter(|(_, known)| known.bundle.is_some());
        let entries: Vec<_> = live
            .map(|(id, known)| {
                json!({"workerTypeId": id, "description": "d", "validation": "warn",
                "generation": known.generation, "revision": 1})
            })
            .collect();
        json(200, &json!({"workerTypes": entries, "cursor": self.cursor()}))
    }

    fn events(&mut self, request: &Request) -> Vec<Step> {
        let cursor = request.query("cursor").unwrap();
        let known = cursor.strip_prefix(&format!("{}-", self.epoch)).map(|sequence| sequence.parse().unwrap());
        match (self.feed, known) {
            (Feed::Refused, _) => problem(503, "not-ready", "starting", None),
            (Feed::Html, _) => answer(200, &[("content-type", "text/html")], "<html>"),
            (Feed::Gone, _) | (Feed::Well, None) => problem(410, "cursor-gone", "compacted", None),
            (Feed::Well, Some(sequence)) => {
                let (sender, receiver) = mpsc::unbounded_channel();
                self.events[sequence..].iter().for_each(|event: &String| sender.send(event.clone()).unwrap());
                self.readers.push(sender);
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
                vec![Step::Send(head.into()), Step::Relay(receiver)]
            }
        }
    }

    fn bundle(&self, id: &str, request: &Request) -> Vec<Step> {
        let well = self.bundle_well(id, request);
        let head = |length: usize| {
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n")
                .into_bytes()
        };
        match &self.mood {
            Mood::Well => well,
            Mood::Slow(time) => [vec![Step::Wait(*time)], well].into_iter().flatten().collect(),
            Mood::Stalled => vec![Step::Hang],
            Mood::StalledInTheBody => vec![Step::Send(head(1000)), Step::Send(b"{".to_vec()), Step::Hang],
            Mood::OneByteASecond => std::iter::once(Step::Send(head(1000)))
                .chain((0..1000).flat_map(|_| [Step::Send(b" ".to_vec()), Step::Wait(Duration::from_secs(1))]))
                .collect(),
            Mood::HangsUp => Vec::new(),
            Mood::CutOff => vec![Step::Send(head(1000)), Step::Send(b"{\"workerTypeId\"".to_vec())],
            Mood::Rubbish(body) => answer(200, &[("content-type", "application/json"), ("etag", "\"x\"")], body),
            Mood::Status(status) => answer(*status, &[("content-type", "text/html")], "<html>sorry</html>"),
            Mood::Problem(status, name) => problem(*status, name, "as the test wants it", None),
            Mood::Redirect => answer(302, &[("location", "http://127.0.0.1:1/elsewhere")], ""),
            Mood::Huge => vec![Step::Send(head(1 << 40)), Step::Flood],
            Mood::Endless => vec![Step::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec()), Step::Flood],
            Mood::AnotherBundle => {
                let other = WorkerType { generation: 1, bundle: None };
                let mut bundle = self.worker_types.get(id).unwrap_or(&other).bundle.clone().unwrap_or_default();
                bundle["workerTypeId"] = "other/one".into();
                json(200, &bundle)
            }
            Mood::NotModifiedUnasked => answer(304, &[], ""),
        }
    }

    fn bundle_well(&self, id: &str, request: &Request) -> Vec<Step> {
        let Some(known) = self.worker_types.get(id) else {
            let suggestion = self.worker_types.keys().next().map(String::as_str);
            return problem(404, "unknown-worker-type", "no such worker type; did you mean another?", suggestion);
        };
        let Some(bundle) = &known.bundle else { return problem(410, "deleted", "deleted yesterday", None) };
        let etag = format!("\"{}\"", content_hash(bundle));
        if request.header("if-none-match") == Some(&etag) {
            return answer(304, &[("etag", &etag)], "");
        }
        answer(200, &[("content-type", "application/json"), ("etag", &etag)], bundle.to_string())
    }
}

/// A task for `id` whose payload has this `maxRunTime`.
pub fn task(id: &str, max_run_time: u32) -> Task {
    Task::normalised(json!({"taskQueueId": id, "payload": {"maxRunTime": max_run_time}})).unwrap()
}

/// Settings under which a test does not wait long.
pub fn quick() -> GateSettings {
    GateSettings {
        deadline: Duration::from_millis(500),
        first_pause: Duration::from_millis(50),
        longest_pause: Duration::from_millis(200),
        max_bundle: 1 << 20,
        ..GateSettings::default()
    }
}

/// Settings under which a busy machine does not look like a worker-manager that is away.
pub fn patient() -> GateSettings {
    GateSettings { deadline: Duration::from_secs(40), ..quick() }
}

/// Waits until `condition` holds; gives up after half a minute.
pub async fn wait_until<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    let guard = Instant::now() + Duration::from_secs(30);
    while !condition().await {
        assert!(Instant::now() < guard, "never happened: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
