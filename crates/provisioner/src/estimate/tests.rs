//! Worked examples, and laws that hold for every pool.

use crate::{Counts, PoolConfig, ProviderConfig, estimate};
use proptest::prelude::*;
use serde_json::json;

fn pool(min: u64, max: Option<u64>, per_worker: u64, ratio: f64) -> PoolConfig {
    let config = ProviderConfig {
        min_capacity: min,
        max_capacity: max,
        capacity_per_instance: per_worker,
        scaling_ratio: ratio,
        other: Default::default(),
    };
    PoolConfig {
        worker_type_id: "p/w".parse().unwrap(),
        provider_id: "aws".to_owned(),
        config,
        owner: None,
        email_on_error: false,
        generation: serde_json::from_value(json!(1)).unwrap(),
        revision: serde_json::from_value(json!(1)).unwrap(),
    }
}

fn counts(pending: u64, running: u64, requested: u64, stopping: u64) -> Counts {
    Counts { pending, running, requested, stopping }
}

/// `(desired, start, stop)`
fn planned(pool: &PoolConfig, counts: Counts) -> (u64, u64, u64) {
    let plan = estimate(pool, counts);
    (plan.desired, plan.start, plan.stop)
}

#[test]
fn pending_tasks_ask_for_workers_by_the_scaling_ratio() {
    // Taskcluster's estimator with 1 task a worker: desired = min(pending × ratio + existing, max), spawn = desired − existing − requested.
    assert_eq!(planned(&pool(0, Some(100), 1, 1.0), counts(10, 5, 0, 0)), (15, 10, 0));
    assert_eq!(planned(&pool(0, Some(100), 1, 0.5), counts(10, 5, 0, 0)), (10, 5, 0));
    assert_eq!(planned(&pool(0, Some(100), 1, 0.0), counts(10, 5, 0, 0)), (5, 0, 0));
    assert_eq!(planned(&pool(0, Some(100), 1, 0.07), counts(100, 0, 0, 0)), (7, 7, 0));
    assert_eq!(planned(&pool(0, Some(100), 4, 1.0), counts(10, 0, 0, 0)), (3, 3, 0));
}

#[test]
fn requested_workers_are_not_requested_again() {
    assert_eq!(planned(&pool(0, Some(100), 1, 1.0), counts(10, 5, 4, 0)), (15, 6, 0));
    assert_eq!(planned(&pool(0, Some(100), 1, 1.0), counts(3, 5, 4, 0)), (9, 0, 0));
}

#[test]
fn capacities_are_bounds() {
    assert_eq!(planned(&pool(3, Some(100), 1, 1.0), counts(0, 0, 0, 0)), (3, 3, 0));
    assert_eq!(planned(&pool(0, Some(8), 1, 1.0), counts(100, 5, 0, 0)), (8, 3, 0));
    assert_eq!(planned(&pool(0, Some(8), 1, 1.0), counts(100, 10, 0, 0)), (8, 0, 2));
    assert_eq!(planned(&pool(5, Some(10), 4, 1.0), counts(0, 0, 0, 0)), (2, 2, 0));
    assert_eq!(planned(&pool(5, Some(7), 4, 1.0), counts(0, 0, 0, 0)), (1, 1, 0));
    assert_eq!(planned(&pool(0, Some(0), 1, 1.0), counts(9, 2, 1, 0)), (0, 0, 3));
}

#[test]
fn those_that_are_stopping_still_take_room() {
    let plan = estimate(&pool(0, Some(10), 1, 1.0), counts(50, 4, 0, 5));
    assert_eq!((plan.desired, plan.start, plan.stop), (10, 1, 0));
    assert!(
        plan.reasons.contains(&"5 are stopping and still counted: there is room for 1 more".to_owned()),
        "{:?}",
        plan.reasons
    );
}

