//! An upgraded schema says the same: over the public suite, over real schemas with their payloads, and for generated
//! ones; and back again where the older draft can say it.

use crate::shared;
use payload_schema::{Limits, Refused, Schema, Surroundings, Target, rewrite_schema, upgrade};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use worker_types::Dialect;

const DRAFTS: [(&str, Dialect); 5] = [
    ("draft4", Dialect::Draft04),
    ("draft6", Dialect::Draft06),
    ("draft7", Dialect::Draft07),
    ("draft2019-09", Dialect::Draft201909),
    ("draft2020-12", Dialect::Draft202012),
];

/// Groups of the suite whose schemas are refused, with what the refusal names.
const REFUSED: &[(&str, &str)] = &[
    ("draft2019-09/defs.json: validate definition against metaschema", "$recursiveRef"),
    ("draft2019-09/recursiveRef.json: $recursiveRef with nesting", "$recursiveRef"),
    ("draft2019-09/recursiveRef.json: multiple dynamic paths to the $recursiveRef keyword", "$recursiveRef"),
    (
        "draft2019-09/recursiveRef.json: dynamic $recursiveRef destination (not predictable at schema compile time)",
        "$recursiveRef",
    ),
    ("draft2019-09/ref.json: remote ref, containing refs itself", "$recursiveRef"),
    ("draft2019-09/unevaluatedItems.json: unevaluatedItems with $recursiveRef", "$recursiveRef"),
    ("draft2019-09/unevaluatedProperties.json: unevaluatedProperties with $recursiveRef", "$recursiveRef"),
    (
        "draft2019-09/vocabulary.json: schema that uses custom metaschema with with no validation vocabulary",
        "own metaschema",
    ),
    ("draft2019-09/vocabulary.json: ignore unrecognized optional vocabulary", "own metaschema"),
];

/// Keywords of later drafts for which draft-07 has no words.
const NOT_IN_DRAFT_07: &[&str] = &[
    "$dynamicRef",
    "$recursiveRef",
    "maxContains",
    "minContains",
    "own metaschema",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// The one format that means something else in a later draft: since draft-07 a label with hyphens at its third and fourth
/// place must be an internationalised one.
const OTHER_FORMATS: &[&str] = &["draft4/hostname.json", "draft6/hostname.json"];

/// What was found over the suite.
#[derive(Default)]
struct Found {
    tests: usize,
    refused_tests: usize,
    refused: Vec<(String, String)>,
    wrong: Vec<String>,
}

/// Rewrites every schema of the required tests and holds the suite's values against the result.
fn over_the_suite(suite: &Path, drafts: &[(&str, Dialect)], target: Target) -> Found {
    over_files(suite, drafts, target, &|folder| {
        shared::json_files(folder).into_iter().filter(|file| file.parent() == Some(folder)).collect()
    })
}

/// As [`over_the_suite`], for the files of each draft's folder that `pick` names.
fn over_files(suite: &Path, drafts: &[(&str, Dialect)], target: Target, pick: &dyn Fn(&Path) -> Vec<PathBuf>) -> Found {
    let documents: HashMap<String, Value> = crate::suite::remotes(&suite.join("remotes"));
    let limits = Limits::default();
    let mut found = Found::default();
    for (draft, dialect) in drafts {
        let folder = suite.join("tests").join(draft);
        for path in pick(&folder) {
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            // Where the suite asserts no format, the reader of the result does not either.
            let optional = path.components().any(|part| part.as_os_str() == "optional");
            let assert_formats =
                if optional { None } else { crate::suite::asserted_by_required_tests(&path, *dialect) };
            for group in shared::json(&path).as_array().unwrap() {
                let name = format!("{draft}/{file}: {}", group["description"].as_str().unwrap());
                let tests = group["tests"].as_array().unwrap();
                found.tests += tests.len();
                let surroundings = Surroundings { documents: Some(&documents), assert_formats };
                let written = match rewrite_schema(&group["schema"], Some(*dialect), target, &limits, surroundings) {
                    Ok(written) => written,
                    Err(refused) => {
                        found.refused_tests += tests.len();
                        found.refused.push((name, reason(&refused)));
                        continue;
                    }
                };
                assert_eq!(written["$schema"], metaschema(target), "{name}");
                let alone = Surroundings { documents: None, assert_formats: assert_formats.or(Some(true)) };
                match Schema::compile_with(&written, None, &limits, alone) {
                    Ok(compiled) => found.wrong.extend(
                        tests
                            .iter()
                            .filter(|test| compiled.is_valid(&test["data"]) != test["valid"].as_bool().unwrap())
                            .map(|test| {
                                format!("{name}: {}: {} became {written}", test["description"], group["schema"])
                            }),
                    ),
                    Err(faults) => found.wrong.push(format!("{name}: {faults:?} in {written}")),
                }
            }
        }
    }
    found
}

fn metaschema(target: Target) -> &'static str {
    match target {
        Target::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        Target::Draft07 => "http://json-schema.org/draft-07/schema#",
    }
}

