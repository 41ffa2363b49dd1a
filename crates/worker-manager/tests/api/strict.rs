//! What every row refuses alike: ids and bodies that cannot be read.

use crate::access::{method, path};
use crate::harness::Given;
use reqwest::Method;
use service::{Body, Operation};
use worker_manager::{OPERATIONS, Options};

fn rows(wanted: impl Fn(&Operation) -> bool) -> impl Iterator<Item = &'static &'static Operation> {
    OPERATIONS.iter().filter(move |operation| wanted(operation))
}

#[tokio::test]
async fn every_row_refuses_ids_that_do_not_fit() {
    let server = Given::default().server().await;
    for operation in rows(|operation| operation.path.contains('{')) {
        for (good, bad) in [
            ("linux", "Linux_1"),
            ("native-worker", "Native"),
            ("proj", "a.b"),
            ("linux", "%00"),
            ("native-worker", "%ff"),
        ] {
            let path = path(operation);
            if !path.contains(&format!("/{good}")) {
                continue;
            }
            let request = server.request(method(operation), &path.replacen(good, bad, 1));
            let request = if operation.body.is_some() { request.body("application/json", "{}") } else { request };
            request.send().await.refused(400, "invalid-id");
        }
    }
}

#[tokio::test]
async fn every_row_that_reads_json_reads_it_strictly() {
    let limits =
        rows(|operation| operation.body.is_some()).map(|operation| (operation.body.unwrap().limit.setting, 1_000));
    let options = Options { body_limits: limits.collect(), ..Options::default() };
    let server = Given { options, ..Given::default() }.server().await;
    let deep = "[".repeat(200) + &"]".repeat(200);
    for operation in rows(|operation| operation.body.is_some_and(|body| body.media == Body::JSON)) {
        let send =
            |media: &str, body: String| server.request(method(operation), &path(operation)).body(media, body).send();
        for (body, problem) in [
            ("{\"a\":", "malformed-json"),
            ("", "malformed-json"),
            ("\u{fffd}", "malformed-json"),
            ("{\"a\":1,\"a\":1}", "duplicate-key"),
            ("{\"a\":\"\\u0000\"}", "nul-character"),
            (deep.as_str(), "too-deep"),
        ] {
            send("application/json", body.to_owned()).await.refused(400, problem);
        }
        send("application/yaml", "{}".to_owned()).await.refused(415, "wrong-content-type");
        let problem = send("application/json", "x".repeat(1_001)).await.refused(413, "too-large");
        assert_eq!(problem["setting"], operation.body.unwrap().limit.setting);
        let without = server.request(method(operation), &path(operation)).send().await;
        without.refused(415, "wrong-content-type");
    }
}

#[tokio::test]
async fn messages_are_one_line_without_control_characters() {
    let server = Given::default().server().await;
    for bad in ["%00", "a%0Ab", &"x".repeat(1_001)] {
        let path = format!("/worker-types/proj/linux?message={bad}");
        server.request(Method::DELETE, &path).send().await.refused(400, "invalid-query");
    }
}
