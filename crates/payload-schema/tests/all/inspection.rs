//! What the publish gate is told about a schema: each fault and each warning at its place, with what to do.

use payload_schema::{Inspection, Limits, SCHEMA_PROBLEMS, Schema, SchemaCache, inspect};
use serde_json::{Value, json};
use std::sync::Arc;
use worker_types::{Dialect, Item, SchemaRef, content_hash};

const DRAFT_04: &str = "http://json-schema.org/draft-04/schema#";
const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019: &str = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020: &str = "https://json-schema.org/draft/2020-12/schema";

fn look(schema: &Value) -> Inspection {
    let inspection = inspect(schema, None, &Limits::default());
    for (items, refuses) in [(&inspection.errors, true), (&inspection.warnings, false)] {
        for item in items {
            let known = SCHEMA_PROBLEMS.iter().find(|problem| problem.name == item.problem);
            assert!(known.is_some_and(|known| known.refuses == refuses), "{} is not in the table", item.problem);
        }
    }
    inspection
}

/// The schema in a draft, without the warning that it names none.
fn in_draft(draft: &str, mut schema: Value) -> Value {
    schema["$schema"] = draft.into();
    schema
}

fn only(items: Vec<Item>) -> Item {
    let [item] = <[Item; 1]>::try_from(items).unwrap_or_else(|items| panic!("{items:#?}"));
    item
}

fn error(draft: &str, schema: Value) -> Item {
    only(look(&in_draft(draft, schema)).errors)
}

fn warning(draft: &str, schema: Value) -> Item {
    let inspection = look(&in_draft(draft, schema));
    assert_eq!(inspection.errors, []);
    only(inspection.warnings)
}

/// Problem, place, what was meant.
fn facts(item: &Item) -> (&str, &str, Option<&str>) {
    (&item.problem, &item.pointer, item.suggestion.as_deref())
}

#[test]
fn the_draft_is_the_schemas_own_then_that_of_its_surroundings_then_draft_07() {
    let limits = Limits::default();
    assert_eq!(inspect(&json!({"$schema": DRAFT_04}), Some(Dialect::Draft202012), &limits).dialect, Dialect::Draft04);
    assert_eq!(inspect(&json!({}), Some(Dialect::Draft202012), &limits).dialect, Dialect::Draft202012);
    let undeclared = look(&json!({}));
    assert_eq!(undeclared.dialect, Dialect::Draft07);
    let warning = only(undeclared.warnings);
    assert_eq!(facts(&warning), ("no-dialect", "", None));
    assert!(warning.message.contains("read as draft-07"));
    for uri in ["/schemas/common/metaschema.json#", "https://tc.example.com/schemas/common/metaschema.json#"] {
        let inspection = look(&json!({"$schema": uri, "properties": {"a": {"$schema": uri, "type": "string"}}}));
        assert_eq!((inspection.errors.len(), inspection.dialect), (0, Dialect::Draft06));
        assert_eq!(facts(&inspection.warnings[0]), ("taskcluster-metaschema", "/$schema", None));
    }
}

#[test]
fn an_unknown_dialect_is_refused_with_those_that_are_known() {
    let item = only(look(&json!({"$schema": "http://json-schema.org/draft-7/schema#"})).errors);
    assert_eq!(facts(&item), ("unknown-dialect", "/$schema", Some("http://json-schema.org/draft-07/schema#")));
    assert!(item.message.contains("never fetched") && item.message.contains(DRAFT_2020), "{}", item.message);
    let nested = json!({"properties": {"a": {"$schema": "https://example.com/own"}}});
    assert_eq!(error(DRAFT_07, nested).pointer, "/properties/a/$schema");
}

