//! The words of an explanation, keyword by keyword.

use payload_schema::{Limits, Schema};
use serde_json::{Value, json};
use std::str::FromStr;
use worker_types::{Dialect, Item};

fn explain_in(dialect: &str, schema: &Value, payload: &Value) -> Vec<Item> {
    let dialect = Dialect::from_str(dialect).unwrap();
    let schema = Schema::compile(schema, Some(dialect), &Limits::default()).unwrap();
    assert!(!schema.is_valid(payload));
    schema.explain(payload, "/payload", &Limits::default()).errors
}

fn explain(schema: &Value, payload: &Value) -> Vec<Item> {
    explain_in("draft-07", schema, payload)
}

fn messages(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.message.strip_prefix("task.payload").unwrap()).collect()
}

fn property(schema: Value) -> Value {
    json!({"properties": {"x": schema}})
}

#[test]
fn each_keyword_says_what_it_wants() {
    for (schema, value, message) in [
        (json!({"type":"integer"}), json!("3600"), ".x must be an integer, not a string"),
        (json!({"type":"integer"}), json!(3.5), ".x must be an integer, not 3.5"),
        (json!({"type":["string","null"]}), json!([]), ".x must be a string or null, not an array"),
        (
            json!({"enum":["file","directory"]}),
            json!("flie"),
            ".x must be one of \"file\", \"directory\", not \"flie\"; did you mean \"file\"?",
        ),
        (json!({"enum":[1,2]}), json!("2"), ".x must be one of 1, 2, not \"2\"; did you mean 2?"),
        (json!({"enum":["only"]}), json!(1), ".x must be \"only\", not 1"),
        (json!({"const":"linux"}), json!("linus"), ".x must be \"linux\", not \"linus\""),
        (json!({"const":{"a":1}}), json!({"a":2}), ".x must be {\"a\":1}, not {\"a\":2}"),
        (json!({"minimum":1}), json!(0), ".x must be at least 1, not 0"),
        (json!({"maximum":10}), json!(11), ".x must be at most 10, not 11"),
        (json!({"exclusiveMinimum":0}), json!(0), ".x must be more than 0, not 0"),
        (json!({"exclusiveMaximum":1.5}), json!(2), ".x must be less than 1.5, not 2"),
        (json!({"multipleOf":0.01}), json!(0.005), ".x must be a multiple of 0.01, not 0.005"),
        (json!({"minLength":2}), json!("x"), ".x must have at least 2 characters, but has 1"),
        (json!({"maxLength":1}), json!("xyz"), ".x must have at most 1 character, but has 3"),
        (json!({"pattern":"^[a-z]+$"}), json!("A B"), ".x must match the pattern ^[a-z]+$, but is \"A B\""),
        (
            json!({"format":"date-time"}),
            json!("tomorrow"),
            ".x must be a valid date-time, as in 2027-05-06T12:00:00Z, not \"tomorrow\"",
        ),
        (json!({"format":"hostname"}), json!("a b"), ".x must be a valid hostname, not \"a b\""),
        (json!({"minItems":1}), json!([]), ".x must have at least 1 element, but has none"),
        (json!({"maxItems":1}), json!([1, 2]), ".x must have at most 1 element, but has 2"),
        (
            json!({"uniqueItems":true}),
            json!([1, 2, 1.0]),
            ".x must not have an element twice, but [2] is the same as [0]",
        ),
        (json!({"contains":{"const":"docker-worker:x"}}), json!(["a"]), ".x must contain \"docker-worker:x\""),
        (json!({"contains":{"type":"integer"}}), json!([]), ".x must contain an integer"),
        (
            json!({"items":[{}],"additionalItems":false}),
            json!([1, 2]),
            ".x[1] is an element too many: none is allowed here",
        ),
        (json!({"minProperties":2}), json!({}), ".x must have at least 2 properties, but has none"),
        (json!({"maxProperties":1}), json!({"a":1,"b":2}), ".x must have at most 1 property, but has 2"),
        (json!({"required":["image"]}), json!({}), ".x must have the property \"image\""),
        (
            json!({"required":["image"]}),
            json!({"imgae":1}),
            ".x must have the property \"image\"; is \"imgae\" a misspelling of it?",
        ),
        (json!({"dependencies":{"a":["b"]}}), json!({"a":1}), ".x must have the property \"b\", because it has \"a\""),
        (
            json!({"properties":{"env":{}},"additionalProperties":false}),
            json!({"evn":1}),
            ".x.evn is not a property that is allowed here; did you mean \"env\"?",
        ),
        (
            json!({"propertyNames":{"pattern":"^[A-Z_]+$"}}),
            json!({"path":1}),
            ".x.path has a name that must match the pattern ^[A-Z_]+$, but is \"path\"",
        ),
        (
            json!({"propertyNames":{"enum":["cache","env"]}}),
            json!({"chache":1}),
            ".x.chache has a name that must be one of \"cache\", \"env\", not \"chache\"; did you mean \"cache\"?",
        ),
        (json!({"not":{"type":"string"}}), json!("a"), ".x must not be a string"),
        (json!({"not":{"required":["b"]}}), json!({"b":1}), ".x must not have the property \"b\""),
        (json!({"not":{}}), json!({"b":1}), ".x must not be here"),
        (
            json!({"not":{"type":"object","required":["b"],"properties":{"b":{"const":true}}}}),
            json!({"b":true}),
            ".x must not have the property \"b\" with the value true",
        ),
        (
            json!({"not":{"required":["b"],"properties":{"b":{"type":"string"}}}}),
            json!({"b":""}),
            ".x must not have the property \"b\" that is a string",
        ),
        (
            json!({"not":{"title":"a nightly","minProperties":1,"maxProperties":2}}),
            json!({"b":1}),
            ".x must not be \u{201c}a nightly\u{201d}",
        ),
        (json!({"not":{"minimum":3}}), json!(4), ".x is what the schema rules out by \"not\""),
        (json!(false), json!(1), ".x must not be here"),
        (json!({"properties":{"old":false}}), json!({"old":1}), ".x.old must not be here"),
        (json!({"if":{"required":["a"]},"then":{"required":["b"]}}), json!({"a":1}), ".x must have the property \"b\""),
        (json!({"if":{"required":["a"]},"else":false}), json!({}), ".x must match the \"if\" of the schema"),
    ] {
        let items = explain(&property(schema), &json!({"x": value}));
        assert_eq!(messages(&items), [message]);
    }
}

