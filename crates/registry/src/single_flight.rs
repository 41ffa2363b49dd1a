//! One computation for everybody who asks: at most one at a time, and at most one in each interval. Who asks meanwhile is
//! given what is there, or waits for what comes.
//!
//! Its clock is tokio's, so that tests hold it still.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// How often, and how old.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// From the start of one computation to the start of the next, at least.
    pub(crate) every: Duration,
    /// What is older than this is not given away while a new one is being made.
    pub(crate) oldest: Duration,
}

/// The newest value, and the computation that makes the next.
pub(crate) struct SingleFlight<T> {
    flight: watch::Sender<Flight<T>>,
    pace: Pace,
}

struct Flight<T> {
    value: Option<Arc<T>>,
    landed: Option<Instant>,
    began: Option<Instant>,
    in_air: bool,
}

impl<T: Send + Sync + 'static> SingleFlight<T> {
    pub(crate) fn new(pace: Pace) -> Self {
        let flight = Flight { value: None, landed: None, began: None, in_air: false };
        Self { flight: watch::Sender::new(flight), pace }
    }

    /// The value, made by `compute` if it is time for a new one. None only where no computation has come to an end yet and
    /// the last one was cut off.
    pub(crate) async fn get<F>(&self, compute: impl FnOnce() -> F) -> Option<Arc<T>>
    where
        F: Future<Output = T> + Send + 'static,
    {
        if self.takes_off() {
            // Made first: it lands also where `compute` panics, and where the runtime ends.
            let landing = Landing(self.flight.clone());
            let computing = compute();
            // In a task of its own: whoever asked may go away.
            tokio::spawn(async move { landing.bring(computing.await) });
        }
        if let Some(value) = self.young_enough() {
            return Some(value);
        }
        let mut flight = self.flight.subscribe();
        let landed = flight.wait_for(|flight| !flight.in_air).await.ok()?;
        landed.value.clone()
    }

    /// Whether the caller is the one who computes now.
    fn takes_off(&self) -> bool {
        let now = Instant::now();
        let mut begins = false;
        self.flight.send_if_modified(|flight| {
            begins = !flight.in_air && flight.began.is_none_or(|began| now.duration_since(began) >= self.pace.every);
            if begins {
                flight.in_air = true;
                flight.began = Some(now);
            }
            // Nobody waits for a beginning.
            false
        });
        begins
    }

    fn young_enough(&self) -> Option<Arc<T>> {
        let flight = self.flight.borrow();
        let is_young = flight.landed?.elapsed() <= self.pace.oldest;
        flight.value.clone().filter(|_| is_young || !flight.in_air)
    }
}

/// Ends the flight when it is dropped, whatever became of the computation.
struct Landing<T>(watch::Sender<Flight<T>>);

impl<T> Landing<T> {
    fn bring(self, value: T) {
        self.0.send_if_modified(|flight| {
            flight.value = Some(Arc::new(value));
            flight.landed = Some(Instant::now());
            // The end of the flight is the news.
            false
        });
    }
}

impl<T> Drop for Landing<T> {
    fn drop(&mut self) {
        self.0.send_modify(|flight| flight.in_air = false);
    }
}

#[cfg(test)]
mod tests;
