//! Readers of the change feed, each of which goes from replica to replica and resumes where it was.

use super::cluster::Cluster;
use super::record::{Event, Frame, Stream, Watch};
use super::traffic::{number, text};
use fastrand::Rng;
use integration_tests::http;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long after the last change a reader may take to hear of it before it counts as lost.
const HANG: Duration = Duration::from_secs(15);

/// The last change of a run that failed: nobody waits for it.
pub const NOWHERE: &str = "";

/// Reads until it has heard of the change at `last`, which is said when nothing changes any more.
pub fn watch(seed: u64, cluster: &Cluster, last: &OnceLock<String>) -> Watch {
    let mut random = Rng::with_seed(seed);
    let mut watch = Watch::default();
    let mut place = None;
    let mut given_up = None;
    loop {
        let replica = random.usize(..cluster.replicas.len());
        // Connections end as they do in life: after a while.
        let life = Duration::from_millis(random.u64(200..2_500));
        let url = cluster.replicas[replica].api("/events");
        let stream = read(&url, replica, place.clone(), life);
        place = stream.frames.iter().rev().find_map(cursor).or(place);
        watch.streams.push(stream);
        if let Some(last) = last.get() {
            let since = *given_up.get_or_insert_with(Instant::now);
            if place.as_ref() == Some(last) || last == NOWHERE || since.elapsed() > HANG {
                return watch;
            }
        }
        std::thread::sleep(Duration::from_millis(random.u64(10..50)));
    }
}

/// One connection, for as long as it lives.
pub fn read(url: &str, replica: usize, from: Option<String>, life: Duration) -> Stream {
    let mut request = http::request("GET", url).timeout(life).header("accept", "text/event-stream");
    if let Some(cursor) = &from {
        request = request.header("last-event-id", cursor);
    }
    let mut stream = Stream { replica, from, ..Stream::default() };
    // A server that is away has nothing to tell.
    let Ok(response) = request.send() else { return stream };
    if response.status() != 200 {
        stream.refused = Some(response.status().as_u16());
        return stream;
    }
    // A message that was cut off is none (Server-sent events, 9.2.6: it is dispatched by the empty line).
    let (mut kind, mut data) = (String::new(), String::new());
    for line in BufReader::new(response).lines().map_while(Result::ok) {
        match line.split_once(": ") {
            Some(("event", name)) => kind = name.to_owned(),
            Some(("data", json)) => data = json.to_owned(),
            None if line.is_empty() => {
                stream.frames.push(frame(&std::mem::take(&mut kind), &std::mem::take(&mut data)));
            }
            _ => {}
        }
    }
    stream
}

fn frame(kind: &str, data: &str) -> Frame {
    let data: Value = serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"));
    match kind {
        "bookmark" => Frame::Bookmark { cursor: text(&data["cursor"]) },
        "slow-reader" | "cursor-gone" | "unavailable" | "closing" => Frame::End { code: kind.to_owned() },
        kind => Frame::Event(Event {
            cursor: text(&data["cursor"]),
            kind: kind.to_owned(),
            worker_type: text(&data["workerTypeId"]),
            generation: number(&data["generation"]),
            revision: number(&data["revision"]),
        }),
    }
}

pub fn cursor(frame: &Frame) -> Option<String> {
    match frame {
        Frame::Bookmark { cursor } | Frame::Event(Event { cursor, .. }) => Some(cursor.clone()),
        Frame::End { .. } => None,
    }
}