#[test]
fn a_masked_explanation_says_what_is_wanted_and_not_what_stands_there() {
    let schema = json!({"properties": {
        "token": {"pattern": "^[a-z]+$"}, "n": {"maximum": 3}, "kind": {"enum": ["file", "directory"]}, "count": {"type": "integer"},
        "url": {"format": "uri"}, "fixed": {"const": "on"}, "flag": {"type": "boolean"}, "step": {"multipleOf": 2},
    }});
    let payload = json!({"token": "S3CRET", "n": 42, "kind": "flie", "count": 1.5, "url": "S3CRET", "fixed": "om", "flag": "S3CRET", "step": 41});
    let compiled = Schema::compile(&schema, None, &Limits::default()).unwrap();
    let items = compiled.explain(&payload, "/payload", &Limits { masked: true, ..Limits::default() }).errors;
    let expected = [
        ".token must match the pattern ^[a-z]+$",
        ".n must be at most 3",
        ".kind must be one of \"file\", \"directory\"",
        ".count must be an integer, not a number with a fraction",
        ".url must be a valid uri, as in https://example.com/path",
        ".fixed must be \"on\"",
        ".flag must be a boolean, not a string",
        ".step must be a multiple of 2",
    ];
    assert_eq!(messages(&items), expected);
    assert!(items.iter().all(|item| item.actual.is_none() && item.suggestion.is_none()), "{items:?}");
}

#[test]
fn an_item_has_everything_that_a_reader_or_a_tool_needs() {
    let schema = json!({"description": "A payload", "definitions": {"seconds": {"type": "integer", "description": "a time"}}, "properties": {
        "maxRunTime": {"allOf": [{"$ref": "#/definitions/seconds"}], "description": "how long the task may run, in seconds"},
        "other": {"$ref": "#/definitions/seconds"},
    }, "required": ["other"]});
    let items = explain(&schema, &json!({"maxRunTime": "3600"}));
    let expected = Item {
        schema_pointer: Some("/definitions/seconds/type".to_owned()),
        expected: Some("integer".to_owned()),
        actual: Some("\"3600\"".to_owned()),
        description: Some("how long the task may run, in seconds".to_owned()),
        ..Item::new("type", "/payload/maxRunTime", "task.payload.maxRunTime must be an integer, not a string")
    };
    assert_eq!(items[1], expected);
    // What is missing is described by its own schema.
    assert_eq!((items[0].pointer.as_str(), items[0].description.as_deref()), ("/payload", Some("a time")));
    assert_eq!((items[0].schema_pointer.as_deref(), items[0].actual.as_deref()), (Some("/required"), None));
}

