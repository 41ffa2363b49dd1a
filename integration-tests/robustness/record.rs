//! All that was seen in one run: what clients asked for and were told, what watchers heard, and what was there at the end.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Instant;

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub name: String,
    pub seed: u64,
    /// What was done to the service and its database, in order.
    pub troubles: Vec<String>,
    pub operations: Vec<Operation>,
    pub watches: Vec<Watch>,
    pub ending: Ending,
}

/// One request of a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    pub client: usize,
    pub replica: usize,
    pub worker_type: String,
    /// Microseconds since the run began.
    pub started: u64,
    /// Microseconds since the run began.
    pub ended: u64,
    pub action: Action,
    pub outcome: Outcome,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// A publish of a definition that says `marker`, at once or beside what is live, on the condition that the generation
    /// is `expects`.
    Publish { marker: String, rollout: bool, expects: Option<u64> },
    /// The end of a rollout, whatever the generation.
    EndRollout { complete: bool },
    /// A deletion, on the condition that the generation is `expects`.
    Delete { expects: Option<u64> },
    /// A read of what is live; `follows`: it brought the cursor of its client's last write, and waits for it.
    Read { follows: bool },
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// This is live.
    Live(Live),
    /// The deletion was made, or the rollout ended.
    Done,
    /// There is no such worker type now.
    Absent,
    /// Another state was there than the one that was expected.
    LostRace,
    /// It was not done, for another reason.
    NotDone { status: u16 },
    /// Nobody can tell whether it was done.
    Unknown { why: String },
}

/// A worker type as an answer shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Live {
    pub generation: u64,
    pub revision: u64,
    pub content_hash: String,
    pub marker: String,
    /// The answer said that the database was away, and that it may be old.
    pub stale: bool,
}

/// One reader of the change feed, over all of its connections.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    pub streams: Vec<Stream>,
}

/// One connection of a reader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    pub replica: usize,
    /// The cursor that it went on from; none: from the oldest that is kept.
    pub from: Option<String>,
    /// What the server answered instead of a stream.
    pub refused: Option<u16>,
    pub frames: Vec<Frame>,
}

/// One message of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Frame {
    Bookmark {
        cursor: String,
    },
    Event(Event),
    /// The server's last words.
    End {
        code: String,
    },
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub cursor: String,
    pub kind: String,
    pub worker_type: String,
    pub generation: u64,
    pub revision: u64,
}

/// What is there when all is well again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// The place before the first change.
    pub start: String,
    /// Every change, in order.
    pub feed: Vec<Event>,
    /// Every revision, by worker type and number.
    pub revisions: BTreeMap<String, BTreeMap<u64, Revision>>,
    /// What each replica says is live, in one order.
    pub standing: Vec<Vec<Standing>>,
    /// What does not match in the database's tables.
    pub tables: Vec<String>,
}

/// One revision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    pub content_hash: String,
    pub marker: String,
}

/// What one replica says of one worker type; no revision: it is deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub worker_type: String,
    pub generation: Option<u64>,
    pub revision: Option<u64>,
}

impl Run {
    /// Keeps the record where a person can look at it, and says where.
    pub fn save(&self) -> PathBuf {
        let folder = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
        let folder = folder.join("robustness");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{}-{}.json", self.name, self.seed));
        std::fs::write(&file, serde_json::to_vec_pretty(self).unwrap()).unwrap();
        file
    }
}

impl Ending {
    /// How many changes lie before the place that a cursor names, for each cursor.
    pub fn positions(&self) -> HashMap<&str, usize> {
        let cursors = std::iter::once(&self.start).chain(self.feed.iter().map(|event| &event.cursor));
        cursors.map(String::as_str).zip(0..).collect()
    }

    /// The changes that made each generation of each worker type: one, if all is well.
    pub fn makers(&self) -> HashMap<(&str, u64), Vec<&Event>> {
        let mut makers: HashMap<_, Vec<_>> = HashMap::new();
        for event in &self.feed {
            makers.entry((event.worker_type.as_str(), event.generation)).or_default().push(event);
        }
        makers
    }

    pub fn revision(&self, worker_type: &str, revision: u64) -> Option<&Revision> {
        self.revisions.get(worker_type)?.get(&revision)
    }
}

impl Watch {
    /// The changes that it heard of, in the order in which it did.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.streams.iter().flat_map(Stream::events)
    }
}

impl Stream {
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.frames.iter().filter_map(|frame| match frame {
            Frame::Event(event) => Some(event),
            _ => None,
        })
    }
}

/// The time of one run.
#[derive(Clone, Copy)]
pub struct Clock(Instant);

impl Clock {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Microseconds since the run began.
    pub fn now(self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
