//! Each way to fail: with nothing known, with something known, and how the gate comes back.

use super::{UNAVAILABLE, check, gate, gist, watched};
use crate::world::{Feed, Mood, World, quick, task, wait_until};
use serde_json::json;
use std::time::{Duration, Instant};
use worker_manager_client::{BreakerState, GateSettings};
use worker_types::{Outcome, UncheckedReason};

/// A way to fail, and the words that the warning has for it.
fn failures() -> Vec<(Mood, &'static str)> {
    vec![
        (Mood::Stalled, "within 350 ms"),
        (Mood::StalledInTheBody, "within 350 ms"),
        (Mood::OneByteASecond, "within 350 ms"),
        (Mood::Slow(Duration::from_secs(600)), "within 350 ms"),
        (Mood::HangsUp, "cannot be reached"),
        (Mood::CutOff, "cannot be reached"),
        (Mood::Rubbish("{]"), "no validation bundle"),
        (Mood::Rubbish("[]"), "no validation bundle"),
        (Mood::Rubbish("{}"), "no validation bundle"),
        (Mood::Rubbish(""), "no validation bundle"),
        (Mood::Rubbish("{\"workerTypeId\": \"p/w\", \"generation\": 1e400}"), "no validation bundle"),
        (Mood::Status(200), "no validation bundle"),
        (Mood::Status(204), "answered status 204"),
        (Mood::Status(500), "answered status 500 with text/html"),
        (Mood::Status(404), "answered status 404 with text/html"),
        (Mood::Status(410), "answered status 410 with text/html"),
        (Mood::Problem(503, "not-ready"), "as the test wants it (request r-1)"),
        (Mood::Problem(401, "unauthenticated"), "as the test wants it (request r-1)"),
        (Mood::Problem(404, "unknown-route"), "as the test wants it (request r-1)"),
        (Mood::Problem(500, "internal"), "as the test wants it (request r-1)"),
        (Mood::Redirect, "answered status 302"),
        (Mood::Huge, "is larger than 1048576 bytes"),
        (Mood::Endless, "is larger than 1048576 bytes"),
        (Mood::AnotherBundle, "it answered the bundle of other/one for p/w"),
    ]
}