#[test]
fn the_branch_that_was_meant_speaks() {
    let mount = json!({"oneOf": [
        {"type": "object", "title": "File", "required": ["file", "content"], "additionalProperties": false,
            "properties": {"file": {"type": "string"}, "content": {"$ref": "#/definitions/content"}}},
        {"type": "object", "title": "Directory", "required": ["directory"], "additionalProperties": false,
            "properties": {"directory": {"type": "string"}, "content": {"$ref": "#/definitions/content"}, "format": {"enum": ["zip", "tar.gz"]}}},
    ]});
    let content = json!({"oneOf": [
        {"properties": {"kind": {"const": "url"}, "url": {"type": "string"}}, "required": ["kind", "url"], "additionalProperties": false},
        {"properties": {"kind": {"const": "raw"}, "text": {"type": "string"}}, "required": ["kind", "text"], "additionalProperties": false},
        {"type": "string"},
    ]});
    let schema = json!({"definitions": {"content": content}, "properties": {"x": mount}});
    for (value, expected) in [
        (
            json!({"file": "a", "content": {"kind": "raw", "text": 5}}),
            vec![".x.content.text must be a string, not a number"],
        ),
        (
            json!({"file": "a", "content": {"kind": "rwa", "text": "b"}}),
            vec![".x.content.kind must be one of \"url\", \"raw\", not \"rwa\"; did you mean \"raw\"?"],
        ),
        (
            json!({"file": "a", "content": {"kind": "artifact", "text": "b"}}),
            vec![".x.content.kind must be one of \"url\", \"raw\", not \"artifact\""],
        ),
        (
            json!({"file": "a", "content": {"text": "b"}}),
            vec![".x.content must have the property \"kind\", which is one of \"url\", \"raw\""],
        ),
        (
            json!({"file": "a", "content": {"knd": "raw", "text": "b"}}),
            vec![".x.content.knd is not a property that is allowed here; did you mean \"kind\"?"],
        ),
        (
            json!({"file": "a", "content": {"kind": "url", "text": "b"}}),
            vec![".x.content must have the property \"url\"", ".x.content.text is not a property that is allowed here"],
        ),
        (json!({"directory": "a", "format": "rar"}), vec![".x.format must be one of \"zip\", \"tar.gz\", not \"rar\""]),
        (
            json!({"directroy": "a", "format": "zip"}),
            vec![".x.directroy is not a property that is allowed here; did you mean \"directory\"?"],
        ),
        (json!({}), vec![".x must have the property \"file\" and \"content\" or \"directory\""]),
        (json!(3), vec![".x must be an object, not a number"]),
        (json!({"other": 1}), vec![".x must be \u{201c}File\u{201d} or \u{201c}Directory\u{201d}"]),
    ] {
        assert_eq!(messages(&explain(&schema, &json!({"x": value}))), expected, "{value}");
    }
}

#[test]
fn branches_that_ask_for_the_same_thing_ask_once() {
    for (branches, value, message) in [
        (json!([{"type": "string"}, {"type": "integer"}]), json!(null), ".x must be a string or an integer, not null"),
        (
            json!([{"const": "a"}, {"enum": ["b", "file"]}]),
            json!("flie"),
            ".x must be one of \"a\", \"b\", \"file\", not \"flie\"; did you mean \"file\"?",
        ),
        (
            json!([{"required": ["a", "c"]}, {"required": ["b", "c"]}]),
            json!({}),
            ".x must have the property \"c\", and \"a\" or \"b\"",
        ),
        (
            json!([{"type": "null"}, {"type": "string", "minLength": 2}]),
            json!("x"),
            ".x must have at least 2 characters, but has 1",
        ),
        (json!([{"pattern": "^a"}, {"pattern": "^b"}]), json!("x"), ".x has none of the 2 forms that are allowed"),
    ] {
        for keyword in ["anyOf", "oneOf"] {
            let items = explain(&property(json!({keyword: branches})), &json!({"x": value}));
            assert_eq!(messages(&items), [message]);
        }
    }
}

#[test]
fn a_value_that_matches_two_branches_of_one_is_told_which() {
    let schema =
        property(json!({"oneOf": [{"type": "integer"}, {"type": "string"}, {"type": "number", "title": "Amount"}]}));
    let items = explain(&schema, &json!({"x": 3}));
    let expected =
        ".x matches more than one: branches 0 and 2 (an integer or \u{201c}Amount\u{201d}); exactly one must match";
    assert_eq!((messages(&items), items[0].problem.as_str()), (vec![expected], "oneOf"));
}