#[test]
fn a_form_of_another_draft_is_refused_with_how_to_write_it() {
    let bound = error(DRAFT_07, json!({"properties": {"n": {"minimum": 3, "exclusiveMinimum": true}}}));
    assert_eq!(facts(&bound), ("invalid-keyword", "/properties/n/exclusiveMinimum", None));
    assert!(bound.message.contains("\"exclusiveMinimum\": 3 instead of \"minimum\": 3"), "{}", bound.message);
    for (draft, schema, pointer, help) in [
        (DRAFT_07, json!({"exclusiveMaximum": false}), "/exclusiveMaximum", "leave it out"),
        (
            DRAFT_04,
            json!({"maximum": 5, "exclusiveMaximum": 3}),
            "/exclusiveMaximum",
            "\"maximum\": 3, \"exclusiveMaximum\": true",
        ),
        (DRAFT_2020, json!({"items": [{"type": "string"}]}), "/items", "prefixItems"),
        (DRAFT_07, json!({"properties": {"a": {"required": true}}}), "/properties/a/required", "draft-03"),
        (DRAFT_04, json!({"properties": {"a": true}}), "/properties/a", "write {}"),
        (DRAFT_04, json!({"items": {"not": false}}), "/items/not", "{\"not\": {}}"),
        (DRAFT_04, json!({"required": []}), "/required", "draft-06 would take it"),
        (DRAFT_07, json!({"type": "any"}), "/type", "leave \"type\" out"),
        (DRAFT_07, json!({"required": "image"}), "/required", "must be an array"),
        (DRAFT_07, json!({"minLength": -1}), "/minLength", "at least 0"),
    ] {
        let item = error(draft, schema);
        assert_eq!((item.problem.as_str(), item.pointer.as_str()), ("invalid-keyword", pointer));
        assert!(item.message.contains(help), "{}", item.message);
    }
}

#[test]
fn references_are_followed_inside_the_document_only() {
    let schema = json!({
        "$id": "https://example.com/schemas/payload.json", "definitions": {
            "env": {"$id": "#env", "type": "object"}, "other": {"$id": "other.json", "definitions": {"x": {}}},
        },
        "extra": {"kept": {"type": "string"}},
        "properties": {
            "a": {"$ref": "#/definitions/env"}, "b": {"$ref": "#env"}, "c": {"$ref": "other.json#/definitions/x"},
            "d": {"$ref": "payload.json#/properties/a"}, "e": {"$ref": "#/extra/kept"}, "f": {"$ref": DRAFT_07},
        },
    });
    assert_eq!(look(&in_draft(DRAFT_07, schema)).errors, []);
    for (reference, problem, mention, suggestion) in [
        ("#/definitions/evn", "unresolved-ref", "#/definitions/evn", Some("#/definitions/env")),
        ("#nowhere", "unresolved-ref", "#nowhere", None),
        ("https://example.com/x.json#/a", "remote-ref", "https://example.com/x.json, which is never fetched", None),
        ("x.json", "remote-ref", "x.json", None),
        ("#/definitions/env/type", "unresolved-ref", "no schema", None),
        ("a b", "invalid-ref", "a b", None),
    ] {
        let item = error(DRAFT_07, json!({"definitions": {"env": {"type": "object"}}, "not": {"$ref": reference}}));
        assert_eq!(facts(&item), (problem, "/not/$ref", suggestion), "{reference}");
        assert!(item.message.contains(mention), "{}", item.message);
    }
}

#[test]
fn a_relative_id_works_and_is_told() {
    let schema = json!({"$id": "/schemas/w/payload.json#", "definitions": {"a": {"type": "string"}},
        "properties": {"x": {"$ref": "payload.json#/definitions/a"}, "y": {"$ref": "/schemas/w/payload.json#/definitions/a"}}});
    let schema = in_draft(DRAFT_07, schema);
    assert_eq!(facts(&only(look(&schema).warnings)), ("relative-id", "/$id", None));
    let compiled = Schema::compile(&schema, None, &Limits::default()).unwrap();
    assert!(compiled.is_valid(&json!({"x": "a", "y": "b"})) && !compiled.is_valid(&json!({"y": 1})));
}

