//! Definitions that are none.

use super::{Given, definition, has_item, is_problem, schema, variant};
use serde_json::{Value, json};

#[test]
fn bodies_that_are_no_json_are_refused_at_their_place() {
    let given = Given::new();
    let cases: &[(&[u8], &str, &[&str])] = &[
        (b"", "malformed-json", &["line 1"]),
        (b"{\"description\":", "malformed-json", &["line 1, column 15"]),
        (b"{\"description\": 'x'}", "malformed-json", &["line 1, column 17"]),
        (b"{\"description\": \"x\"} more", "malformed-json", &["line 1"]),
        (b"{\"description\": \"\xff\"}", "malformed-json", &["unicode", "line 1, column 18"]),
        (b"{\"description\": NaN}", "malformed-json", &["line 1"]),
        (b"description: yaml", "malformed-json", &["line 1, column 1"]),
        (b"{\"description\": \"x\",\n \"description\": \"y\"}", "duplicate-key", &["description", "twice", "line 2"]),
        (b"{\"variants\": [{\"name\": \"a\", \"name\": \"b\"}]}", "duplicate-key", &["name", "/variants/0"]),
        (b"{\"description\": \"a\\u0000b\"}", "nul-character", &["U+0000", "/description"]),
        (b"{\"a\\u0000b\": 1}", "nul-character", &["U+0000"]),
    ];
    for (body, problem, words) in cases {
        is_problem(&given.put(*body), 400, problem, words);
    }
    given.is_untouched();
}

#[test]
fn wrong_types_unknown_fields_and_missing_fields_are_named_all_at_once() {
    let given = Given::new();
    let body =
        given.put(r#"{"descripton": "x", "validation": "enforced", "variants": {}, "tags": [1], "documentation": 5}"#);
    let body = is_problem(
        &body,
        422,
        "invalid-definition",
        &["did you mean \"description\"?", "is not one of off, warn, enforce"],
    );
    assert_eq!(has_item(&body, "unknown-field", "/descripton")["suggestion"], "description");
    has_item(&body, "missing-field", "");
    for pointer in ["/variants", "/tags/0", "/documentation"] {
        has_item(&body, "wrong-type", pointer);
    }
    for nothing in ["[]", "null", "5", "\"text\""] {
        let body = is_problem(&given.put(nothing), 422, "invalid-definition", &["object"]);
        has_item(&body, "wrong-type", "");
    }
    given.is_untouched();
}

#[test]
fn schemas_that_do_not_compile_are_refused_at_the_keyword() {
    let given = Given::new();
    let cases: &[(Value, &str, &str, &[&str])] = &[
        (json!({"type": "strin"}), "invalid-keyword", "/type", &["did you mean \"string\"?"]),
        (json!({"required": "command"}), "invalid-keyword", "/required", &["array"]),
        (json!({"pattern": "("}), "invalid-pattern", "/pattern", &["("]),
        (json!({"pattern": "(?<=a)b"}), "unsupported-pattern", "/pattern", &[]),
        (json!({"$ref": "#/definitions/nowhere"}), "unresolved-ref", "/$ref", &["nowhere"]),
        (json!({"$ref": "https://example.com/schema.json"}), "remote-ref", "/$ref", &["example.com"]),
        (json!({"$ref": "#"}), "reference-loop", "/$ref", &[]),
    ];
    for (keywords, problem, below, words) in cases {
        let mut schema = keywords.clone();
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        let definition = json!({"description": "x", "variants": [variant(&schema)]});
        let body = is_problem(&given.put(definition.to_string()), 422, "invalid-definition", words);
        has_item(&body, problem, &format!("/variants/0/payloadSchema{below}"));
    }
    given.is_untouched();
}

#[test]
fn an_example_that_contradicts_its_schema_is_refused_either_way() {
    let given = Given::new();
    let with = |example: Value| {
        let mut definition = definition();
        definition["variants"][0] = variant(&schema());
        definition["variants"][0]["examples"] = json!([example]);
        given.put(definition.to_string())
    };
    let wrong = with(json!({"title": "a build", "payload": {"comand": []}}));
    let body = is_problem(&wrong, 422, "invalid-definition", &["command"]);
    let items = body["errors"].as_array().unwrap();
    assert!(items.iter().all(|item| item["pointer"].as_str().unwrap().starts_with("/variants/0/examples/0")), "{body}");
    let accepted = with(json!({"title": "a build", "payload": {"command": []}, "valid": false}));
    let body = is_problem(&accepted, 422, "invalid-definition", &["valid"]);
    let items = body["errors"].as_array().unwrap();
    assert!(items.iter().all(|item| item["pointer"].as_str().unwrap().starts_with("/variants/0/examples/0")), "{body}");
    given.is_untouched();
}
