//! The reader without a connection: what it says and when it ends.

use super::{Reader, Terms};
use futures_util::{Stream, StreamExt};
use registry::{Precondition, Publish, Registry, Settings, WriteContext};
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
            self.registry.publish("p/w".parse().unwrap(), publish, context).await.unwrap();
        }
    }

    fn reader(&self, lag: u64) -> Pin<Box<dyn Stream<Item = Result<bytes::Bytes, Infallible>>>> {
        let cursor = self.registry.snapshot().cursor();
        let terms = Terms { heartbeat: Duration::from_secs(60), lag };
        Box::pin(Reader::new(self.registry.clone(), cursor, terms, Shutdown::new()).into_stream())
    }
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
    let terms = Terms { heartbeat: Duration::from_secs(60), lag: 1 };
    let mut reader = Box::pin(Reader::new(given.registry.clone(), before, terms, Shutdown::new()).into_stream());
    let mut seen = 0;
    while seen < 250 {
        seen += part(&mut reader).await.unwrap().matches("event: worker-type-published").count();
    }
    assert_eq!(seen, 250);
}
