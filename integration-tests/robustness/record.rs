//! All that was seen in one run: what clients asked for and were told, what watchers heard, and what was there at the end.

use super::keeping::keep;
use super::releases::{Kept, ReleaseWrite};
use super::troubles::Trouble;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub name: String,
    pub seed: u64,
    /// How long a run with troubles goes on.
    pub seconds: u64,
    /// What was done to the service and its database, in order.
    pub troubles: Vec<Made>,
    /// How many connections of the database were cut.
    pub cut: usize,
    pub operations: Vec<Operation>,
    /// What one client asked of releases, in order.
    #[serde(default)]
    pub releases: Vec<ReleaseWrite>,
    pub watches: Vec<Watch>,
    pub ending: Ending,
}

/// One trouble that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    pub trouble: Trouble,
    /// To which of the replicas; none: to all of them at once, as when the database itself is away.
    pub replica: Option<usize>,
    /// Microseconds since the run began.
    pub started: u64,
    /// Microseconds since the run began.
    pub ended: u64,
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
    /// The place in the feed that the answer to a write names.
    pub place: Option<String>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// A publish of a definition that says `marker`, at once or beside what is live, on the condition that the generation
    /// is `expects`.
    Publish { marker: String, rollout: bool, expects: Option<u64> },
    /// The end of a rollout, on the same condition.
    EndRollout { complete: bool, expects: Option<u64> },
    /// The content of an earlier revision, to be live again as a new one whose message is `marker`, on the same condition.
    Rollback { marker: String, revision: u64, expects: Option<u64> },
    /// Another policy for the rollout that is open, in a new revision whose message is `marker`, on the same condition.
    ChangeRollout { marker: String, policy: String, expects: Option<u64> },
    /// A deletion, on the same condition.
    Delete { expects: Option<u64> },
    /// A read of what is live; `follows`: it brought the cursor of its client's last write, and waits for it.
    Read { follows: bool },
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// This is live.
    Live(Live),
    /// This was live already: there was nothing to write.
    Unchanged(Live),
    /// The deletion was made, or the rollout ended: this is the generation that came of it.
    Done { generation: u64 },
    /// Nothing is live: since this generation, or since ever.
    Absent { generation: Option<u64> },
    /// Another state was there than the one that was expected: this generation, or none.
    LostRace { generation: Option<u64> },
    /// It was not done, for another reason.
    NotDone { status: u16 },
    /// Nobody can tell whether it was done.
    Unknown { why: String },
    /// No answer of this service looks like this.
    Malformed { why: String },
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
    /// What it wants to hear of.
    pub filter: Filter,
    pub streams: Vec<Stream>,
}

/// Which changes a reader wants to hear of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Only those of worker types whose id begins so.
    pub prefix: Option<String>,
    /// Only these; none: all.
    pub kinds: Vec<String>,
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
    /// No message of this service looks like this.
    Malformed {
        text: String,
    },
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub cursor: String,
    pub kind: String,
    /// The release that changed: then the rest is empty.
    #[serde(default)]
    pub release: Option<String>,
    pub worker_type: String,
    pub generation: u64,
    pub revision: u64,
}

/// What is there when all is well again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// The place before the first change.
    pub start: String,
    /// Every change, in order, as the table of events has it.
    pub feed: Vec<Event>,
    /// The cursors of those rollouts' ends that nobody asked for: their time was over.
    pub by_itself: BTreeSet<String>,
    /// Every change as each replica tells it to a new reader.
    pub told: Vec<Telling>,
    /// Every revision, by worker type and number.
    pub revisions: BTreeMap<String, BTreeMap<u64, Revision>>,
    /// What each replica says is live, in one order.
    pub standing: Vec<Vec<Standing>>,
    /// Every release, as each replica shows it.
    #[serde(default)]
    pub releases: Vec<BTreeMap<String, Kept>>,
    /// What does not match in the database's tables.
    pub tables: Vec<String>,
}

/// The whole feed, as one replica tells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Telling {
    pub replica: usize,
    /// Of a stream, or of pages.
    pub how: String,
    pub events: Vec<Event>,
}

/// One revision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    pub content_hash: String,
    /// What its definition says.
    pub marker: String,
    /// What whoever wrote it said, and nobody else; a record from before there were messages has none.
    #[serde(default)]
    pub message: String,
}

/// What one replica says of one worker type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub worker_type: String,
    /// 0: it never was.
    pub generation: u64,
    /// None: it is deleted.
    pub revision: Option<u64>,
    /// The older of two live revisions.
    pub older: Option<u64>,
}

