//! A thousand watchers of one server, and one who takes nothing.

use integration_tests::http;
use integration_tests::server::{Server, scratch, wm};
use integration_tests::watchers::{Stuck, Watchers};
use serde_json::json;
use std::process::Command;

const WATCHERS: usize = 1_000;
const WRITERS: usize = 4;
const FEED: &str = "/api/worker-manager/v1/events";

/// Publishes that a thousand watchers hear of: `WM_ROUNDS`, as many as take some seconds otherwise.
fn publishes() -> usize {
    std::env::var("WM_ROUNDS").map_or(20, |rounds| rounds.parse().unwrap())
}

/// Publishes revisions `first..first + count` of one worker type.
fn publish(server: &Server, id: &str, first: usize, count: usize) {
    for number in first..first + count {
        let definition = json!({"description": format!("revision {number}"), "compatibility": "none"});
        let answer = server.publish(id, &definition);
        assert!(answer.status < 300, "{}", answer.text());
        assert_eq!(answer.json()["revision"], number);
    }
}

/// The cursors of all events after `cursor`, as pages of JSON tell them; and the newest.
fn pages(server: &Server, cursor: Option<&str>) -> (Vec<String>, String) {
    let mut cursors = Vec::new();
    let mut place = cursor.map(str::to_owned);
    loop {
        let from = place.map(|place| format!("&cursor={place}")).unwrap_or_default();
        let url = server.at(&format!("{FEED}?limit=1000{from}"));
        let page = http::send(http::request("GET", &url).header("accept", "application/json")).expect(200).json();
        let events = page["events"].as_array().unwrap();
        cursors.extend(events.iter().map(|event| event["cursor"].as_str().unwrap().to_owned()));
        let reached = page["cursor"].as_str().unwrap().to_owned();
        if page["more"] == false {
            return (cursors, reached);
        }
        place = Some(reached);
    }
}

#[test]
fn given_a_thousand_watchers_and_one_who_is_stuck_then_each_hears_of_every_publish_once_and_in_order() {
    let server = Server::dev();
    let address = server.url.trim_start_matches("http://");
    let (_, beginning) = pages(&server, None);

    let stuck = Stuck::connect(address, &format!("{FEED}?cursor={beginning}")).unwrap();
    let mut before = 0;
    while !stuck.holds_the_server_up().unwrap() {
        assert!(before < 2_000, "what was not read was taken all the same");
        publish(&server, "watched/before", before + 1, 20);
        before += 20;
    }

    let (_, here) = pages(&server, Some(&beginning));
    let mut watchers = Watchers::connect(address, &format!("{FEED}?cursor={here}"), WATCHERS);
    let each = publishes().div_ceil(WRITERS);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let server = &server;
            scope.spawn(move || publish(server, &format!("watched/by-{writer}"), 1, each));
        }
    });
    watchers.all_have_heard(each * WRITERS);
    assert!(stuck.holds_the_server_up().unwrap(), "all that while one of them took nothing");

    let (expected, _) = pages(&server, Some(&here));
    assert_eq!(expected.len(), each * WRITERS);
    for (number, heard) in watchers.heard().iter().enumerate() {
        assert_eq!(*heard, expected, "watcher {number}");
    }
    // The one who was stuck has missed nothing either.
    let (all, _) = pages(&server, Some(&beginning));
    assert_eq!(stuck.read(before + each * WRITERS).unwrap(), all);
}

#[test]
fn given_a_shell_that_allows_few_files_then_a_server_takes_what_the_system_allows() {
    let folder = scratch();
    let server = ["dev", "--listen", "127.0.0.1:0", "--data-dir", "data"];
    let mut command = Command::new("bash");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WM_")) {
        command.env_remove(name);
    }
    let words = format!("ulimit -Sn 256 && exec '{}' \"$@\"", wm(&[]).get_program().to_string_lossy());
    command.args(["-c", &words, "wm"]).args(server);
    let server = Server::run(command, folder);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
    let files = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let (soft, hard) = {
        let mut values = files.split_whitespace();
        (values.next().unwrap(), values.next().unwrap())
    };
    assert_eq!(soft, hard);
}
