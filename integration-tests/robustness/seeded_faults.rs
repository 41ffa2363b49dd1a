//! The suite itself is tested: a server that breaks a promise on purpose is found out. The faults are failpoints, which
//! only a build with that feature has (`cargo build -p wm --features failpoints`).

use super::cluster::Cluster;
use super::promises::broken;
use super::scenarios::{Plan, Span, run};
use super::troubles::Trouble;
use integration_tests::server::wm;
use std::collections::BTreeSet;
use std::time::Duration;

/// Says visibly why nothing is tested, where the binary has no failpoints.
fn has_failpoints() -> bool {
    let version = wm(&["--version"]).output().unwrap();
    let has = String::from_utf8_lossy(&version.stdout).contains("failpoints");
    if !has {
        println!("skipped: this binary was built without failpoints");
    }
    has
}

/// How often a fault may fail to strike: faults are rare, as real ones are.
const ROUNDS: usize = 12;
const ROUND: Duration = Duration::from_secs(2);
/// A reader that has not heard of the last change by then never will.
const PATIENCE: Duration = Duration::from_secs(3);

/// Runs a server with a fault until it has shown.
fn is_found_out(name: &str, failpoint: &str, troubles: &[Trouble], expected: &[&str]) {
    if !has_failpoints() {
        return;
    }
    let mut left: BTreeSet<&str> = expected.iter().copied().collect();
    let seed = super::seed();
    let mut last = None;
    // Each round says its own seed, and is the first of a run that begins with that.
    for (round, seed) in (1..=ROUNDS).zip((0..).map(|later| seed.wrapping_add(later))) {
        let plan = Plan { name, troubles, span: Span::Time(ROUND), patience: PATIENCE };
        // A new server each time: of what it did in the round before nobody of this round has asked.
        let run = last.insert(run(&plan, seed, &Cluster::on_sqlite(failpoint)));
        let found = broken(run);
        left.retain(|promise| !found.iter().any(|(broken, _)| broken == promise));
        if left.is_empty() {
            println!("found in round {round}: {:?}", found.iter().map(|(promise, _)| promise).collect::<Vec<_>>());
            return;
        }
    }
    panic!(
        "with {failpoint} it was not found in {ROUNDS} rounds that the service is not {left:?}\n\
         all of them again: make robustness ONLY={name} SEED={seed}\nof the last one, {}",
        last.map(|run| run.save()).unwrap_or_default()
    );
}

#[test]
fn robustness_finds_a_lost_event() {
    is_found_out("lost_event", "feed-loses=5%return", &[], &["reliable"]);
}

#[test]
fn robustness_finds_a_repeated_event() {
    is_found_out("repeated_event", "feed-repeats=5%return", &[], &["unique"]);
}

#[test]
fn robustness_finds_a_doubled_number() {
    is_found_out("doubled_number", "feed-doubles=5%return", &[], &["unique"]);
}

#[test]
fn robustness_finds_an_early_acknowledgement() {
    is_found_out("early_acknowledgement", "publish-acknowledges-early=10%return", &[], &["linearizable"]);
}

#[test]
fn robustness_finds_an_early_acknowledgement_by_what_a_kill_loses() {
    is_found_out(
        "early_acknowledgement_by_what_a_kill_loses",
        "publish-acknowledges-early=20%return",
        &[Trouble::Kill],
        &["durable"],
    );
}

#[test]
fn robustness_finds_two_events_that_are_swapped() {
    is_found_out("two_events_that_are_swapped", "feed-swaps=5%return", &[], &["ordered"]);
}

#[test]
fn robustness_finds_an_event_that_says_something_else() {
    is_found_out("an_event_that_says_something_else", "feed-alters=5%return", &[], &["atomic"]);
}

#[test]
fn robustness_finds_a_reader_that_goes_on_too_far() {
    is_found_out("a_reader_that_goes_on_too_far", "resume-skips=30%return", &[], &["resumable", "reliable"]);
}

#[test]
fn robustness_finds_a_bookmark_that_is_ahead() {
    is_found_out("a_bookmark_that_is_ahead", "bookmark-ahead=5%return", &[], &["bookmarkable"]);
}

#[test]
fn robustness_finds_a_publish_that_is_made_and_denied() {
    is_found_out("a_publish_that_is_made_and_denied", "publish-denies=5%return", &[], &["linearizable"]);
}

#[test]
fn robustness_finds_a_worker_type_that_is_gone_after_a_start() {
    let troubles = [Trouble::Kill];
    is_found_out("is_gone_after_a_start", "start-overlooks=70%return", &troubles, &["linearizable"]);
}