impl Operation {
    pub fn is_write(&self) -> bool {
        !matches!(self.action, Action::Read { .. })
    }

    /// The condition that it named.
    pub fn expects(&self) -> Option<u64> {
        match self.action {
            Action::Publish { expects, .. }
            | Action::Rollback { expects, .. }
            | Action::ChangeRollout { expects, .. }
            | Action::EndRollout { expects, .. }
            | Action::Delete { expects } => expects,
            Action::Read { .. } => None,
        }
    }

    /// The message that only the revision of this write has.
    pub fn marker(&self) -> Option<&str> {
        match &self.action {
            Action::Publish { marker, .. } | Action::Rollback { marker, .. } | Action::ChangeRollout { marker, .. } => {
                Some(marker)
            }
            _ => None,
        }
    }

    /// The generation that it was told to have made.
    pub fn made(&self) -> Option<u64> {
        match &self.outcome {
            Outcome::Live(live) if self.is_write() => Some(live.generation),
            Outcome::Done { generation } => Some(*generation),
            _ => None,
        }
    }

    /// Whether the answer says that nothing was changed.
    pub fn was_refused(&self) -> bool {
        let refused =
            matches!(self.outcome, Outcome::Absent { .. } | Outcome::LostRace { .. } | Outcome::NotDone { .. });
        self.is_write() && refused
    }

    /// How the feed calls it, if it is done.
    pub fn kind(&self) -> Option<&'static str> {
        match &self.action {
            Action::Publish { rollout: false, .. } => Some("worker-type-published"),
            Action::Rollback { .. } => Some("worker-type-rolled-back"),
            // The rollout is over at once.
            Action::ChangeRollout { policy, .. } if policy == "immediate" => Some("worker-type-published"),
            Action::ChangeRollout { .. } => Some("rollout-started"),
            // Beside nothing, it is live alone.
            Action::Publish { rollout: true, .. } | Action::Read { .. } => None,
            Action::EndRollout { complete: true, .. } => Some("rollout-completed"),
            Action::EndRollout { complete: false, .. } => Some("rollout-aborted"),
            Action::Delete { .. } => Some("worker-type-deleted"),
        }
    }
}

impl Made {
    /// Whether this replica was struck.
    pub fn struck(&self, replica: usize) -> bool {
        self.replica.is_none_or(|struck| struck == replica)
    }
}

impl Run {
    /// All that anybody heard or asked of.
    pub fn worker_types(&self) -> BTreeSet<&str> {
        let of_events = self.ending.of_worker_types().map(|event| event.worker_type.as_str());
        of_events.chain(self.operations.iter().map(|operation| operation.worker_type.as_str())).collect()
    }

    /// Keeps the record; says where it is and how to run the like of it.
    pub fn save(&self) -> String {
        let (name, seed, seconds) = (&self.name, self.seed, self.seconds);
        let kept = keep(name, seed, self);
        format!("{kept}\nagain: make robustness ONLY={name} SEED={seed} SECONDS={seconds}")
    }
}

impl Event {
    pub fn of_release(cursor: String, kind: String, release: String) -> Self {
        Self { cursor, kind, release: Some(release), worker_type: String::new(), generation: 0, revision: 0 }
    }
}

impl Filter {
    pub fn takes(&self, event: &Event) -> bool {
        let of_these = self.prefix.as_ref().is_none_or(|prefix| event.worker_type.starts_with(prefix));
        of_these && (self.kinds.is_empty() || self.kinds.contains(&event.kind))
    }

    /// As a query of the feed.
    pub fn query(&self) -> String {
        let prefix = self.prefix.iter().map(|prefix| format!("workerTypePrefix={prefix}"));
        let kinds = (!self.kinds.is_empty()).then(|| format!("kinds={}", self.kinds.join(",")));
        prefix.chain(kinds).collect::<Vec<_>>().join("&")
    }
}

impl Ending {
    /// How many changes lie before the place that a cursor names, for each cursor.
    pub fn positions(&self) -> HashMap<&str, usize> {
        let cursors = std::iter::once(&self.start).chain(self.feed.iter().map(|event| &event.cursor));
        cursors.map(String::as_str).zip(0..).collect()
    }

    /// Every change of a worker type, in order.
    pub fn of_worker_types(&self) -> impl Iterator<Item = &Event> {
        self.feed.iter().filter(|event| event.release.is_none())
    }

    /// The changes that made each generation of each worker type: one, if all is well.
    pub fn makers(&self) -> HashMap<(&str, u64), Vec<&Event>> {
        let mut makers: HashMap<_, Vec<_>> = HashMap::new();
        for event in self.of_worker_types() {
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
