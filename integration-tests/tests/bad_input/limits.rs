//! Each limit takes what has just its size, and refuses what has one more.

use super::{Given, definition, has_item, is_problem, variant};
use integration_tests::http::{self, Answer};
use integration_tests::task;
use serde_json::{Map, Value, json};

fn with_schema(mut schema: Value) -> Value {
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    json!({"description": "x", "variants": [variant(&schema)]})
}

/// `size` is taken, and one more is refused at `pointer`.
fn of_definitions(given: &Given, size: usize, make: impl Fn(usize) -> Value, problem: &str, pointer: &str) {
    let at = given.dry_run(&make(size));
    assert_eq!(at.status, 200, "{size} is within the limit: {}", at.text());
    for over in [given.dry_run(&make(size + 1)), given.put(make(size + 1).to_string())] {
        has_item(&is_problem(&over, 422, "invalid-definition", &[]), problem, pointer);
    }
}

#[test]
fn the_bytes_of_a_definition_and_of_its_texts_are_bounded() {
    let given = Given::new();
    let with = |name: &'static str| {
        move |bytes: usize| {
            let mut definition = definition();
            definition[name] = json!("x".repeat(bytes));
            definition
        }
    };
    of_definitions(&given, 500_000, with("documentation"), "too-long", "/documentation");
    of_definitions(&given, 1_000, with("description"), "too-long", "/description");
    let of_size = |bytes: usize| {
        let text = |length: usize| json!("x".repeat(length));
        let mut definition = definition();
        let mut all = definition["variants"][0].clone();
        definition["documentation"] = text(400_000);
        all["documentation"] = text(400_000);
        let mut more = all.clone();
        more["name"] = json!("more");
        more["documentation"] = text(0);
        definition["variants"] = json!([all, more]);
        let rest = bytes - definition.to_string().len();
        definition["variants"][1]["documentation"] = text(rest);
        definition
    };
    of_definitions(&given, 1 << 20, of_size, "too-large", "");
    given.is_untouched();
}

#[test]
fn schemas_are_bounded_in_depth_in_parts_in_patterns_and_in_expansion() {
    let given = Given::new();
    let schema = "/variants/0/payloadSchema";
    let nested = |depth: usize| with_schema((1..depth).fold(json!({}), |inner, _| json!({"not": inner})));
    let deepest = format!("{schema}{}", "/not".repeat(64));
    of_definitions(&given, 64, nested, "schema-too-deep", &deepest);
    let parts = |count: usize| {
        let properties: Map<String, Value> = (1..count).map(|index| (format!("p{index}"), json!({}))).collect();
        with_schema(json!({"type": "object", "properties": properties}))
    };
    of_definitions(&given, 20_000, parts, "too-many-subschemas", schema);
    let pattern = |bytes: usize| with_schema(json!({"type": "string", "pattern": "x".repeat(bytes)}));
    of_definitions(&given, 4096, pattern, "pattern-too-long", &format!("{schema}/pattern"));

    let fan_out = |levels: usize| {
        let level = |level: usize| {
            let below = json!({"$ref": format!("#/definitions/d{}", level.saturating_sub(1))});
            if level == 0 { json!({"type": "object"}) } else { json!({"allOf": vec![below; 10]}) }
        };
        let definitions: Map<String, Value> =
            (0..=levels).map(|number| (format!("d{number}"), level(number))).collect();
        with_schema(json!({"allOf": [{"$ref": format!("#/definitions/d{levels}")}], "definitions": definitions}))
    };
    assert_eq!(given.dry_run(&fan_out(3)).status, 200);
    let over = given.put(fan_out(9).to_string());
    let body = is_problem(&over, 422, "invalid-definition", &["100000"]);
    assert!(body["errors"].to_string().contains("reference-fan-out"), "{body}");
    given.is_untouched();
}

/// A JSON object of this many bytes, white space at its end.
fn padded(value: &Value, bytes: usize) -> Vec<u8> {
    let mut text = value.to_string().into_bytes();
    assert!(text.len() <= bytes);
    text.resize(bytes, b' ');
    text
}

#[test]
fn bodies_are_bounded_and_the_answer_names_the_setting() {
    let given = Given::new();
    let server = &given.server;
    let send = |method: &str, url: &str, body: Vec<u8>| -> Answer {
        http::send(http::request(method, url).header("content-type", "application/json").body(body))
    };
    let release = server.api("/implementations/bad-worker/releases/1.0.0?dryRun=true");
    let task = || server.queue(&format!("/task/{}", task::task_id()));
    let validate = given.url("/validate");
    let cases = [
        ("PUT", given.url("?dryRun=true"), definition(), (1 << 20) + (256 << 10), "max_definition_body_bytes"),
        ("PUT", release, json!({"variants": [{"name": "default"}]}), 5 << 20, "max_release_body_bytes"),
        ("POST", validate, json!({"payload": {"command": []}}), (10 << 20) + (64 << 10), "max_task_bytes"),
        ("PUT", task(), task::task("bad/unknown", &json!({})), 10 << 20, "queue.body_limit"),
    ];
    for (method, url, body, limit, setting) in cases {
        let at = send(method, &url, padded(&body, limit));
        assert_eq!(at.status, 200, "{url}: {}", at.text());
        let url = if url.contains("/task/") { task() } else { url };
        let over = send(method, &url, padded(&body, limit + 1));
        let over = is_problem(&over, 413, "too-large", &[&limit.to_string(), setting]);
        assert_eq!((&over["limit"], &over["setting"]), (&json!(limit), &json!(setting)));
    }
    given.is_untouched();
}

#[test]
fn json_is_bounded_in_depth() {
    let given = Given::new();
    let nested = |depth: usize| format!("{{\"payload\": {}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let send = |depth: usize| {
        let request = http::request("POST", &given.url("/validate")).header("content-type", "application/json");
        http::send(request.body(nested(depth)))
    };
    assert_eq!(send(100).status, 200);
    is_problem(&send(101), 400, "too-deep", &["100"]);
    is_problem(&send(100_000), 400, "too-deep", &["100"]);
    given.is_untouched();
}
