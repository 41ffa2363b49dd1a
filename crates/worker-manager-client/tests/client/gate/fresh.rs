//! While worker-manager is well: fetched once, kept fresh, asked again only when there is a reason.

use super::{check, gate, gist, watched};
use crate::world::{Feed, Mood, World, patient, quick, task, wait_until};
use serde_json::json;
use std::time::Duration;
use worker_manager_client::GateSettings;
use worker_types::{Generation, Outcome, UncheckedReason};

#[tokio::test]
async fn the_verdict_is_that_of_the_bundle_and_names_it() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = gate(&world, patient());
    assert_eq!(gist(&check(&gate, "p/w", 5).await), (Outcome::Valid, None, vec![]));
    let verdict = check(&gate, "p/w", 20).await;
    assert_eq!(gist(&verdict), (Outcome::Invalid, None, vec![]));
    assert_eq!(verdict.errors[0].pointer, "/payload/maxRunTime");
    assert_eq!((verdict.generation, verdict.worker_type_id.as_str()), (Some(Generation(1)), "p/w"));
    let enforced = gate.bundle(&"p/w".parse().unwrap()).await.unwrap();
    assert_eq!((enforced.bundle.generation, enforced.warnings.len()), (Generation(1), 0));
}

#[tokio::test]
async fn a_hundred_tasks_at_once_make_one_fetch() {
    let world = World::start().await;
    world.publish("p/w", 10);
    world.mood(Mood::Slow(Duration::from_millis(50)));
    let gate = gate(&world, patient());
    let tasks: Vec<_> = (0..100).map(|_| task("p/w", 5)).collect();
    let verdicts = futures_util::future::join_all(tasks.iter().map(|task| gate.check(task))).await;
    assert!(verdicts.iter().all(|verdict| verdict.verdict == Outcome::Valid));
    assert_eq!(world.fetches().len(), 1);
}

#[tokio::test]
async fn an_event_brings_the_new_definition_without_a_task_that_asks() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, patient()).await;
    check(&gate, "p/w", 5).await;
    world.publish("p/w", 30);
    wait_until("it is fetched", async || world.fetches().len() >= 2).await;
    assert!(world.fetches()[0].header("if-none-match").is_none());
    assert!(world.fetches()[1].header("if-none-match").is_some());
    wait_until("it is used", async || check(&gate, "p/w", 20).await.verdict == Outcome::Valid).await;
    assert_eq!(gate.state().stale, 0);
}

#[tokio::test]
async fn what_was_told_before_the_first_task_is_expected_of_the_first_fetch() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, patient()).await;
    world.tell_of_the_next("p/w");
    wait_until("the gate has heard of it", async || {
        world.bookmark();
        check(&gate, "p/w", 20).await;
        gate.state().stale == 1
    })
    .await;
    world.publish_quietly("p/w", &json!({"type": "object"}), "enforce");
    wait_until("it is used", async || check(&gate, "p/w", 20).await.verdict == Outcome::Valid).await;
    wait_until("it is trusted", async || gate.state().stale == 0).await;
}

#[tokio::test]
async fn a_mark_of_a_release_reaches_those_who_use_it_without_a_new_generation() {
    let world = World::start().await;
    world.publish("p/w", 10);
    world.publish("p/other", 10);
    world.use_release("p/w", "w@1");
    let gate = watched(&world, patient()).await;
    for id in ["p/w", "p/other"] {
        assert_eq!(check(&gate, id, 5).await.warnings, []);
    }
    let before = world.fetches().len();
    world.mark("w@1");
    wait_until("the mark is told", async || {
        check(&gate, "p/w", 5).await.warnings.iter().any(|item| item.problem == "deprecated-release")
    })
    .await;
    let verdict = check(&gate, "p/w", 20).await;
    assert_eq!((verdict.verdict, verdict.generation), (Outcome::Invalid, Some(Generation(1))));
    assert_eq!(verdict.warnings[0].message, "the release w@1 is deprecated: it leaks");
    assert!(check(&gate, "p/other", 5).await.warnings.is_empty());
    assert_eq!(world.fetches().len(), before + 1, "whoever does not use it is not asked about");
}

