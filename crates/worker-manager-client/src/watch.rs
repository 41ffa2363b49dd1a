//! List, then watch: follows the change feed for ever, through lost connections, silence and forgotten cursors.

use crate::{Client, ClientError, EventStream, FeedEnd, FeedEvent, FeedItem, ListQuery, WorkerTypeSummary};
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use futures_util::StreamExt;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};
use worker_types::Problem;

/// How to watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchSettings {
    /// Whether [`Change::Listed`] carries every worker type, or nothing.
    pub list: bool,
    /// How often the server gives a sign of life (15 s). After three times as long without one, the connection is
    /// given up.
    pub heartbeat: Duration,
    /// The pause after the first failure (200 ms). It doubles with each further one; up to its own length is added by
    /// chance, so that many watchers do not come back at once.
    pub first_pause: Duration,
    /// The longest pause, before chance (15 s).
    pub longest_pause: Duration,
}

impl Default for WatchSettings {
    fn default() -> Self {
        Self {
            list: true,
            heartbeat: Duration::from_secs(15),
            first_pause: Duration::from_millis(200),
            longest_pause: Duration::from_secs(15),
        }
    }
}

/// What a watch has to tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Where things stand: at the beginning, and whenever changes may have been missed. What was known from before is
    /// to be replaced. Empty when [`WatchSettings::list`] is off.
    Listed(Vec<WorkerTypeSummary>),
    /// The feed is connected; from here on every change arrives.
    Connected,
    /// Something changed.
    Event(FeedEvent),
    /// Nothing changed up to here.
    Bookmark,
    /// The feed is not connected; it is tried again by itself.
    Interrupted(Interruption),
}

/// Why and for how long a watch is not connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// Why, in words.
    pub cause: String,
    /// How long until it is tried again.
    pub pause: Duration,
}

/// A watch of all worker types and releases that the caller may see.
pub struct Watch {
    client: Client,
    settings: WatchSettings,
    stage: Stage,
    cursor: Option<String>,
    resume_at: Option<Instant>,
    heard_at: Instant,
    backoff: ExponentialBackoff,
}

enum Stage {
    List,
    Connect,
    Read(EventStream),
}

impl Watch {
    /// A watch that begins with a list, at the first call of [`Watch::next`].
    pub fn new(client: Client, settings: WatchSettings) -> Self {
        let backoff = backoff(&settings);
        let heard_at = Instant::now();
        Self { client, settings, stage: Stage::List, cursor: None, resume_at: None, heard_at, backoff }
    }

    /// The place in the feed up to which everything was told.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// Waits for the next thing to tell. Never fails and never ends; may be dropped and called again at any time
    /// without missing a change.
    pub async fn next(&mut self) -> Change {
        if let Some(until) = self.resume_at {
            sleep_until(until).await;
            self.resume_at = None;
        }
        let told = match &mut self.stage {
            Stage::List => self.list().await,
            Stage::Connect => self.connect().await,
            Stage::Read(stream) => {
                let silence = self.settings.heartbeat * 3;
                read(stream, self.heard_at, silence).await.and_then(|item| self.advance(item))
            }
        };
        told.unwrap_or_else(|error| self.interrupted(&error))
    }

    async fn list(&mut self) -> Result<Change, Failure> {
        let limit = if self.settings.list { 1000 } else { 1 };
        let mut pages = self.client.worker_types(&ListQuery { limit: Some(limit), ..ListQuery::default() });
        let worker_types = if self.settings.list {
            pages.all().await?
        } else {
            pages.next_page().await?;
            Vec::new()
        };
        self.cursor = Some(pages.cursor().ok_or(Failure::NoCursor)?.to_owned());
        self.stage = Stage::Connect;
        Ok(Change::Listed(worker_types))
    }

    async fn connect(&mut self) -> Result<Change, Failure> {
        self.stage = Stage::Read(self.client.events(self.cursor.as_deref()).await?);
        self.heard_at = Instant::now();
        Ok(Change::Connected)
    }

    fn advance(&mut self, item: FeedItem) -> Result<Change, Failure> {
        let (cursor, change) = match item {
            FeedItem::Event(event) => (event.cursor.clone(), Change::Event(event)),
            FeedItem::Bookmark { cursor } => (cursor, Change::Bookmark),
            FeedItem::End { why, message } => return Err(Failure::EndedBecause(why, message)),
        };
        self.backoff = backoff(&self.settings);
        self.heard_at = Instant::now();
        self.cursor = Some(cursor);
        Ok(change)
    }

    fn interrupted(&mut self, failure: &Failure) -> Change {
        let pause = self.backoff.next().unwrap_or(self.settings.longest_pause);
        self.resume_at = Some(Instant::now() + pause);
        self.cursor = self.cursor.take().filter(|_| !failure.asks_for_a_list());
        self.stage = if self.cursor.is_none() { Stage::List } else { Stage::Connect };
        Change::Interrupted(Interruption { cause: failure.to_string(), pause })
    }
}

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Call(#[from] ClientError),
    #[error("the list of worker types has no cursor")]
    NoCursor,
    #[error("the feed gave no sign of life for {} ms", .0.as_millis())]
    Silent(Duration),
    #[error("the server ended the feed")]
    Ended,
    #[error("the server ended the feed: {1}")]
    EndedBecause(FeedEnd, String),
}

impl Failure {
    /// Whether the cursor is of no more use: forgotten, of another database, or a change came that nobody can read.
    fn asks_for_a_list(&self) -> bool {
        let error = match self {
            Self::Call(error) => error,
            Self::EndedBecause(why, _) => return *why == FeedEnd::CursorGone,
            Self::NoCursor | Self::Silent(_) | Self::Ended => return false,
        };
        matches!(error.problem(), Some(Problem::CursorGone | Problem::InvalidCursor))
            || matches!(error, ClientError::Unexpected(answer) if answer.status == 200)
            || matches!(error, ClientError::TooLarge { .. })
    }
}

/// The next item. The silence counts from `heard_at`, so that a caller who keeps asking anew does not prolong it.
async fn read(stream: &mut EventStream, heard_at: Instant, silence: Duration) -> Result<FeedItem, Failure> {
    match timeout_at(heard_at + silence, stream.next()).await {
        Err(_) => Err(Failure::Silent(silence)),
        Ok(None) => Err(Failure::Ended),
        Ok(Some(item)) => Ok(item?),
    }
}

fn backoff(settings: &WatchSettings) -> ExponentialBackoff {
    ExponentialBuilder::default()
        .with_min_delay(settings.first_pause)
        .with_max_delay(settings.longest_pause)
        .with_jitter()
        .without_max_times()
        .build()
}
