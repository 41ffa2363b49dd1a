//! The reader without a connection: what it says and when it ends.

use super::{Reader, Terms};
use futures_util::{Stream, StreamExt};
use registry::{Cursor, EventFilter, Precondition, Publish, Registry, Settings, WriteContext};
use serde_json::json;
use service::Shutdown;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use store::SqlStore;
use tempfile::TempDir;
use worker_types::Caller;

struct Given {
    registry: Arc<Registry>,
    published: u32,
    _directory: TempDir,
}

impl Given {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", directory.path().join("registry.db").display());
        let store = SqlStore::open(&url, &database::Options::default()).unwrap();
        let registry = Arc::new(Registry::open(Arc::new(store), Settings::default()).unwrap());
        Self { registry, published: 0, _directory: directory }
    }

    async fn publish(&mut self, times: u32) {
        self.publish_to("p/w", times).await;
    }

    async fn publish_to(&mut self, id: &str, times: u32) {
        for _ in 0..times {
            self.published += 1;
            let definition = json!({"description": self.published.to_string()});
            let publish = Publish { definition, ..Publish::default() };
            let context = WriteContext {
                caller: Caller::unrestricted("test"),
                precondition: Some(Precondition::Any),
                message: None,
                request_id: None,
            };
            self.registry.publish(id.parse().unwrap(), publish, context).await.unwrap();
        }
    }

    fn reader(&self, lag: u64) -> Parts {
        self.reader_from(self.registry.snapshot().cursor(), EventFilter::default(), lag)
    }

    fn reader_from(&self, cursor: Cursor, filter: EventFilter, lag: u64) -> Parts {
        let terms = Terms { heartbeat: Duration::from_secs(60), lag };
        Box::pin(Reader::new(self.registry.clone(), cursor, filter, terms, Shutdown::new()).into_stream())
    }
}

type Parts = Pin<Box<dyn Stream<Item = Result<bytes::Bytes, Infallible>>>>;

fn below(prefix: &str) -> EventFilter {
    EventFilter { worker_type_prefix: Some(prefix.parse().unwrap()), ..EventFilter::default() }
}

async fn part(stream: &mut (impl Stream<Item = Result<bytes::Bytes, Infallible>> + Unpin)) -> Option<String> {
    let part = tokio::time::timeout(Duration::from_secs(10), stream.next()).await.unwrap();
    part.map(|part| String::from_utf8(part.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn a_reader_that_takes_nothing_while_more_comes_than_is_allowed_is_told_and_cut() {
    let mut given = Given::new();
    let mut reader = given.reader(5);
    assert!(part(&mut reader).await.unwrap().contains("event: bookmark"));
    given.publish(6).await;
    let last = part(&mut reader).await.unwrap();
    assert!(last.starts_with("event: slow-reader\ndata: {\"cursor\":"), "{last}");
    assert_eq!(part(&mut reader).await, None);
}

#[tokio::test]
async fn a_reader_within_its_bounds_gets_everything_and_may_fall_behind_again() {
    let mut given = Given::new();
    let mut reader = given.reader(5);
    part(&mut reader).await;
    for _ in 0..3 {
        given.publish(5).await;
        assert_eq!(part(&mut reader).await.unwrap().matches("event: worker-type-published").count(), 5);
        // It waits for the next one, and so is a reader that keeps up.
        let waiting = tokio::time::timeout(Duration::from_millis(20), reader.next()).await;
        assert!(waiting.is_err());
    }
}

#[tokio::test]
async fn one_who_comes_late_may_take_all_that_is_kept() {
    let mut given = Given::new();
    let before = given.registry.snapshot().cursor();
    given.publish(250).await;
    let mut reader = given.reader_from(before, EventFilter::default(), 1);
    let mut seen = 0;
    while seen < 250 {
        seen += part(&mut reader).await.unwrap().matches("event: worker-type-published").count();
    }
    assert_eq!(seen, 250);
}

#[tokio::test]
async fn what_a_reader_does_not_want_never_makes_it_slow() {
    let mut given = Given::new();
    let mut reader = given.reader_from(given.registry.snapshot().cursor(), below("q/"), 5);
    part(&mut reader).await;
    given.publish(20).await;
    given.publish_to("q/w", 5).await;
    let text = part(&mut reader).await.unwrap();
    assert_eq!(text.matches("event: worker-type-published").count(), 5, "{text}");
    // It has not come back since, and now there is one too many of those that it wants.
    given.publish(20).await;
    given.publish_to("q/w", 1).await;
    assert!(part(&mut reader).await.unwrap().starts_with("event: slow-reader\n"));
}

#[tokio::test]
async fn a_bookmark_takes_a_reader_past_what_it_does_not_want() {
    let mut given = Given::new();
    let before = given.registry.snapshot().cursor();
    given.publish(3).await;
    let terms = Terms { heartbeat: Duration::from_millis(10), lag: 5 };
    let stream = Reader::new(given.registry.clone(), before, below("q/"), terms, Shutdown::new()).into_stream();
    let mut reader: Parts = Box::pin(stream);
    part(&mut reader).await;
    let here = given.registry.snapshot().cursor();
    assert!(part(&mut reader).await.unwrap().starts_with(&format!("id: {here}\nevent: bookmark\n")));
}