#[test]
fn one_mistake_over_many_elements_is_told_once() {
    let schema = property(json!({"items": {"type": "array", "items": {"type": "string"}}}));
    let items = explain(&schema, &json!({"x": ["/bin/sh", "-c", "make"]}));
    assert_eq!(messages(&items), [".x[0] must be an array, not a string, and 2 more elements like it"]);
    let items = explain(&schema, &json!({"x": [["a", 1], [], [2]]}));
    assert_eq!(messages(&items), [".x[0][1] must be a string, not a number, and 1 more element like it"]);
    // Different values are different mistakes, as long as they are few.
    let schema = property(json!({"items": {"enum": ["file", "directory"]}}));
    let items = explain(&schema, &json!({"x": ["flie", "drectory"]}));
    assert_eq!(items.iter().filter_map(|item| item.suggestion.as_deref()).collect::<Vec<_>>(), ["file", "directory"]);
    let items = explain(&schema, &json!({"x": vec!["a"; 50]}));
    assert_eq!(items.len(), 3);
    assert!(items[0].message.ends_with("and 47 more elements like it"), "{}", items[0].message);
}

#[test]
fn items_stand_in_the_order_of_the_payload() {
    let schema = json!({"required": ["z"], "properties": {"a": {"type": "string"}, "b": {"required": ["c"], "properties": {"d": {"type": "string"}}}}});
    let items = explain(&schema, &json!({"b": {"d": 1}, "a": 1}));
    let pointers: Vec<_> = items.iter().map(|item| item.pointer.as_str()).collect();
    assert_eq!(pointers, ["/payload", "/payload/b", "/payload/b/d", "/payload/a"]);
}

#[test]
fn numbers_are_compared_exactly() {
    let number = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (schema, value, message) in [
        ("{\"const\": 9007199254740993}", "9007199254740992", ".x must be 9007199254740993, not 9007199254740992"),
        (
            "{\"maximum\": 123456789012345678901234567890}",
            "123456789012345678901234567891",
            ".x must be at most 123456789012345678901234567890, not 123456789012345678901234567891",
        ),
        ("{\"multipleOf\": 0.01}", "1.005", ".x must be a multiple of 0.01, not 1.005"),
        ("{\"type\": \"integer\"}", "1e-1", ".x must be an integer, not 1e-1"),
    ] {
        assert_eq!(messages(&explain(&property(number(schema)), &json!({"x": number(value)}))), [message]);
    }
    let integer = Schema::compile(&json!({"type": "integer", "multipleOf": 0.01}), None, &Limits::default()).unwrap();
    assert!(["3600.0", "1e3", "123456789012345678901234567890"].iter().all(|text| integer.is_valid(&number(text))));
    assert_eq!(
        messages(&explain_in("draft-04", &json!({"type": "integer"}), &number("3600.0"))),
        [" must be an integer, not 3600.0"]
    );
}

#[test]
fn what_later_drafts_ask_for_is_explained_too() {
    for (schema, value, expected) in [
        (
            json!({"prefixItems": [{"type": "string"}], "items": false}),
            json!(["a", 1, 2]),
            vec![".x[1] is an element too many: none is allowed here, and 1 more element like it"],
        ),
        (
            json!({"contains": {"type": "integer"}, "minContains": 2}),
            json!([1, "a"]),
            vec![".x must contain an integer at least 2 times, but contains 1"],
        ),
        (
            json!({"contains": {"const": 1}, "maxContains": 1}),
            json!([1, 1]),
            vec![".x must contain 1 at most 1 times, but contains 2"],
        ),
        (
            json!({"dependentRequired": {"a": ["b"]}}),
            json!({"a": 1}),
            vec![".x must have the property \"b\", because it has \"a\""],
        ),
        (
            json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
            json!({"a": 1}),
            vec![".x must have the property \"b\""],
        ),
        (
            json!({"allOf": [{"properties": {"image": {}}}], "unevaluatedProperties": false}),
            json!({"imgae": 1}),
            vec![".x.imgae is not a property that is allowed here; did you mean \"image\"?"],
        ),
        (
            json!({"anyOf": [{"prefixItems": [{"type": "string"}]}], "unevaluatedItems": {"type": "integer"}}),
            json!(["a", "b"]),
            vec![".x[1] must be an integer, not a string"],
        ),
    ] {
        assert_eq!(messages(&explain_in("2020-12", &property(schema), &json!({"x": value}))), expected);
    }
}
