//! Each way to fail: with nothing known, with something known, and how the gate comes back.

use super::{UNAVAILABLE, check, gate, gist, learnt, watched};
use crate::world::{Feed, Mood, World, patient, quick, task, wait_until};
use serde_json::json;
use std::time::{Duration, Instant};
use worker_manager_client::{BreakerState, GateSettings, PayloadGate};
use worker_types::{Outcome, UncheckedReason, Verdict};

/// A way to fail, and the words that the warning has for it.
fn failures() -> Vec<(Mood, &'static str)> {
    vec![
        (Mood::Stalled, SLOW),
        (Mood::StalledInTheBody, SLOW),
        (Mood::OneByteASecond, SLOW),
        (Mood::Slow(Duration::from_secs(600)), SLOW),
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

/// A short deadline for those that keep one waiting, a long one for those that fail at once.
fn settings(words: &str) -> GateSettings {
    if words == SLOW { quick() } else { patient() }
}

/// The verdict within ten times the deadline: what a busy machine may add is not the gate's.
async fn check_in_time(gate: &PayloadGate, words: &str, max_run_time: u32) -> Verdict {
    let started = Instant::now();
    let verdict = check(gate, "p/w", max_run_time).await;
    assert!(words != SLOW || started.elapsed() < quick().deadline * 10, "{:?}", started.elapsed());
    verdict
}

/// After 350 ms the fetch is given up; 50 ms later, were it not, the waiting.
const SLOW: &str = " ms)";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_nothing_known_a_task_goes_on_unchecked() {
    for (mood, words) in failures() {
        let world = World::start().await;
        world.publish("p/w", 10);
        world.mood(mood.clone());
        let gate = gate(&world, settings(words));
        let verdict = check_in_time(&gate, words, 20).await;
        let expected = (Outcome::Unchecked, Some(UncheckedReason::Unavailable), vec![UNAVAILABLE]);
        assert_eq!(gist(&verdict), expected, "{mood:?}");
        let message = &verdict.warnings[0].message;
        assert!(message.contains(words), "{mood:?}: {message}");
        assert!(message.ends_with("nothing is known from before"), "{message}");
        wait_until("the failure is noted", async || gate.state().last_error.is_some()).await;
        let noted = gate.state().last_error.unwrap().message;
        assert!(words == SLOW && noted.contains("within 350 ms") || noted.contains(words), "{mood:?}: {noted}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_something_known_that_decides_and_the_warning_says_so() {
    let unasked = (Mood::NotModifiedUnasked, "");
    for (mood, words) in failures().into_iter().chain([unasked]) {
        let world = World::start().await;
        world.state().feed = Feed::Refused;
        world.publish("p/w", 10);
        // Nothing counts as current, so that every task asks.
        let gate = gate(&world, GateSettings { max_age: Duration::ZERO, ..settings(words) });
        learnt(&gate, "p/w", 5, Outcome::Valid).await;
        world.mood(mood.clone());
        for (max_run_time, outcome) in [(5, Outcome::Valid), (20, Outcome::Invalid)] {
            let verdict = check_in_time(&gate, words, max_run_time).await;
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
    for (mood, words) in failures() {
        let world = World::start().await;
        world.publish("p/w", 10);
        world.mood(mood.clone());
        let gate = gate(&world, settings(words));
        for _ in 0..4 {
            check_in_time(&gate, words, 20).await;
        }
        world.mood(Mood::Well);
        learnt(&gate, "p/w", 5, Outcome::Valid).await;
        assert_eq!(gate.state().breaker, BreakerState::Closed, "{mood:?}");
        assert_eq!(gate.state().failing_since, None, "{mood:?}");
    }
}

#[tokio::test]
async fn a_process_that_is_gone_and_comes_back() {
    let mut world = World::start().await;
    world.publish("p/w", 10);
    let gate = watched(&world, patient()).await;
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
async fn no_task_waits_for_a_probe() {
    let world = World::start().await;
    world.mood(Mood::HangsUp);
    let gate = gate(&world, patient());
    wait_until("it opens", async || {
        check(&gate, "p/w", 5).await;
        gate.state().breaker == BreakerState::Open
    })
    .await;
    // From here on a fetch takes more than half a minute.
    world.mood(Mood::Stalled);
    wait_until("it is probed", async || gate.state().breaker == BreakerState::HalfOpen).await;
    let started = Instant::now();
    for id in ["p/w", "p/another"] {
        assert_eq!(check(&gate, id, 5).await.reason, Some(UncheckedReason::Unavailable));
    }
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_worker_type_that_cannot_be_read_does_not_take_the_others_with_it() {
    let world = World::start().await;
    world.publish("p/good", 10);
    world.publish_schema("p/bad", &json!({"type": "object", "pattern": "(?<!x)y"}), "enforce");
    let gate = gate(&world, patient());
    for _ in 0..8 {
        let verdict = check(&gate, "p/bad", 5).await;
        assert_eq!(gist(&verdict), (Outcome::Unchecked, Some(UncheckedReason::Unavailable), vec![UNAVAILABLE]));
        let message = &verdict.warnings[0].message;
        assert!(
            message.starts_with("worker-manager's answer about this worker type is of no use since 20"),
            "{message}"
        );
        assert!(message.contains("does not compile"), "{message}");
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
    let gate = gate(&world, GateSettings { max_age: Duration::ZERO, ..quick() });
    learnt(&gate, "p/w", 5, Outcome::Valid).await;
    world.publish("p/w", 30);
    world.mood(Mood::Slow(Duration::from_millis(200)));
    let verdict = check(&gate, "p/w", 20).await;
    assert_eq!(gist(&verdict), (Outcome::Invalid, None, vec![UNAVAILABLE]));
    assert!(verdict.warnings[0].message.contains("no answer within 100 ms"), "{:?}", verdict.warnings);
    wait_until("the answer is used", async || check(&gate, "p/w", 20).await.verdict == Outcome::Valid).await;
}
