//! The change feed: ordered, unique, reliable, resumable. Recent events are served from memory, older ones from the store.

mod filter;
mod stretch;

pub use filter::{EventFilter, UnusablePrefix, WorkerTypePrefix};
pub(crate) use stretch::event;
pub use stretch::{FeedEntry, Stretch};

use crate::cursor::Cursor;
use crate::error::FeedError;
use crate::registry::Registry;
use crate::store::EventRecord;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use stretch::LOOKED_AT;
use tokio::sync::watch;
use worker_types::Event;

/// Events kept in memory.
const RECENT: usize = 10_000;

/// The newest events, and the bell that rings for each.
pub(crate) struct Feed {
    recent: Mutex<VecDeque<Arc<FeedEntry>>>,
    applied: watch::Sender<u64>,
}

impl Feed {
    pub(crate) fn new(applied: u64) -> Self {
        Self { recent: Mutex::default(), applied: watch::Sender::new(applied) }
    }

    /// Hands applied events on. The snapshot already has them.
    pub(crate) fn publish(&self, epoch: &str, events: Vec<EventRecord>) {
        #[cfg(feature = "failpoints")]
        let events = crate::failpoints::in_feed(events);
        let Some(newest) = events.last().map(|event| event.sequence) else { return };
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.extend(events.into_iter().map(|record| Arc::new(FeedEntry::new(epoch, record))));
        let excess = recent.len().saturating_sub(RECENT);
        recent.drain(..excess);
        drop(recent);
        self.applied.send_replace(newest);
    }

    /// The newest events in memory, newest first.
    pub(crate) fn newest(&self, limit: usize) -> Vec<Event> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().rev().take(limit).map(|entry| entry.event.clone()).collect()
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

    /// What lies after `cursor`, which is of this feed, or none when that is outside of what memory holds.
    fn after(&self, cursor: &Cursor, applied: u64, filter: &EventFilter, limit: usize) -> Option<Stretch> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, newest) = (recent.front()?.sequence, recent.back()?.sequence);
        if cursor.sequence > newest {
            return None;
        }
        let skip = usize::try_from((cursor.sequence + 1).checked_sub(first)?).ok()?;
        // Reads may see an event a moment before it is here: the bell rings for it then.
        Some(Stretch::look(recent.iter().skip(skip), cursor, applied.min(newest), filter, limit))
    }
}

impl Registry {
    /// Rings, with the newest sequence, whenever reads see more.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.feed.applied.subscribe()
    }

    /// The place at which a reader begins: the cursor that it gives, or the oldest that is kept.
    ///
    /// # Errors
    /// The feed does not go on from that cursor: its events are gone, it is of another feed, or it lies in the future; the
    /// database.
    pub async fn begin(self: &Arc<Self>, given: Option<Cursor>) -> Result<Cursor, FeedError> {
        let Some(cursor) = given else {
            let bounds = self.blocking(|registry| registry.store.feed()).await?;
            return Ok(Cursor { epoch: bounds.epoch, sequence: bounds.compacted });
        };
        let here = self.snapshot().cursor();
        if cursor.epoch == here.epoch && cursor.sequence <= here.sequence {
            // Memory may reach back that far: then the database need not be there.
            self.events_after(&cursor, &EventFilter::default(), 1).await?;
        } else {
            self.check_cursor(&cursor).await?;
        }
        #[cfg(feature = "failpoints")]
        let cursor = crate::failpoints::begun_at(cursor, here.sequence);
        Ok(cursor)
    }

    async fn check_cursor(self: &Arc<Self>, cursor: &Cursor) -> Result<(), FeedError> {
        let bounds = self.blocking(|registry| registry.store.feed()).await?;
        if cursor.epoch != bounds.epoch || cursor.sequence < bounds.compacted {
            return Err(FeedError::Gone);
        }
        if cursor.sequence > bounds.newest {
            return Err(FeedError::Future { given: cursor.sequence, newest: bounds.newest });
        }
        Ok(())
    }

    /// What reads of this replica see after `cursor`: at most `limit` events that `filter` takes, in order, and the place
    /// up to which was looked. Of many that the filter leaves out, it looks at some and answers the place reached.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub async fn events_after(
        self: &Arc<Self>,
        cursor: &Cursor,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<Stretch, FeedError> {
        let (epoch, applied) = {
            let snapshot = self.snapshot();
            (snapshot.epoch.clone(), snapshot.applied)
        };
        if cursor.epoch == *epoch {
            if cursor.sequence == applied {
                #[cfg(feature = "failpoints")]
                return Ok(Stretch::end(crate::failpoints::heard_up_to(cursor.clone())));
                #[cfg(not(feature = "failpoints"))]
                return Ok(Stretch::end(cursor.clone()));
            }
            if let Some(stretch) = self.feed.after(cursor, applied, filter, limit) {
                return Ok(stretch);
            }
        }
        let stored = self.stored_after(cursor, if filter.takes_all() { limit } else { LOOKED_AT }).await?;
        if stored.is_empty() {
            return Ok(Stretch::end(cursor.clone()));
        }
        Ok(Stretch::look(&stored, cursor, applied, filter, limit))
    }

    /// Those that memory has forgotten.
    async fn stored_after(self: &Arc<Self>, cursor: &Cursor, limit: usize) -> Result<Vec<Arc<FeedEntry>>, FeedError> {
        self.check_cursor(cursor).await?;
        let after = cursor.sequence;
        let records = self.blocking(move |registry| registry.store.events(after, limit)).await?;
        // Numbers are dense: a hole means that what was there is forgotten since the cursor was checked.
        if records.first().is_some_and(|first| first.sequence != after + 1) {
            return Err(FeedError::Gone);
        }
        Ok(records.into_iter().map(|record| Arc::new(FeedEntry::new(&cursor.epoch, record))).collect())
    }

    /// How many of the events after `cursor` the filter takes, and up to which place they were counted. Counts no further
    /// than to the first beyond `enough`.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub async fn count_after(
        self: &Arc<Self>,
        cursor: &Cursor,
        filter: &EventFilter,
        enough: u64,
    ) -> Result<(u64, Cursor), FeedError> {
        let (mut count, mut place) = (0, cursor.clone());
        loop {
            let stretch = self.events_after(&place, filter, LOOKED_AT).await?;
            count += stretch.events.len() as u64;
            place = stretch.place;
            if !stretch.more || count > enough {
                return Ok((count, place));
            }
        }
    }
}
