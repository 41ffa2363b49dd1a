//! What is kept, for how long, and that all ends with the gate.

use super::{check, gate, watched};
use crate::world::{World, patient, wait_until};
use std::{num::NonZeroUsize, time::Duration};
use worker_manager_client::{BreakerState, GateSettings};

#[tokio::test]
async fn the_least_recently_used_is_dropped_and_made_up_names_drop_nothing() {
    let world = World::start().await;
    ["p/a", "p/b", "p/c"].iter().for_each(|id| world.publish(id, 10));
    let gate = watched(&world, GateSettings { kept: NonZeroUsize::new(2).unwrap(), ..patient() }).await;
    for n in 0..10 {
        check(&gate, "p/a", 5).await;
        check(&gate, &format!("p/made-up-{n}"), 5).await;
    }
    assert_eq!(world.fetches().len(), 11, "p/a was asked for once");
    for id in ["p/b", "p/c", "p/b", "p/c"] {
        check(&gate, id, 5).await;
    }
    assert_eq!((gate.state().kept, world.fetches().len()), (2, 13));
    check(&gate, "p/a", 5).await;
    assert_eq!((gate.state().kept, world.fetches().len()), (2, 14));
}

#[tokio::test]
async fn what_no_task_asks_for_is_dropped_in_time() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, GateSettings { idle: Duration::ZERO, ..patient() }).await;
    check(&gate, "p/w", 5).await;
    world.bookmark();
    wait_until("it is dropped", async || gate.state().kept == 0).await;
}

#[tokio::test]
async fn the_state_says_how_things_are() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, patient()).await;
    check(&gate, "p/w", 5).await;
    let state = gate.state();
    assert_eq!((state.breaker, state.kept, state.stale, state.faulty), (BreakerState::Closed, 1, 0, 0));
    assert_eq!((state.failing_since, state.last_error, state.oldest_age_seconds), (None, None, Some(0)));
    let json = serde_json::to_value(gate.state()).unwrap();
    assert_eq!(json["breaker"], "closed");
    assert_eq!(json["watch"]["connected"], true);
}

#[tokio::test]
async fn the_state_follows_the_connection_without_a_task() {
    let mut world = World::start().await;
    world.fake.stop().await;
    let gate = gate(&world, patient());
    wait_until("the first attempt fails", async || gate.state().watch.cause.is_some()).await;
    let never = gate.state();
    assert_eq!((never.watch.connected, never.watch.reached, never.heard_at), (false, false, None));
    assert!(never.watch.cause.unwrap().contains("the connection was refused"));
    world.fake.restart().await;
    wait_until("it is connected", async || gate.state().watch.connected).await;
    let there = gate.state();
    assert!(there.watch.reached && there.watch.since > never.watch.since && there.heard_at.is_some());
    world.fake.stop().await;
    wait_until("the loss is noted", async || !gate.state().watch.connected).await;
    let lost = gate.state();
    assert!(lost.watch.reached && lost.watch.cause.is_some() && lost.watch.since > there.watch.since);
    wait_until("it tries again", async || gate.state().watch.cause.is_some_and(|cause| cause.contains("refused")))
        .await;
    assert_eq!(gate.state().watch.since, lost.watch.since, "a further attempt that fails is no news");
}

#[tokio::test]
async fn the_background_work_ends_with_the_last_clone() {
    let world = World::start().await;
    let gate = gate(&world, patient());
    let clone = gate.clone();
    wait_until("the watch is connected", async || world.readers() == 1).await;
    drop(gate);
    check(&clone, "p/w", 5).await;
    assert_eq!(world.readers(), 1);
    drop(clone);
    wait_until("the reader goes", async || world.readers() == 0).await;
}
