//! The laws of the protocol, over every order in which events, readers, bookmarks, lost connections and stops may come,
//! against a model of the feed: a list.

use super::{PASSED_OVER, Protocol, Step};
use crate::event_stream::frames::{End, Saying};
use proptest::prelude::*;
use registry::store::EventRecord;
use registry::{Cursor, FeedEntry, FeedError, Stretch};
use std::sync::Arc;
use worker_types::EventKind;

const LAG: u64 = 40;
/// Events that the model says at once, and those that it looks at for them.
const BATCH: usize = 7;
const LOOKED_AT: usize = 30;

/// The feed: for each event whether the reader who filters wants it.
#[derive(Default)]
struct Feed {
    wanted: Vec<bool>,
    /// How many of the oldest are forgotten.
    compacted: u64,
}

fn place(sequence: u64) -> Cursor {
    Cursor { epoch: "e".to_owned(), sequence }
}

fn entry(sequence: u64) -> Arc<FeedEntry> {
    let record = EventRecord {
        sequence,
        kind: EventKind::WorkerTypePublished,
        worker_type_id: None,
        release: None,
        generation: None,
        revision: None,
        at: jiff::Timestamp::UNIX_EPOCH,
    };
    Arc::new(FeedEntry::new("e", record))
}

impl Feed {
    fn applied(&self) -> u64 {
        self.wanted.len() as u64
    }

    fn wants(&self, all: bool, sequence: u64) -> bool {
        all || self.wanted[usize::try_from(sequence - 1).unwrap()]
    }

    /// Those in `(after, upto]` that the reader wants.
    fn between(&self, all: bool, after: u64, upto: u64) -> Vec<u64> {
        (after + 1..=upto).filter(|sequence| self.wants(all, *sequence)).collect()
    }

    fn look(&self, all: bool, after: &Cursor) -> Result<Stretch, FeedError> {
        if after.sequence < self.compacted {
            return Err(FeedError::Gone);
        }
        let mut stretch = Stretch { events: Vec::new(), place: after.clone(), more: false };
        for sequence in (after.sequence + 1..=self.applied()).take(LOOKED_AT) {
            stretch.place = place(sequence);
            stretch.events.extend(self.wants(all, sequence).then(|| entry(sequence)));
            if stretch.events.len() == BATCH {
                break;
            }
        }
        stretch.more = stretch.place.sequence < self.applied();
        Ok(stretch)
    }

    fn weigh(&self, all: bool, after: &Cursor) -> Result<(u64, Cursor), FeedError> {
        if after.sequence < self.compacted {
            return Err(FeedError::Gone);
        }
        Ok((self.between(all, after.sequence, self.applied()).len() as u64, place(self.applied())))
    }
}

/// What may happen, one after the other.
#[derive(Clone, Debug)]
enum Move {
    /// Events come; whether the reader who filters wants them.
    Publish(Vec<bool>),
    /// Very many that it does not want come at once.
    PublishOthers(usize),
    /// The connection takes what there is, part by part, so many times.
    Take(usize),
    /// The bookmark is due.
    Due,
    /// The connection is lost, and the reader comes back with the last cursor that it was told.
    Lose,
    /// The oldest are forgotten, all but so many.
    Compact(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => prop::collection::vec(any::<bool>(), 1..30).prop_map(Move::Publish),
        1 => (100_usize..3_000).prop_map(Move::PublishOthers),
        6 => (1_usize..12).prop_map(Move::Take),
        1 => Just(Move::Due),
        1 => Just(Move::Lose),
    ];
    prop::collection::vec(one, 1..40)
}

/// A reader, what it was told, and who drives it.
struct Reader {
    protocol: Protocol,
    all: bool,
    /// Whether it waits for news.
    waiting: bool,
    /// The newest event that was there when it last waited, or began.
    caught_up: u64,
    start: u64,
    /// The newest cursor that it was told.
    cursor: u64,
    events: Vec<u64>,
    bookmarks: Vec<u64>,
    end: Option<End>,
}

impl Reader {
    fn new(feed: &Feed, all: bool, start: u64) -> Self {
        let protocol = Protocol::new(place(start), feed.applied(), LAG, all);
        let caught_up = feed.applied();
        let (events, bookmarks) = (Vec::new(), Vec::new());
        Self { protocol, all, waiting: false, caught_up, start, cursor: start, events, bookmarks, end: None }
    }

    /// Takes one part, if there is one now.
    fn take(&mut self, feed: &Feed) -> bool {
        if self.waiting {
            if feed.applied() == self.caught_up {
                return false;
            }
            self.waiting = false;
            self.caught_up = feed.applied();
            self.protocol.woken(feed.applied());
        } else {
            self.protocol.asked(feed.applied());
        }
        self.drive(feed)
    }

