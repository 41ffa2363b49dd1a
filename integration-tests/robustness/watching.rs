//! Readers of the change feed, each of which goes from replica to replica and resumes where it was.

use super::cluster::{Cluster, Replica};
use super::record::{Event, Filter, Frame, Stream};
use super::recorder::Recorder;
use fastrand::Rng;
use integration_tests::http;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The last change of a run that failed: nobody waits for it.
pub const NOWHERE: &str = "";

/// The readers of every run: of all, and of a part of the feed. Each part has the last change in it.
pub fn filters() -> Vec<Filter> {
    let kinds = ["worker-type-published", "worker-type-deleted", "rollout-completed", "release-marked"];
    let kinds = kinds.map(str::to_owned).to_vec();
    let of_kinds = Filter { kinds, ..Filter::default() };
    let of_few = Filter { prefix: Some("robust/l".to_owned()), ..Filter::default() };
    vec![Filter::default(), Filter::default(), Filter::default(), of_kinds, of_few]
}

/// Reads until it has heard of the change at `last`, which is said when nothing changes any more, or until it counts as
/// lost: `patience` after that.
pub fn watch(
    (reader, filter): (usize, &Filter),
    seed: u64,
    cluster: &Cluster,
    recorder: &Recorder,
    (last, patience): (&OnceLock<String>, Duration),
) {
    let mut random = Rng::with_seed(seed);
    let mut place = None;
    let mut given_up = None;
    loop {
        let replica = random.usize(..cluster.replicas.len());
        // Connections end as they do in life: after a while.
        let life = Duration::from_millis(random.u64(200..2_500));
        let stream = read((&cluster.replicas[replica], replica), filter, place.clone(), life, last.get());
        place = stream.frames.iter().rev().find_map(cursor).or(place);
        recorder.stream(reader, stream);
        if let Some(last) = last.get() {
            let since = *given_up.get_or_insert_with(Instant::now);
            if place.as_ref() == Some(last) || last == NOWHERE || since.elapsed() > patience {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(random.u64(10..50)));
    }
}

/// One connection, for as long as it lives, or until the change at `last` was told.
pub fn read(
    (replica, number): (&Replica, usize),
    filter: &Filter,
    from: Option<String>,
    life: Duration,
    last: Option<&String>,
) -> Stream {
    let url = replica.api(&format!("/events?{}", filter.query()));
    let mut request = http::request("GET", &url).timeout(life).header("accept", "text/event-stream");
    if let Some(cursor) = &from {
        request = request.header("last-event-id", cursor);
    }
    let mut stream = Stream { replica: number, from, ..Stream::default() };
    // A server that is away has nothing to tell.
    let Ok(response) = request.send() else { return stream };
    if response.status() != 200 {
        stream.refused = Some(response.status().as_u16());
        return stream;
    }
    // A message that was cut off is none (Server-sent events, 9.2.6: it is dispatched by the empty line).
    let mut message = Message::default();
    for line in BufReader::new(response).lines().map_while(Result::ok) {
        match line.split_once(": ") {
            Some(("event", name)) => name.clone_into(&mut message.kind),
            Some(("data", json)) => json.clone_into(&mut message.data),
            Some(("id", id)) => message.id = Some(id.to_owned()),
            None if line.is_empty() => {
                let frame = std::mem::take(&mut message).frame();
                let is_last = last.is_some() && cursor(&frame).as_ref() == last;
                stream.frames.push(frame);
                if is_last {
                    break;
                }
            }
            _ => {}
        }
    }
    stream
}

/// What lies between two empty lines of a stream.
#[derive(Debug, Default)]
struct Message {
    kind: String,
    data: String,
    id: Option<String>,
}

impl Message {
    fn frame(self) -> Frame {
        let data: Value = serde_json::from_str(&self.data).unwrap_or_default();
        let frame = match self.kind.as_str() {
            "bookmark" => data["cursor"].as_str().map(|cursor| Frame::Bookmark { cursor: cursor.to_owned() }),
            "slow-reader" | "cursor-gone" | "unavailable" | "closing" => Some(Frame::End { code: self.kind.clone() }),
            kind => event(&data).filter(|event| event.kind == kind).map(Frame::Event),
        };
        // Browsers resume with the id, others with the cursor.
        let frame = frame.filter(|frame| cursor(frame).is_none() || cursor(frame) == self.id);
        frame.unwrap_or_else(|| Frame::Malformed { text: format!("{self:?}") })
    }
}

/// A change, as streams and pages write it: of a worker type or of a release, and never of both.
pub fn event(data: &Value) -> Option<Event> {
    let text = |name: &str| data[name].as_str().map(str::to_owned);
    let (cursor, kind) = (text("cursor")?, text("kind")?);
    let says = |name: &str| !data[name].is_null();
    match text("release") {
        Some(_) if says("workerTypeId") || says("generation") || says("revision") => None,
        Some(release) => Some(Event::of_release(cursor, kind, release)),
        None => Some(Event {
            cursor,
            kind,
            release: None,
            worker_type: text("workerTypeId")?,
            generation: data["generation"].as_u64()?,
            revision: data["revision"].as_u64()?,
        }),
    }
}

pub fn cursor(frame: &Frame) -> Option<String> {
    match frame {
        Frame::Bookmark { cursor } | Frame::Event(Event { cursor, .. }) => Some(cursor.clone()),
        Frame::End { .. } | Frame::Malformed { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::event;
    use serde_json::json;

    #[test]
    fn a_change_is_of_a_worker_type_or_of_a_release() {
        let of_release =
            json!({"cursor": "c", "kind": "release-marked", "release": "w@1", "at": "2026-12-02T00:00:00Z"});
        let read = event(&of_release).unwrap();
        assert_eq!((read.release.as_deref(), read.worker_type.as_str(), read.generation), (Some("w@1"), "", 0));
        let mut of_both = of_release;
        of_both["generation"] = 1.into();
        assert_eq!(event(&of_both), None);
        let of_neither = json!({"cursor": "c", "kind": "release-marked", "generation": 1, "revision": 1});
        assert_eq!(event(&of_neither), None);
    }
}