#[test]
fn misspelt_and_foreign_keywords_are_told_and_extensions_are_not() {
    let typo = warning(DRAFT_07, json!({"properties": {"a": {"tpye": "string"}}}));
    assert_eq!(facts(&typo), ("unknown-keyword", "/properties/a/tpye", Some("type")));
    let unheard = warning(DRAFT_07, json!({"properties": {"a": {"singleFileGlobs": []}}}));
    assert_eq!(facts(&unheard), ("unknown-keyword", "/properties/a/singleFileGlobs", None));
    let quiet = json!({"x-note": 1, "X_y": 1, "example": 1, "markdownDescription": "",
        "properties": {"tpye": {}, "requird": {}}, "$defs": {}, "default": {"tpye": 1}, "const": {"tpye": 1}, "examples": [{"tpye": 1}],
        "deprecated": true, "$comment": ""});
    assert_eq!(look(&in_draft(DRAFT_07, quiet)).warnings, []);
    for (draft, keyword, value, suggestion) in [
        (DRAFT_04, "const", json!(1), None),
        (DRAFT_07, "unevaluatedProperties", json!(false), None),
        (DRAFT_07, "id", json!("https://example.com/a"), Some("$id")),
        (DRAFT_04, "$id", json!("https://example.com/a"), Some("id")),
        (DRAFT_07, "prefixItems", json!([]), Some("items")),
        (DRAFT_2020, "additionalItems", json!(false), Some("items")),
        (DRAFT_2020, "$recursiveRef", json!("#"), Some("$dynamicRef")),
    ] {
        let item = warning(draft, json!({keyword: value}));
        assert_eq!(facts(&item), ("keyword-of-another-draft", format!("/{keyword}").as_str(), suggestion));
    }
}

#[test]
fn a_recursive_reference_is_to_the_root() {
    let inspected = |value: &str| {
        let schema = json!({"properties": {"x": {"$recursiveRef": value}}, "definitions": {"a": {"type": "string"}}});
        inspect(&schema, Some(Dialect::Draft201909), &Limits::default()).errors
    };
    assert_eq!(inspected("#"), []);
    let errors = inspected("#/definitions/a");
    assert_eq!(
        (errors[0].problem.as_str(), errors[0].pointer.as_str()),
        ("invalid-ref", "/properties/x/$recursiveRef")
    );
}

#[test]
fn what_stands_beside_a_reference_is_told_where_it_is_ignored() {
    let schema = json!({"definitions": {"a": {}}, "properties": {"x": {"$ref": "#/definitions/a", "minLength": 3, "description": "kept"}}});
    let item = warning(DRAFT_07, schema.clone());
    assert_eq!(facts(&item), ("ref-sibling-ignored", "/properties/x/minLength", None));
    assert!(item.message.contains("allOf"), "{}", item.message);
    assert_eq!(look(&in_draft(DRAFT_2019, schema)).warnings, []);
}

#[test]
fn formats_that_nobody_checks_are_told() {
    for (draft, format, problem, suggestion) in [
        (DRAFT_07, "url", "unknown-format", Some("uri")),
        (DRAFT_07, "datetime", "unknown-format", Some("date-time")),
        (DRAFT_07, "int32", "unknown-format", None),
        (DRAFT_07, "uuid", "format-not-asserted", None),
        (DRAFT_2020, "date-time", "format-not-asserted", None),
    ] {
        let item = warning(draft, json!({"items": {"format": format}}));
        assert_eq!(facts(&item), (problem, "/items/format", suggestion));
    }
    assert_eq!(look(&in_draft(DRAFT_07, json!({"format": "date-time"}))).warnings, []);
    assert_eq!(facts(&warning(DRAFT_07, json!({"contentEncoding": "base64"}))).0, "content-not-checked");
}

#[test]
fn objects_that_cannot_be_and_need_not_be_are_told() {
    let closed =
        json!({"type": "object", "properties": {"image": {}}, "required": ["imgae"], "additionalProperties": false});
    assert_eq!(facts(&warning(DRAFT_07, closed)), ("required-and-refused", "/required/0", Some("image")));
    let loose = json!({"properties": {"cache": {"required": ["name"], "properties": {"name": {}}}}});
    assert_eq!(facts(&warning(DRAFT_07, loose)), ("not-only-objects", "/properties/cache/properties", None));
    let within = json!({"type": "object", "oneOf": [{"required": ["name"], "properties": {"name": {}}}]});
    assert_eq!(look(&in_draft(DRAFT_07, within)).warnings, []);
}

