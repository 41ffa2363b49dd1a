//! A thousand watchers of the feed, and one who never reads: what each takes in memory, and how long it is from a publish's
//! answer until the last of them has heard of it.

use crate::load::resident;
use crate::report::quantile;
use integration_tests::server::Server;
use integration_tests::watchers::{Stuck, Watchers};
use serde_json::json;
use std::time::Instant;

const WATCHERS: usize = 1_000;
const PUBLISHES: usize = 500;
/// Heard by all, so that each connection has what it needs to be written to, before memory is read.
const WARM_UP: usize = 20;
const FEED: &str = "/api/worker-manager/v1/events";

/// Prints both.
pub fn measure() {
    let server = Server::dev();
    let address = server.url.trim_start_matches("http://");
    let mut published = 0;
    let mut publish = || {
        published += 1;
        let definition = json!({"description": format!("revision {published}"), "compatibility": "none"});
        assert!(server.publish("bench/watched", &definition).status < 300);
    };
    let stuck = Stuck::connect(address, FEED).expect("a connection");
    let mut few = Watchers::connect(address, FEED, 10);
    let before = few.heard().first().map_or(0, Vec::len);
    (0..WARM_UP).for_each(|_| publish());
    few.all_have_heard(before + WARM_UP);
    drop(few);

    let without = resident(server.pid());
    let here = integration_tests::http::get(&server.api("/worker-types?limit=1")).json()["cursor"].clone();
    let feed = format!("{FEED}?cursor={}", here.as_str().expect("a list has a cursor"));
    let mut watchers = Watchers::connect(address, &feed, WATCHERS);
    (0..WARM_UP).for_each(|_| publish());
    watchers.all_have_heard(WARM_UP);
    let connected = resident(server.pid());

    let (mut from_sending, mut from_answer) = (Vec::new(), Vec::new());
    for number in 1..=PUBLISHES {
        let sent = Instant::now();
        publish();
        let answered = Instant::now();
        let heard = watchers.all_have_heard(WARM_UP + number);
        // The watchers hear while the answer is on its way: some publishes are heard by all before.
        let since = |start: Instant| heard.saturating_duration_since(start).as_secs_f64() * 1e3;
        from_sending.push(since(sent));
        from_answer.push(since(answered));
    }
    let afterwards = resident(server.pid());
    // That it is the feed's own order, the integration test judges against pages.
    let heard = watchers.heard();
    assert!(heard.iter().all(|cursors| *cursors == heard[0] && cursors.len() == WARM_UP + PUBLISHES));
    drop(stuck);

    let each = |resident: f64| (resident - without) / WATCHERS as f64;
    println!(
        "{:<64} {:>9.2} kB           and {:>13.2} after {PUBLISHES} publishes   (bound ≤ 64)",
        format!("memory per watcher of the feed, {WATCHERS} of them"),
        each(connected),
        each(afterwards)
    );
    let line = |name: &str, times: &[f64]| {
        let (median, p99) = (quantile(times, 0.5), quantile(times, 0.99));
        println!("{name:<64} {median:>9.2} ms           p99 {p99:>13.2}   (bound none)");
    };
    line(&format!("from sending a publish to the last of {WATCHERS} watchers"), &from_sending);
    line("  from its answer", &from_answer);
}
