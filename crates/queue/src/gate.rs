//! Who says whether a worker type accepts a task. The service asks worker-manager's gate; tests say it themselves.

use futures_util::future::BoxFuture;
use worker_manager_client::{Enforced, GateState, PayloadGate};
use worker_types::{Task, Verdict, WorkerTypeId};

/// Gives verdicts. It never fails: what it does not know is `unchecked`.
pub trait Gate: Send + Sync + 'static {
    /// The verdict on `task`, within a deadline.
    fn check<'a>(&'a self, task: &'a Task) -> BoxFuture<'a, Verdict>;

    /// What decides about the tasks of `id` now, or the `unchecked` verdict that they all get instead.
    fn enforced<'a>(&'a self, id: &'a WorkerTypeId) -> BoxFuture<'a, Result<Enforced, Box<Verdict>>>;

    /// How the gate is, where there is something to say.
    fn state(&self) -> Option<GateState>;
}

impl Gate for PayloadGate {
    fn check<'a>(&'a self, task: &'a Task) -> BoxFuture<'a, Verdict> {
        Box::pin(self.check(task))
    }

    fn enforced<'a>(&'a self, id: &'a WorkerTypeId) -> BoxFuture<'a, Result<Enforced, Box<Verdict>>> {
        Box::pin(self.bundle(id))
    }

    fn state(&self) -> Option<GateState> {
        Some(self.state())
    }
}
