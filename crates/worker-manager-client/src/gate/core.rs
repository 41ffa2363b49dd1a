//! The gate's inside: decides whether what is known will do, starts the fetches, and keeps score of how they went.

use crate::Client;
use crate::gate::breaker::Breaker;
use crate::gate::fetch::{Failure, fetch};
use crate::gate::known::{Fetched, Flight, Slot, Trust};
use crate::gate::shelf::{Shared, Shelf, lock};
use crate::gate::state::{GateState, LastError, WatchState};
use crate::gate::verdicts::{Doubt, Held};
use crate::gate::{BreakerState, GateSettings};
use jiff::Timestamp;
use payload_schema::Evaluator;
use std::sync::{Arc, Mutex};
use tokio::{
    runtime::Handle,
    sync::{Semaphore, watch},
    time::{Instant, sleep_until, timeout_at},
};
use worker_types::WorkerTypeId;

pub(crate) struct Core {
    pub(crate) client: Client,
    pub(crate) settings: GateSettings,
    evaluator: Arc<Evaluator>,
    shelf: Mutex<Shelf>,
    breaker: Mutex<Breaker>,
    score: Mutex<Score>,
    background: Semaphore,
    runtime: Handle,
}

/// How it went lately.
#[derive(Default)]
struct Score {
    failing_since: Option<Timestamp>,
    last_error: Option<LastError>,
    watch: WatchState,
}

/// What to do for a task.
enum Step {
    GoBy(Held),
    WaitFor(Flight, bool),
}

impl Core {
    pub(crate) fn new(client: Client, settings: GateSettings) -> Self {
        Self {
            evaluator: Arc::new(Evaluator::new(settings.limits.clone(), settings.compiled_schemas)),
            shelf: Mutex::new(Shelf::new(&settings)),
            breaker: Mutex::new(Breaker::new(settings.failures, settings.first_pause, settings.longest_pause)),
            score: Mutex::default(),
            background: Semaphore::new(settings.background_fetches.max(1)),
            runtime: Handle::current(),
            client,
            settings,
        }
    }

    /// What to go by for a task of `id`, after a fetch if that is needed and promises anything.
    pub(crate) async fn hold(self: &Arc<Self>, id: &WorkerTypeId) -> Held {
        let started = Instant::now();
        let slot = lock(&self.shelf).slot(id, started, &self.settings);
        match self.step(id, &slot, started) {
            Step::GoBy(held) => held,
            Step::WaitFor(mut flight, something_known) => {
                let patience = self.settings.patience(something_known);
                // An error says that the flight has landed: its sender is gone.
                let _landed = timeout_at(started + patience, flight.landed.changed()).await;
                let slot = lock(&slot);
                if slot.answered_since(started) {
                    return Held { known: slot.known.clone(), doubt: None };
                }
                let trust = slot.trust(Instant::now(), self.watching(), &self.settings);
                self.fall_back(&slot, trust, || format!("no answer within {} ms", patience.as_millis()))
            }
        }
    }

    fn step(self: &Arc<Self>, id: &WorkerTypeId, shared: &Shared, now: Instant) -> Step {
        let mut slot = lock(shared);
        slot.last_used = now;
        let trust = slot.trust(now, self.watching(), &self.settings);
        match trust {
            Trust::Fresh => Step::GoBy(Held { known: slot.known.clone(), doubt: None }),
            Trust::Ageing => {
                self.refresh(id, shared, &mut slot, now);
                Step::GoBy(Held { known: slot.known.clone(), doubt: None })
            }
            Trust::Stale | Trust::Nothing => match self.refresh(id, shared, &mut slot, now) {
                Some(flight) => Step::WaitFor(flight, trust == Trust::Stale),
                None => Step::GoBy(self.fall_back(&slot, trust, || "it is being probed".to_owned())),
            },
        }
    }

    fn fall_back(&self, slot: &Slot, trust: Trust, otherwise: impl FnOnce() -> String) -> Held {
        let known = slot.known.clone().filter(|_| trust != Trust::Nothing);
        let score = lock(&self.score);
        let of_the_service = || score.failing_since.and(score.last_error.as_ref().map(|error| error.message.clone()));
        let cause = slot.failure.clone().or_else(of_the_service).unwrap_or_else(otherwise);
        Held { known, doubt: Some(Doubt { since: score.failing_since, cause }) }
    }