#[test]
fn without_a_maximum_nothing_is_planned() {
    let plan = estimate(&pool(3, None, 1, 1.0), counts(50, 4, 1, 0));
    assert_eq!((plan.desired, plan.start, plan.stop), (5, 0, 0));
    assert!(plan.reasons[1].contains("no maxCapacity"));
}

#[test]
fn reasons_follow_the_calculation() {
    assert_eq!(
        estimate(&pool(1, Some(20), 4, 0.5), counts(100, 2, 1, 0)).reasons,
        [
            "2 workers run and 1 is requested",
            "100 tasks are pending: at a scaling ratio of 0.5 and 4 tasks for each worker, 13 are wanted for them",
            "the 1 worker requested will take some of them",
            "maxCapacity 20 allows 5 workers at most",
            "start 2",
        ]
    );
    assert_eq!(
        estimate(&pool(9, Some(5), 6, 1.0), counts(1, 0, 0, 0)).reasons,
        [
            "0 workers run and 0 are requested",
            "1 task is pending: at a scaling ratio of 1 and 6 tasks for each worker, 1 is wanted for them",
            "one worker runs 6 tasks, and maxCapacity is 5: no worker fits",
            "minCapacity 9 does not fit under maxCapacity 5, which counts",
            "maxCapacity 5 allows 0 workers at most",
            "nothing to do",
        ]
    );
}

fn any_pool() -> impl Strategy<Value = PoolConfig> {
    let number = || prop_oneof![0_u64..50, Just(u64::MAX), any::<u64>()];
    (number(), number(), 1_u64..8, 0.0..=1.0)
        .prop_map(|(min, max, per_worker, ratio)| pool(min, Some(max), per_worker, ratio))
}

fn any_counts() -> impl Strategy<Value = Counts> {
    let number = || prop_oneof![0_u64..100, any::<u64>()];
    (number(), number(), number(), number()).prop_map(|(a, b, c, d)| counts(a, b, c, d))
}

proptest! {
    #[test]
    fn never_beyond_the_maximum_and_never_below_the_minimum(pool in any_pool(), counts in any_counts()) {
        let plan = estimate(&pool, counts);
        let per_worker = u128::from(pool.config.capacity_per_instance);
        let (min, max) = (u128::from(pool.config.min_capacity), u128::from(pool.config.max_capacity.unwrap()));
        prop_assert!(u128::from(plan.desired) * per_worker <= max);
        let fits = min.div_ceil(per_worker) <= max / per_worker;
        prop_assert!(!fits || u128::from(plan.desired) * per_worker >= min);
        let all = u128::from(counts.running) + u128::from(counts.requested) + u128::from(counts.stopping) + u128::from(plan.start);
        prop_assert!(plan.start == 0 || all * per_worker <= max);
    }

    #[test]
    fn more_pending_tasks_never_ask_for_less(pool in any_pool(), counts in any_counts(), more in 0_u64..1000) {
        let fewer = estimate(&pool, counts);
        let later = estimate(&pool, Counts { pending: counts.pending.saturating_add(more), ..counts });
        prop_assert!(later.desired >= fewer.desired && later.start >= fewer.start && later.stop <= fewer.stop);
    }

    #[test]
    fn a_plan_does_one_thing_and_doing_it_is_enough(pool in any_pool(), counts in any_counts()) {
        let plan = estimate(&pool, counts);
        prop_assert!(plan.start == 0 || plan.stop == 0);
        let before = counts.running.saturating_add(counts.requested);
        prop_assert!(plan.start == 0 || before + plan.start <= plan.desired);
        // Asking again after the workers were requested asks for no more of them.
        if counts.stopping == 0 {
            let after = Counts { requested: counts.requested.saturating_add(plan.start), ..counts };
            prop_assert_eq!(estimate(&pool, after).start, 0);
        }
    }

    #[test]
    fn a_plan_says_why(pool in any_pool(), counts in any_counts()) {
        prop_assert!(estimate(&pool, counts).reasons.len() >= 3);
    }
}
