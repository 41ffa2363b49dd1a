//! A stretch of the feed, as one reader is given it: what it wants to hear, and how far was looked.

use crate::cursor::Cursor;
use crate::feed::EventFilter;
use crate::store::EventRecord;
use crate::time::rfc3339;
use bytes::Bytes;
use std::sync::{Arc, OnceLock};
use worker_types::Event;

/// Events that are looked at in one go: a reader who wants few of them keeps nobody else waiting.
pub(super) const LOOKED_AT: usize = 1_000;

/// An event in its place.
#[derive(Debug)]
pub struct FeedEntry {
    /// From 1, without holes.
    pub sequence: u64,
    /// What happened.
    pub event: Event,
    text: OnceLock<Bytes>,
}

impl FeedEntry {
    /// The event of `record` in the feed with this epoch.
    pub fn new(epoch: &str, record: EventRecord) -> Self {
        Self { sequence: record.sequence, event: event(epoch, record), text: OnceLock::new() }
    }

    /// The event as `write` puts it on the wire: written for the first reader, and shared with all others. Whoever asks
    /// must write it alike.
    pub fn text(&self, write: impl FnOnce(&Event) -> Bytes) -> Bytes {
        self.text.get_or_init(|| write(&self.event)).clone()
    }
}

/// The event of `record` in the feed with this epoch.
pub(crate) fn event(epoch: &str, record: EventRecord) -> Event {
    Event {
        cursor: Cursor { epoch: epoch.to_owned(), sequence: record.sequence }.to_string(),
        kind: record.kind,
        worker_type_id: record.worker_type_id,
        release: record.release,
        generation: record.generation,
        revision: record.revision,
        at: rfc3339(record.at),
    }
}

/// What lies after a place in the feed.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Those that the filter takes, in order.
    pub events: Vec<Arc<FeedEntry>>,
    /// Everything up to here was looked at: go on from here, also where nothing was taken.
    pub place: Cursor,
    /// Whether reads of this replica see more after it.
    pub more: bool,
}

impl Stretch {
    /// Nothing lies after `place`.
    pub(super) fn end(place: Cursor) -> Self {
        Self { events: Vec::new(), place, more: false }
    }

    /// Looks at `entries`, which follow on `after`, up to the one with the sequence `applied`, until `limit` are taken.
    pub(super) fn look<'a>(
        entries: impl IntoIterator<Item = &'a Arc<FeedEntry>>,
        after: &Cursor,
        applied: u64,
        filter: &EventFilter,
        limit: usize,
    ) -> Self {
        let mut stretch = Self::end(after.clone());
        for entry in entries.into_iter().take_while(|entry| entry.sequence <= applied).take(LOOKED_AT) {
            if stretch.events.len() == limit {
                break;
            }
            stretch.place.sequence = entry.sequence;
            if filter.takes(&entry.event) {
                stretch.events.push(entry.clone());
            }
        }
        stretch.more = stretch.place.sequence < applied;
        stretch
    }
}