fn reason(refused: &Refused) -> String {
    match refused {
        Refused::Faulty(faults) => faults[0].problem.clone(),
        Refused::OwnMetaschema => "own metaschema".to_owned(),
        Refused::Inexpressible { keyword, .. } => (*keyword).to_owned(),
    }
}

#[test]
fn the_suite_of_every_older_draft_gives_the_same_verdicts_after_an_upgrade() {
    let Some(suite) = shared::folder("data/json-schema-test-suite") else { return };
    let found = over_the_suite(&suite, &DRAFTS[..4], Target::Draft202012);
    println!("{} tests, {} of them refused: {:#?}", found.tests, found.refused_tests, found.refused);
    assert!(found.wrong.is_empty(), "{} wrong: {:#?}", found.wrong.len(), &found.wrong[..found.wrong.len().min(20)]);
    let refused: Vec<_> = found.refused.iter().map(|(name, reason)| (name.as_str(), reason.as_str())).collect();
    assert_eq!(refused, REFUSED);
    assert!(found.refused_tests * 50 <= found.tests, "{} of {}", found.refused_tests, found.tests);
    assert!(found.tests >= 3_600, "only {} tests", found.tests);
}

#[test]
fn formats_mean_the_same_in_the_later_draft() {
    let Some(suite) = shared::folder("data/json-schema-test-suite") else { return };
    let formats = |folder: &Path| shared::json_files(&folder.join("optional/format"));
    let found = over_files(&suite, &DRAFTS[..3], Target::Draft202012, &formats);
    assert!(found.tests >= 1_200 && found.refused.is_empty(), "{} tests, refused {:?}", found.tests, found.refused);
    assert_eq!(found.wrong.len(), OTHER_FORMATS.len(), "{:#?}", found.wrong);
    for (wrong, known) in found.wrong.iter().zip(OTHER_FORMATS) {
        assert!(wrong.starts_with(known) && wrong.contains("hostname with consecutive hyphens"), "{wrong}");
    }
}

#[test]
fn the_suite_of_every_draft_gives_the_same_verdicts_in_draft_07_where_it_can_be_said() {
    let Some(suite) = shared::folder("data/json-schema-test-suite") else { return };
    let found = over_the_suite(&suite, &DRAFTS, Target::Draft07);
    println!("{} tests, {} of them refused", found.tests, found.refused_tests);
    assert!(found.wrong.is_empty(), "{} wrong: {:#?}", found.wrong.len(), &found.wrong[..found.wrong.len().min(20)]);
    let reasons: BTreeSet<_> = found.refused.iter().map(|(_, reason)| reason.as_str()).collect();
    assert_eq!(Vec::from_iter(reasons), NOT_IN_DRAFT_07);
    let older = found.refused.iter().filter(|(name, _)| !name.starts_with("draft20")).count();
    assert_eq!(older, 0, "what the drafts up to draft-07 say can be said there");
}

#[test]
fn real_payloads_and_tasks_keep_their_verdict() {
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let index = shared::json(&folder.join("INDEX.json"));
    let limits = Limits::default();
    let asserted = Surroundings { documents: None, assert_formats: Some(true) };
    let mut schemas = BTreeMap::new();
    let mut count = 0;
    for entry in index["files"].as_array().unwrap().iter().filter(|entry| entry["verdict"].is_string()) {
        let (file, path) = (entry["file"].as_str().unwrap(), entry["schema"].as_str().unwrap());
        let compiled = schemas.entry(path).or_insert_with(|| {
            let schema = shared::json(&folder.join(path));
            [Target::Draft202012, Target::Draft07].map(|target| {
                let written = rewrite_schema(&schema, None, target, &limits, Surroundings::default());
                Schema::compile_with(&written.unwrap(), None, &limits, asserted).unwrap()
            })
        });
        let value = shared::json(&folder.join(file));
        for schema in compiled {
            assert_eq!(schema.is_valid(&value), entry["verdict"] == "valid", "{file} in {}", schema.dialect());
        }
        count += 1;
    }
    assert_eq!(count, 288);
}

#[test]
fn every_real_schema_and_every_revision_of_it_is_upgraded_and_keeps_its_documentation() {
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let limits = Limits::default();
    for file in ["payload-schemas", "history"].iter().flat_map(|name| shared::json_files(&folder.join(name))) {
        let schema = shared::json(&file);
        let upgraded =
            upgrade(&schema, None, &limits).unwrap_or_else(|refused| panic!("{}: {refused}", file.display()));
        assert!(Schema::compile(&upgraded, None, &limits).is_ok(), "{}", file.display());
        let described = |name: &str, value: &Value| value.pointer(&format!("/properties/{name}/description")).cloned();
        for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
            assert_eq!(described(name, &upgraded), described(name, &schema), "{name} of {}", file.display());
        }
        // Nothing is left to add: an upgraded schema is its own upgrade, but for formats, which are annotations there.
        let again = upgrade(&upgraded, None, &limits).unwrap();
        assert_eq!(
            again["properties"].as_object().map(|all| all.len()),
            upgraded["properties"].as_object().map(|all| all.len())
        );
    }
}

