//! The change feed.

use registry::{Cursor, FeedEntry};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use worker_types::Event;

/// A page of the change feed.
#[derive(Serialize, ToSchema)]
pub(crate) struct EventPage {
    /// In commit order; may be fewer than asked for, or none, also where there is more.
    #[schema(value_type = Vec<super::described::Event>)]
    events: Vec<Event>,
    /// Go on from here. It lies after what the filters left out, too.
    cursor: String,
    /// Whether more lies after the cursor now.
    more: bool,
}

impl EventPage {
    pub(crate) fn of(events: &[Arc<FeedEntry>], place: &Cursor, more: bool) -> Self {
        let events = events.iter().map(|entry| entry.event.clone()).collect();
        Self { events, cursor: place.to_string(), more }
    }
}
