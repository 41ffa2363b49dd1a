//! Writes that meet another state than they mean, and the ways back.

use super::record::Recorder;
use super::worker_types::{definition, path, put};
use integration_tests::http::{self, Answer};
use integration_tests::server::Server;
use serde_json::{Value, json};

pub fn given_states_that_do_not_fit_then_writes_are_refused(recorder: &Recorder, server: &Server) {
    publishing(recorder, server);
    a_rollout_that_is_open(recorder, server);
    what_breaks_tasks(recorder, server);
    deleting(recorder, server);
    rolling_back(recorder, server);
}

#[track_caller]
fn problem(answer: Answer, status: u16, problem: &str) -> Answer {
    let answer = answer.expect(status);
    assert_eq!(answer.json()["problem"], problem, "{}", answer.text());
    answer
}

fn publishing(recorder: &Recorder, server: &Server) {
    let with = |name: &str, value: &str, definition: &Value| {
        recorder.send(put(server, "coverage/writes", definition).header(name, value))
    };
    problem(recorder.send(put(server, "coverage/writes", &definition("one"))), 428, "precondition-required");
    with("if-none-match", "*", &definition("one")).expect(201);
    let lost = problem(with("if-match", "\"g7\"", &definition("two")), 412, "precondition-failed");
    assert_eq!((lost.header("etag"), &lost.json()["generation"]), ("\"g1\"", &json!(1)));
    problem(with("if-none-match", "*", &definition("two")), 412, "precondition-failed");
    problem(with("if-match", "g1", &definition("two")), 400, "invalid-header");
    problem(with("if-match", "*", &json!({})), 422, "invalid-definition");
    let bad = put(server, "coverage/-", &definition("one")).header("if-match", "*");
    problem(recorder.send(bad), 400, "invalid-id");
}

fn a_rollout_that_is_open(recorder: &Recorder, server: &Server) {
    let strict = |words: &str| {
        let mut definition = definition(words);
        definition["rollout"] = json!({"policy": "strict"});
        definition
    };
    let publish =
        |definition: &Value| recorder.send(put(server, "coverage/rollout", definition).header("if-match", "*"));
    publish(&definition("one")).expect(201);
    publish(&strict("two")).expect(200);
    let open = problem(publish(&strict("three")), 409, "rollout-open").json();
    assert_eq!((&open["from"], &open["to"]), (&json!(1), &json!(2)));
    let url = server.api(&(path("coverage/rollout") + "?rollout=replace"));
    recorder.send(http::with_json("PUT", &url, &strict("three")).header("if-match", "*")).expect(200);
    ending_it(recorder, server);
}

