//! The cases that are too large to be kept: each is a rule for making one.

use super::corpus::Case;
use serde_json::{Map, Value, json};

fn case(name: &str, schema: &Value, publish: &str, payloads: Vec<(String, &str)>) -> Case {
    let payloads = payloads.into_iter().map(|(payload, answer)| (payload, answer.to_owned())).collect();
    Case { name: name.to_owned(), schema: schema.to_string(), publish: publish.to_owned(), payloads }
}

/// Every generated case.
pub fn cases() -> Vec<Case> {
    [depth(), references(), sizes(), unions(), values()].into_iter().flatten().collect()
}

/// `depth` times `{"key": …}` around `inner`.
fn nested(key: &str, depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", format!("{{\"{key}\":").repeat(depth), "}".repeat(depth))
}

fn depth() -> Vec<Case> {
    let raw =
        |name: &str, schema: String, publish: &str| Case { schema, ..case(name, &Value::Null, publish, Vec::new()) };
    let tree = json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "additionalProperties": false});
    let union = json!({"anyOf": [
        {"properties": {"a": {"$ref": "#"}}, "additionalProperties": false},
        {"properties": {"a": {"$ref": "#"}, "b": {"type": "null"}}, "additionalProperties": false}]});
    vec![
        raw("a schema 1,000 deep", nested("not", 1_000, "{}"), "too-deep"),
        raw("a schema 100,000 deep", nested("not", 100_000, "{}"), "too-deep"),
        raw("a schema that ends nowhere", "[".repeat(200_000), "too-deep"),
        case(
            "values deep under a recursion",
            &tree,
            "ok",
            vec![
                (nested("a", 90, "{}"), "valid"),
                (nested("a", 90, "{\"b\":1}"), "invalid"),
                (nested("a", 10_000, "{}"), "too-deep"),
                (nested("a", 200_000, "{}"), "too-deep"),
            ],
        ),
        case(
            "values deep under a union that recurses twice",
            &union,
            "ok",
            vec![(nested("a", 90, "{}"), "valid"), (nested("a", 90, "{\"c\":1}"), "invalid")],
        ),
    ]
}

/// Each of `n` definitions applies the next one by `apply`.
fn chain(n: usize, apply: impl Fn(Value) -> Value) -> Value {
    let link = |i: usize| (format!("d{i}"), apply(json!({"$ref": format!("#/definitions/d{}", i + 1)})));
    let mut definitions: Map<String, Value> = (0..n).map(link).collect();
    definitions.insert(format!("d{n}"), json!({"type": "object"}));
    json!({"allOf": [{"$ref": "#/definitions/d0"}], "definitions": definitions})
}

fn references() -> Vec<Case> {
    let unevaluated = |next: Value| json!({"allOf": [next], "unevaluatedProperties": false});
    let mut tower = chain(14, unevaluated);
    tower["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    vec![
        case(
            "definitions that refer twice to the next",
            &chain(30, |next| json!({"allOf": [next, next]})),
            "reference-fan-out",
            vec![],
        ),
        case(
            "members that refer twice to the next",
            &chain(30, |next| json!({"properties": {"a": next, "b": next}})),
            "reference-fan-out",
            vec![],
        ),
        case(
            "negations that refer twice to the next",
            &chain(30, |next| json!({"not": {"anyOf": [next, {"not": next}]}})),
            "reference-fan-out",
            vec![],
        ),
        case("a tower of unevaluated properties", &tower, "reference-fan-out", vec![]),
        case("a chain of 3,000 references", &chain(3_000, |next| next), "ok", vec![("{}".to_owned(), "valid")]),
    ]
}

