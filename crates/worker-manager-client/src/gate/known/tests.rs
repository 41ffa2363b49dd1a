use super::{Answer, Fetched, Slot, Trust};
use crate::gate::GateSettings;
use crate::{FeedEvent, FeedKind};
use payload_schema::{Evaluator, Limits};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;
use worker_types::{Bundle, EventKind, Generation};

const SECOND: Duration = Duration::from_secs(1);

/// A slot and the time at which it is looked at.
struct Given {
    slot: Slot,
    now: Instant,
    settings: GateSettings,
}

fn given() -> Given {
    let (now, settings) = (Instant::now(), GateSettings::default());
    Given { slot: Slot::new(now, &settings), now, settings }
}

impl Given {
    fn lands(&mut self, answer: Answer) {
        let events = self.slot.events;
        self.lands_after(answer, events);
    }

    fn lands_after(&mut self, answer: Answer, events: u64) {
        let fetched = Fetched::Answer { answer, etag: Some("\"e\"".to_owned()) };
        self.slot.landed(fetched, events, self.now, &self.settings);
    }

    fn event(&mut self, kind: EventKind, generation: u64) {
        let event = FeedEvent {
            cursor: "c".to_owned(),
            kind: FeedKind::Known(kind),
            worker_type_id: Some("p/w".parse().unwrap()),
            release: None,
            generation: Some(Generation(generation)),
            revision: None,
            at: None,
        };
        self.slot.changed(&event, self.now);
    }

    fn trust(&self, watching: bool) -> Trust {
        self.slot.trust(self.now, watching, &self.settings)
    }

    fn generation(&self) -> Option<u64> {
        super::generation(&self.slot.known.as_ref()?.answer).map(|generation| generation.0)
    }
}

fn live(generation: u64) -> Answer {
    let hash = format!("sha256:{}", "0".repeat(64));
    let bundle: Bundle = serde_json::from_value(json!({
        "workerTypeId": "p/w", "generation": generation, "validation": "warn", "rollout": null,
        "revisions": [{"revision": 1, "contentHash": hash, "validation": "warn", "acceptance": "any",
            "lifecycle": {"state": "active"}, "variants": []}],
        "schemas": {},
    }))
    .unwrap();
    Answer::Live(Arc::new(Evaluator::new(Limits::default(), 1).prepare(Arc::new(bundle)).unwrap()))
}

fn deleted() -> Answer {
    Answer::Deleted { detail: "gone".to_owned(), generation: None }
}

fn unknown() -> Answer {
    Answer::Unknown { detail: "none".to_owned(), suggestion: None }
}

#[test]
fn an_answer_ages_with_the_watch_and_goes_stale_without() {
    let mut given = given();
    assert_eq!(given.trust(true), Trust::Nothing);
    given.lands(live(1));
    given.now += SECOND * 60;
    assert_eq!((given.trust(true), given.trust(false)), (Trust::Fresh, Trust::Fresh));
    given.now += SECOND;
    assert_eq!((given.trust(true), given.trust(false)), (Trust::Ageing, Trust::Stale));
    given.slot.landed(Fetched::NotModified, 0, given.now, &given.settings);
    assert_eq!(given.trust(false), Trust::Fresh);
    assert_eq!(given.slot.etag.as_deref(), Some("\"e\""), "the tag is kept for the next time");
}

#[test]
fn that_there_is_none_counts_for_a_short_time_and_not_as_knowledge() {
    let mut given = given();
    given.lands(unknown());
    given.now += SECOND * 10;
    assert_eq!(given.trust(true), Trust::Fresh);
    given.now += SECOND;
    assert_eq!(given.trust(true), Trust::Nothing);
    given.lands(unknown());
    given.event(EventKind::WorkerTypePublished, 1);
    assert_eq!(given.trust(true), Trust::Nothing);
    assert!(!given.slot.is_worth_keeping());
}

#[test]
fn an_event_makes_it_stale_until_a_fetch_brings_that_generation() {
    let mut given = given();
    given.lands(live(4));
    given.event(EventKind::WorkerTypePublished, 5);
    assert_eq!(given.trust(true), Trust::Stale);
    given.lands(live(4));
    assert_eq!(given.trust(true), Trust::Stale, "a replica that lags");
    given.slot.landed(Fetched::NotModified, given.slot.events, given.now, &given.settings);
    assert_eq!(given.trust(true), Trust::Stale, "the same replica");
    given.lands(live(5));
    assert_eq!((given.trust(true), given.generation()), (Trust::Fresh, Some(5)));
}

#[test]
fn a_replica_that_lags_does_not_take_back_what_is_known() {
    let mut given = given();
    given.lands(live(5));
    given.event(EventKind::WorkerTypePublished, 6);
    given.lands(live(4));
    assert_eq!((given.trust(true), given.generation()), (Trust::Stale, Some(5)));
    given.lands(deleted());
    assert_eq!((given.trust(true), given.generation()), (Trust::Stale, Some(5)));
}

#[test]
fn an_event_while_a_fetch_is_under_way_is_not_lost() {
    let mut given = given();
    let before = given.slot.events;
    given.event(EventKind::WorkerTypePublished, 2);
    given.lands_after(live(1), before);
    assert_eq!(given.trust(true), Trust::Stale);
    given.lands_after(live(2), before);
    assert_eq!(given.trust(true), Trust::Fresh, "its generation proves that it is new enough");
    given.slot.doubt();
    given.lands_after(live(2), before);
    assert_eq!(given.trust(true), Trust::Stale, "after a list nothing proves it");
    given.lands(live(2));
    assert_eq!(given.trust(true), Trust::Fresh);
}

#[test]
fn a_deletion_and_a_return_are_each_waited_for() {
    let mut given = given();
    given.lands(live(1));
    given.event(EventKind::WorkerTypeDeleted, 2);
    given.lands(live(1));
    assert_eq!(given.trust(true), Trust::Stale);
    given.lands(deleted());
    assert_eq!(given.trust(true), Trust::Fresh);
    given.event(EventKind::WorkerTypePublished, 3);
    given.lands(deleted());
    assert_eq!(given.trust(true), Trust::Stale);
    given.lands(live(3));
    assert_eq!(given.trust(true), Trust::Fresh);
}

#[test]
fn a_tombstone_that_names_its_generation_is_known_by_it() {
    let mut given = given();
    let tombstone =
        |generation| Answer::Deleted { detail: "gone".to_owned(), generation: Some(Generation(generation)) };
    given.event(EventKind::WorkerTypePublished, 3);
    given.lands(tombstone(2));
    assert_eq!(given.trust(true), Trust::Stale, "from before it came back");
    given.lands(tombstone(4));
    assert_eq!(given.trust(true), Trust::Fresh, "deleted again already");
}

#[test]
fn after_a_list_a_lower_generation_is_taken() {
    let mut given = given();
    given.lands(live(9));
    given.event(EventKind::WorkerTypePublished, 10);
    given.slot.doubt();
    given.lands(live(2));
    assert_eq!((given.trust(true), given.generation()), (Trust::Fresh, Some(2)), "a database that was restored");
}

#[test]
fn what_never_comes_is_not_expected_for_ever() {
    let mut given = given();
    given.lands(live(1));
    given.event(EventKind::WorkerTypePublished, 9);
    given.now += given.settings.max_age;
    given.lands(live(1));
    assert_eq!(given.trust(true), Trust::Fresh);
}