    fn due(&mut self, feed: &Feed) {
        if self.waiting {
            self.waiting = false;
            self.caught_up = feed.applied();
            self.protocol.due(feed.applied());
            assert!(self.drive(feed), "a bookmark that is due is said");
        }
    }

    fn drive(&mut self, feed: &Feed) -> bool {
        loop {
            match self.protocol.step() {
                Step::Look(after) => self.protocol.looked(feed.look(self.all, &after)),
                Step::Weigh(after, _) => {
                    assert!(!self.all, "a reader of everything needs no counting");
                    self.protocol.weighed(feed.weigh(self.all, &after));
                }
                Step::Wait => {
                    self.waiting = true;
                    self.caught_up = feed.applied();
                    return false;
                }
                Step::Close => {
                    assert!(self.end.is_some(), "a stream ends with the reason");
                    return false;
                }
                Step::Say(saying) => {
                    self.hear(feed, saying);
                    return true;
                }
            }
        }
    }

    /// The laws that each thing said has to keep.
    fn hear(&mut self, feed: &Feed, saying: Saying) {
        assert_eq!(self.end, None, "nothing is said after the end");
        match saying {
            Saying::Events(events) => {
                let events: Vec<u64> = events.iter().map(|entry| entry.sequence).collect();
                let last = *events.last().unwrap();
                assert_eq!(events, feed.between(self.all, self.cursor, last), "in order, each once, none left out");
                self.events.extend(events);
                self.cursor = last;
            }
            Saying::Bookmark(cursor) => {
                assert!(cursor.sequence >= self.cursor, "bookmarks never go back");
                let passed = feed.between(self.all, self.cursor, cursor.sequence);
                assert!(passed.is_empty(), "a bookmark passes over {passed:?}, which are wanted");
                self.bookmarks.push(cursor.sequence);
                self.cursor = cursor.sequence;
            }
            Saying::End(why, cursor) => {
                assert!(feed.between(self.all, self.cursor, cursor.sequence).is_empty());
                if why == End::SlowReader {
                    let behind = feed.between(self.all, self.caught_up, feed.applied()).len() as u64;
                    assert!(behind > LAG, "cut for {behind} events that it wants");
                }
                self.end = Some(why);
            }
        }
    }

    fn make(&mut self, feed: &mut Feed, action: &Move) {
        match action {
            Move::Publish(wanted) => feed.wanted.extend(wanted),
            Move::PublishOthers(count) => feed.wanted.extend(std::iter::repeat_n(false, *count)),
            Move::Take(times) => {
                let _ = (0..*times).take_while(|_| self.take(feed)).count();
            }
            Move::Due => self.due(feed),
            Move::Lose => {
                let back = Self::new(feed, self.all, self.cursor);
                let (start, events) = (self.start, std::mem::take(&mut self.events));
                *self = Self { start, events, ..back };
            }
            Move::Compact(kept) => {
                feed.compacted = feed.compacted.max(feed.applied().saturating_sub(*kept as u64));
            }
        }
    }

