//! A run that keeps every promise, and forgeries of it.

use crate::robustness::promises::broken;
use crate::robustness::record::{
    Action, Ending, Event, Frame, Live, Operation, Outcome, Revision, Run, Standing, Stream, Watch,
};
use std::collections::BTreeMap;

pub const WORKER_TYPE: &str = "robust/w0";

pub fn event(place: usize, worker_type: &str, generation: u64, revision: u64) -> Event {
    Event {
        cursor: format!("place-{place}"),
        kind: "worker-type-published".to_owned(),
        worker_type: worker_type.to_owned(),
        generation,
        revision,
    }
}

pub fn live(generation: u64, revision: u64, marker: &str) -> Outcome {
    Outcome::Live(Live {
        generation,
        revision,
        content_hash: format!("sha256:{marker}"),
        marker: marker.to_owned(),
        stale: false,
    })
}

fn operation(started: u64, action: Action, outcome: Outcome) -> Operation {
    Operation {
        client: 0,
        replica: 0,
        worker_type: WORKER_TYPE.to_owned(),
        started,
        ended: started + 9,
        action,
        outcome,
    }
}

pub fn publish(marker: &str, expects: Option<u64>) -> Action {
    Action::Publish { marker: marker.to_owned(), rollout: false, expects }
}

/// Two publishes, a read, a deletion and another publish, and a reader that was cut off in between.
pub fn whole() -> Run {
    let deletion = Event { kind: "worker-type-deleted".to_owned(), ..event(3, WORKER_TYPE, 3, 2) };
    let feed = vec![event(1, WORKER_TYPE, 1, 1), event(2, WORKER_TYPE, 2, 2), deletion, event(4, WORKER_TYPE, 4, 3)];
    let told = |index: usize| Frame::Event(feed[index].clone());
    let bookmark = |cursor: &str| Frame::Bookmark { cursor: cursor.to_owned() };
    let frames = vec![bookmark("place-0"), told(0), told(1), told(2)];
    let first = Stream { frames, ..Stream::default() };
    let from = Some("place-3".to_owned());
    let second = Stream { replica: 1, from, frames: vec![bookmark("place-3"), told(3)], ..Stream::default() };
    let revision = |marker: &str| Revision { content_hash: format!("sha256:{marker}"), marker: marker.to_owned() };
    let revisions = BTreeMap::from([(1, revision("one")), (2, revision("two")), (3, revision("three"))]);
    let standing = vec![Standing { worker_type: WORKER_TYPE.to_owned(), generation: Some(4), revision: Some(3) }];
    Run {
        name: "forged".to_owned(),
        seed: 1,
        troubles: Vec::new(),
        operations: vec![
            operation(10, publish("one", None), live(1, 1, "one")),
            operation(20, publish("two", Some(1)), live(2, 2, "two")),
            operation(30, Action::Read { follows: true }, live(2, 2, "two")),
            operation(40, Action::Delete { expects: Some(2) }, Outcome::Done),
            operation(50, publish("three", None), live(4, 3, "three")),
        ],
        watches: vec![Watch { streams: vec![first, second] }],
        ending: Ending {
            start: "place-0".to_owned(),
            feed,
            revisions: BTreeMap::from([(WORKER_TYPE.to_owned(), revisions)]),
            standing: vec![standing.clone(), standing],
            tables: Vec::new(),
        },
    }
}

/// What a judge says of a forgery.
pub fn forge(judge: fn(&Run) -> Vec<String>, change: impl FnOnce(&mut Run)) -> Vec<String> {
    let mut run = whole();
    change(&mut run);
    judge(&run)
}

/// What a judge says of a forgery of what the reader heard.
pub fn forge_watch(judge: fn(&Run) -> Vec<String>, change: impl FnOnce(&mut Watch)) -> Vec<String> {
    forge(judge, |run| change(&mut run.watches[0]))
}

#[test]
fn the_run_that_is_forged_keeps_every_promise() {
    assert_eq!(broken(&whole()), Vec::new());
}
