//! The gate: whatever worker-manager does, every task gets a verdict in time.

mod chaos;
mod failing;
mod fresh;
mod lifetime;

use crate::world::{World, task, wait_until};
use std::time::{Duration, Instant};
use worker_manager_client::{GateSettings, PayloadGate};
use worker_types::{Outcome, UncheckedReason, Verdict};

/// Against hangs.
const GUARD: Duration = Duration::from_secs(60);

fn gate(world: &World, settings: GateSettings) -> PayloadGate {
    PayloadGate::start(world.client(), settings)
}

/// A gate whose watch is connected. Before, a list may still put in doubt what was fetched first.
async fn watched(world: &World, settings: GateSettings) -> PayloadGate {
    let gate = gate(world, settings);
    wait_until("the watch is connected", async || gate.watching_since().is_some()).await;
    gate
}

/// The verdict, which must come some time.
async fn check(gate: &PayloadGate, id: &str, max_run_time: u32) -> Verdict {
    let started = Instant::now();
    let verdict = tokio::time::timeout(GUARD, gate.check(&task(id, max_run_time))).await;
    verdict.unwrap_or_else(|_| panic!("no verdict after {:?}", started.elapsed()))
}

/// The verdict, once the gate has learnt enough to give one without a warning.
async fn learnt(gate: &PayloadGate, id: &str, max_run_time: u32, outcome: Outcome) {
    let done = async || gist(&check(gate, id, max_run_time).await) == (outcome, None, vec![]);
    wait_until("a verdict without a warning", done).await;
}

/// The parts of a verdict that tests compare.
fn gist(verdict: &Verdict) -> (Outcome, Option<UncheckedReason>, Vec<&str>) {
    let warnings = verdict.warnings.iter().map(|warning| warning.problem.as_str()).collect();
    (verdict.verdict, verdict.reason, warnings)
}

const UNAVAILABLE: &str = "worker-manager-unavailable";