#[test]
fn braces_in_patterns_and_in_the_names_of_patterns_are_read_as_themselves() {
    let schema = json!({"type": "object", "additionalProperties": false, "patternProperties": {"^{a}/.*$": {"type": "integer"}, "^\\{b\\}$": {}},
        "properties": {"version": {"pattern": "^(.*{major_version}.*)$"}, "same": {"$ref": "#/patternProperties/%5E%7Ba%7D~1.*$"}}});
    let schema = in_draft(DRAFT_07, schema);
    let inspection = look(&schema);
    assert_eq!(inspection.errors, []);
    let told: Vec<_> = inspection.warnings.iter().map(facts).collect();
    assert_eq!(
        told,
        [
            ("literal-braces", "/patternProperties/^{a}~1.*$", None),
            ("literal-braces", "/properties/version/pattern", None),
        ]
    );
    let compiled = Schema::compile(&schema, None, &Limits::default()).unwrap();
    assert!(compiled.is_valid(&json!({"{a}/x": 1, "{b}": 1, "version": "a{major_version}", "same": 2})));
    let explanation =
        compiled.explain(&json!({"{a}/x": "1", "version": "a", "same": "2"}), "/payload", &Limits::default());
    let places: Vec<_> =
        explanation.errors.iter().map(|item| (item.pointer.as_str(), item.schema_pointer.as_deref())).collect();
    assert_eq!(
        places,
        [
            ("/payload/{a}~1x", Some("/patternProperties/^{a}~1.*$/type")),
            ("/payload/version", Some("/properties/version/pattern")),
            ("/payload/same", Some("/patternProperties/^{a}~1.*$/type")),
        ]
    );
    assert!(explanation.errors[1].message.contains("^(.*{major_version}.*)$"));
}

#[test]
fn two_patterns_that_mean_the_same_are_both_kept() {
    let schema = json!({"patternProperties": {"^{a}$": {"type": "integer"}, "^\\{a\\}$": {"minimum": 3}}});
    let compiled = Schema::compile(&in_draft(DRAFT_07, schema), None, &Limits::default()).unwrap();
    assert!(compiled.is_valid(&json!({"{a}": 3})));
    assert!(!compiled.is_valid(&json!({"{a}": 2})) && !compiled.is_valid(&json!({"{a}": "x"})));
}

#[test]
fn a_pattern_beside_a_lone_reference_does_not_hinder() {
    let schema =
        json!({"definitions": {"a": {"type": "string"}}, "items": {"$ref": "#/definitions/a", "pattern": "^{x}$"}});
    assert_eq!(look(&in_draft(DRAFT_07, schema)).errors, []);
}

#[test]
fn more_faults_than_the_limit_are_counted() {
    let wrong: Vec<Value> = (0..250).map(|_| json!({"type": "strng", "mininum": 1})).collect();
    let inspection = look(&in_draft(DRAFT_07, json!({"allOf": wrong})));
    let last = inspection.errors.last().unwrap();
    assert_eq!((inspection.errors.len(), last.problem.as_str()), (101, "more-errors"));
    let faults =
        Schema::compile(&json!({"allOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]}), None, &Limits::default()).err().unwrap();
    assert_eq!(faults.iter().map(|item| item.pointer.as_str()).collect::<Vec<_>>(), ["/allOf/0/$ref", "/allOf/1/$ref"]);
}

#[test]
fn the_cache_compiles_a_schema_once_for_each_dialect_and_keeps_the_newest() {
    let cache = SchemaCache::new(2);
    let limits = Limits::default();
    let reference = |schema: &Value, dialect| SchemaRef { hash: content_hash(schema), dialect };
    let get = |schema: &Value, dialect| cache.get(&reference(schema, dialect), schema, &limits).unwrap();
    let schema = json!({"format": "date"});
    let first = get(&schema, Dialect::Draft07);
    assert!(Arc::ptr_eq(&first, &get(&schema, Dialect::Draft07)));
    let other = get(&schema, Dialect::Draft202012);
    assert!(!first.is_valid(&json!("x")) && other.is_valid(&json!("x")));
    get(&json!({}), Dialect::Draft07);
    assert!(Arc::ptr_eq(&first, &get(&schema, Dialect::Draft07)), "what somebody holds is not compiled again");
    assert_eq!(cache.compiled(), 3, "two are kept, and one is held");
    drop((first, other));
    assert_eq!(cache.compiled(), 2, "the oldest was dropped");
    let broken = json!({"type": 1});
    assert_eq!(cache.get(&reference(&broken, Dialect::Draft07), &broken, &limits).err().unwrap()[0].pointer, "/type");
}
