//! While the database is away.

use crate::after_a_write::reads;
use crate::harness::{Given, Server, definition, described, wait_until};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;
use worker_manager::Options;

const LINUX: &str = "/worker-types/proj/linux";

#[tokio::test]
async fn live_reads_go_on_and_say_how_old_they_are_and_all_else_says_when_to_come_back() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    assert_eq!(server.get(LINUX).send().await.header("x-registry-age"), "");
    server.store.set_away(true);
    wait_until("the registry notices", async || server.registry.health().trouble.is_some()).await;

    for below in ["", "/validation", "/payload-schema", "/documentation"] {
        server.get(&format!("{LINUX}{below}")).send().await.expect(200);
    }
    let check = server.post(&format!("{LINUX}/check"), &json!({"definition": definition()})).send().await.expect(200);
    assert!(check.header("x-registry-age").parse::<u64>().is_ok(), "whoever edits learns it before they publish");
    server.get("/worker-types").send().await.expect(200);
    server.post(&format!("{LINUX}/validate"), &json!({"payload": {"maxRunTime": 1}})).send().await.expect(200);
    // An export is read from the database, and ends where that does.
    for (id, request) in reads(&server).filter(|(id, _)| *id != "export") {
        let reply = request.send().await;
        let says = reply.header("x-registry-age").parse::<u64>().is_ok();
        assert_eq!(says, reply.status < 400, "{id}: {}", reply.status);
    }

    for request in [
        server.get(&format!("{LINUX}/revisions")),
        server.get(&format!("{LINUX}/revisions/1")),
        server.get(&format!("{LINUX}/diff?from=1&to=1")),
        server.get(&format!("{LINUX}/payload-schema?revision=1")),
        server.get(&format!("{LINUX}/documentation?revision=1")),
        server.get("/events"),
        server.put(LINUX, &described("new")).header("if-match", "*"),
        server.request(Method::DELETE, LINUX).header("if-match", "*"),
        server.post(&format!("{LINUX}/rollback"), &json!({"revision": 1})).header("if-match", "*"),
        server.put(
            "/implementations/w/releases/1",
            &json!({"variants": [{"name": "a", "payloadSchema": {"type": "object"}}]}),
        ),
        server.request(Method::POST, "/import").body("application/x-ndjson", "{\"kind\":\"header\",\"format\":1}\n"),
    ] {
        let method = request.method();
        let reply = request.send().await;
        assert_eq!(reply.header("retry-after"), "5");
        let problem = reply.refused(503, "store-unavailable");
        assert!(!problem.to_string().contains("secret-host"), "{problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert_eq!(detail.contains("nothing was changed"), method != Method::GET, "{method}: {detail}");
    }
    let ready = server.get("//readyz").send().await.expect(200).json();
    assert_eq!(ready["checks"][0]["state"], "degraded");
    assert_eq!(ready["checks"][0]["applied"], 1);
    let heartbeat = server.get("/__heartbeat__").send().await.refused(503, "not-ready");
    for public in [&ready, &heartbeat] {
        assert!(!public.to_string().contains("secret-host"), "{public}");
    }
    let age = ready["checks"][0]["ageSeconds"].as_f64().unwrap();
    wait_until("the age to grow", async || {
        let ready = server.get("/readyz").send().await.expect(200).json();
        ready["checks"][0]["ageSeconds"].as_f64() >= Some(age + 0.2)
    })
    .await;

    server.store.set_away(false);
    wait_until("the registry recovers", async || server.registry.health().trouble.is_none()).await;
    assert_eq!(server.get(LINUX).send().await.header("x-registry-age"), "");
    server.put(LINUX, &described("new")).header("if-match", "\"g1\"").send().await.expect(200);
    server.get("/__heartbeat__").send().await.expect(200);
    let ready = server.get("/readyz").send().await.expect(200).json();
    assert_eq!((&ready["checks"][0]["state"], &ready["checks"][0]["applied"]), (&json!("ok"), &json!(2)));
    assert!(ready["checks"][0]["ageSeconds"].as_f64() < Some(5.0), "{ready}");
}

#[tokio::test]
async fn a_database_that_says_nothing_is_away_though_no_question_has_failed() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let silence = server.store.silence();
    wait_until("the registry notices", async || server.registry.health().trouble.is_some()).await;
    let reply = server.get(LINUX).send().await.expect(200);
    assert!(reply.header("x-registry-age").parse::<u64>().unwrap() >= 5, "{}", reply.header("x-registry-age"));
    let ready = server.get("/readyz").send().await.expect(200).json();
    assert!(ready["checks"][0]["reason"].as_str().unwrap().contains("the database does not answer"), "{ready}");
    drop(silence);
    wait_until("the registry recovers", async || server.registry.health().trouble.is_none()).await;
}

#[tokio::test]
async fn who_waits_for_changes_is_sent_elsewhere_and_who_asks_for_a_page_is_told_its_age() {
    let options = Options { events_heartbeat: Duration::from_millis(50), ..Options::default() };
    let server = Given { options, ..Given::default() }.server().await;
    server.publish("proj/linux", &definition()).await;
    let here = server.registry.snapshot().cursor();
    let mut stream = server.get(&format!("/events?cursor={here}")).open().await;
    server.store.set_away(true);
    let mut text = String::new();
    while let Some(chunk) = tokio::time::timeout(Duration::from_secs(30), stream.chunk()).await.unwrap().unwrap() {
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    let last = text.trim_end().rsplit("\n\n").next().unwrap();
    assert!(last.starts_with("event: unavailable\n") && last.contains(&here.to_string()), "{last}");

    let again = server.get(&format!("/events?cursor={here}")).send().await;
    assert_eq!(again.header("retry-after"), "5");
    let problem = again.refused(503, "store-unavailable");
    assert!(problem["detail"].as_str().unwrap().contains("another server may"), "{problem}");
    let page =
        server.get(&format!("/events?cursor={here}")).header("accept", "application/json").send().await.expect(200);
    assert!(page.header("x-registry-age").parse::<u64>().is_ok(), "it cannot know that nothing came");

    server.store.set_away(false);
    wait_until("the registry recovers", async || server.registry.health().trouble.is_none()).await;
    let page =
        server.get(&format!("/events?cursor={here}")).header("accept", "application/json").send().await.expect(200);
    assert_eq!(page.header("x-registry-age"), "");
    assert_eq!(server.get(&format!("/events?cursor={here}")).open().await.status(), 200);
}
