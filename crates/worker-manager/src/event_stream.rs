//! One reader of the change feed: pulls events when the connection takes them, and knows when to end.
//!
//! Nothing is buffered for a reader: what it has not taken stays in the feed, which is bounded. A reader that falls too
//! far behind is told so and cut.

use bytes::Bytes;
use futures_util::{Stream, stream};
use registry::{Cursor, FeedError, Registry};
use service::Shutdown;
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};
use worker_types::Event;

/// Events that are taken from the feed at once.
const BATCH: usize = 100;

/// What a reader is served on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// How often a quiet feed sends a bookmark.
    pub(crate) heartbeat: Duration,
    /// How many events may come while a reader takes those that were there when it last waited for some.
    pub(crate) lag: u64,
}

/// A reader and its place.
pub(crate) struct Reader {
    registry: Arc<Registry>,
    place: Cursor,
    news: watch::Receiver<u64>,
    heartbeat: Interval,
    shutdown: Shutdown,
    lag: u64,
    /// The reader is cut when the feed gets beyond this while it has not taken everything.
    horizon: u64,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Greeting,
    Reading,
    Ended,
}

/// Why the server ends a stream, as the last event says it.
#[derive(Clone, Copy)]
enum End {
    SlowReader,
    CursorGone,
    Unavailable,
    Closing,
}

impl Reader {
    /// A reader that has seen everything up to `place`.
    pub(crate) fn new(registry: Arc<Registry>, place: Cursor, terms: Terms, shutdown: Shutdown) -> Self {
        let horizon = registry.snapshot().applied.saturating_add(terms.lag);
        let mut heartbeat = interval(terms.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        let news = registry.news();
        Self { news, registry, place, heartbeat, shutdown, lag: terms.lag, horizon, stage: Stage::Greeting }
    }

    /// The text of the stream, part by part.
    pub(crate) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(self, |mut reader| async move {
            let part = reader.next().await?;
            Some((Ok(part), reader))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        match self.stage {
            Stage::Ended => None,
            Stage::Greeting => {
                self.stage = Stage::Reading;
                Some(self.bookmark())
            }
            Stage::Reading => Some(self.read().await),
        }
    }

    async fn read(&mut self) -> Bytes {
        loop {
            if self.shutdown.is_requested() {
                return self.end(End::Closing);
            }
            // Seen before the feed is read: news that comes in between rings again.
            let applied = *self.news.borrow_and_update();
            if applied > self.horizon && self.place.sequence < applied {
                return self.end(End::SlowReader);
            }
            match self.registry.events_after(&self.place, BATCH).await {
                Ok(events) if events.is_empty() => {}
                Ok(events) => return self.advance(&events),
                Err(FeedError::Store(_)) => return self.end(End::Unavailable),
                Err(FeedError::Gone | FeedError::InvalidCursor) => return self.end(End::CursorGone),
            }
            let (news, heartbeat, shutdown) = (&mut self.news, &mut self.heartbeat, &self.shutdown);
            let due = tokio::select! {
                changed = news.changed() => changed.is_err(),
                _ = heartbeat.tick() => true,
                () = shutdown.requested() => false,
            };
            // It was waiting: whatever came just now came in one burst, and is not its fault.
            self.horizon = self.news.borrow().saturating_add(self.lag);
            if due {
                return self.bookmark();
            }
        }
    }

    fn advance(&mut self, events: &[Event]) -> Bytes {
        let mut text = String::with_capacity(events.len() * 300);
        for event in events {
            let data = serde_json::to_string(event).unwrap_or_default();
            // Writing to memory does not fail.
            let _ = write!(text, "id: {}\nevent: {}\ndata: {data}\n\n", event.cursor, event.kind);
        }
        if let Some(place) = events.last().and_then(|last| last.cursor.parse().ok()) {
            self.place = place;
        }
        self.heartbeat.reset();
        text.into()
    }

    fn bookmark(&self) -> Bytes {
        let cursor = &self.place;
        format!("id: {cursor}\nevent: bookmark\ndata: {{\"cursor\":\"{cursor}\"}}\n\n").into()
    }

    fn end(&mut self, why: End) -> Bytes {
        self.stage = Stage::Ended;
        let (name, words) = match why {
            End::SlowReader => ("slow-reader", "more events came than this reader took; watch on from its last cursor"),
            End::CursorGone => ("cursor-gone", "the next events are no longer kept; list again"),
            End::Unavailable => ("unavailable", "the database cannot be reached; watch on from the last cursor later"),
            End::Closing => ("closing", "the server is shutting down; watch on from the last cursor"),
        };
        let cursor = &self.place;
        format!("event: {name}\ndata: {{\"cursor\":\"{cursor}\",\"message\":\"{words}\"}}\n\n").into()
    }
}

#[cfg(test)]
mod tests;
