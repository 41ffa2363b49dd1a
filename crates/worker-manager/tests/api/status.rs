//! How the registry is, as it tells everybody.

use crate::harness::{Given, Server, definition, described, wait_until};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use worker_manager::Options;

/// The count of computations is the process's: the tests of this file ask for no status at the same time.
static ALONE: Mutex<()> = Mutex::const_new(());

async fn status(server: &Server) -> Value {
    server.get("/status").send().await.expect(200).json()
}

/// The status once `holds`: what is given may be two seconds old.
async fn status_with(server: &Server, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let mut found = Value::Null;
    wait_until(what, async || {
        found = status(server).await;
        holds(&found)
    })
    .await;
    found
}

async fn computations(server: &Server) -> u64 {
    let text = server.get("//metrics").send().await.expect(200).text();
    let line = text.lines().find_map(|line| line.strip_prefix("status_computations_total "));
    line.map_or(0, |number| number.parse().unwrap())
}

#[tokio::test]
async fn it_counts_and_names_what_happened_last() {
    let _alone = ALONE.lock().await;
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    server.publish("proj/linux", &described("2")).await;
    let mut rolling = described("3");
    rolling["rollout"] = json!({"policy": "strict", "completeAfter": "2h"});
    rolling["validation"] = "warn".into();
    server.publish("proj/linux", &rolling).await;
    let mut old = definition();
    old["lifecycle"] = json!({"state": "deprecated"});
    server.publish("proj/old", &old).await;
    server.publish("proj/gone", &definition()).await;
    server.request(Method::DELETE, "/worker-types/proj/gone").header("if-match", "*").send().await.expect(200);
    server.publish_release("w@1", &json!({"variants": [{"name": "a", "payloadSchema": {"type": "object"}}]})).await;

    let found = status_with(&server, "the last event", |status| status["feed"]["newest"] == 7).await;
    assert_eq!(
        found["counts"],
        json!({
            // While a strict rollout is open, the newer revision's mode counts.
            "workerTypes": {"live": 2, "deleted": 1,
                "byLifecycle": {"active": 1, "deprecated": 1, "experimental": 0, "retired": 0},
                "byValidation": {"enforce": 1, "off": 0, "warn": 1}},
            "revisions": 5, "releases": 1, "openRollouts": 1,
        })
    );
    let rollout = server.get("/worker-types/proj/linux/rollout").send().await.expect(200).json();
    let mut shown = found["rollouts"][0].clone();
    assert_eq!(shown.as_object_mut().unwrap().remove("workerTypeId"), Some(json!("proj/linux")));
    assert_eq!(shown, rollout);
    let changes: Vec<_> = found["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            assert_eq!(change["by"], "local", "{change}");
            (
                change["kind"].as_str().unwrap(),
                change["workerTypeId"].as_str().or(change["release"].as_str()).unwrap(),
                change["revision"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        changes,
        [
            ("release-published", "w@1", None),
            ("worker-type-deleted", "proj/gone", Some(1)),
            ("worker-type-published", "proj/gone", Some(1)),
            ("worker-type-published", "proj/old", Some(1)),
            ("rollout-started", "proj/linux", Some(3)),
            ("worker-type-published", "proj/linux", Some(2)),
            ("worker-type-published", "proj/linux", Some(1)),
        ]
    );
    let feed = &found["feed"];
    assert_eq!((&feed["applied"], &feed["lag"], &feed["oldest"]), (&json!(7), &json!(0), &json!(1)));
    assert_eq!(feed["cursor"], server.get("/worker-types").send().await.json()["cursor"]);
    assert_eq!((&feed["keptForSeconds"], &feed["keptCount"]), (&json!(604_800), &json!(1_000_000)));
    assert_eq!(found["database"]["kind"], "SQLite");
    assert_eq!(found["database"]["reachable"], true);
    assert!(found["database"]["sizeBytes"].as_u64() > Some(4_096));
    assert_eq!(found["build"], json!({"version": env!("CARGO_PKG_VERSION"), "commit": null}));
    let replicas = found["replicas"].as_array().unwrap();
    assert_eq!((replicas.len(), &replicas[0]["thisServer"], &replicas[0]["applied"]), (1, &json!(true), &json!(7)));
}

#[tokio::test]
async fn readers_of_the_feed_are_counted() {
    let _alone = ALONE.lock().await;
    // Who has gone is noticed when something is said to them.
    let options = Options { events_heartbeat: Duration::from_millis(50), ..Options::default() };
    let server = Given { options, ..Given::default() }.server().await;
    let mut feeds = Vec::new();
    for _ in 0..3 {
        let mut feed = server.get("/events").open().await;
        feed.chunk().await.unwrap();
        feeds.push(feed);
    }
    status_with(&server, "three watchers", |status| status["feed"]["watchers"] == 3).await;
    feeds.truncate(1);
    status_with(&server, "one watcher", |status| status["feed"]["watchers"] == 1).await;
}

#[tokio::test]
async fn names_of_hosts_are_for_those_who_may_see_them() {
    let _alone = ALONE.lock().await;
    let mut given = Given::tokens(&[("operator", &["worker-manager:status:hosts"])]);
    given.registry.replica = registry::Replica::starting("host-7:8080", Some("c0ffee"));
    let server = given.server().await;
    let anonymous = status(&server).await;
    assert!(!anonymous.to_string().contains("host-7"), "{anonymous}");
    assert_eq!(anonymous["build"]["commit"], "c0ffee");
    let server = server.by(Some("operator"));
    assert_eq!(status(&server).await["replicas"][0]["name"], "host-7:8080");
}

#[tokio::test]
async fn two_hundred_callers_at_once_cost_no_more_than_two_computations_a_second() {
    let _alone = ALONE.lock().await;
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let before = computations(&server).await;
    let start = Instant::now();
    let mut answers = 0;
    while start.elapsed() < Duration::from_secs(3) {
        let asked = (0..200).map(|_| server.get("/status").send());
        for reply in futures_util::future::join_all(asked).await {
            reply.expect(200);
            answers += 1;
        }
    }
    let (computed, seconds) = (computations(&server).await - before, start.elapsed().as_secs_f64());
    println!("{answers} answers in {seconds:.1} s were computed {computed} times");
    assert!(answers >= 600, "{answers}");
    assert!(computed >= 2 && computed as f64 <= 2.0 * seconds, "{computed} in {seconds} s");
}

#[tokio::test]
async fn without_the_database_it_says_so_and_what_memory_knows() {
    let _alone = ALONE.lock().await;
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    status_with(&server, "the publish", |status| status["feed"]["newest"] == 1).await;
    server.store.set_away(true);
    let away = status_with(&server, "the outage", |status| status["database"]["reachable"] == false).await;
    assert_eq!(away["counts"]["workerTypes"]["live"], 1);
    assert_eq!(away["changes"][0]["workerTypeId"], "proj/linux");
    assert_eq!(away["replicas"].as_array().unwrap().len(), 1);
    assert!(!away.to_string().contains("secret-host"), "{away}");
    let older = |status: &Value| status["database"]["lastContactSeconds"].as_f64() > Some(1.0);
    status_with(&server, "a growing age", older).await;
    server.store.set_away(false);
    status_with(&server, "the database", |status| status["database"]["reachable"] == true).await;
}

#[tokio::test]
async fn a_server_that_never_saw_its_database_since_somebody_asked_shows_what_went_through_its_feed() {
    let _alone = ALONE.lock().await;
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    server.store.set_away(true);
    let away = status(&server).await;
    assert_eq!(away["database"]["seenAt"], Value::Null);
    assert_eq!(away["changes"][0]["workerTypeId"], "proj/linux");
}

#[tokio::test]
async fn a_database_that_does_not_answer_is_not_waited_for() {
    let _alone = ALONE.lock().await;
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    server.store.set_stalled(true);
    for _ in 0..3 {
        let start = Instant::now();
        let stalled = status(&server).await;
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
        assert_eq!(stalled["database"]["reachable"], false);
        assert_eq!(stalled["counts"]["workerTypes"]["live"], 1);
    }
    server.store.set_stalled(false);
    status_with(&server, "the answer", |status| status["database"]["reachable"] == true).await;
}
