//! The gate keeps score: how fetches went, whether worker-manager is left alone, and the probes that find it again.

use crate::gate::BreakerState;
use crate::gate::core::Core;
use crate::gate::fetch::Failure;
use crate::gate::known::{Slot, Trust};
use crate::gate::shelf::{Shared, lock};
use crate::gate::state::{GateState, LastError, WatchState};
use jiff::Timestamp;
use std::sync::{Arc, Weak};
use tokio::time::{Instant, sleep_until};
use worker_types::WorkerTypeId;

/// How it went lately.
pub(crate) struct Score {
    pub(crate) failing_since: Option<Timestamp>,
    pub(crate) last_error: Option<LastError>,
    /// When worker-manager was last heard of.
    pub(crate) heard_at: Option<Timestamp>,
    pub(crate) watch: WatchState,
}

impl Score {
    /// Of a gate that begins at `now`.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self { failing_since: None, last_error: None, heard_at: None, watch: WatchState::unconnected(now) }
    }
}

impl Core {
    /// A fetch went well.
    pub(crate) fn succeeded(&self) {
        self.heard();
        self.trusted_again();
    }

    /// Worker-manager gave a sign of life.
    pub(crate) fn heard(&self) {
        lock(&self.score).heard_at = Some(Timestamp::now());
    }

    fn trusted_again(&self) {
        let closed = lock(&self.breaker).succeeded();
        let since = lock(&self.score).failing_since.take();
        if closed {
            tracing::info!(since = since.map(tracing::field::display), "worker-manager answers again");
        }
    }

    /// A fetch failed.
    pub(crate) fn failed(self: &Arc<Self>, id: &WorkerTypeId, failure: &Failure, now: Instant) {
        let at = Timestamp::now();
        let mut score = lock(&self.score);
        score.last_error = Some(LastError { at, message: failure.cause.clone() });
        if failure.of_this_worker_type {
            drop(score);
            tracing::warn!(worker_type.id = %id, cause = %failure.cause, "the bundle of a worker type cannot be used");
            return self.succeeded();
        }
        score.failing_since.get_or_insert(at);
        drop(score);
        let mut breaker = lock(&self.breaker);
        let was_closed = breaker.is_closed();
        if breaker.failed(now) && was_closed {
            tracing::warn!(worker_type.id = %id, cause = %failure.cause, "worker-manager is left alone; verdicts go by what was last known");
            self.runtime.spawn(Self::probe(Arc::downgrade(self)));
        }
    }

    /// Probes until one goes well. Only one such task runs: it is started when the breaker opens from closed.
    async fn probe(core: Weak<Self>) {
        loop {
            let Some(due) = core.upgrade().and_then(|core| lock(&core.breaker).probe_at()) else { return };
            sleep_until(due).await;
            let Some(core) = core.upgrade() else { return };
            if !lock(&core.breaker).begin_probe(Instant::now()) {
                continue;
            }
            let Some((id, shared)) = lock(&core.shelf).latest() else {
                // Nothing is in use, so nothing can be asked for; the next task will see.
                return core.trusted_again();
            };
            let mut flight = core.launch(&id, &shared, &mut lock(&shared), false);
            let _landed = flight.landed.changed().await;
            let mut breaker = lock(&core.breaker);
            if breaker.state() == BreakerState::HalfOpen {
                // The flight broke off without a report.
                breaker.failed(Instant::now());
            }
        }
    }

    /// The change feed is connected.
    pub(crate) fn feed_connected(&self) {
        let since = Timestamp::now();
        lock(&self.score).watch = WatchState { connected: true, since, reached: true, cause: None };
    }

    /// The change feed is not connected. Answers whether that is news.
    pub(crate) fn feed_interrupted(&self, cause: String) -> bool {
        let watch = &mut lock(&self.score).watch;
        let is_news = watch.connected || watch.cause.is_none();
        let since = if watch.connected { Timestamp::now() } else { watch.since };
        *watch = WatchState { connected: false, since, cause: Some(cause), ..watch.clone() };
        is_news
    }

    /// Whether every change arrives.
    pub(crate) fn watching(&self) -> bool {
        lock(&self.score).watch.connected
    }

    pub(crate) fn state(&self) -> GateState {
        let now = Instant::now();
        let watching = self.watching();
        let shelf = lock(&self.shelf);
        let is_stale = |slot: &Slot| slot.trust(now, watching, &self.settings) == Trust::Stale;
        let stale = shelf.kept().filter(|shared| is_stale(&lock(shared))).count();
        let confirmed = |shared: &Shared| lock(shared).known.as_ref().map(|known| known.confirmed);
        let oldest = shelf.kept().filter_map(confirmed).min();
        let faulty = shelf.all().filter(|shared| !lock(shared).breaker.is_closed()).count();
        let kept = shelf.len();
        drop(shelf);
        let breaker = lock(&self.breaker).state();
        let score = lock(&self.score);
        GateState {
            breaker,
            failing_since: score.failing_since,
            last_error: score.last_error.clone(),
            kept,
            stale,
            faulty,
            oldest_age_seconds: oldest.map(|at| now.saturating_duration_since(at).as_secs()),
            heard_at: score.heard_at,
            watch: score.watch.clone(),
        }
    }
}
