//! A run that keeps every promise, and forgeries of it.

use crate::robustness::promises::{Judged, broken};
use crate::robustness::record::{
    Action, Ending, Event, Frame, Live, Operation, Outcome, Revision, Run, Standing, Stream, Telling, Watch,
};
use crate::robustness::releases::{Answered, Kept, ReleaseWrite, Wanted};
use std::collections::{BTreeMap, BTreeSet};

pub const WORKER_TYPE: &str = "robust/w0";

/// Requests of the run, by what they are.
pub const PUBLISH_TWO: usize = 1;
pub const READ: usize = 2;
pub const DELETE: usize = 3;
pub const READ_ABSENT: usize = 4;
pub const END_ROLLOUT: usize = 7;
pub const LOST: usize = 8;
pub const UNKNOWN: usize = 9;

/// Requests of the run in which something is live again.
pub const ROLLBACK: usize = 10;
pub const CHANGE: usize = 12;
pub const UNCHANGED: usize = 13;

pub fn event(place: usize, kind: &str, generation: u64, revision: u64) -> Event {
    Event {
        cursor: format!("place-{place}"),
        kind: kind.to_owned(),
        release: None,
        worker_type: WORKER_TYPE.to_owned(),
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

pub fn operation(started: u64, action: Action, outcome: Outcome) -> Operation {
    let mut operation = Operation {
        client: 0,
        replica: 0,
        worker_type: WORKER_TYPE.to_owned(),
        started,
        ended: started + 9,
        action,
        outcome,
        place: None,
    };
    operation.place = operation.made().map(|generation| format!("place-{generation}"));
    operation
}

/// A revision of which its writer said `message`.
pub fn revision(message: &str, marker: &str) -> Revision {
    let [message, marker] = [message, marker].map(str::to_owned);
    Revision { content_hash: format!("sha256:{marker}"), marker, message }
}

pub fn publish(marker: &str, expects: Option<u64>) -> Action {
    Action::Publish { marker: marker.to_owned(), rollout: false, expects }
}

/// Publishes, reads, a deletion, a rollout that is aborted, a race that is lost and a publish of which nobody was told
/// that it was made; and a reader that was cut off in between.
pub fn whole() -> Run {
    let feed = vec![
        event(1, "worker-type-published", 1, 1),
        event(2, "worker-type-published", 2, 2),
        event(3, "worker-type-deleted", 3, 2),
        event(4, "worker-type-published", 4, 3),
        event(5, "rollout-started", 5, 4),
        event(6, "rollout-aborted", 6, 3),
        event(7, "worker-type-published", 7, 5),
    ];
    let told = |index: usize| Frame::Event(feed[index].clone());
    let bookmark = |cursor: &str| Frame::Bookmark { cursor: cursor.to_owned() };
    let frames = vec![bookmark("place-0"), told(0), told(1), told(2)];
    let first = Stream { frames, ..Stream::default() };
    let from = Some("place-3".to_owned());
    let frames = [bookmark("place-3")].into_iter().chain((3..7).map(told)).collect();
    let second = Stream { replica: 1, from, frames, ..Stream::default() };
    let revision = |marker: &str| revision(marker, marker);
    let revisions: BTreeMap<u64, Revision> = (1..).zip(["one", "two", "three", "four", "five"].map(revision)).collect();
    let standing =
        vec![Standing { worker_type: WORKER_TYPE.to_owned(), generation: 7, revision: Some(5), older: None }];
    let telling = |replica| Telling { replica, how: "a stream".to_owned(), events: feed.clone() };
    let read = || Action::Read { follows: true };
    let begin = Action::Publish { marker: "four".to_owned(), rollout: true, expects: Some(4) };
    Run {
        name: "forged".to_owned(),
        seed: 1,
        seconds: 1,
        troubles: Vec::new(),
        cut: 0,
        operations: vec![
            operation(10, publish("one", None), live(1, 1, "one")),
            operation(20, publish("two", Some(1)), live(2, 2, "two")),
            operation(30, read(), live(2, 2, "two")),
            operation(40, Action::Delete { expects: None }, Outcome::Done { generation: 3 }),
            operation(50, read(), Outcome::Absent { generation: Some(3) }),
            operation(60, publish("three", None), live(4, 3, "three")),
            operation(70, begin, live(5, 4, "four")),
            operation(80, Action::EndRollout { complete: false, expects: None }, Outcome::Done { generation: 6 }),
            operation(90, publish("never", Some(5)), Outcome::LostRace { generation: Some(6) }),
            operation(100, publish("five", None), Outcome::Unknown { why: "cut off".to_owned() }),
        ],
        releases: Vec::new(),
        watches: vec![Watch { streams: vec![first, second], ..Watch::default() }],
        ending: Ending {
            start: "place-0".to_owned(),
            by_itself: BTreeSet::new(),
            told: vec![telling(0), telling(1)],
            feed,
            revisions: BTreeMap::from([(WORKER_TYPE.to_owned(), revisions)]),
            standing: vec![standing.clone(), standing],
            releases: Vec::new(),
            tables: Vec::new(),
        },
    }
}

/// The same, and then: the first revision again, a rollout whose policy is changed and that completes by itself, and a way
/// back to what is live already.
pub fn renewed() -> Run {
    let mut run = whole();
    let later = [
        event(8, "worker-type-rolled-back", 8, 6),
        event(9, "rollout-started", 9, 7),
        event(10, "rollout-started", 10, 8),
        event(11, "rollout-completed", 11, 8),
    ];
    let lenient = Revision { content_hash: "sha256:lenient".to_owned(), ..revision("lenient", "seven") };
    let shown = |generation| Live {
        generation,
        revision: 8,
        content_hash: lenient.content_hash.clone(),
        marker: lenient.marker.clone(),
        stale: false,
    };
    let back = |marker: &str, revision, expects| Action::Rollback { marker: marker.to_owned(), revision, expects };
    let begin = Action::Publish { marker: "seven".to_owned(), rollout: true, expects: None };
    let change = Action::ChangeRollout { marker: "lenient".to_owned(), policy: "lenient".to_owned(), expects: Some(9) };
    run.operations.extend([
        operation(110, back("back", 1, Some(7)), live(8, 6, "one")),
        operation(120, begin, live(9, 7, "seven")),
        operation(130, change, Outcome::Live(shown(10))),
        operation(140, back("again", 8, None), Outcome::Unchanged(shown(11))),
    ]);
    let revisions = run.ending.revisions.get_mut(WORKER_TYPE).unwrap();
    revisions.extend([(6, revision("back", "one")), (7, revision("seven", "seven")), (8, lenient)]);
    run.watches[0].streams[1].frames.extend(later.iter().cloned().map(Frame::Event));
    run.ending.told.iter_mut().for_each(|telling| telling.events.extend_from_slice(&later));
    for standing in &mut run.ending.standing {
        (standing[0].generation, standing[0].revision) = (11, Some(8));
    }
    run.ending.by_itself.insert(later[3].cursor.clone());
    run.ending.feed.extend(later);
    run
}

pub const RELEASE: &str = "robust-worker@1.0.0";

/// Requests of the run in which a release is published and withdrawn.
pub const PUBLISH: usize = 0;
pub const WITHDRAW: usize = 1;

/// As [`whole`], and then a release that is published and withdrawn.
pub fn released() -> Run {
    let mut run = whole();
    let wanted = [Wanted::Publish { description: "it".to_owned() }, Wanted::Withdraw { reason: "leaks".to_owned() }];
    for (wanted, place) in wanted.into_iter().zip(8..) {
        let (started, cursor, release) = (place * 20, format!("place-{place}"), RELEASE.to_owned());
        let write = ReleaseWrite {
            replica: 0,
            release: release.clone(),
            started,
            ended: started + 9,
            wanted,
            answered: Answered::Done,
            place: Some(cursor.clone()),
        };
        let event = Event::of_release(cursor, write.kind().to_owned(), release);
        run.releases.push(write);
        run.watches[0].streams[1].frames.push(Frame::Event(event.clone()));
        run.ending.told.iter_mut().for_each(|telling| telling.events.push(event.clone()));
        run.ending.feed.push(event);
    }
    let kept = Kept { description: "it".to_owned(), withdrawn: Some("leaks".to_owned()) };
    run.ending.releases = vec![BTreeMap::from([(RELEASE.to_owned(), kept)]); 2];
    run
}

/// What a judge says of a forgery of [`renewed`].
pub fn forge_renewed(judge: fn(&Run) -> Judged, change: impl FnOnce(&mut Run)) -> Vec<String> {
    let mut run = renewed();
    change(&mut run);
    judge(&run).faults
}

/// What a judge says of a forgery.
pub fn forge(judge: fn(&Run) -> Judged, change: impl FnOnce(&mut Run)) -> Vec<String> {
    let mut run = whole();
    change(&mut run);
    judge(&run).faults
}

/// What a judge says of a forgery of what the reader heard.
pub fn forge_watch(judge: fn(&Run) -> Judged, change: impl FnOnce(&mut Watch)) -> Vec<String> {
    forge(judge, |run| change(&mut run.watches[0]))
}

#[test]
fn the_run_that_is_forged_keeps_every_promise() {
    assert_eq!(broken(&whole()), Vec::new());
    assert_eq!(broken(&renewed()), Vec::new());
}

#[test]
fn a_run_in_which_nothing_happened_shows_nothing_to_any_judge() {
    let named: Vec<&str> = broken(&Run::default()).into_iter().map(|(promise, _)| promise).collect();
    assert_eq!(named, super::PROMISES.map(|promise| promise.name));
}
