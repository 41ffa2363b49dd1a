//! When a connection was lost, and that this is told once: every attempt that fails says the same.

use std::time::{Duration, Instant};

/// The outage that lasts, if one does. A state machine without a clock: the time is passed in.
#[derive(Debug, Default)]
pub(super) struct Outage {
    since: Option<Instant>,
}

impl Outage {
    /// An attempt has failed. Answers whether that is news.
    pub(super) fn began(&mut self, now: Instant) -> bool {
        let is_news = self.since.is_none();
        self.since.get_or_insert(now);
        is_news
    }

    /// An attempt went well. Answers how long there was no connection, if that is news.
    pub(super) fn ended(&mut self, now: Instant) -> Option<Duration> {
        self.since.take().map(|since| now.saturating_duration_since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::Outage;
    use std::time::{Duration, Instant};

    #[test]
    fn the_loss_and_the_end_are_told_once_each() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        assert_eq!(outage.ended(start), None, "a first connection ends nothing");
        let attempts = [0, 1, 2].map(|second| outage.began(start + Duration::from_secs(second)));
        assert_eq!(attempts, [true, false, false]);
        assert_eq!(outage.ended(start + Duration::from_secs(3)), Some(Duration::from_secs(3)));
        assert_eq!(outage.ended(start + Duration::from_secs(4)), None);
        assert!(outage.began(start + Duration::from_secs(5)), "the next one is another");
    }
}