fn ending_it(recorder: &Recorder, server: &Server) {
    let at = |id: &str, rest: &str| server.api(&(path(id) + "/rollout" + rest));
    let get = |id: &str| recorder.send(http::request("GET", &at(id, "")));
    let put = |id: &str, policy: &str, seen: &str| {
        recorder.send(http::with_json("PUT", &at(id, ""), &json!({"policy": policy})).header("if-match", seen))
    };
    let end =
        |id: &str, verb: &str, seen: &str| recorder.send(http::request("POST", &at(id, verb)).header("if-match", seen));
    assert_eq!(get("coverage/rollout").expect(200).json()["policy"], "strict");
    recorder.send(http::with_json("PUT", &at("coverage/rollout", ""), &json!({"policy": "strict"}))).expect(428);
    for verb in ["/complete", "/abort"] {
        recorder.send(http::request("POST", &at("coverage/rollout", verb))).expect(428);
        problem(end("coverage/rollout", verb, "\"g1\""), 412, "precondition-failed");
        problem(end("coverage/rollout", verb, "g1"), 400, "invalid-header");
        problem(end("coverage/rollout", &format!("{verb}?massage=x"), "*"), 400, "invalid-query");
        problem(end("coverage/none", verb, "*"), 404, "unknown-worker-type");
        problem(end("coverage/-", verb, "*"), 400, "invalid-id");
    }
    problem(put("coverage/rollout", "lenient", "\"g1\""), 412, "precondition-failed");
    put("coverage/rollout", "strict", "\"g1\"").expect(200);
    problem(put("coverage/rollout", "soon", "*"), 422, "invalid-definition");
    problem(put("coverage/none", "strict", "*"), 404, "unknown-worker-type");
    put("coverage/rollout", "lenient", "*").expect(200);
    end("coverage/rollout", "/complete", "*").expect(200);
    problem(get("coverage/rollout"), 404, "no-rollout");
    problem(put("coverage/rollout", "strict", "*"), 404, "no-rollout");
    problem(end("coverage/rollout", "/abort", "*"), 404, "no-rollout");

    // A strict rollout to what nothing accepts yet refuses more than a lenient one.
    let requiring = |name: &str, policy: &str| {
        json!({"description": name, "compatibility": "require", "rollout": {"policy": policy}, "variants": [{
            "name": "default", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": [name]}}]})
    };
    let publish = |query: &str, definition: &Value| {
        let url = server.api(&(path("coverage/moving") + query));
        recorder.send(http::with_json("PUT", &url, definition).header("if-match", "*"))
    };
    publish("", &requiring("one", "immediate")).expect(201);
    publish("?allowBreaking=true&message=soon", &requiring("two", "lenient")).expect(200);
    problem(put("coverage/moving", "strict", "*"), 409, "incompatible");
    problem(end("coverage/moving", "/complete", "*"), 409, "incompatible");
    assert_eq!(end("coverage/moving", "/abort", "*").expect(200).json()["revision"], 1);
}

fn what_breaks_tasks(recorder: &Recorder, server: &Server) {
    let requiring = |name: &str| {
        json!({"description": name, "compatibility": "require", "variants": [{"name": "default", "payloadSchema": {
            "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": [name]}}]})
    };
    let publish = |query: &str, name: &str| {
        let url = server.api(&(path("coverage/compatible") + query));
        recorder.send(http::with_json("PUT", &url, &requiring(name)).header("if-match", "*"))
    };
    publish("", "one").expect(201);
    let refused = problem(publish("", "two"), 409, "incompatible").json();
    assert_eq!(refused["compatibility"]["against"], json!([1]));
    problem(publish("?allowBreaking=true", "two"), 400, "invalid-query");
    publish("?allowBreaking=true&message=one%20is%20gone", "two").expect(200);
}

fn deleting(recorder: &Recorder, server: &Server) {
    let url = server.api(&path("coverage/gone"));
    let delete =
        |url: &str, generation: &str| recorder.send(http::request("DELETE", url).header("if-match", generation));
    problem(delete(&url, "*"), 404, "unknown-worker-type");
    recorder.send(put(server, "coverage/gone", &definition("one")).header("if-match", "*")).expect(201);
    problem(recorder.send(http::request("DELETE", &url)), 428, "precondition-required");
    problem(delete(&url, "\"g7\""), 412, "precondition-failed");
    problem(delete(&url, "seven"), 400, "invalid-header");
    delete(&url, "\"g1\"").expect(200);
    problem(delete(&url, "*"), 410, "deleted");
    let rollout = |method: &str, rest: &str| http::request(method, &format!("{url}/rollout{rest}"));
    for request in [rollout("POST", "/complete"), rollout("POST", "/abort")] {
        problem(recorder.send(request.header("if-match", "*")), 410, "deleted");
    }
    let change = http::with_json("PUT", &format!("{url}/rollout"), &json!({"policy": "strict"}));
    problem(recorder.send(change.header("if-match", "*")), 410, "deleted");
    for read in ["", "/validation", "/documentation", "/payload-schema", "/rollout"] {
        let gone = problem(recorder.send(http::request("GET", &format!("{url}{read}"))), 410, "deleted");
        assert_eq!(gone.json()["lastRevision"], 1, "{read}");
    }
}

fn rolling_back(recorder: &Recorder, server: &Server) {
    let back = |id: &str, generation: &str, body: &Value| {
        let request = http::with_json("POST", &server.api(&(path(id) + "/rollback")), body);
        recorder.send(if generation.is_empty() { request } else { request.header("if-match", generation) })
    };
    let first = json!({"revision": 1, "message": "the first was right"});
    problem(back("coverage/nothing-here", "*", &first), 404, "unknown-worker-type");
    problem(back("coverage/thing", "*", &json!({"revision": 9})), 404, "unknown-revision");
    problem(back("coverage/thing", "", &first), 428, "precondition-required");
    problem(back("coverage/thing", "\"g9\"", &first), 412, "precondition-failed");
    problem(back("coverage/thing", "*", &json!({"revison": 1})), 400, "invalid-request");
    assert_eq!(back("coverage/thing", "\"g2\"", &first).expect(200).json()["revision"], 3);
    assert_eq!(back("coverage/gone", "*", &first).expect(201).json()["revision"], 2, "back from its tombstone");
}
