//! Requests that mean a thing or a state that is not there.

use super::{Given, ID, definition, has_item, is_problem};
use integration_tests::http;
use integration_tests::server::{Server, scratch};
use integration_tests::task;
use serde_json::{Value, json};

#[test]
fn ids_that_do_not_fit_are_refused_with_their_pattern() {
    let given = Given::new();
    let long = format!("bad/{}", "x".repeat(39));
    for id in ["bad/Input", "bad/-input", "bad/in_put", "b%20d/input", "bad/in%00put", &long] {
        let answer = given.server.publish(id, &definition());
        is_problem(&answer, 400, "invalid-id", &["must match"]);
    }
    let answer = http::get(&given.server.queue("/task/not-a-slug"));
    is_problem(&answer, 400, "invalid-id", &["not-a-slug", "slug"]);
    let answer = given.put(json!({"workerTypeId": "bad/other", "description": "x"}).to_string());
    let body = is_problem(&answer, 422, "invalid-definition", &["bad/other"]);
    assert_eq!(body["errors"][0]["pointer"], "/workerTypeId", "{body}");
    given.is_untouched();
}

#[test]
fn a_lost_race_and_a_missing_precondition_are_refused_with_the_state_that_is_there() {
    let given = Given::new();
    let put = || http::with_json("PUT", &given.url(""), &json!({"description": "late"}));
    is_problem(&http::send(put()), 428, "precondition-required", &["If-Match"]);
    let lost = http::send(put().header("if-match", "\"g9\""));
    assert_eq!(is_problem(&lost, 412, "precondition-failed", &[ID])["generation"], 1);
    assert_eq!(lost.header("etag"), "\"g1\"");
    is_problem(&http::send(put().header("if-none-match", "*")), 412, "precondition-failed", &[]);
    is_problem(&http::send(put().header("if-match", "W/\"g1\"")), 400, "invalid-header", &["W/"]);
    is_problem(&http::send(http::request("DELETE", &given.url(""))), 428, "precondition-required", &["If-Match"]);
    given.is_untouched();
}

#[test]
fn a_wrong_content_type_is_refused_with_the_right_one() {
    let given = Given::new();
    for media in ["text/plain", "application/yaml", "application/x-www-form-urlencoded", "application/jsonx"] {
        let request = http::request("PUT", &given.url("")).header("if-match", "*").header("content-type", media);
        is_problem(
            &http::send(request.body(definition().to_string())),
            415,
            "wrong-content-type",
            &["application/json"],
        );
    }
    let none = http::request("PUT", &given.url("")).header("if-match", "*").body(definition().to_string());
    is_problem(&http::send(none), 415, "wrong-content-type", &["application/json"]);
    given.is_untouched();
}

#[test]
fn an_unknown_worker_type_is_named_with_the_closest_and_its_tasks_do_what_the_queue_says() {
    let given = Given::new();
    let answer = http::get(&given.server.api("/worker-types/bad/inptu"));
    assert_eq!(is_problem(&answer, 404, "unknown-worker-type", &["did you mean bad/input?"])["suggestion"], ID);
    let create = |server: &Server| {
        let url = server.queue(&format!("/task/{}", task::task_id()));
        http::send(http::with_json("PUT", &url, &task::task("bad/inptu", &json!({}))))
    };
    let allowed = create(&given.server).expect(200);
    assert!(allowed.header("payload-verdict").contains("unknown-worker-type"), "{}", allowed.header("payload-verdict"));
    let folder = scratch();
    let data = folder.path().join("data").display().to_string();
    let arguments = ["dev", "--listen", "127.0.0.1:0", "--data-dir", &data, "--unknown-worker-type", "refuse"];
    let strict = Server::start(&arguments, folder);
    strict.publish(ID, &definition()).expect(201);
    is_problem(&create(&strict), 400, "invalid-task", &["there is no worker type bad/inptu"]);
    given.is_untouched();
}

#[test]
fn a_task_that_is_none_is_refused_and_does_not_come_into_being() {
    let given = Given::new();
    let id = task::task_id();
    let url = given.server.queue(&format!("/task/{id}"));
    let put = |body: &str| {
        http::send(http::request("PUT", &url).header("content-type", "application/json").body(body.to_owned()))
    };
    let good = task::task(ID, &json!({"command": []}));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut task = good.clone();
        change(&mut task);
        put(&task.to_string())
    };
    is_problem(&put("{"), 400, "malformed-json", &["line 1"]);
    is_problem(&put(r#"{"payload": {"a": 1, "a": 2}}"#), 400, "duplicate-key", &["\"a\"", "twice"]);
    is_problem(&put(r#"{"payload": {"a": "\u0000"}}"#), 400, "nul-character", &["/payload/a"]);
    let unknown = with(&|task| task["dependancies"] = json!([]));
    let body = is_problem(&unknown, 400, "invalid-task-definition", &["dependencies"]);
    has_item(&body, "unknown-field", "/dependancies");
    let wrong = with(&|task| task["retries"] = json!("5"));
    let body = is_problem(&wrong, 400, "invalid-task-definition", &["integer"]);
    has_item(&body, "wrong-type", "/retries");
    is_problem(&with(&|task| task["deadline"] = json!(task::from_now(-5))), 400, "invalid-task", &["deadline"]);
    let other = with(&|task| task["taskQueueId"] = json!("bad/-"));
    assert_eq!(other.status, 400, "{}", other.text());
    http::get(&url).expect(404);
    given.is_untouched();
}

#[test]
fn an_import_with_one_bad_line_stores_none() {
    let given = Given::new();
    let mut lines: Vec<Value> = given.export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &mut lines {
        if line["workerTypeId"] == ID {
            line["workerTypeId"] = json!("bad/imported");
        }
    }
    let text = |lines: &[Value]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let import = |body: String| {
        let request =
            http::request("POST", &given.server.api("/import")).header("content-type", "application/x-ndjson");
        http::send(request.body(body))
    };
    is_problem(&import(text(&lines) + "{\"kind\": \"revison\"}\n"), 422, "invalid-import", &["line 4"]);
    is_problem(&import(text(&lines[..2])), 422, "invalid-import", &["bad/imported"]);
    given.is_untouched();
}
