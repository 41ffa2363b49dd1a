//! The feed's guarantees: ordered, unique, resumable, and ended in words when its past is gone.

use crate::given::{Given, a_registry, context, id, requiring, seen};
use registry::{Cursor, EventFilter, FeedError, Registry};
use std::sync::Arc;
use worker_types::{Event, EventKind};

fn all() -> EventFilter {
    EventFilter::default()
}

fn below(prefix: &str) -> EventFilter {
    EventFilter { worker_type_prefix: Some(prefix.parse().unwrap()), ..all() }
}

/// Everything after `start`, in stretches of at most `limit`.
async fn read(registry: &Arc<Registry>, start: &Cursor, filter: &EventFilter, limit: usize) -> Vec<Event> {
    let (mut place, mut events) = (start.clone(), Vec::new());
    loop {
        let stretch = registry.events_after(&place, filter, limit).await.unwrap();
        assert!(stretch.events.len() <= limit && stretch.place.sequence >= place.sequence);
        events.extend(stretch.events.iter().map(|entry| entry.event.clone()));
        place = stretch.place;
        if !stretch.more {
            assert_eq!(place, registry.snapshot().cursor());
            return events;
        }
    }
}

#[tokio::test]
async fn events_come_once_in_order_and_from_any_cursor_on() {
    let given = a_registry();
    let start = given.registry.snapshot().cursor();
    given.published("p/a", &requiring("a")).await;
    given.published("p/b", &requiring("a")).await;
    given.registry.delete(id("p/a"), context(seen(1))).await.unwrap();
    let events = read(&given.registry, &start, &all(), 100).await;
    let seen: Vec<_> = events
        .iter()
        .map(|event| (event.kind, event.worker_type_id.as_ref().unwrap().as_str(), event.generation.unwrap().0))
        .collect();
    assert_eq!(
        seen,
        [
            (EventKind::WorkerTypePublished, "p/a", 1),
            (EventKind::WorkerTypePublished, "p/b", 1),
            (EventKind::WorkerTypeDeleted, "p/a", 2)
        ]
    );
    for (index, event) in events.iter().enumerate() {
        let rest = read(&given.registry, &event.cursor.parse().unwrap(), &all(), 100).await;
        assert_eq!(rest, events[index + 1..]);
    }
    let two = given.registry.events_after(&start, &all(), 2).await.unwrap();
    assert_eq!((two.events.len(), two.place.to_string(), two.more), (2, events[1].cursor.clone(), true));
}

/// 1,502 events: one of `p/a`, 1,500 of `q/…`, and one more of `p/a`.
async fn a_long_feed() -> (Given, Cursor) {
    let other = a_registry();
    other.published("q/w", &requiring("a")).await;
    let step = other.registry.export_plan().into_iter().next().unwrap();
    let line = other.registry.export_lines(step).await.unwrap();
    let mut lines = other.registry.export_header();
    lines.extend((0..1_500).map(|number| line.replace("q/w", &format!("q/w{number}"))));
    let given = a_registry();
    let start = given.registry.snapshot().cursor();
    given.published("p/a", &requiring("a")).await;
    given.registry.import(lines.into_bytes(), context(None)).await.unwrap();
    given.published("p/a", &requiring("b")).await;
    (given, start)
}

#[tokio::test]
async fn a_filter_passes_over_the_others_and_the_place_moves_on_with_them() {
    let (given, start) = a_long_feed().await;
    // A replica that has just started has nothing in memory, and reads the database.
    for registry in [&given.registry, &given.replica()] {
        let whole = read(registry, &start, &all(), 1_000).await;
        assert_eq!(whole.len(), 1_502);
        let wanted = |event: &Event| event.worker_type_id.as_ref().is_some_and(|id| id.as_str().starts_with("p/"));
        let expected: Vec<_> = whole.iter().filter(|event| wanted(event)).cloned().collect();
        assert_eq!(expected.len(), 2);
        for limit in [1, 100] {
            assert_eq!(read(registry, &start, &below("p/"), limit).await, expected);
        }
        let first = registry.events_after(&start, &below("p/"), 100).await.unwrap();
        assert!(first.more && first.place.sequence >= 1_000, "{:?}", first.place);
        assert_eq!(first.events.len(), 1);
        assert_eq!(read(registry, &start, &below("z"), 100).await, []);
    }
}

#[tokio::test]
async fn those_that_a_filter_takes_are_counted() {
    let (given, start) = a_long_feed().await;
    let here = given.registry.snapshot().cursor();
    let count = async |filter, enough| given.registry.count_after(&start, &filter, enough).await.unwrap();
    assert_eq!(count(below("p/"), 10).await, (2, here.clone()));
    assert_eq!(count(all(), 10_000).await, (1_502, here));
    let (counted, place) = count(all(), 10).await;
    assert!(counted > 10 && counted == place.sequence, "no further than it has to: {counted}");
}

#[tokio::test]
async fn a_reader_begins_where_it_says_or_with_the_oldest_that_is_kept() {
    let given = a_registry();
    let start = given.registry.snapshot().cursor();
    given.published("p/a", &requiring("a")).await;
    assert_eq!(given.registry.begin(None).await.unwrap(), start);
    let here = given.registry.snapshot().cursor();
    assert_eq!(given.registry.begin(Some(here.clone())).await.unwrap(), here);
    let late = given.replica();
    given.published("p/a", &requiring("b")).await;
    // Another replica has seen more: this one waits until it has, too.
    let ahead = given.registry.snapshot().cursor();
    assert_eq!(late.begin(Some(ahead.clone())).await.unwrap(), ahead);
    let stretch = late.events_after(&ahead, &all(), 10).await.unwrap();
    assert_eq!((stretch.events.len(), stretch.place, stretch.more), (0, ahead, false));
}

#[tokio::test]
async fn a_cursor_of_another_feed_is_gone_and_one_from_the_future_is_told_apart() {
    let given = a_registry();
    given.published("p/a", &requiring("a")).await;
    let here = given.registry.snapshot().cursor();
    let foreign = Cursor { epoch: "another".to_owned(), ..here.clone() };
    assert!(matches!(given.registry.events_after(&foreign, &all(), 10).await, Err(FeedError::Gone)));
    assert!(matches!(given.registry.begin(Some(foreign)).await, Err(FeedError::Gone)));
    let future = Cursor { sequence: here.sequence + 5, ..here };
    let expected = |error| matches!(error, FeedError::Future { given: 6, newest: 1 });
    assert!(expected(given.registry.events_after(&future, &all(), 10).await.unwrap_err()));
    let words = given.registry.begin(Some(future)).await.unwrap_err().to_string();
    assert!(
        words.starts_with("the cursor stands at change 6, and the newest that the database holds is change 1"),
        "{words}"
    );
}

#[tokio::test]
async fn news_ring_when_reads_see_more() {
    let given = a_registry();
    let mut news = given.registry.news();
    news.mark_unchanged();
    given.published("p/a", &requiring("a")).await;
    news.changed().await.unwrap();
    assert_eq!(*news.borrow(), given.registry.snapshot().applied);
}