    /// Sees to it that a fetch is under way, if one may be; answers the flight when it is worth waiting for.
    fn refresh(self: &Arc<Self>, id: &WorkerTypeId, shared: &Shared, slot: &mut Slot, now: Instant) -> Option<Flight> {
        if let Some(flight) = slot.flight.as_ref().filter(|flight| flight.landed.has_changed().is_ok()) {
            return Some(flight.clone()).filter(|flight| flight.waitable);
        }
        if !lock(&self.breaker).is_closed() {
            return None;
        }
        let waitable = slot.breaker.is_closed();
        (waitable || slot.breaker.begin_probe(now))
            .then(|| self.launch(id, shared, slot, waitable))
            .filter(|flight| flight.waitable)
    }

    fn launch(self: &Arc<Self>, id: &WorkerTypeId, shared: &Shared, slot: &mut Slot, waitable: bool) -> Flight {
        let (landing, landed) = watch::channel(());
        let flight = Flight { landed, waitable };
        slot.flight = Some(flight.clone());
        let (core, id, shared) = (Arc::clone(self), id.clone(), Arc::clone(shared));
        let (etag, events) = (slot.etag.clone(), slot.events);
        self.runtime.spawn(async move {
            let fetched = fetch(&core.client, &core.evaluator, &core.settings, &id, etag.as_deref()).await;
            core.land(&id, &shared, fetched, events);
            drop(landing);
        });
        flight
    }

    fn land(self: &Arc<Self>, id: &WorkerTypeId, shared: &Shared, fetched: Result<Fetched, Failure>, events: u64) {
        let now = Instant::now();
        let failure = fetched.as_ref().err().cloned();
        {
            let mut slot = lock(shared);
            slot.flight = None;
            match fetched {
                Ok(fetched) => slot.landed(fetched, events, now, &self.settings),
                Err(failure) => {
                    slot.failure = Some(failure.cause);
                    if failure.of_this_worker_type {
                        slot.breaker.failed(now);
                    }
                }
            }
        }
        lock(&self.shelf).settle(id, shared);
        match failure {
            Some(failure) => self.failed(id, &failure, now),
            None => self.succeeded(),
        }
    }

    fn succeeded(&self) {
        let closed = lock(&self.breaker).succeeded();
        let since = lock(&self.score).failing_since.take();
        if closed {
            tracing::info!(since = since.map(tracing::field::display), "worker-manager answers again");
        }
    }

    fn failed(self: &Arc<Self>, id: &WorkerTypeId, failure: &Failure, now: Instant) {
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
    async fn probe(core: std::sync::Weak<Self>) {
        loop {
            let Some(due) = core.upgrade().and_then(|core| lock(&core.breaker).probe_at()) else { return };
            sleep_until(due).await;
            let Some(core) = core.upgrade() else { return };
            if !lock(&core.breaker).begin_probe(Instant::now()) {
                continue;
            }
            let Some((id, shared)) = lock(&core.shelf).latest() else {
                // Nothing is in use, so nothing can be asked for; the next task will see.
                return core.succeeded();
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

    /// Fetches a worker type that is in use, in the background, because it changed.
    pub(crate) fn refresh_in_background(self: &Arc<Self>, id: WorkerTypeId, shared: Shared) {
        let core = Arc::clone(self);
        self.runtime.spawn(async move {
            let Ok(_permit) = core.background.acquire().await else { return };
            let now = Instant::now();
            let flight = {
                let mut slot = lock(&shared);
                let stale = slot.trust(now, core.watching(), &core.settings) == Trust::Stale;
                if stale { core.refresh(&id, &shared, &mut slot, now) } else { None }
            };
            if let Some(mut flight) = flight {
                let _landed = flight.landed.changed().await;
            }
        });
    }

    pub(crate) fn shelf<T>(&self, look: impl FnOnce(&mut Shelf) -> T) -> T {
        look(&mut lock(&self.shelf))
    }

    pub(crate) fn set_watch(&self, connected: bool, cause: Option<String>) {
        let watch = &mut lock(&self.score).watch;
        let since = watch.since.filter(|_| watch.connected == connected).unwrap_or_else(Timestamp::now);
        *watch = WatchState { connected, since: Some(since), cause };
    }

    fn watching(&self) -> bool {
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
            watch: score.watch.clone(),
        }
    }
}
