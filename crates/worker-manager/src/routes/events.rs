//! The change feed: server-sent events that go on, or a page of JSON.

use crate::answer;
use crate::event_stream::{Reader, Terms};
use crate::refusal;
use crate::shapes::EventPage;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use registry::{Cursor, EventFilter, FeedError, Registry};
use service::{
    Access, Answer, Authorised, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal, Shutdown,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use worker_types::{EventKind, Item, Problem, UnknownSetting};

const STREAM: &str = "text/event-stream";
const JSON: &str = "application/json";

pub(super) static ROW: Operation = Operation {
    id: "watchEvents",
    path: "/events",
    summary: "Every change, in commit order, from a cursor on: server-sent events or, where Accept asks for it, a page of JSON",
    tag: "watching",
    access: Access::Scope("worker-manager:events"),
    query: EventsQuery::FIELDS,
    headers: &[
        Parameter::optional("Accept", Kind::Text, "text/event-stream (the default) or application/json"),
        Parameter::optional("Last-Event-ID", Kind::Text, "A cursor; it goes before the query's"),
    ],
    answers: &[
        Answer::of(
            200,
            STREAM,
            "A bookmark at once and every 15 s, and each change. The last event of a stream that the server ends says \
             why: slow-reader, cursor-gone, unavailable or closing",
        ),
        Answer::json(200, "EventPage", "A page of changes, and the cursor to go on from"),
    ],
    problems: &[Problem::InvalidCursor, Problem::CursorGone, Problem::NotAcceptable, Problem::StoreUnavailable],
    ..Operation::BLANK
};

/// Entries on a page.
const PAGE: usize = 100;
/// Stretches of the feed that are looked at for one page, at most a thousand events each.
const STRETCHES: usize = 10;

pub(super) struct EventsQuery {
    cursor: Option<String>,
    filter: EventFilter,
    limit: Option<usize>,
}

impl QueryFields for EventsQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional(
            "cursor",
            Kind::Text,
            "From a list or an event; the oldest that is kept where it is left out",
        ),
        Parameter::optional(
            "workerTypePrefix",
            Kind::Text,
            "Only events of worker types whose id begins so, as in proj-build/; then none of releases",
        ),
        Parameter::optional(
            "kinds",
            Kind::Text,
            "Only events of these kinds, with commas between them: worker-type-published, worker-type-rolled-back, worker-type-deleted, rollout-started, rollout-completed, rollout-aborted, release-published, release-marked",
        ),
        Parameter::optional("limit", Kind::Integer(1, 1_000), "Events on a page of JSON (100); a stream has no end"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let worker_type_prefix = values.parsed("workerTypePrefix")?;
        let filter = EventFilter { worker_type_prefix, kinds: values.text("kinds").map(kinds).transpose()? };
        Ok(Self { cursor: values.owned("cursor"), filter, limit: values.parsed("limit")? })
    }
}

fn kinds(text: &str) -> Result<BTreeSet<EventKind>, Refusal> {
    let told = |given: &str| match given.parse() {
        Ok(kind) if kind != EventKind::Unknown => Ok(kind),
        _ => Err(UnknownSetting { given: given.to_owned(), known: EventKind::TOLD }),
    };
    let kinds: Result<_, UnknownSetting> = text.split(',').map(told).collect();
    kinds.map_err(|error| {
        let detail = format!("the query parameter kinds: {error}");
        Refusal::new(Problem::InvalidQuery, &detail).errors([Item::new("invalid-value", "", detail)])
    })
}

pub(super) async fn get(
    _: Authorised,
    Query(query): Query<EventsQuery>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let as_json = wants_json(&request)?;
    if !as_json && query.limit.is_some() {
        let detail = format!(
            "the query parameter limit is for pages; a stream of events has no end: leave it out, or ask for a page with \
             the header Accept: {JSON}"
        );
        return Err(Refusal::new(Problem::InvalidQuery, detail));
    }
    let cursor = begin(&state.registry, &request, query.cursor).await.map_err(refusal::feed)?;
    if as_json {
        let page = page(&state.registry, cursor, &query.filter, query.limit.unwrap_or(PAGE)).await;
        let mut response = answer::json(&page.map_err(refusal::feed)?);
        answer::tell_age(&state, response.headers_mut());
        return Ok(response);
    }
    if state.registry.stale_for().is_some() {
        return Err(refusal::no_news());
    }
    let terms = Terms { heartbeat: state.options.events_heartbeat, lag: state.options.events_lag };
    let shutdown = request.app_data::<Shutdown>().cloned().unwrap_or_default();
    let stream = Reader::new(state.registry.clone(), cursor, query.filter, terms, shutdown).into_stream();
    Ok(HttpResponse::Ok()
        .content_type(STREAM)
        .insert_header(("cache-control", "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(stream))
}

fn wants_json(request: &HttpRequest) -> Result<bool, Refusal> {
    let best = service::best(request.headers(), &[STREAM, JSON]);
    best.map(|media| media == JSON)
        .ok_or_else(|| Refusal::new(Problem::NotAcceptable, format!("events come as {STREAM} or as {JSON}")))
}

/// The place where a reader begins, once it is known that the feed goes on from there.
async fn begin(
    registry: &Arc<Registry>,
    request: &HttpRequest,
    from_query: Option<String>,
) -> Result<Cursor, FeedError> {
    let from_header = request.headers().get("last-event-id").map(|value| value.to_str().unwrap_or("?").to_owned());
    let given = from_header.or(from_query).map(|text| text.parse().map_err(|_| FeedError::InvalidCursor));
    registry.begin(given.transpose()?).await
}

/// Up to `limit` events. A page that had to pass over very many of others has fewer, and says that there is more.
async fn page(
    registry: &Arc<Registry>,
    mut place: Cursor,
    filter: &EventFilter,
    limit: usize,
) -> Result<EventPage, FeedError> {
    let (mut events, mut more) = (Vec::new(), true);
    for _ in 0..STRETCHES {
        let stretch = registry.events_after(&place, filter, limit - events.len()).await?;
        events.extend(stretch.events);
        (place, more) = (stretch.place, stretch.more);
        if !more || events.len() == limit {
            break;
        }
    }
    Ok(EventPage::of(&events, &place, more))
}