fn upgraded(schema: Value, dialect: Dialect) -> Value {
    upgrade(&schema, Some(dialect), &Limits::default()).unwrap()
}

#[test]
fn properties_keep_their_authors_order() {
    let nested = json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {}}});
    let written = upgraded(json!({"properties": {"zone": nested, "image": {}, "area": true}}), Dialect::Draft07);
    let names = |schema: &Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&written), ["zone", "image", "area"]);
    assert_eq!(names(&written["properties"]["zone"]), ["b", "a"]);
}

#[test]
fn what_a_draft_does_not_know_does_not_wake_up() {
    let sleeping = json!({
        "if": true, "then": false, "const": 1, "dependentRequired": {"a": ["b"]}, "prefixItems": [false], "contains": false,
        "unevaluatedProperties": false, "propertyNames": false, "minContains": 2, "$ref": "#/definitions/a",
        "definitions": {"a": {"dependentSchemas": {"a": false}, "$dynamicRef": "#", "unevaluatedItems": false}},
    });
    for dialect in [Dialect::Draft04, Dialect::Draft06, Dialect::Draft07] {
        let written = upgraded(sleeping.clone(), dialect);
        assert_eq!(written["$ref"], "#/$defs/a", "{dialect}");
        assert_eq!(written["$defs"], json!({"a": {}}), "{dialect}");
        assert_eq!(written.as_object().unwrap().len(), 3, "{written}");
    }
}

#[test]
fn a_format_stays_only_where_its_draft_asserts_it() {
    let formats = |dialect| {
        let written = upgraded(json!({"items": [{"format": "date-time"}, {"format": "uuid"}]}), dialect);
        written["prefixItems"].as_array().into_iter().flatten().map(|item| item["format"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(formats(Dialect::Draft07), [json!("date-time"), Value::Null], "draft-07 does not know uuid");
    assert_eq!(formats(Dialect::Draft201909), [Value::Null, Value::Null], "2019-09 describes only");
    let written = upgraded(json!({"format": "uuid", "$comment": "An id."}), Dialect::Draft201909);
    assert_eq!(written["$comment"], "An id. Of the format uuid, which is not checked.");
}

#[test]
fn identifiers_go_and_references_follow_their_targets() {
    let written = upgraded(
        json!({
            "$id": "/schemas/a.json#", "$schema": "/schemas/common/metaschema.json#",
            "properties": {"a": {"$ref": "b.json#name"}, "b": {"$ref": "#/definitions/odd~1name"}, "self": {"$ref": "a.json"}},
            "definitions": {"x": {"$id": "b.json", "items": {"$id": "#name", "type": "null"}}, "odd/name": {"type": "string"}},
        }),
        Dialect::Draft07,
    );
    assert_eq!(
        written,
        json!({
            "$schema": metaschema(Target::Draft202012),
            "properties": {"a": {"$ref": "#/$defs/items"}, "b": {"$ref": "#/$defs/odd-name"}, "self": {"$ref": "#"}},
            "$defs": {"items": {"type": "null"}, "odd-name": {"type": "string"}},
        })
    );
}

#[test]
fn what_draft_07_cannot_say_is_named_with_its_place() {
    let schema = json!({"properties": {"a": {"anyOf": [{"required": ["b"]}], "unevaluatedProperties": false}}});
    let downgrade = |schema: &Value| {
        let (dialect, limits) = (Some(Dialect::Draft202012), Limits::default());
        rewrite_schema(schema, dialect, Target::Draft07, &limits, Surroundings::default())
    };
    let refused = downgrade(&schema).unwrap_err().to_string();
    assert_eq!(
        refused,
        "unevaluatedProperties at /properties/a cannot be said in draft-07: that draft has no keyword that looks into \
         the schemas beside it"
    );
    let plain = json!({"properties": {"a": {"$ref": "#/$defs/x", "minimum": 1}}, "unevaluatedProperties": false,
        "prefixItems": [{"type": "null"}], "items": false, "dependentRequired": {"a": ["b"]}, "$defs": {"x": {"type": "integer"}}});
    assert_eq!(
        downgrade(&plain).unwrap(),
        json!({
            "$schema": metaschema(Target::Draft07),
            "properties": {"a": {"minimum": 1, "allOf": [{"$ref": "#/definitions/x"}]}}, "additionalProperties": false,
            "items": [{"type": "null"}], "additionalItems": false, "dependencies": {"a": ["b"]},
            "definitions": {"x": {"type": "integer"}},
        })
    );
}
