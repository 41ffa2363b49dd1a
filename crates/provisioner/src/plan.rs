//! What would be done about every pool, in a form that can be printed, as text and as JSON.

use crate::{Counts, Plan, PoolConfig, PoolError, estimate};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use worker_types::WorkerTypeId;

/// What would be done about one pool, and what that follows from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolPlan {
    /// What was read.
    pub pool: PoolConfig,
    /// What is there; nothing where nothing was given.
    pub counts: Counts,
    /// What would be done.
    pub plan: Plan,
}

/// What would be done about every pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanReport {
    /// In the order of their ids.
    pub pools: Vec<PoolPlan>,
    /// Pools whose configuration cannot be used.
    pub faulty: Vec<PoolError>,
    /// Worker types that counts were given for, and that have no pool.
    pub without_pool: Vec<WorkerTypeId>,
}

/// Plans every pool. Counts that are not given are nought.
pub fn plan(pools: &[PoolConfig], faulty: &[PoolError], counts: &BTreeMap<WorkerTypeId, Counts>) -> PlanReport {
    let planned = |pool: &PoolConfig| {
        let counts = counts.get(&pool.worker_type_id).copied().unwrap_or_default();
        PoolPlan { pool: pool.clone(), counts, plan: estimate(pool, counts) }
    };
    let mut planned: Vec<PoolPlan> = pools.iter().map(planned).collect();
    planned.sort_by(|one, other| one.pool.worker_type_id.cmp(&other.pool.worker_type_id));
    let has_pool = |id: &&WorkerTypeId| {
        pools.iter().any(|pool| pool.worker_type_id == **id) || faulty.iter().any(|error| error.worker_type_id == **id)
    };
    let without_pool = counts.keys().filter(|id| !has_pool(id)).cloned().collect();
    PlanReport { pools: planned, faulty: faulty.to_vec(), without_pool }
}

impl fmt::Display for PoolPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pool, plan, .. } = self;
        let config = &pool.config;
        let max = config.max_capacity.map_or_else(|| "none".to_owned(), |max| max.to_string());
        writeln!(f, "{} (revision {}, provider {})", pool.worker_type_id, pool.revision, pool.provider_id)?;
        writeln!(
            f,
            "  minCapacity {}, maxCapacity {max}, capacityPerInstance {}, scalingRatio {}",
            config.min_capacity, config.capacity_per_instance, config.scaling_ratio
        )?;
        writeln!(f, "  desired {}, start {}, stop {}", plan.desired, plan.start, plan.stop)?;
        plan.reasons.iter().try_for_each(|reason| writeln!(f, "  - {reason}"))
    }
}

impl fmt::Display for PlanReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pools.is_empty() && self.faulty.is_empty() {
            writeln!(f, "No worker type has a pool.")?;
        }
        self.pools.iter().try_for_each(|pool| pool.fmt(f))?;
        for error in &self.faulty {
            writeln!(f, "{}", error.worker_type_id)?;
            error.errors.iter().try_for_each(|item| writeln!(f, "  - {}", item.message))?;
        }
        self.without_pool.iter().try_for_each(|id| writeln!(f, "{id} has no pool, or its pool may not be read"))
    }
}

#[cfg(test)]
mod tests {
    use super::plan;
    use crate::{Counts, PoolConfig, PoolError, ProviderConfig};
    use serde_json::{Value, json};
    use std::collections::BTreeMap;
    use worker_types::{Generation, Item, RevisionNumber};

    fn pool(id: &str, config: Value) -> PoolConfig {
        let Value::Object(config) = config else { panic!() };
        PoolConfig {
            worker_type_id: id.parse().unwrap(),
            provider_id: "aws".to_owned(),
            config: ProviderConfig::read(config).unwrap(),
            owner: None,
            email_on_error: false,
            generation: Generation(2),
            revision: RevisionNumber(1),
        }
    }

    #[test]
    fn every_pool_is_planned_and_explained() {
        let pools = [
            pool("p/b", json!({"maxCapacity": 4})),
            pool("p/a", json!({"minCapacity": 1, "maxCapacity": 2, "zone": "x"})),
        ];
        let errors = vec![Item::new("invalid-value", "/pool/config/maxCapacity", "it is wrong")];
        let faulty = [PoolError { worker_type_id: "p/c".parse().unwrap(), errors }];
        let counts = Counts { pending: 3, ..Counts::default() };
        let counts = BTreeMap::from([("p/b".parse().unwrap(), counts), ("p/d".parse().unwrap(), counts)]);
        let report = plan(&pools, &faulty, &counts);
        assert_eq!(
            report.to_string(),
            "p/a (revision 1, provider aws)\n  minCapacity 1, maxCapacity 2, capacityPerInstance 1, scalingRatio 1\n  desired 1, start 1, stop 0\n  \
             - 0 workers run and 0 are requested\n  - 0 tasks are pending: at a scaling ratio of 1 and 1 task for each worker, 0 are wanted for them\n  \
             - minCapacity 1 asks for 1 worker at least\n  - start 1\n\
             p/b (revision 1, provider aws)\n  minCapacity 0, maxCapacity 4, capacityPerInstance 1, scalingRatio 1\n  desired 3, start 3, stop 0\n  \
             - 0 workers run and 0 are requested\n  - 3 tasks are pending: at a scaling ratio of 1 and 1 task for each worker, 3 are wanted for them\n  - start 3\n\
             p/c\n  - it is wrong\np/d has no pool, or its pool may not be read\n"
        );
        let written = serde_json::to_value(&report).unwrap();
        assert_eq!(written["pools"][0]["pool"]["config"]["zone"], "x");
        assert_eq!(
            (&written["pools"][1]["plan"]["start"], &written["pools"][1]["counts"]["pending"]),
            (&json!(3), &json!(3))
        );
        assert_eq!((&written["faulty"][0]["workerTypeId"], &written["withoutPool"]), (&json!("p/c"), &json!(["p/d"])));
    }

    #[test]
    fn counts_are_read_from_json_and_a_misspelt_one_is_refused() {
        let read: BTreeMap<worker_types::WorkerTypeId, Counts> =
            serde_json::from_value(json!({"p/a": {"pending": 3}})).unwrap();
        assert_eq!(read.values().next().unwrap().pending, 3);
        assert!(serde_json::from_value::<Counts>(json!({"pendign": 3})).is_err());
    }
}
