//! The change feed as server-sent events (WHATWG HTML §9.2). The crate `sse-stream` reads the stream; this file bounds
//! it and reads what the events carry.

use crate::{Client, ClientError, FeedItem, UnexpectedAnswer};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream::BoxStream};
use reqwest::header;
use sse_stream::SseByteStream;
use std::{
    error::Error,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

/// The most bytes between the ends of two events.
const LARGEST_EVENT: usize = 1 << 20;
const EVENT_STREAM: &str = "text/event-stream";

/// The feed, event by event. After an error, or when the server ends it, resume from the last cursor.
pub struct EventStream {
    items: BoxStream<'static, Result<FeedItem, ClientError>>,
}

impl Client {
    /// `GET /events?cursor=`: the changes after `cursor`, or from the oldest that are kept.
    ///
    /// # Errors
    /// `cursor-gone` (list again), `invalid-cursor`, and those of every call. What breaks later is an item of the
    /// stream.
    pub async fn events(&self, cursor: Option<&str>) -> Result<EventStream, ClientError> {
        let answer = self.get(&["events"]).query("cursor", cursor).accept(EVENT_STREAM).send().await?;
        if !answer.header(header::CONTENT_TYPE).is_some_and(|value| value.starts_with(EVENT_STREAM)) {
            return Err(answer.unexpected("an event stream").await);
        }
        let url = answer.url().to_owned();
        // Silence is the watcher's to judge: it knows how often the server gives a sign of life.
        Ok(EventStream { items: read(answer.endless_stream(), url).boxed() })
    }
}

impl Stream for EventStream {
    type Item = Result<FeedItem, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.items.as_mut().poll_next(context)
    }
}

fn read(
    parts: impl Stream<Item = Result<Bytes, ClientError>> + Send + 'static,
    url: String,
) -> impl Stream<Item = Result<FeedItem, ClientError>> + Send + 'static {
    let pending = Arc::new(AtomicUsize::new(0));
    let (count, limit_url) = (Arc::clone(&pending), url.clone());
    let bounded = parts.and_then(move |part| {
        let total = count.fetch_add(part.len(), Ordering::Relaxed) + part.len();
        let too_large = ClientError::TooLarge { url: limit_url.clone(), limit: LARGEST_EVENT };
        futures_util::future::ready(if total > LARGEST_EVENT + part.len() { Err(too_large) } else { Ok(part) })
    });
    SseByteStream::new(Box::pin(bounded)).filter_map(move |event| {
        pending.store(0, Ordering::Relaxed);
        let item = match event {
            Ok(event) => FeedItem::read(event.event.as_deref(), event.data.as_deref())
                .map(|item| item.map_err(|error| unreadable(&url, event.data.as_deref(), &error))),
            Err(error) => Some(Err(broken(&url, &error))),
        };
        futures_util::future::ready(item)
    })
}

/// The client's own error comes back out of the decoder as its source.
fn broken(url: &str, error: &sse_stream::Error) -> ClientError {
    match error.source().and_then(|source| source.downcast_ref::<ClientError>()) {
        Some(own) => own.clone(),
        None => unreadable(url, None, error),
    }
}

fn unreadable(url: &str, data: Option<&str>, error: &dyn Error) -> ClientError {
    ClientError::Unexpected(Box::new(UnexpectedAnswer {
        url: url.to_owned(),
        status: 200,
        content_type: Some(EVENT_STREAM.to_owned()),
        start: data.unwrap_or_default().chars().take(200).collect(),
        expected: format!("a change ({error})"),
    }))
}

#[cfg(test)]
mod tests;
