//! What the gate knows of one worker type, and how far it trusts it. Pure: the time is passed in.

use crate::gate::{GateSettings, breaker::Breaker, fetch::Failure};
use crate::{FeedEvent, FeedKind};
use jiff::Timestamp;
use payload_schema::Prepared;
use std::sync::Arc;
use tokio::{sync::watch, time::Instant};
use worker_types::{EventKind, Generation, ReleaseId};

/// The last answer of worker-manager about a worker type.
#[derive(Clone)]
pub(crate) enum Answer {
    /// Its bundle, compiled.
    Live(Arc<Prepared>),
    /// It was deleted; the words that say so, and the generation of the tombstone.
    Deleted { detail: String, generation: Option<Generation> },
    /// There is none; the words that say so, and the one that was probably meant.
    Unknown { detail: String, suggestion: Option<String> },
}

/// An answer, and when it was last known to hold.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) answer: Answer,
    pub(crate) confirmed: Instant,
    pub(crate) confirmed_at: Timestamp,
}

/// What a fetch brought home.
pub(crate) enum Fetched {
    Answer { answer: Answer, etag: Option<String> },
    NotModified,
}

/// How far what is known can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It holds.
    Fresh,
    /// It holds as far as the watch has told; time to ask again.
    Ageing,
    /// It may no longer hold.
    Stale,
    /// There is nothing.
    Nothing,
}

/// A fetch that is under way. The sender is dropped when it has landed, however it went.
#[derive(Clone)]
pub(crate) struct Flight {
    pub(crate) landed: watch::Receiver<()>,
    /// A task may wait for it: it is no probe.
    pub(crate) waitable: bool,
}

/// What the last event about a worker type says that a fetch must bring. Replicas may lag behind the feed.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    generation: Option<Generation>,
    deleted: bool,
    since: Instant,
}

/// One worker type in the gate.
pub(crate) struct Slot {
    pub(crate) known: Option<Known>,
    pub(crate) etag: Option<String>,
    pub(crate) flight: Option<Flight>,
    /// For faults of this worker type alone, such as a bundle that cannot be read.
    pub(crate) breaker: Breaker,
    /// Since when fetches have failed, and how the last one did, until one succeeds.
    pub(crate) failing: Option<(Timestamp, Failure)>,
    pub(crate) last_used: Instant,
    /// How many events came; tells a landing fetch whether one came meanwhile.
    pub(crate) events: u64,
    stale: bool,
    /// Whether something was said of a release in use while a fetch may have been under way: no generation proves that the
    /// fetch has seen it.
    marked: bool,
    expected: Option<Expected>,
}

impl Slot {
    pub(crate) fn new(now: Instant, settings: &GateSettings) -> Self {
        let breaker = Breaker::new(settings.failures, settings.first_pause, settings.longest_pause);
        Self {
            known: None,
            etag: None,
            flight: None,
            breaker,
            failing: None,
            last_used: now,
            events: 0,
            stale: false,
            marked: false,
            expected: None,
        }
    }

    /// A new slot of a worker type of which the feed has told something already.
    pub(crate) fn expecting(self, expected: Option<Expected>) -> Self {
        Self { expected, ..self }
    }

    /// How far to trust what is known, at `now`, with the watch connected or not.
    pub(crate) fn trust(&self, now: Instant, watching: bool, settings: &GateSettings) -> Trust {
        let Some(known) = &self.known else { return Trust::Nothing };
        let age = now.saturating_duration_since(known.confirmed);
        match known.answer {
            // A worker type that did not exist may be there by now: no knowledge to refuse a task by.
            Answer::Unknown { .. } if self.stale || age > settings.unknown_for => Trust::Nothing,
            Answer::Unknown { .. } => Trust::Fresh,
            _ if self.stale => Trust::Stale,
            _ if age <= settings.max_age => Trust::Fresh,
            _ if watching => Trust::Ageing,
            _ => Trust::Stale,
        }
    }

