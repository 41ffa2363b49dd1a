//! The change feed, as server-sent events.

use crate::event_stream::{Reader, Terms};
use crate::refusal;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use registry::{Cursor, FeedError, Registry};
use service::{
    Access, Answer, Authorised, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal, Shutdown,
};
use std::sync::Arc;
use worker_types::Problem;

pub(super) static ROW: Operation = Operation {
    id: "watchEvents",
    path: "/events",
    summary: "Every change, in commit order, from a cursor on (server-sent events)",
    tag: "watching",
    access: Access::Scope("worker-manager:events"),
    query: EventsQuery::FIELDS,
    headers: &[Parameter::optional("Last-Event-ID", Kind::Text, "A cursor; it goes before the query's")],
    answers: &[Answer::of(
        200,
        "text/event-stream",
        "A bookmark at once and every 15 s, and each change. The last event of a stream that the server ends says why: \
         slow-reader, cursor-gone, unavailable or closing",
    )],
    problems: &[Problem::InvalidCursor, Problem::CursorGone, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) struct EventsQuery {
    cursor: Option<String>,
}

impl QueryFields for EventsQuery {
    const FIELDS: &'static [Parameter] = &[Parameter::optional(
        "cursor",
        Kind::Text,
        "From a list or an event; the oldest that is kept where it is left out",
    )];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { cursor: values.owned("cursor") })
    }
}

pub(super) async fn get(
    _: Authorised,
    Query(query): Query<EventsQuery>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let from_header = request.headers().get("last-event-id").map(|value| value.to_str().unwrap_or("?").to_owned());
    let cursor = begin(&state.registry, from_header.or(query.cursor)).await.map_err(refusal::feed)?;
    let terms = Terms { heartbeat: state.options.events_heartbeat, lag: state.options.events_lag };
    let shutdown = request.app_data::<Shutdown>().cloned().unwrap_or_default();
    let stream = Reader::new(state.registry.clone(), cursor, terms, shutdown).into_stream();
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(stream))
}

/// The place where a reader begins, once it is known that the feed goes on from there.
async fn begin(registry: &Arc<Registry>, given: Option<String>) -> Result<Cursor, FeedError> {
    let Some(given) = given else { return registry.oldest_cursor().await };
    let cursor: Cursor = given.parse().map_err(|_| FeedError::InvalidCursor)?;
    let here = registry.snapshot().cursor();
    if cursor.epoch == here.epoch && cursor.sequence <= here.sequence {
        // Memory may reach back that far: then the database need not be there.
        registry.events_after(&cursor, 1).await?;
    } else {
        registry.check_cursor(&cursor).await?;
    }
    Ok(cursor)
}
