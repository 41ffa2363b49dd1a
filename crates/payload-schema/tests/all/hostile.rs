//! Schemas and values made to break things: each ends with a clear problem, in bounded time and memory.

use payload_schema::{Limits, Schema, check_depth, inspect};
use serde_json::{Map, Value, json};
use std::thread;
use std::time::{Duration, Instant};

const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";

fn problems(schema: &Value) -> Vec<String> {
    inspect(schema, None, &Limits::default()).errors.into_iter().map(|item| item.problem).collect()
}

/// Far more than anything here takes, far less than what would hang a server.
fn within_seconds<T>(run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    result
}

/// The stack that a server's worker threads have.
fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap()
}

/// Each of `n` definitions applies the next one by `apply`.
fn chain(n: usize, apply: impl Fn(Value) -> Value) -> Value {
    let link = |i: usize| (format!("d{i}"), apply(json!({"$ref": format!("#/definitions/d{}", i + 1)})));
    let mut definitions: Map<String, Value> = (0..n).map(link).collect();
    definitions.insert(format!("d{n}"), json!({"type": "string"}));
    json!({"$schema": DRAFT_07, "allOf": [{"$ref": "#/definitions/d0"}], "definitions": definitions})
}

#[test]
fn definitions_that_refer_twice_to_the_next_are_refused() {
    within_seconds(|| {
        for apply in [
            |next: Value| json!({"allOf": [next, next]}),
            |next: Value| json!({"anyOf": [next, {"not": next}]}),
            |next: Value| json!({"properties": {"a": next, "b": next}}),
            |next: Value| json!({"if": next, "then": next}),
        ] {
            assert_eq!(problems(&chain(20, apply)), ["reference-fan-out"]);
            assert_eq!(problems(&chain(8, apply)), [""; 0]);
        }
    });
}

#[test]
fn fan_out_inside_a_recursion_is_refused_and_recursion_is_not() {
    let mut schema = chain(20, |next| json!({"allOf": [next, next]}));
    schema["definitions"]["d20"] = json!({"properties": {"again": {"$ref": "#/definitions/d0"}}});
    assert_eq!(problems(&schema), ["reference-fan-out"]);
    // Two ways into the same recursion: the engine checks each container once.
    let union = json!({"$schema": DRAFT_07, "anyOf": [
        {"properties": {"kind": {"const": "a"}, "left": {"$ref": "#"}, "right": {"$ref": "#"}}, "required": ["kind"]},
        {"properties": {"kind": {"const": "b"}, "left": {"$ref": "#"}}, "required": ["kind"]},
    ]});
    let schema = Schema::compile(&union, None, &Limits::default()).unwrap();
    let leaf = |kind: &str| (0..90).fold(json!({"kind": kind}), |inner, _| json!({"kind": "b", "left": inner}));
    within_seconds(|| {
        assert!(schema.is_valid(&leaf("a")));
        assert!(!schema.is_valid(&leaf("c")));
        assert!(!schema.explain(&leaf("c"), "", &Limits::default()).errors.is_empty());
    });
}

#[test]
fn a_reference_that_never_goes_into_the_value_is_refused() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"anyOf": [{"$ref": "#/definitions/a"}]}}}),
    ] {
        assert!(problems(&schema).contains(&"reference-loop".to_owned()), "{schema}");
    }
    assert_eq!(problems(&json!({"properties": {"a": {"$ref": "#"}}})), [""; 0]);
}

#[test]
fn nested_unevaluated_properties_multiply_and_are_refused() {
    let link = |next: Value| json!({"allOf": [next], "unevaluatedProperties": false});
    let mut schema = chain(14, link);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    assert_eq!(problems(&schema), ["reference-fan-out"]);
}

#[test]
fn a_schema_that_is_too_deep_or_too_large_is_refused() {
    let not = |inner| Value::Object(Map::from_iter([("not".to_owned(), inner)]));
    let deep = |depth: usize| (0..depth).fold(json!({}), |inner, _| not(inner));
    assert_eq!(problems(&deep(63)), [""; 0]);
    assert_eq!(problems(&deep(64)), ["schema-too-deep"]);
    within_seconds(|| {
        let very_deep = deep(100_000);
        assert_eq!(problems(&very_deep), ["schema-too-deep"]);
        // serde_json drops values recursively; that is not what is tested here.
        std::mem::forget(very_deep);
        let wide: Vec<Value> = (0..20_001).map(|i| json!({"minimum": i})).collect();
        assert_eq!(problems(&json!({"anyOf": wide})), ["too-many-subschemas"]);
        let long = "x".repeat(500_000);
        let children: Map<String, Value> = (0..1_000).map(|i| (i.to_string(), json!({}))).collect();
        assert_eq!(problems(&json!({"properties": {long: {"properties": children}}})), ["names-too-long"]);
    });
}

