//! The compiled contract of each live worker type, kept where it is found without a search, and given up when too many
//! schemas are compiled and nobody asked for it lately.

use crate::live::{Entry, LiveWorkerType};
use crate::registry::Registry;
use arc_swap::ArcSwapOption;
use payload_schema::{PrepareError, Prepared};
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, TryLockError};

/// Worker types that the clock's hand passes before it is asked whether enough was given up.
const STEPS: usize = 64;

/// Where a worker type keeps its compiled contract.
#[derive(Default)]
pub(crate) struct Slot {
    prepared: ArcSwapOption<Prepared>,
    asked: AtomicBool,
}

impl Slot {
    fn get(&self) -> Option<Arc<Prepared>> {
        let prepared = self.prepared.load_full()?;
        // Writing what is there already would take the line away from the other processors.
        if !self.asked.load(Ordering::Relaxed) {
            self.asked.store(true, Ordering::Relaxed);
        }
        Some(prepared)
    }

    /// Waits for the memory of this slot, and for nothing else.
    pub(crate) fn fetch(&self) {
        black_box(self.asked.load(Ordering::Relaxed));
    }

    /// Gives up what was not asked for since the last call.
    fn age(&self) {
        if !self.asked.swap(false, Ordering::Relaxed) {
            self.prepared.store(None);
        }
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("filled", &self.prepared.load().is_some()).finish_non_exhaustive()
    }
}

impl Registry {
    /// The compiled contract of a live worker type.
    pub(crate) fn prepared(&self, live: &LiveWorkerType) -> Result<Arc<Prepared>, PrepareError> {
        if let Some(prepared) = live.prepared.get() {
            return Ok(prepared);
        }
        let prepared = Arc::new(self.evaluator.prepare(live.validation.clone())?);
        live.prepared.prepared.store(Some(prepared.clone()));
        live.prepared.asked.store(true, Ordering::Relaxed);
        if self.compiled_schemas() > self.most_compiled() {
            self.give_up_some();
        }
        Ok(prepared)
    }

    /// How many schemas are compiled now.
    pub fn compiled_schemas(&self) -> usize {
        self.evaluator.compiled()
    }

    /// Those that the evaluator keeps, and as many again that only worker types hold.
    fn most_compiled(&self) -> usize {
        2 * self.settings.schema_capacity
    }

    /// The clock algorithm over all worker types, from where it stopped before: what was asked for since the hand passed it
    /// is passed over once.
    fn give_up_some(&self) {
        let mut hand = match self.clock_hand.try_lock() {
            Ok(hand) => hand,
            Err(TryLockError::Poisoned(hand)) => hand.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let snapshot = self.snapshot();
        let entries: Vec<&Arc<Entry>> = snapshot.worker_types.values().collect();
        for step in 1..=2 * entries.len() {
            *hand = (*hand + 1) % entries.len();
            if let Entry::Live(live) = &**entries[*hand] {
                live.prepared.age();
            }
            // Counting is no less work than a few steps.
            if step % STEPS == 0 && self.compiled_schemas() <= self.most_compiled() * 3 / 4 {
                return;
            }
        }
    }
}
