//! What one reader of the feed is told, and when: decided without a connection, a clock or a store.
//!
//! Whoever drives it asks [`Protocol::step`] what to do, does it, and tells what came of it.

use super::frames::{End, Saying};
use registry::{Cursor, FeedError, Stretch};

/// Events that are passed over before a bookmark says so, however soon: a reader who comes back has no more than
/// these looked at again.
const PASSED_OVER: u64 = 1_000;

/// One reader's side of the feed.
pub(super) struct Protocol {
    stage: Stage,
    /// Whether the reader wants all events.
    wants_all: bool,
    /// Everything up to here was looked at.
    place: Cursor,
    /// The sequence of the newest place that the reader was told.
    told: u64,
    /// How many events that it wants may come while it takes those that were there when it last waited for some.
    lag: u64,
    /// How many are left of them, from `counted` on.
    allowance: u64,
    counted: u64,
}

enum Stage {
    /// The connection takes more.
    Asked,
    Weighing,
    Looking,
    Saying(Saying),
    Waiting,
    Ending(End),
    Ended,
}

/// What to do next.
#[derive(Debug)]
pub(super) enum Step {
    /// Write this, and call [`Protocol::asked`] once the connection takes more.
    Say(Saying),
    /// Read on after this place, and tell [`Protocol::looked`].
    Look(Cursor),
    /// Count what the reader wants of the events after this place, no further than to one beyond this many, and tell
    /// [`Protocol::weighed`].
    Weigh(Cursor, u64),
    /// Wait for news, for the next bookmark to be due or for the end of the server, and tell that.
    Wait,
    /// Close the connection.
    Close,
}

impl Protocol {
    /// For a reader that has seen everything up to `place`, while reads see events up to `applied`.
    pub(super) fn new(place: Cursor, applied: u64, lag: u64, wants_all: bool) -> Self {
        let stage = Stage::Saying(Saying::Bookmark(place.clone()));
        let counted = applied.max(place.sequence);
        Self { stage, wants_all, told: place.sequence, place, lag, allowance: lag, counted }
    }

    /// What to do now.
    pub(super) fn step(&mut self) -> Step {
        match &self.stage {
            // Nobody said what is there: that is found by looking.
            Stage::Asked | Stage::Looking => Step::Look(self.place.clone()),
            Stage::Weighing => Step::Weigh(Cursor { sequence: self.counted, ..self.place.clone() }, self.allowance),
            Stage::Waiting => Step::Wait,
            Stage::Saying(saying) => {
                let saying = saying.clone();
                self.stage = Stage::Asked;
                Step::Say(saying)
            }
            Stage::Ending(why) => {
                let last = Saying::End(*why, self.place.clone());
                self.stage = Stage::Ended;
                Step::Say(last)
            }
            Stage::Ended => Step::Close,
        }
    }

    /// The connection takes more, and reads see events up to `applied`.
    pub(super) fn asked(&mut self, applied: u64) {
        if !matches!(self.stage, Stage::Asked) {
            return;
        }
        let may_be_too_many = applied.saturating_sub(self.counted) > self.allowance;
        self.stage = match may_be_too_many && self.place.sequence < applied {
            false => Stage::Looking,
            true if self.wants_all => Stage::Ending(End::SlowReader),
            true => Stage::Weighing,
        };
    }

    /// So many events that the reader wants have come, up to this place.
    pub(super) fn weighed(&mut self, counted: Result<(u64, Cursor), FeedError>) {
        self.stage = match counted {
            Ok((wanted, _)) if wanted > self.allowance => Stage::Ending(End::SlowReader),
            Ok((wanted, upto)) => {
                self.allowance -= wanted;
                self.counted = upto.sequence;
                Stage::Looking
            }
            Err(error) => Stage::Ending(end(&error)),
        };
    }

    /// This lies after the place.
    pub(super) fn looked(&mut self, found: Result<Stretch, FeedError>) {
        let stretch = match found {
            Ok(stretch) => stretch,
            Err(error) => {
                self.stage = Stage::Ending(end(&error));
                return;
            }
        };
        self.place = stretch.place;
        self.stage = if let Some(last) = stretch.events.last() {
            self.told = last.sequence;
            Stage::Saying(Saying::Events(stretch.events))
        } else if self.place.sequence - self.told >= PASSED_OVER {
            self.bookmark()
        } else if stretch.more {
            Stage::Looking
        } else {
            Stage::Waiting
        };
    }

    /// There is news while it waited, up to `applied`.
    pub(super) fn woken(&mut self, applied: u64) {
        self.caught_up(applied);
        self.stage = Stage::Looking;
    }

    /// Nothing was said for as long as a bookmark may take.
    pub(super) fn due(&mut self, applied: u64) {
        self.caught_up(applied);
        self.stage = self.bookmark();
    }

    /// The server has lost its database while it waited: what it would say is that nothing came, and it cannot know.
    pub(super) fn cut_off(&mut self) {
        if matches!(self.stage, Stage::Waiting) {
            self.stage = Stage::Ending(End::Unavailable);
        }
    }

    /// The server stops. What is about to be said is said before.
    pub(super) fn closing(&mut self) {
        if !matches!(self.stage, Stage::Saying(_) | Stage::Ended) {
            self.stage = Stage::Ending(End::Closing);
        }
    }

    /// It was waiting: whatever came just now came in one burst, and is not its fault.
    fn caught_up(&mut self, applied: u64) {
        self.counted = applied.max(self.place.sequence);
        self.allowance = self.lag;
    }

    fn bookmark(&mut self) -> Stage {
        self.told = self.place.sequence;
        Stage::Saying(Saying::Bookmark(self.place.clone()))
    }
}

fn end(error: &FeedError) -> End {
    match error {
        FeedError::Store(_) => End::Unavailable,
        FeedError::Gone | FeedError::InvalidCursor | FeedError::Future { .. } => End::CursorGone,
    }
}

#[cfg(test)]
mod tests;