    /// Whether worker-manager has said since `started` what is known: good enough for a task that came then, also if an
    /// event has made it stale meanwhile.
    pub(crate) fn answered_since(&self, started: Instant) -> bool {
        self.known.as_ref().is_some_and(|known| known.confirmed >= started)
    }

    /// Whether it holds more than "there is no such worker type".
    pub(crate) fn is_worth_keeping(&self) -> bool {
        self.known.as_ref().is_some_and(|known| !matches!(known.answer, Answer::Unknown { .. }))
    }

    /// An event about this worker type.
    pub(crate) fn changed(&mut self, event: &FeedEvent, now: Instant) {
        self.expected = Some(Expected::by(event, now));
        self.events += 1;
        self.stale = true;
    }

    /// Whether the known bundle uses a release.
    pub(crate) fn uses(&self, release: &ReleaseId) -> bool {
        let Some(Known { answer: Answer::Live(prepared), .. }) = &self.known else { return false };
        let mut variants = prepared.bundle().revisions.iter().flat_map(|revision| &revision.variants);
        variants.any(|variant| variant.release.as_ref() == Some(release))
    }

    /// Something was said of a release that it uses.
    pub(crate) fn marked(&mut self) {
        self.events += 1;
        self.stale = true;
        self.marked = true;
    }

    /// Changes may have been missed, or the database be another one.
    pub(crate) fn doubt(&mut self) {
        self.expected = None;
        self.events += 1;
        self.stale = true;
    }

    /// A fetch has failed.
    pub(crate) fn failed(&mut self, failure: &Failure, now: Instant) {
        let since = self.failing.take().map_or_else(Timestamp::now, |(since, _)| since);
        self.failing = Some((since, failure.clone()));
        if failure.of_this_worker_type {
            self.breaker.failed(now);
        }
    }

    /// A fetch that began after `events` events has landed well.
    pub(crate) fn landed(&mut self, fetched: Fetched, events: u64, now: Instant, settings: &GateSettings) {
        self.failing = None;
        self.breaker.succeeded();
        let (answer, etag) = match fetched {
            Fetched::Answer { answer, etag } => (answer, etag),
            Fetched::NotModified => match self.known.take() {
                Some(known) => (known.answer, self.etag.take()),
                None => return,
            },
        };
        self.expected = self.expected.take().filter(|expected| now < expected.since + settings.max_age);
        let satisfied = self.expected.as_ref().is_none_or(|expected| expected.is_met_by(&answer));
        let proven = self.expected.as_ref().is_some_and(|expected| expected.generation.is_some());
        let came_meanwhile = self.events != events;
        self.marked &= came_meanwhile;
        self.stale = !satisfied || (came_meanwhile && !proven) || self.marked;
        match &mut self.known {
            // A replica that lags behind the one that answered before.
            Some(known) if !satisfied && generation(&known.answer) > generation(&answer) => known.confirmed = now,
            known => {
                *known = Some(Known { answer, confirmed: now, confirmed_at: Timestamp::now() });
                self.etag = etag;
            }
        }
    }
}

impl Expected {
    pub(crate) fn by(event: &FeedEvent, now: Instant) -> Self {
        let deleted = event.kind == FeedKind::Known(EventKind::WorkerTypeDeleted);
        Self { generation: event.generation, deleted, since: now }
    }

    /// By its generation where it has one, else by what the event said became of the worker type.
    fn is_met_by(&self, answer: &Answer) -> bool {
        match (generation(answer), answer) {
            (Some(generation), _) => self.generation.is_none_or(|expected| generation >= expected),
            (None, Answer::Live(_)) => true,
            (None, Answer::Deleted { .. } | Answer::Unknown { .. }) => self.deleted,
        }
    }
}

fn generation(answer: &Answer) -> Option<Generation> {
    match answer {
        Answer::Live(prepared) => Some(prepared.bundle().generation),
        Answer::Deleted { generation, .. } => *generation,
        Answer::Unknown { .. } => None,
    }
}

#[cfg(test)]
mod tests;
