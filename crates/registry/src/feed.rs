//! The change feed: ordered, unique, reliable, resumable. Recent events are served from memory, older ones from the store.

use crate::cursor::Cursor;
use crate::error::FeedError;
use crate::registry::Registry;
use crate::store::EventRecord;
use crate::time::rfc3339;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use worker_types::Event;

/// Events kept in memory.
const RECENT: usize = 10_000;

/// The newest events, and the bell that rings for each.
pub(crate) struct Feed {
    recent: Mutex<VecDeque<EventRecord>>,
    applied: watch::Sender<u64>,
}

impl Feed {
    pub(crate) fn new(applied: u64) -> Self {
        Self { recent: Mutex::default(), applied: watch::Sender::new(applied) }
    }

    /// Hands applied events on. The snapshot already has them.
    pub(crate) fn publish(&self, events: Vec<EventRecord>) {
        #[cfg(feature = "failpoints")]
        let events = crate::failpoints::in_feed(events);
        let Some(newest) = events.last().map(|event| event.sequence) else { return };
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.extend(events);
        let excess = recent.len().saturating_sub(RECENT);
        recent.drain(..excess);
        drop(recent);
        self.applied.send_replace(newest);
    }

    /// The newest events in memory that are `wanted`, newest first.
    pub(crate) fn newest(&self, limit: usize, wanted: impl Fn(&EventRecord) -> bool) -> Vec<EventRecord> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().rev().filter(|record| wanted(record)).take(limit).cloned().collect()
    }

    /// Who waits for news.
    pub(crate) fn watchers(&self) -> usize {
        self.applied.receiver_count()
    }

    /// After a gap: nothing in memory joins on to what comes.
    pub(crate) fn restart(&self, applied: u64) {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.applied.send_replace(applied);
    }

    /// The events after `sequence`, or none when it lies outside of what memory holds.
    fn after(&self, sequence: u64, limit: usize) -> Option<Vec<EventRecord>> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, newest) = (recent.front()?.sequence, recent.back()?.sequence);
        if sequence > newest {
            return None;
        }
        let skip = usize::try_from((sequence + 1).checked_sub(first)?).ok()?;
        Some(recent.iter().skip(skip).take(limit).cloned().collect())
    }
}

impl Registry {
    /// Rings, with the newest sequence, whenever reads see more.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.feed.applied.subscribe()
    }

    /// The place at which a reader without a cursor begins: the oldest that is kept.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn oldest_cursor(self: &Arc<Self>) -> Result<Cursor, FeedError> {
        let bounds = self.blocking(|registry| registry.store.feed()).await?;
        Ok(Cursor { epoch: bounds.epoch, sequence: bounds.compacted })
    }

    /// Checks that the feed goes on from `cursor`.
    ///
    /// # Errors
    /// Its events are gone, it is of another feed, or it lies in the future.
    pub async fn check_cursor(self: &Arc<Self>, cursor: &Cursor) -> Result<(), FeedError> {
        let bounds = self.blocking(|registry| registry.store.feed()).await?;
        if cursor.epoch != bounds.epoch || cursor.sequence < bounds.compacted {
            return Err(FeedError::Gone);
        }
        if cursor.sequence > bounds.newest {
            return Err(FeedError::InvalidCursor);
        }
        Ok(())
    }

    /// The events after `cursor` that reads of this replica see, in order, at most `limit`; empty when there are none.
    ///
    /// # Errors
    /// As [`Self::check_cursor`].
    pub async fn events_after(self: &Arc<Self>, cursor: &Cursor, limit: usize) -> Result<Vec<Event>, FeedError> {
        let (epoch, applied) = {
            let snapshot = self.snapshot();
            (snapshot.epoch.clone(), snapshot.applied)
        };
        if cursor.epoch == *epoch && cursor.sequence == applied {
            return Ok(Vec::new());
        }
        let from_memory = if cursor.epoch == *epoch { self.feed.after(cursor.sequence, limit) } else { None };
        let records = match from_memory {
            Some(records) => records,
            None => {
                self.check_cursor(cursor).await?;
                let after = cursor.sequence;
                self.blocking(move |registry| registry.store.events(after, limit)).await?
            }
        };
        let seen = records.into_iter().filter(|record| record.sequence <= applied);
        Ok(seen.map(|record| event(&epoch, record)).collect())
    }
}

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