/// Nothing counts as current, so that every task asks.
fn forgetful() -> GateSettings {
    GateSettings { max_age: Duration::ZERO, ..quick() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_nothing_known_a_task_goes_on_unchecked() {
    for (mood, words) in failures() {
        let world = World::start().await;
        world.publish("p/w", 10);
        world.mood(mood.clone());
        let gate = gate(&world, quick());
        let verdict = check(&gate, "p/w", 20).await;
        let expected = (Outcome::Unchecked, Some(UncheckedReason::Unavailable), vec![UNAVAILABLE]);
        assert_eq!(gist(&verdict), expected, "{mood:?}");
        let message = &verdict.warnings[0].message;
        assert!(message.contains(words), "{mood:?}: {message}");
        assert!(message.ends_with("nothing is known from before"), "{message}");
        assert!(gate.state().last_error.unwrap().message.contains(words), "{mood:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_something_known_that_decides_and_the_warning_says_so() {
    let unasked = (Mood::NotModifiedUnasked, "");
    for (mood, _) in failures().into_iter().chain([unasked]) {
        let world = World::start().await;
        world.state().feed = Feed::Refused;
        world.publish("p/w", 10);
        let gate = gate(&world, forgetful());
        assert_eq!(gist(&check(&gate, "p/w", 5).await), (Outcome::Valid, None, vec![]));
        world.mood(mood.clone());
        for (max_run_time, outcome) in [(5, Outcome::Valid), (20, Outcome::Invalid)] {
            let verdict = check(&gate, "p/w", max_run_time).await;
            assert_eq!(verdict.verdict, outcome, "{mood:?}");
            // To an asked "not modified" there is nothing to say against.
            let doubts = if mood == Mood::NotModifiedUnasked { vec![] } else { vec![UNAVAILABLE] };
            assert_eq!(gist(&verdict).2, doubts, "{mood:?}");
            assert!(verdict.warnings.iter().all(|w| w.message.contains("goes by what was last known")));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_recovers_by_itself_from_each() {
    for (mood, _) in failures() {
        let world = World::start().await;
        world.publish("p/w", 10);
        world.mood(mood.clone());
        let gate = gate(&world, quick());
        for _ in 0..4 {
            check(&gate, "p/w", 20).await;
        }
        world.mood(Mood::Well);
        let valid = async || gist(&check(&gate, "p/w", 5).await) == (Outcome::Valid, None, vec![]);
        wait_until("a verdict without a warning", valid).await;
        assert_eq!(gate.state().breaker, BreakerState::Closed, "{mood:?}");
        assert_eq!(gate.state().failing_since, None, "{mood:?}");
    }
}

#[tokio::test]
async fn a_process_that_is_gone_and_comes_back() {
    let mut world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, quick()).await;
    assert_eq!(check(&gate, "p/w", 5).await.verdict, Outcome::Valid);
    world.fake.stop().await;
    // What is known is still fresh: nothing to ask, nothing to warn of.
    assert_eq!(gist(&check(&gate, "p/w", 20).await), (Outcome::Invalid, None, vec![]));
    let verdict = check(&gate, "p/new", 5).await;
    assert_eq!(gist(&verdict), (Outcome::Unchecked, Some(UncheckedReason::Unavailable), vec![UNAVAILABLE]));
    let message = &verdict.warnings[0].message;
    assert!(message.starts_with("worker-manager does not answer since 20"), "{message}");
    assert!(message.contains("the connection was refused"), "{message}");
    world.publish("p/new", 10);
    world.fake.restart().await;
    wait_until("p/new is checked", async || check(&gate, "p/new", 5).await.verdict == Outcome::Valid).await;
    wait_until("the watch is back", async || gate.watching_since().is_some()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_breaker_costs_next_to_nothing_and_only_probes_go_out() {
    let world = World::start().await;
    world.mood(Mood::Stalled);
    let pause = Duration::from_secs(600);
    let gate = gate(&world, GateSettings { first_pause: pause, longest_pause: pause, ..quick() });
    for n in 0..3 {
        check(&gate, &format!("p/w{n}"), 5).await;
    }
    wait_until("it opens", async || gate.state().breaker == BreakerState::Open).await;
    let (fetches, started) = (world.fetches().len(), Instant::now());
    for n in 0..1000 {
        let verdict = gate.check(&task(&format!("p/v{n}"), 5)).await;
        assert_eq!(verdict.reason, Some(UncheckedReason::Unavailable));
        assert!(verdict.warnings[0].message.contains("since 20"), "{:?}", verdict.warnings);
    }
    // A millisecond each, and ten times that for a busy machine.
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(world.fetches().len(), fetches, "nothing was asked");
}

#[tokio::test]
async fn a_worker_type_that_cannot_be_read_does_not_take_the_others_with_it() {
    let world = World::start().await;
    world.publish("p/good", 10);
    world.publish_schema("p/bad", &json!({"type": "object", "pattern": "(?<!x)y"}), "enforce");
    let gate = gate(&world, quick());
    for _ in 0..8 {
        let verdict = check(&gate, "p/bad", 5).await;
        assert_eq!(gist(&verdict), (Outcome::Unchecked, Some(UncheckedReason::Unavailable), vec![UNAVAILABLE]));
        assert!(verdict.warnings[0].message.contains("does not compile"), "{:?}", verdict.warnings);
    }
    assert_eq!(check(&gate, "p/good", 20).await.verdict, Outcome::Invalid);
    let state = gate.state();
    assert_eq!((state.breaker, state.faulty, state.kept), (BreakerState::Closed, 1, 1));
    world.publish("p/bad", 10);
    wait_until("it is mended", async || check(&gate, "p/bad", 5).await.verdict == Outcome::Valid).await;
    assert_eq!(gate.state().faulty, 0);
}

#[tokio::test]
async fn a_slow_answer_is_used_when_it_comes_and_not_waited_for_by_those_who_know_something() {
    let world = World::start().await;
    world.state().feed = Feed::Refused;
    world.publish("p/w", 10);
    let gate = gate(&world, forgetful());
    check(&gate, "p/w", 5).await;
    world.publish("p/w", 30);
    world.mood(Mood::Slow(Duration::from_millis(200)));
    let verdict = check(&gate, "p/w", 20).await;
    assert_eq!(gist(&verdict), (Outcome::Invalid, None, vec![UNAVAILABLE]));
    assert!(verdict.warnings[0].message.contains("no answer within 100 ms"), "{:?}", verdict.warnings);
    wait_until("the answer is used", async || check(&gate, "p/w", 20).await.verdict == Outcome::Valid).await;
}
