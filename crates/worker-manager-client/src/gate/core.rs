//! The gate's inside: decides whether what is known will do, starts the fetches, and keeps score of how they went.

use crate::Client;
use crate::gate::GateSettings;
use crate::gate::breaker::Breaker;
use crate::gate::fetch::{Failure, fetch};
use crate::gate::known::{Fetched, Flight, Slot, Trust};
use crate::gate::score::Score;
use crate::gate::shelf::{Shared, Shelf, lock};
use crate::gate::verdicts::{Doubt, Held};
use jiff::Timestamp;
use payload_schema::Evaluator;
use std::sync::{Arc, Mutex};
use tokio::{
    runtime::Handle,
    sync::{Semaphore, watch},
    time::{Instant, timeout_at},
};
use worker_types::WorkerTypeId;

pub(crate) struct Core {
    pub(crate) client: Client,
    pub(crate) settings: GateSettings,
    evaluator: Arc<Evaluator>,
    pub(crate) shelf: Mutex<Shelf>,
    pub(crate) breaker: Mutex<Breaker>,
    pub(crate) score: Mutex<Score>,
    background: Semaphore,
    pub(crate) runtime: Handle,
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
            score: Mutex::new(Score::new(Timestamp::now())),
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
        let doubt = match &slot.failing {
            Some((since, failure)) => Doubt {
                since: score.failing_since.or(Some(*since)),
                cause: failure.cause.clone(),
                unusable: failure.of_this_worker_type,
            },
            None => {
                let last = score.failing_since.and(score.last_error.as_ref());
                let cause = last.map_or_else(otherwise, |error| error.message.clone());
                Doubt { since: score.failing_since, cause, unusable: false }
            }
        };
        Held { known, doubt: Some(doubt) }
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

    pub(crate) fn launch(
        self: &Arc<Self>,
        id: &WorkerTypeId,
        shared: &Shared,
        slot: &mut Slot,
        waitable: bool,
    ) -> Flight {
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
        let failure = {
            let mut slot = lock(shared);
            slot.flight = None;
            match fetched {
                Ok(fetched) => {
                    slot.landed(fetched, events, now, &self.settings);
                    None
                }
                Err(failure) => {
                    slot.failed(&failure, now);
                    Some(failure)
                }
            }
        };
        lock(&self.shelf).settle(id, shared);
        match failure {
            Some(failure) => self.failed(id, &failure, now),
            None => self.succeeded(),
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
}
