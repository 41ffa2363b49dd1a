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
        // Whoever came no further waits for the bell: to look again at once would be to look for ever.
        stretch.more = (after.sequence + 1..applied).contains(&stretch.place.sequence);
        stretch
    }
}

#[cfg(test)]
mod tests {
    use super::{FeedEntry, Stretch};
    use crate::cursor::Cursor;
    use crate::feed::EventFilter;
    use crate::store::EventRecord;
    use std::sync::Arc;
    use worker_types::EventKind;

    fn looked(sequences: &[u64], applied: u64, limit: usize) -> (Vec<u64>, u64, bool) {
        let record = |sequence: &u64| EventRecord {
            sequence: *sequence,
            kind: EventKind::ReleasePublished,
            worker_type_id: None,
            release: None,
            generation: None,
            revision: None,
            at: jiff::Timestamp::UNIX_EPOCH,
        };
        let entries: Vec<_> = sequences.iter().map(|each| Arc::new(FeedEntry::new("e", record(each)))).collect();
        let after = Cursor { epoch: "e".to_owned(), sequence: 3 };
        let stretch = Stretch::look(&entries, &after, applied, &EventFilter::default(), limit);
        (stretch.events.iter().map(|entry| entry.sequence).collect(), stretch.place.sequence, stretch.more)
    }

    #[test]
    fn there_is_more_where_a_look_ended_before_the_newest() {
        assert_eq!(looked(&[4, 5, 6], 6, 10), (vec![4, 5, 6], 6, false));
        assert_eq!(looked(&[4, 5, 6], 6, 2), (vec![4, 5], 5, true));
        assert_eq!(looked(&[4, 5, 6], 5, 10), (vec![4, 5], 5, false), "what reads do not show yet is not told");
        assert_eq!(looked(&[4, 5], 6, 10), (vec![4, 5], 5, true));
    }

    #[test]
    fn who_came_no_further_is_not_told_to_look_again_at_once() {
        assert_eq!(looked(&[], 6, 10), (vec![], 3, false));
        assert_eq!(looked(&[7], 6, 10), (vec![], 3, false));
    }
}
