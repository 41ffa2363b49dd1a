//! The circuit breaker: after failures in a row, the other side is left alone and asked again by probes only.
//!
//! A state machine without clock and sockets: the time is passed in. (The crates failsafe 1.3 and recloser 1.4 let the
//! caller who comes after the pause be the probe, and read the clock themselves; here no task may pay for a probe.)

use serde::Serialize;
use std::time::Duration;
use tokio::time::Instant;

/// Where a breaker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BreakerState {
    /// Calls go through.
    Closed,
    /// No calls go through.
    Open,
    /// A probe is under way; no other calls go through.
    HalfOpen,
}

/// A breaker.
#[derive(Clone, Debug)]
pub(crate) struct Breaker {
    threshold: u32,
    first_pause: Duration,
    longest_pause: Duration,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Closed { failures: u32 },
    Open { until: Instant, pause: Duration },
    HalfOpen { pause: Duration },
}

impl Breaker {
    /// A closed breaker that opens after `threshold` failures in a row (at least one).
    pub(crate) fn new(threshold: u32, first_pause: Duration, longest_pause: Duration) -> Self {
        Self { threshold: threshold.max(1), first_pause, longest_pause, state: State::Closed { failures: 0 } }
    }

    pub(crate) fn state(&self) -> BreakerState {
        match self.state {
            State::Closed { .. } => BreakerState::Closed,
            State::Open { .. } => BreakerState::Open,
            State::HalfOpen { .. } => BreakerState::HalfOpen,
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        matches!(self.state, State::Closed { .. })
    }

    /// When the next probe is due, while it is open.
    pub(crate) fn probe_at(&self) -> Option<Instant> {
        match self.state {
            State::Open { until, .. } => Some(until),
            State::Closed { .. } | State::HalfOpen { .. } => None,
        }
    }

    /// Whether the caller is to probe now: true for one caller after each pause, who then reports how it went.
    pub(crate) fn begin_probe(&mut self, now: Instant) -> bool {
        match self.state {
            State::Open { until, pause } if now >= until => {
                self.state = State::HalfOpen { pause };
                true
            }
            _ => false,
        }
    }

    /// A call went well. Answers whether that closed the breaker.
    pub(crate) fn succeeded(&mut self) -> bool {
        let was_closed = self.is_closed();
        self.state = State::Closed { failures: 0 };
        !was_closed
    }

    /// A call failed. Answers whether that opened the breaker, which it does for a failed probe too.
    pub(crate) fn failed(&mut self, now: Instant) -> bool {
        let pause = match self.state {
            State::Closed { failures } if failures + 1 < self.threshold => {
                self.state = State::Closed { failures: failures + 1 };
                return false;
            }
            // A call from before it opened: what it says is known.
            State::Open { .. } => return false,
            State::Closed { .. } => self.first_pause,
            State::HalfOpen { pause } => (pause * 2).min(self.longest_pause),
        };
        self.state = State::Open { until: now + pause, pause };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Breaker, BreakerState};
    use std::time::Duration;
    use tokio::time::Instant;

    const SECOND: Duration = Duration::from_secs(1);

    fn breaker() -> Breaker {
        Breaker::new(3, SECOND, SECOND * 3)
    }

    fn fail_often(breaker: &mut Breaker, now: Instant) {
        for _ in 0..3 {
            breaker.failed(now);
        }
    }

    #[test]
    fn opens_after_failures_in_a_row_only() {
        let (mut breaker, now) = (breaker(), Instant::now());
        assert!(!breaker.failed(now) && !breaker.failed(now));
        assert!(!breaker.succeeded());
        assert!(!breaker.failed(now) && !breaker.failed(now));
        assert!(breaker.is_closed());
        assert!(breaker.failed(now));
        assert_eq!(breaker.state(), BreakerState::Open);
        assert_eq!(breaker.probe_at(), Some(now + SECOND));
    }

    #[test]
    fn one_probe_after_each_pause_and_the_pause_doubles_up_to_its_bound() {
        let (mut breaker, mut now) = (breaker(), Instant::now());
        fail_often(&mut breaker, now);
        for pause in [1, 2, 3, 3] {
            assert!(!breaker.begin_probe(now + SECOND * pause - Duration::from_nanos(1)), "too early");
            now += SECOND * pause;
            assert!(breaker.begin_probe(now));
            assert_eq!(breaker.state(), BreakerState::HalfOpen);
            assert!(!breaker.begin_probe(now), "one probe at a time");
            assert!(breaker.failed(now));
        }
    }

    #[test]
    fn a_probe_that_goes_well_closes_it_and_the_next_pause_is_the_first_again() {
        let (mut breaker, now) = (breaker(), Instant::now());
        fail_often(&mut breaker, now);
        assert!(breaker.begin_probe(now + SECOND));
        assert!(breaker.failed(now + SECOND));
        assert!(breaker.begin_probe(now + SECOND * 3));
        assert!(breaker.succeeded());
        assert!(breaker.is_closed());
        fail_often(&mut breaker, now);
        assert_eq!(breaker.probe_at(), Some(now + SECOND));
    }

    #[test]
    fn calls_from_before_it_opened_do_not_prolong_the_pause_but_close_it_when_they_go_well() {
        let (mut breaker, now) = (breaker(), Instant::now());
        fail_often(&mut breaker, now);
        assert!(!breaker.failed(now + SECOND / 2));
        assert_eq!(breaker.probe_at(), Some(now + SECOND));
        assert!(breaker.succeeded());
    }
}