#[test]
fn a_long_chain_of_references_is_taken_or_refused_but_never_overflows_the_stack() {
    on_a_small_stack(|| {
        let schema = chain(3_000, |next| next);
        let schema = Schema::compile(&schema, None, &Limits::default()).unwrap();
        assert!(schema.is_valid(&json!("text")));
        let explanation = schema.explain(&json!(1), "", &Limits::default());
        assert_eq!(explanation.errors[0].problem, "type");
        let mut endless = chain(3_000, |next| next);
        endless["definitions"]["d3000"] = json!({"items": {"$ref": "#/definitions/d0"}});
        assert_eq!(problems(&endless), ["nests-too-deep"]);
    });
}

#[test]
fn the_deepest_values_under_the_deepest_schemas_survive_a_small_stack() {
    on_a_small_stack(|| {
        let limits = Limits::default();
        let nested = (0..60).fold(json!({"$ref": "#/definitions/tree"}), |inner, _| json!({"items": inner}));
        let schema = json!({"$schema": DRAFT_07, "definitions": {"tree": {
            "type": ["object", "array"],
            "properties": {"child": {"anyOf": [{"type": "null"}, {"allOf": [{"$ref": "#/definitions/tree"}]}]}},
            "items": {"$ref": "#/definitions/tree"}, "additionalProperties": false,
        }}, "properties": {"deep": nested}, "$ref": "#/definitions/tree"});
        let schema = Schema::compile(&schema, None, &limits).unwrap();
        let deep = |leaf: Value| {
            (0..126).fold(leaf, |inner, i| if i % 2 == 0 { json!({"child": inner}) } else { json!([inner]) })
        };
        let (valid, invalid) = (deep(json!({})), deep(json!({"odd": 1})));
        assert!(check_depth(&invalid, 127));
        assert!(schema.is_valid(&valid));
        assert!(!schema.is_valid(&invalid));
        let explanation = schema.explain(&invalid, "/payload", &limits);
        assert_eq!(explanation.errors[0].problem, "additionalProperties");
        assert!(explanation.errors[0].pointer.ends_with("/odd"), "{explanation:?}");
    });
}

#[test]
fn a_hundred_thousand_errors_are_counted_and_a_hundred_are_named() {
    let schema = json!({"$schema": DRAFT_07, "additionalProperties": {"type": "string"}});
    let schema = Schema::compile(&schema, None, &Limits::default()).unwrap();
    let payload: Map<String, Value> = (0..100_000).map(|i| (format!("n{i}"), json!(i))).collect();
    let explanation = within_seconds(|| schema.explain(&Value::Object(payload), "/payload", &Limits::default()));
    assert_eq!((explanation.errors.len(), explanation.more), (100, 99_900));
    let schema = json!({"$schema": DRAFT_07, "items": {"type": "string"}});
    let schema = Schema::compile(&schema, None, &Limits::default()).unwrap();
    let explanation = within_seconds(|| schema.explain(&json!(vec![1; 100_000]), "/payload", &Limits::default()));
    assert_eq!((explanation.errors.len(), explanation.more), (1, 99_999));
    assert!(explanation.errors[0].message.contains("99999 more elements"), "{:?}", explanation.errors[0]);
}

#[test]
fn an_explanation_is_small_whatever_the_payload_is() {
    let text = "x".repeat(5_000_000);
    let branches: Vec<Value> = (0..50).map(|i| json!({"required": [format!("a{i}"), format!("b{i}")]})).collect();
    let schema = json!({"$schema": DRAFT_07, "oneOf": branches, "properties": {
        "a": {"enum": ["short"]}, "b": {"pattern": "^y"}, "c": {"maxLength": 3}, "d": {"type": "integer"},
        "e": {"const": "short"}, "f": {"format": "uri"}, "g": {"not": {"type": "string"}}, "h": {"maxItems": 1},
    }, "propertyNames": {"maxLength": 10}});
    let schema = Schema::compile(&schema, None, &Limits::default()).unwrap();
    let mut payload = json!({"h": [text, text]});
    for name in ["a", "b", "c", "d", "e", "f", "g", &text] {
        payload[name] = Value::from(text.as_str());
    }
    let explanation = within_seconds(|| schema.explain(&payload, "/payload", &Limits::default()));
    assert!(explanation.errors.len() >= 9, "{explanation:?}");
    for item in &explanation.errors {
        assert!(serde_json::to_string(item).unwrap().len() < 4_000, "{} is too long", item.problem);
    }
}

#[test]
fn a_huge_enum_is_taken_and_explained_shortly() {
    let values: Vec<String> = (0..50_000).map(|i| format!("value-{i}")).collect();
    let schema = json!({"$schema": DRAFT_07, "items": {"enum": values}});
    within_seconds(|| {
        let schema = Schema::compile(&schema, None, &Limits::default()).unwrap();
        assert!(schema.is_valid(&json!(["value-49999"])));
        let explanation = schema.explain(&json!(["value-x", "other"]), "", &Limits::default());
        assert!(explanation.errors[0].message.len() < 600, "{explanation:?}");
        assert!(explanation.errors[0].message.contains("49988 others"), "{explanation:?}");
    });
}

