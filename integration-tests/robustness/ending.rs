//! What is there once nothing changes any more: in the tables, and as every replica says.

use super::cluster::{Cluster, Replica};
use super::record::{Ending, Event, Filter, Revision, Standing, Stream, Telling};
use super::traffic::{self, etag};
use super::{releases, watching};
use integration_tests::history::History;
use integration_tests::http;
use integration_tests::wait::{wait_for, wait_until};
use registry::Cursor;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The worker type whose publish is the last change of a run.
const LAST: &str = "robust/last";
/// Who completes a rollout whose time is over.
const ITSELF: &str = "worker-manager";
/// How long one replica may take to tell the whole feed.
const WHOLE: Duration = Duration::from_secs(20);
/// How long it may say nothing more before it has told all that it knows.
const PAGE: usize = 1_000;

/// Waits for the end. A write that nobody waits for any more may still be on its way: what was read counts once nothing
/// was written meanwhile.
pub fn ending(cluster: &Cluster) -> Ending {
    wait_for("a time at which nothing is written", || {
        wait_until("every rollout to be over", || {
            cluster.history().standing.iter().all(|standing| standing.state.older.is_none())
        });
        let mark = mark(cluster);
        let before = cluster.history();
        let is_last = before
            .events
            .last()
            .is_some_and(|last| (last.entry.subject.as_str(), last.generation) == (LAST, Some(mark)));
        let ending = is_last.then(|| read(cluster, &before))?;
        (cluster.history() == before).then_some(ending)
    })
}

/// Makes the last change, and waits until each replica shows it. Answers its generation.
fn mark(cluster: &Cluster) -> u64 {
    let path = format!("/worker-types/{LAST}");
    let generation = wait_for("the service to take a last change", || {
        let definition = json!({"description": format!("the last of {}", fastrand::u64(..))});
        let request = http::with_json("PUT", &cluster.replicas[0].api(&path), &definition).header("if-match", "*");
        let answer = http::try_send(request).ok()?;
        etag(&answer).filter(|_| matches!(answer.status, 200 | 201))
    });
    for replica in &cluster.replicas {
        wait_until("a replica to hear of the last change", || {
            let answer = http::try_send(http::request("GET", &replica.api(&path)));
            answer.is_ok_and(|answer| {
                answer.status == 200 && answer.json()["generation"].as_u64().is_some_and(|its| its >= generation)
            })
        });
    }
    generation
}

fn read(cluster: &Cluster, history: &History) -> Ending {
    let place = |sequence| Cursor { epoch: history.epoch.clone(), sequence }.to_string();
    let event = |change: &integration_tests::history::Change| {
        let (cursor, kind) = (place(change.entry.sequence), change.entry.kind.clone());
        let subject = change.entry.subject.clone();
        match (change.generation, change.revision) {
            (Some(generation), Some(revision)) => {
                Event { cursor, kind, release: None, worker_type: subject, generation, revision }
            }
            _ => Event::of_release(cursor, kind, subject),
        }
    };
    let feed: Vec<Event> = history.events.iter().map(event).collect();
    let by_itself = history.audit.iter().filter(|audited| audited.caller == ITSELF);
    let replicas = || cluster.replicas.iter().enumerate();
    let last = feed.last().map(|event| &event.cursor);
    let ids: BTreeSet<String> = traffic::worker_types().chain(traffic::left_alone()).chain([LAST.to_owned()]).collect();
    Ending {
        start: place(0),
        by_itself: by_itself.map(|audited| place(audited.entry.sequence)).collect(),
        told: replicas().flat_map(|replica| [streamed(replica, last), paged(replica)]).collect(),
        revisions: ids.iter().map(|id| (id.clone(), revisions(&cluster.replicas[0], id))).collect(),
        standing: cluster.replicas.iter().map(|replica| ids.iter().map(|id| standing(replica, id)).collect()).collect(),
        releases: cluster.replicas.iter().map(|replica| releases::kept(replica, &feed)).collect(),
        tables: history.faults(),
        feed,
    }
}

fn streamed((number, replica): (usize, &Replica), last: Option<&String>) -> Telling {
    let stream: Stream = watching::read((replica, number), &Filter::default(), None, WHOLE, last);
    Telling { replica: number, how: "the stream".to_owned(), events: stream.events().cloned().collect() }
}

fn paged((number, replica): (usize, &Replica)) -> Telling {
    let mut telling = Telling { replica: number, how: "the pages".to_owned(), events: Vec::new() };
    let mut cursor = None;
    loop {
        let from = cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let url = replica.api(&format!("/events?limit={PAGE}{from}"));
        let page = http::send(http::request("GET", &url).header("accept", "application/json")).expect(200).json();
        let events = page["events"].as_array().map(Vec::as_slice).unwrap_or_default();
        telling.events.extend(events.iter().filter_map(watching::event));
        let next = page["cursor"].as_str().map(str::to_owned);
        // A page that comes no further would be asked for for ever.
        if page["more"] != Value::Bool(true) || next == cursor {
            return telling;
        }
        cursor = next;
    }
}

fn standing(replica: &Replica, id: &str) -> Standing {
    let answer = http::get(&replica.api(&format!("/worker-types/{id}")));
    let worker_type = id.to_owned();
    match answer.status {
        200 => {
            let rollout = http::get(&replica.api(&format!("/worker-types/{id}/rollout")));
            let older = if rollout.status == 200 { rollout.json()["from"].as_u64() } else { None };
            let (generation, revision) = (etag(&answer), answer.json()["revision"].as_u64());
            let generation = generation.or(answer.json()["generation"].as_u64()).unwrap_or_default();
            Standing { worker_type, generation, revision, older }
        }
        _ => Standing { worker_type, generation: etag(&answer).unwrap_or_default(), revision: None, older: None },
    }
}

fn revisions(replica: &Replica, worker_type: &str) -> BTreeMap<u64, Revision> {
    let mut revisions = BTreeMap::new();
    for revision in 1.. {
        let answer = http::get(&replica.api(&format!("/worker-types/{worker_type}/revisions/{revision}")));
        if answer.status == 404 {
            break;
        }
        let body = answer.expect(200).json();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (content_hash, marker) = (text(&body["contentHash"]), text(&body["definition"]["description"]));
        revisions.insert(revision, Revision { content_hash, marker, message: text(&body["message"]) });
    }
    revisions
}