    /// Comes back as often as it is cut, until it has everything.
    fn finish(&mut self, feed: &mut Feed) {
        loop {
            while self.take(feed) {}
            match self.end {
                None => return,
                Some(End::SlowReader) => self.make(feed, &Move::Lose),
                Some(why) => panic!("ended: {why:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_a_reader_gets_all_that_it_wants_once_and_in_order(moves in moves(), all: bool, began in 0_u64..20) {
        let mut feed = Feed { wanted: vec![true; 20], compacted: 0 };
        let mut reader = Reader::new(&feed, all, began);
        for action in &moves {
            reader.make(&mut feed, action);
        }
        reader.finish(&mut feed);
        prop_assert_eq!(&reader.events, &feed.between(all, began, feed.applied()));
        // What it holds now leads to nothing that it has, and to nothing that it wants.
        prop_assert!(feed.between(all, reader.cursor, feed.applied()).is_empty());
        prop_assert!(feed.applied() - reader.cursor < PASSED_OVER + LOOKED_AT as u64, "bookmarks keep up");
    }

    #[test]
    fn after_any_part_of_it_the_rest_is_the_rest(wanted in prop::collection::vec(any::<bool>(), 1..200), parts in 1_usize..40, all: bool) {
        let mut feed = Feed { wanted, compacted: 0 };
        let mut whole = Reader::new(&feed, all, 0);
        whole.finish(&mut feed);
        let mut reader = Reader::new(&feed, all, 0);
        reader.make(&mut feed, &Move::Take(parts));
        let before = reader.events.clone();
        let mut rest = Reader::new(&feed, all, reader.cursor);
        rest.finish(&mut feed);
        prop_assert_eq!([before, rest.events].concat(), whole.events);
    }

    #[test]
    fn those_who_filter_hear_a_part_of_what_the_others_hear(wanted in prop::collection::vec(any::<bool>(), 1..200)) {
        let mut feed = Feed { wanted, compacted: 0 };
        let [everything, part] = [true, false].map(|all| {
            let mut reader = Reader::new(&feed, all, 0);
            reader.finish(&mut feed);
            reader.events
        });
        let expected: Vec<u64> = everything.into_iter().filter(|sequence| feed.wants(false, *sequence)).collect();
        prop_assert_eq!(part, expected);
    }

    #[test]
    fn a_reader_is_cut_exactly_when_more_than_is_allowed_of_what_it_wants_came(wanted in prop::collection::vec(any::<bool>(), 1..150), all: bool) {
        let mut feed = Feed::default();
        let mut reader = Reader::new(&feed, all, 0);
        reader.make(&mut feed, &Move::Take(1));
        feed.wanted = wanted;
        let behind = feed.between(all, 0, feed.applied()).len() as u64;
        reader.make(&mut feed, &Move::Take(1));
        prop_assert_eq!(reader.end, (behind > LAG).then_some(End::SlowReader));
    }
}

/// A reader that has taken its greeting, and is told of everything.
fn greeted(feed: &Feed) -> Reader {
    let mut reader = Reader::new(feed, true, 0);
    assert!(reader.take(feed));
    assert_eq!(reader.bookmarks, [0], "the greeting is a bookmark of the place where it began");
    reader
}

#[test]
fn a_quiet_feed_says_where_it_stands_when_that_is_due() {
    let feed = Feed { wanted: vec![true; 3], compacted: 0 };
    let mut reader = greeted(&feed);
    while reader.take(&feed) {}
    reader.due(&feed);
    assert!(!reader.take(&feed));
    reader.due(&feed);
    assert_eq!(reader.bookmarks, [0, 3, 3]);
}

#[test]
fn many_that_are_not_wanted_are_passed_over_in_words() {
    let mut feed = Feed::default();
    let mut reader = Reader::new(&feed, false, 0);
    reader.make(&mut feed, &Move::PublishOthers(2_500));
    while reader.take(&feed) {}
    let steps: Vec<u64> = reader.bookmarks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(steps.len(), 2, "{steps:?}");
    assert!(steps.iter().all(|step| (PASSED_OVER..PASSED_OVER + LOOKED_AT as u64).contains(step)), "{steps:?}");
    reader.due(&feed);
    assert_eq!(reader.cursor, 2_500);
}

#[test]
fn a_server_that_stops_says_so_after_what_it_was_saying() {
    let feed = Feed { wanted: vec![true; 20], compacted: 0 };
    let mut reader = Reader::new(&feed, true, 0);
    reader.protocol.closing();
    assert!(reader.take(&feed));
    assert_eq!((reader.bookmarks.as_slice(), reader.end), ([0].as_slice(), None));
    assert!(reader.take(&feed));
    reader.protocol.asked(feed.applied());
    reader.protocol.closing();
    assert!(reader.drive(&feed));
    assert_eq!((reader.events.len(), reader.end), (BATCH, Some(End::Closing)));
    reader.protocol.closing();
    assert!(!reader.take(&feed), "once");
}

#[test]
fn a_server_that_has_lost_its_database_says_so_to_those_who_wait_and_to_nobody_before_they_have_what_is_there() {
    let feed = Feed { wanted: vec![true; 10], compacted: 0 };
    let mut reader = greeted(&feed);
    reader.protocol.cut_off();
    while reader.take(&feed) {}
    assert_eq!((reader.events.len(), reader.end), (10, None));
    reader.protocol.cut_off();
    assert!(reader.drive(&feed));
    assert_eq!((reader.cursor, reader.end), (10, Some(End::Unavailable)));
    assert!(!reader.take(&feed), "once");
}

#[test]
fn a_past_that_is_forgotten_ends_the_stream_in_words() {
    for (error, why) in [
        (FeedError::Gone, End::CursorGone),
        (FeedError::InvalidCursor, End::CursorGone),
        (FeedError::Future { given: 2, newest: 1 }, End::CursorGone),
        (FeedError::Store(registry::StoreError::Failed { message: "no".to_owned() }), End::Unavailable),
    ] {
        let feed = Feed::default();
        let mut reader = greeted(&feed);
        reader.protocol.asked(feed.applied());
        reader.protocol.looked(Err(error));
        assert!(reader.drive(&feed));
        assert_eq!(reader.end, Some(why));
    }
    let mut feed = Feed { wanted: vec![true; 20], compacted: 0 };
    let mut reader = greeted(&feed);
    reader.make(&mut feed, &Move::Take(1));
    reader.make(&mut feed, &Move::Compact(2));
    reader.make(&mut feed, &Move::Take(1));
    assert_eq!((reader.events.len(), reader.end), (BATCH, Some(End::CursorGone)));
}