#[test]
fn patterns_that_are_too_much_are_refused_with_their_reason() {
    within_seconds(|| {
        let long = "a".repeat(1 << 20);
        let refused = |pattern: &str| inspect(&json!({"pattern": pattern}), None, &Limits::default()).errors;
        let shown =
            |pattern: &str| refused(pattern).into_iter().map(|item| (item.problem, item.pointer)).collect::<Vec<_>>();
        assert_eq!(shown(&long), [("pattern-too-long".to_owned(), "/pattern".to_owned())]);
        assert!(refused(&long)[0].message.len() < 300);
        assert_eq!(shown("((a{99}){99}){99}")[0].0, "pattern-too-large");
        assert_eq!(shown("^(?!secret)")[0].0, "unsupported-pattern");
        assert!(refused("(a)\\1")[0].message.contains("back-reference"));
        let inspection = inspect(&json!({"patternProperties": {long: {}}}), None, &Limits::default());
        assert_eq!(inspection.errors[0].problem, "pattern-too-long");
        assert!(inspection.errors[0].pointer.len() < 100);
    });
}

#[test]
fn a_pattern_that_stalls_backtracking_engines_is_linear() {
    let schema = json!({"$schema": DRAFT_07, "pattern": "^(a+)+$"});
    let schema = Schema::compile(&schema, None, &Limits::default()).unwrap();
    let text = json!(format!("{}b", "a".repeat(1_000_000)));
    within_seconds(|| assert!(!schema.is_valid(&text)));
}

#[test]
fn many_large_patterns_do_not_add_up() {
    let patterns: Vec<Value> = (0..2_000).map(|i| json!({"pattern": format!("^.{{0,{}}}$", 500 + i)})).collect();
    let errors = within_seconds(|| inspect(&json!({"anyOf": patterns}), None, &Limits::default()).errors);
    assert!(errors.iter().any(|item| item.problem == "patterns-too-large"), "{:?}", errors.first());
}

#[test]
fn nothing_that_is_no_schema_at_all_breaks_the_inspection() {
    for schema in [
        "null",
        "1",
        "\"x\"",
        "[]",
        "[{}]",
        "{\"properties\": []}",
        "{\"$ref\": 1}",
        "{\"allOf\": {}}",
        "{\"items\": 3}",
        "{\"type\": [\"string\", 1]}",
        "{\"$id\": 5, \"$schema\": []}",
        "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"$id\": \"::\"}",
        "{\"minLength\": 1e400}",
        "{\"minimum\": 1e999999}",
        "{\"multipleOf\": 0}",
        "{\"enum\": []}",
        "{\"required\": [1]}",
        "{\"$ref\": \"%zz\"}",
        "{\"$ref\": \"http://[\"}",
        "{\"dependencies\": {\"a\": 1}}",
    ] {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let inspection = inspect(&schema, None, &Limits::default());
        let compiled = Schema::compile(&schema, None, &Limits::default());
        assert_eq!(inspection.errors.is_empty(), compiled.is_ok(), "{schema}: {inspection:?}");
    }
}

#[test]
fn numbers_at_all_ends_are_judged_as_they_are_explained() {
    const NUMBERS: [&str; 18] = [
        "0",
        "-0.0",
        "1",
        "-1",
        "3",
        "7.5",
        "0.1",
        "1e-400",
        "-1e-400",
        "3e-400",
        "1e400",
        "-7e400",
        "1e308",
        "1.5e308",
        "5e-324",
        "9007199254740993",
        "18446744073709551616",
        "123456789012345678901234567890",
    ];
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for keyword in ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const"] {
        for bound in NUMBERS {
            let Ok(schema) = Schema::compile(&json!({keyword: read(bound)}), None, &Limits::default()) else {
                assert_eq!(keyword, "multipleOf", "{bound}");
                continue;
            };
            for number in NUMBERS {
                let explained = schema.explain(&read(number), "", &Limits::default()).errors;
                let expected = if schema.is_valid(&read(number)) { None } else { Some(()) };
                assert_eq!(explained.first().map(|_| ()), expected, "{keyword} {bound}, {number}");
                assert!(explained.iter().all(|error| error.problem != "invalid"), "{keyword} {bound}, {number}");
            }
        }
    }
}

/// By the fractions of Python's standard library.
#[test]
fn multiples_are_told_exactly_or_the_divisor_is_refused() {
    for (divisor, number, is_multiple) in [
        ("3", "1e-400", false),
        ("3", "3e400", true),
        ("7", "1e400", false),
        ("0.3", "1e-400", false),
        ("1e-400", "3", true),
        ("3e-400", "1", false),
        ("2", "9007199254740993", false),
        ("123456789012345678", "123456789012345678000000000000", true),
        ("123456789012345678", "123456789012345678000000000001", false),
    ] {
        let [divisor, number]: [Value; 2] = [divisor, number].map(|text| serde_json::from_str(text).unwrap());
        let schema = Schema::compile(&json!({"multipleOf": divisor}), None, &Limits::default()).unwrap();
        assert_eq!(schema.is_valid(&number), is_multiple, "{number} by {divisor}");
    }
    let many: Value = serde_json::from_str("123456789012345678901234567890").unwrap();
    assert_eq!(problems(&json!({"properties": {"n": {"multipleOf": many}}})), ["invalid-keyword"]);
}
