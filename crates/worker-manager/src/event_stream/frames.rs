//! What a reader is told, as server-sent events (WHATWG HTML §9.2).

use bytes::Bytes;
use registry::{Cursor, FeedEntry};
use std::sync::Arc;
use worker_types::Event;

/// One thing that a reader is told.
#[derive(Clone, Debug)]
pub(super) enum Saying {
    /// Nothing more is wanted up to here.
    Bookmark(Cursor),
    /// These changes, in order.
    Events(Vec<Arc<FeedEntry>>),
    /// The stream is over; the reader had come to here.
    End(End, Cursor),
}

/// Why the server ends a stream, as the last event says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    SlowReader,
    CursorGone,
    Unavailable,
    Closing,
}

impl Saying {
    /// As it goes over the wire.
    pub(super) fn text(&self) -> Bytes {
        match self {
            Self::Bookmark(cursor) => {
                format!("id: {cursor}\nevent: bookmark\ndata: {{\"cursor\":\"{cursor}\"}}\n\n").into()
            }
            // Mostly there is one, and then all readers share its text.
            Self::Events(events) => match events.as_slice() {
                [one] => one.text(event),
                several => several.iter().flat_map(|entry| entry.text(event)).collect(),
            },
            Self::End(why, cursor) => {
                let (name, words) = why.words();
                format!("event: {name}\ndata: {{\"cursor\":\"{cursor}\",\"message\":\"{words}\"}}\n\n").into()
            }
        }
    }
}

impl End {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::SlowReader => {
                ("slow-reader", "more events came than this reader took; watch on from its last cursor")
            }
            Self::CursorGone => ("cursor-gone", "the next events are no longer kept; list again"),
            Self::Unavailable => (
                "unavailable",
                "this server cannot reach the database; watch on from the last cursor, here later or on another server",
            ),
            Self::Closing => ("closing", "the server is shutting down; watch on from the last cursor"),
        }
    }
}

fn event(event: &Event) -> Bytes {
    let data = serde_json::to_string(event).unwrap_or_default();
    format!("id: {}\nevent: {}\ndata: {data}\n\n", event.cursor, event.kind).into()
}