fn sizes() -> Vec<Case> {
    let names = |count: usize| (0..count).map(|i| format!("value-{i}")).collect::<Vec<_>>();
    let properties: Map<String, Value> = (0..15_000).map(|i| (format!("p{i}"), json!({"type": "integer"}))).collect();
    let patterns: Map<String, Value> =
        (0..300).map(|i| (format!("^k{i}x[0-9]*$"), json!({"type": "integer"}))).collect();
    let members: Map<String, Value> = (0..20_000).map(|i| (format!("k{i}"), json!(i))).collect();
    let large: Vec<Value> = (0..2_000).map(|i| json!({"pattern": format!("^.{{0,{}}}$", 500 + i)})).collect();
    vec![
        case(
            "an enum of 50,000 values",
            &json!({"properties": {"a": {"enum": names(50_000)}}}),
            "ok",
            vec![("{\"a\": \"value-49999\"}".to_owned(), "valid"), ("{\"a\": \"value-x\"}".to_owned(), "invalid")],
        ),
        case(
            "an enum of 50,000 values of another type",
            &json!({"properties": {"a": {"type": "integer", "enum": names(50_000)}}}),
            "ok",
            vec![("{\"a\": \"value-1\"}".to_owned(), "invalid")],
        ),
        case(
            "15,000 required properties of a closed object",
            &json!({"properties": properties, "required": Vec::from_iter(properties.keys()), "additionalProperties": false}),
            "ok",
            vec![("{}".to_owned(), "invalid"), ("{\"p15000\": 1}".to_owned(), "invalid")],
        ),
        case(
            "many patterns of names and many names",
            &json!({"patternProperties": patterns, "additionalProperties": false}),
            "ok",
            vec![(Value::Object(members).to_string(), "invalid")],
        ),
        case("patterns that add up", &json!({"anyOf": large}), "patterns-too-large", vec![]),
        case("a pattern of a megabyte", &json!({"pattern": "a".repeat(1 << 19)}), "pattern-too-long", vec![]),
        case(
            "long names that repeat in every pointer",
            &json!({"properties": {"x".repeat(400_000): {"properties": {"a": {"minLength": -1}, "b": {"minLength": -1}}}}}),
            "any",
            vec![],
        ),
    ]
}

fn unions() -> Vec<Case> {
    let branch = |i: usize| {
        let properties = json!({"kind": {"const": format!("kind-{i}")}, "value": {"type": "integer"}});
        json!({"type": "object", "required": ["kind", "value"], "properties": properties, "additionalProperties": false})
    };
    let branches: Vec<Value> = (0..300).map(branch).collect();
    let elements =
        |kind: &str, count: usize| json!({"list": vec![json!({"kind": kind, "value": 1}); count]}).to_string();
    let nested = (0..8).fold(
        json!({"type": "integer"}),
        |inner, _| json!({"oneOf": [inner.clone(), {"properties": {"a": inner}, "required": ["a"]}]}),
    );
    vec![
        case(
            "300 branches and many elements",
            &json!({"properties": {"list": {"items": {"oneOf": branches}}}}),
            "ok",
            vec![
                (elements("kind-299", 1_000), "valid"),
                (elements("kind-300", 2_000), "invalid"),
                (json!({"list": vec![json!({}); 2_000]}).to_string(), "invalid"),
            ],
        ),
        case(
            "unions inside unions",
            &json!({"properties": {"x": nested}}),
            "any",
            vec![("{\"x\": \"no\"}".to_owned(), "any")],
        ),
    ]
}

fn values() -> Vec<Case> {
    let objects = |count: usize| (0..count).map(|i| json!({"a": [i, {"b": i}]})).collect::<Vec<_>>();
    let long = "x".repeat(5_000_000);
    vec![
        case(
            "100,000 elements that must differ",
            &json!({"properties": {"a": {"uniqueItems": true}}}),
            "ok",
            vec![
                (json!({"a": Vec::from_iter(0..100_000)}).to_string(), "valid"),
                (json!({"a": Vec::from_iter((0..100_000).chain([99_999]))}).to_string(), "invalid"),
                (json!({"a": objects(60_000)}).to_string(), "valid"),
                (json!({"a": vec!["same"; 100_000]}).to_string(), "invalid"),
            ],
        ),
        case(
            "100,000 errors",
            &json!({"additionalProperties": {"type": "string"}}),
            "ok",
            vec![(Value::Object((0..100_000).map(|i| (format!("n{i}"), json!(i))).collect()).to_string(), "invalid")],
        ),
        case(
            "a text of 5 MB that nothing takes",
            &json!({"properties": {"a": {"enum": ["short"], "pattern": "^(a|b)*$", "format": "uri", "maxLength": 3}}}),
            "ok",
            vec![(json!({"a": long}).to_string(), "invalid"), (json!({&long: 1, "a": 1}).to_string(), "invalid")],
        ),
        case(
            "a number of a million digits",
            &json!({"properties": {"a": {"multipleOf": 7, "maximum": 3}}}),
            "ok",
            vec![(format!("{{\"a\": {}}}", "9".repeat(1_000_000)), "any")],
        ),
    ]
}
