//! The suite itself is tested: a server that breaks a promise on purpose is found out. The faults are failpoints, which
//! only a build with that feature has (`cargo build -p wm --features failpoints`).

use super::cluster::Cluster;
use super::promises::broken;
use super::scenarios::{Span, run};
use super::troubles::Trouble;
use integration_tests::server::wm;

/// Says visibly why nothing is tested, where the binary has no failpoints.
fn has_failpoints() -> bool {
    let version = wm(&["--version"]).output().unwrap();
    let has = String::from_utf8_lossy(&version.stdout).contains("failpoints");
    if !has {
        println!("skipped: this binary was built without failpoints");
    }
    has
}

/// Runs a server with a fault until it has shown: faults are rare, as real ones are.
fn is_found_out(name: &str, failpoint: &str, troubles: &[Trouble], expected: &[&str]) {
    if !has_failpoints() {
        return;
    }
    let cluster = Cluster::on_sqlite(failpoint);
    let run = run(name, &cluster, troubles, Span::Time);
    let broken: Vec<&str> = broken(&run).into_iter().map(|(promise, _)| promise).collect();
    for promise in expected {
        assert!(broken.contains(promise), "with {failpoint} only {broken:?} were found broken, not {promise}");
    }
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
        "early_acknowledgement_killed",
        "publish-acknowledges-early=20%return",
        &[Trouble::Kill],
        &["durable"],
    );
}
