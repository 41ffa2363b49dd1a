//! The feed's guarantees: ordered, unique, resumable, and ended in words when its past is gone.

use crate::given::{a_registry, context, id, requiring, seen};
use registry::{Cursor, FeedError};
use worker_types::EventKind;

#[tokio::test]
async fn events_come_once_in_order_and_from_any_cursor_on() {
    let given = a_registry();
    let start = given.registry.snapshot().cursor();
    given.published("p/a", &requiring("a")).await;
    given.published("p/b", &requiring("a")).await;
    given.registry.delete(id("p/a"), context(seen(1))).await.unwrap();
    let events = given.registry.events_after(&start, 100).await.unwrap();
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
        let rest = given.registry.events_after(&event.cursor.parse().unwrap(), 100).await.unwrap();
        assert_eq!(rest, events[index + 1..]);
    }
    assert_eq!(given.registry.events_after(&start, 2).await.unwrap(), events[..2]);
}

#[tokio::test]
async fn a_cursor_of_another_feed_is_gone_and_one_from_the_future_is_invalid() {
    let given = a_registry();
    given.published("p/a", &requiring("a")).await;
    let here = given.registry.snapshot().cursor();
    let foreign = Cursor { epoch: "another".to_owned(), ..here.clone() };
    assert!(matches!(given.registry.events_after(&foreign, 10).await, Err(FeedError::Gone)));
    let future = Cursor { sequence: here.sequence + 5, ..here };
    assert!(matches!(given.registry.events_after(&future, 10).await, Err(FeedError::InvalidCursor)));
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