#[tokio::test]
async fn without_the_watch_age_asks_again_and_nothing_changed_costs_no_body() {
    let world = World::start().await;
    world.state().feed = Feed::Refused;
    world.publish("p/w", 10);
    let gate = gate(&world, GateSettings { max_age: Duration::ZERO, ..patient() });
    for _ in 0..3 {
        assert_eq!(gist(&check(&gate, "p/w", 5).await), (Outcome::Valid, None, vec![]));
    }
    assert_eq!(world.fetches().len(), 3);
    assert_eq!(world.fetches()[1].header("if-none-match"), world.fetches()[2].header("if-none-match"));
    world.publish("p/w", 3);
    assert_eq!(check(&gate, "p/w", 5).await.verdict, Outcome::Invalid, "the next task already");
    assert!(!gate.state().watch.connected);
    assert_eq!(gate.state().watch.cause.as_deref(), Some("starting (request r-1)"));
}

#[tokio::test]
async fn with_the_watch_age_asks_again_behind_the_tasks_back() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, GateSettings { max_age: Duration::ZERO, ..patient() }).await;
    check(&gate, "p/w", 5).await;
    world.mood(Mood::Stalled);
    assert_eq!(gist(&check(&gate, "p/w", 5).await), (Outcome::Valid, None, vec![]));
    wait_until("it is asked", async || world.fetches().len() == 2).await;
}

#[tokio::test]
async fn after_a_gap_in_the_watch_everything_is_asked_again() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, patient()).await;
    check(&gate, "p/w", 5).await;
    // The next connection finds another epoch, and no event tells of the change.
    world.state().epoch = 2;
    world.publish_quietly("p/w", &json!({"type": "object", "maxProperties": 0}), "enforce");
    world.cut_the_feed();
    wait_until("it is asked again", async || check(&gate, "p/w", 5).await.verdict == Outcome::Invalid).await;
    wait_until("the watch is back", async || gate.watching_since().is_some()).await;
}

#[tokio::test]
async fn an_unknown_worker_type_is_asked_for_once_and_an_event_ends_that() {
    let world = World::start().await;
    world.publish("p/linux", 10);
    let gate = watched(&world, patient()).await;
    for _ in 0..3 {
        let verdict = check(&gate, "p/linus", 5).await;
        let expected = (Outcome::Unchecked, Some(UncheckedReason::UnknownWorkerType), vec!["unknown-worker-type"]);
        assert_eq!(gist(&verdict), expected);
        assert_eq!(verdict.warnings[0].suggestion.as_deref(), Some("p/linux"));
        assert_eq!(verdict.warnings[0].message, "no such worker type; did you mean another?");
    }
    assert_eq!(world.fetches().len(), 1);
    let verdict = gate.bundle(&"p/linus".parse().unwrap()).await.unwrap_err();
    assert_eq!(verdict.reason, Some(UncheckedReason::UnknownWorkerType));
    world.publish("p/linus", 10);
    wait_until("it is known", async || check(&gate, "p/linus", 5).await.verdict == Outcome::Valid).await;
}

#[tokio::test]
async fn that_one_was_unknown_is_no_knowledge_to_refuse_by_when_worker_manager_is_away() {
    let world = World::start().await;
    let gate = watched(&world, quick()).await;
    let reason = async || check(&gate, "p/w", 5).await.reason;
    wait_until("it is unknown", async || reason().await == Some(UncheckedReason::UnknownWorkerType)).await;
    world.mood(Mood::Stalled);
    world.publish("p/w", 10);
    wait_until("the event came", async || reason().await == Some(UncheckedReason::Unavailable)).await;
}

#[tokio::test]
async fn a_deleted_worker_type_and_its_return() {
    let world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, patient()).await;
    check(&gate, "p/w", 5).await;
    world.delete("p/w");
    let deleted = (Outcome::Unchecked, Some(UncheckedReason::Deleted), vec!["deleted"]);
    wait_until("it is deleted", async || gist(&check(&gate, "p/w", 20).await) == deleted).await;
    assert_eq!(check(&gate, "p/w", 20).await.warnings[0].message, "deleted yesterday");
    world.publish("p/w", 10);
    wait_until("it is back", async || check(&gate, "p/w", 20).await.verdict == Outcome::Invalid).await;
}

#[tokio::test]
async fn where_validation_is_off_nothing_is_looked_at() {
    let world = World::start().await;
    world.publish_schema("p/w", &json!({"type": "object", "maxProperties": 0}), "off");
    let gate = gate(&world, patient());
    let verdict = check(&gate, "p/w", 5).await;
    assert_eq!(gist(&verdict), (Outcome::Unchecked, Some(UncheckedReason::Off), vec![]));
    assert_eq!((verdict.generation, verdict.revisions.len()), (Some(Generation(1)), 1));
    let verdict = gate.bundle(&"p/w".parse().unwrap()).await.unwrap_err();
    assert_eq!(verdict.reason, Some(UncheckedReason::Off));
}
