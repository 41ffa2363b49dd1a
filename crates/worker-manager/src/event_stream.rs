//! One reader of the change feed on a connection: does what the protocol decides when the connection takes it.
//!
//! Nothing is buffered for a reader: what it has not taken stays in the feed, which is bounded. A reader that falls too
//! far behind is told so and cut.

mod frames;
mod protocol;

use bytes::Bytes;
use futures_util::{Stream, stream};
use protocol::{Protocol, Step};
use registry::{Cursor, EventFilter, Registry};
use service::Shutdown;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Events that are said at once.
const BATCH: usize = 100;

/// What a reader is served on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// How often a quiet feed sends a bookmark.
    pub(crate) heartbeat: Duration,
    /// How many events that a reader wants may come while it takes those that were there when it last waited for some.
    pub(crate) lag: u64,
}

/// A reader, and what it hangs on.
pub(crate) struct Reader {
    registry: Arc<Registry>,
    filter: EventFilter,
    protocol: Protocol,
    news: watch::Receiver<u64>,
    heartbeat: Interval,
    shutdown: Shutdown,
}

impl Reader {
    /// A reader that has seen everything up to `place`.
    pub(crate) fn new(
        registry: Arc<Registry>,
        place: Cursor,
        filter: EventFilter,
        terms: Terms,
        shutdown: Shutdown,
    ) -> Self {
        let protocol = Protocol::new(place, registry.snapshot().applied, terms.lag, filter.takes_all());
        let mut heartbeat = interval(terms.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let news = registry.news();
        Self { registry, filter, protocol, news, heartbeat, shutdown }
    }

    /// The text of the stream, part by part.
    pub(crate) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(self, |mut reader| async move {
            let part = reader.next().await?;
            Some((Ok(part), reader))
        })
    }

    /// The next part, once there is one.
    async fn next(&mut self) -> Option<Bytes> {
        self.protocol.asked(*self.news.borrow());
        loop {
            if self.shutdown.is_requested() {
                self.protocol.closing();
            }
            match self.protocol.step() {
                Step::Say(saying) => {
                    self.heartbeat.reset();
                    return Some(saying.text());
                }
                Step::Look(place) => {
                    // Seen before the feed is read: news that comes in between rings again.
                    self.news.mark_unchanged();
                    self.protocol.looked(self.registry.events_after(&place, &self.filter, BATCH).await);
                }
                Step::Weigh(place, enough) => {
                    self.protocol.weighed(self.registry.count_after(&place, &self.filter, enough).await);
                }
                Step::Wait => self.wait().await,
                Step::Close => return None,
            }
        }
    }

    async fn wait(&mut self) {
        let (news, heartbeat, shutdown) = (&mut self.news, &mut self.heartbeat, &self.shutdown);
        tokio::select! {
            changed = news.changed() => match changed {
                Ok(()) => self.protocol.woken(*self.news.borrow()),
                Err(_) => self.protocol.closing(),
            },
            // Another server may know more; this one would keep its readers waiting with bookmarks.
            _ = heartbeat.tick() => match self.registry.stale_for() {
                Some(_) => self.protocol.cut_off(),
                None => self.protocol.due(*self.news.borrow()),
            },
            () = shutdown.requested() => self.protocol.closing(),
        }
    }
}

#[cfg(test)]
mod tests;
