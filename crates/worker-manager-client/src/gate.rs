//! `PayloadGate`: the verdict on a task within a deadline, whatever worker-manager does.
//!
//! The gate keeps the validation bundles of the worker types in use, fresh through the change feed, and evaluates them
//! itself. When worker-manager is away, a verdict goes by what was last known and says so; where nothing is known it is
//! `unchecked`. No error leaves it.

mod breaker;
mod core;
mod fetch;
mod follow;
mod known;
mod score;
mod settings;
mod shelf;
mod state;
mod verdicts;

pub use breaker::BreakerState;
pub use settings::GateSettings;
pub use state::{GateState, LastError, WatchState};

use crate::Client;
use core::Core;
use jiff::Timestamp;
use std::sync::Arc;
use tokio::task::JoinHandle;
use worker_types::{Bundle, Item, Task, Verdict, WorkerTypeId};

/// A gate. Cheap to clone; clones share everything. The work in the background ends with the last of them.
#[derive(Clone)]
pub struct PayloadGate {
    core: Arc<Core>,
    _follower: Arc<AbortOnDrop>,
}

/// What decides about the tasks of a worker type now.
#[derive(Clone, Debug)]
pub struct Enforced {
    /// The bundle.
    pub bundle: Arc<Bundle>,
    /// When worker-manager last confirmed it.
    pub confirmed_at: Timestamp,
    /// That it may be out of date.
    pub warnings: Vec<Item>,
}

impl PayloadGate {
    /// A gate that asks `client`, and begins to follow the change feed.
    ///
    /// # Panics
    /// Outside of a tokio runtime. The background work runs on the runtime that this is called on.
    pub fn start(client: Client, settings: GateSettings) -> Self {
        let core = Arc::new(Core::new(client, settings));
        let follower = tokio::spawn(follow::follow(Arc::downgrade(&core)));
        Self { core, _follower: Arc::new(AbortOnDrop(follower)) }
    }

    /// The verdict on `task`, within the deadline of the settings. Never fails.
    pub async fn check(&self, task: &Task) -> Verdict {
        self.core.hold(task.worker_type_id()).await.judge(task)
    }

    /// What decides about the tasks of `id` now, within the deadline of the settings.
    ///
    /// # Errors
    /// The `unchecked` verdict that every task gets instead: unknown, deleted, off, or unavailable.
    pub async fn bundle(&self, id: &WorkerTypeId) -> Result<Enforced, Box<Verdict>> {
        let held = self.core.hold(id).await;
        let warnings = held.warning().into_iter().collect();
        match (held.enforced(), &held.known) {
            (Some(prepared), Some(known)) => {
                Ok(Enforced { bundle: Arc::clone(prepared.bundle()), confirmed_at: known.confirmed_at, warnings })
            }
            _ => {
                let mut verdict = held.unchecked(id);
                verdict.warnings.extend(warnings);
                Err(Box::new(verdict))
            }
        }
    }

    /// How the gate is.
    pub fn state(&self) -> GateState {
        self.core.state()
    }

    /// Since when every change arrives without a gap; none while the change feed is not connected.
    pub fn watching_since(&self) -> Option<Timestamp> {
        let watch = self.core.state().watch;
        watch.connected.then_some(watch.since)
    }
}

struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
