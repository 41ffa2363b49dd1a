//! The law: whatever worker-manager does, in whatever order, a task gets a verdict in time, and it is one that the
//! history allows.

use super::{check, gate};
use crate::world::{Feed, Mood, World, quick};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use std::time::Duration;
use worker_manager_client::GateSettings;
use worker_types::{Outcome, UncheckedReason};

const MOODS: &[Mood] = &[
    Mood::Well,
    Mood::Well,
    Mood::Slow(Duration::from_millis(30)),
    Mood::Stalled,
    Mood::StalledInTheBody,
    Mood::OneByteASecond,
    Mood::HangsUp,
    Mood::CutOff,
    Mood::Rubbish("{]"),
    Mood::Status(500),
    Mood::Problem(503, "store-unavailable"),
    Mood::Redirect,
    Mood::Endless,
    Mood::AnotherBundle,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_task_gets_a_verdict_that_history_allows() {
    for seed in 0..6 {
        let mut random = StdRng::seed_from_u64(seed);
        let mut world = World::start().await;
        let settings = GateSettings {
            deadline: Duration::from_millis(100),
            max_age: Duration::from_millis(20),
            first_pause: Duration::from_millis(10),
            longest_pause: Duration::from_millis(40),
            ..quick()
        };
        let gate = gate(&world, settings);
        let mut published = false;
        for step in 0..60 {
            match random.random_range(0..8) {
                0 => {
                    // Every definition takes 5 and refuses 50.
                    world.publish("p/w", random.random_range(10..40));
                    published = true;
                }
                1 => world.cut_the_feed(),
                2 => world.state().feed = *[Feed::Well, Feed::Refused, Feed::Gone].choose(&mut random).unwrap(),
                3 => {
                    world.fake.stop().await;
                    check(&gate, "p/w", 5).await;
                    world.fake.restart().await;
                }
                _ => world.mood(MOODS.choose(&mut random).unwrap().clone()),
            }
            for (max_run_time, right) in [(5, Outcome::Valid), (50, Outcome::Invalid)] {
                let verdict = check(&gate, "p/w", max_run_time).await;
                let allowed = match verdict.reason {
                    None => published && verdict.verdict == right,
                    Some(UncheckedReason::UnknownWorkerType) => true,
                    Some(UncheckedReason::Unavailable) => verdict.warnings.len() == 1,
                    Some(_) => false,
                };
                assert!(allowed, "seed {seed}, step {step}, {:?}: {verdict:?}", world.state().mood);
            }
        }
    }
}
