//! How many workers a pool should have: Taskcluster's simple estimate, in whole workers, with its reasons. Pure.

use crate::PoolConfig;
use serde::{Deserialize, Serialize};

/// What is there now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Counts {
    /// Tasks that wait for a worker.
    pub pending: u64,
    /// Workers that run.
    pub running: u64,
    /// Workers that were asked for and do not run yet.
    pub requested: u64,
    /// Workers that are about to go, and still take room.
    pub stopping: u64,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// How many workers there should be, running or requested.
    pub desired: u64,
    /// How many to ask for.
    pub start: u64,
    /// How many to stop.
    pub stop: u64,
    /// Why, in the order of the calculation.
    pub reasons: Vec<String>,
}

/// What to do about a pool.
///
/// Every worker that runs is taken to be busy, every one that was requested to take pending tasks when it comes. Never
/// plans beyond `maxCapacity`, which those that are stopping count against, too; never below `minCapacity`, unless that
/// is above the maximum. Workers beyond the maximum are stopped; idle ones end by themselves.
pub fn estimate(pool: &PoolConfig, counts: Counts) -> Plan {
    let Counts { pending, running, requested, stopping } = counts;
    let config = &pool.config;
    let existing = running.saturating_add(requested);
    let mut reasons = vec![format!(
        "{} {} and {} requested{}",
        workers(running),
        if running == 1 { "runs" } else { "run" },
        are(requested),
        if stopping > 0 { format!("; {} stopping", are(stopping)) } else { String::new() }
    )];
    let Some(max_capacity) = config.max_capacity else {
        reasons.push("the pool's configuration has no maxCapacity: nothing is planned".to_owned());
        return Plan { desired: existing, start: 0, stop: 0, reasons };
    };

    let needed = workers_for(pending, config.scaling_ratio, config.capacity_per_instance);
    reasons.push(format!(
        "{} pending: at a scaling ratio of {} and {} for each worker, {} wanted for them",
        are_tasks(pending),
        config.scaling_ratio,
        tasks(config.capacity_per_instance),
        are(needed)
    ));
    if requested > 0 && needed > 0 {
        reasons.push(format!("the {} requested will take some of them", workers(requested)));
    }
    let wanted = running.saturating_add(needed.max(requested));

    let (least, most) = bounds(pool, max_capacity, &mut reasons);
    let desired = wanted.clamp(least, most);
    if desired > wanted {
        reasons.push(format!("minCapacity {} asks for {} at least", config.min_capacity, workers(least)));
    } else if desired < wanted {
        reasons.push(format!("maxCapacity {max_capacity} allows {} at most", workers(most)));
    }

    let missing = desired.saturating_sub(existing);
    let room = most.saturating_sub(existing.saturating_add(stopping));
    if room < missing {
        reasons.push(format!("{} stopping and still counted: there is room for {room} more", are(stopping)));
    }
    let (start, stop) = (missing.min(room), existing.saturating_sub(desired));
    reasons.push(match (start, stop) {
        (0, 0) => "nothing to do".to_owned(),
        (0, stop) => format!("stop {stop}"),
        (start, _) => format!("start {start}"),
    });
    Plan { desired, start, stop, reasons }
}

/// The least and the most workers that the capacities allow.
fn bounds(pool: &PoolConfig, max_capacity: u64, reasons: &mut Vec<String>) -> (u64, u64) {
    let per_worker = pool.config.capacity_per_instance.max(1);
    let most = max_capacity / per_worker;
    if most == 0 && max_capacity > 0 {
        reasons.push(format!("one worker runs {per_worker} tasks, and maxCapacity is {max_capacity}: no worker fits"));
    }
    let least = pool.config.min_capacity.div_ceil(per_worker);
    if least > most {
        reasons.push(format!(
            "minCapacity {} does not fit under maxCapacity {max_capacity}, which counts",
            pool.config.min_capacity
        ));
    }
    (least.min(most), most)
}

/// Workers that `pending` tasks ask for.
fn workers_for(pending: u64, scaling_ratio: f64, per_worker: u64) -> u64 {
    #[expect(clippy::cast_precision_loss, reason = "an estimate; exact up to 2^53 tasks")]
    let exact = pending as f64 * scaling_ratio / per_worker.max(1) as f64;
    // 100 × 0.07 is a little more than 7 in binary, and asks for 7.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let whole = (exact * (1.0 - 1e-12)).ceil() as u64;
    whole
}

fn workers(count: u64) -> String {
    if count == 1 { "1 worker".to_owned() } else { format!("{count} workers") }
}

fn tasks(count: u64) -> String {
    if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") }
}

fn are(count: u64) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

fn are_tasks(count: u64) -> String {
    format!("{} {}", tasks(count), if count == 1 { "is" } else { "are" })
}

#[cfg(test)]
mod tests;
