//! The publish gate: all problems at once, each at its place; nothing stored.

use crate::given::{a_registry, requiring};
use serde_json::{Value, json};

fn at(problem: &str, pointer: &str) -> (String, String) {
    (problem.to_owned(), pointer.to_owned())
}

fn one_variant(variant: Value) -> Value {
    let mut variant = variant;
    variant["name"] = "default".into();
    json!({"description": "x", "variants": [variant]})
}

#[tokio::test]
async fn faults_of_shape_and_of_schemas_are_named_together() {
    let given = a_registry();
    let definition = json!({"description": "x", "validaton": "warn", "variants": [
        {"name": "a", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"p": {"$ref": "#/definitions/gone"}}}}]});
    let refusals = given.refusals(&definition).await;
    assert!(refusals.contains(&at("unknown-field", "/validaton")), "{refusals:?}");
    assert!(
        refusals.iter().any(|(_, pointer)| pointer == "/variants/0/payloadSchema/properties/p/$ref"),
        "{refusals:?}"
    );
    assert!(given.registry.snapshot().worker_types.is_empty());
}

#[tokio::test]
async fn every_schema_of_a_variant_is_looked_at_whether_or_not_the_rest_can_be_read() {
    let given = a_registry();
    let wrong = json!({"type": "objekt"});
    let variant = json!({"appliesWhen": wrong, "taskSchema": wrong, "payloadSchema": wrong,
        "constraints": {"taskSchema": wrong, "payloadSchema": wrong}});
    let places = ["appliesWhen", "taskSchema", "payloadSchema", "constraints/taskSchema", "constraints/payloadSchema"];
    for beside in ["description", "unknown"] {
        let mut definition = one_variant(variant.clone());
        definition[beside] = "x".into();
        let refusals = given.refusals(&definition).await;
        for place in places {
            let pointer = format!("/variants/0/{place}/type");
            assert!(refusals.iter().any(|(_, at)| *at == pointer), "{place} beside {beside}: {refusals:?}");
        }
    }
}

#[tokio::test]
async fn examples_must_keep_what_they_promise() {
    let given = a_registry();
    let mut variant = requiring("a")["variants"][0].clone();
    variant["examples"] = json!([
        {"title": "fine", "payload": {"a": 1}}, {"title": "lacks a", "payload": {}}, {"title": "fine after all", "payload": {"a": 1}, "valid": false},
        {"title": "as a task", "task": {"payload": {"a": 1}}}, {"title": "no task", "task": [], "valid": false},
    ]);
    let refusals = given.refusals(&one_variant(variant)).await;
    assert_eq!(
        refusals,
        [
            at("example-rejected", "/variants/0/examples/1/payload"),
            at("example-accepted", "/variants/0/examples/2"),
            at("wrong-type", "/variants/0/examples/4/task"),
        ]
    );
}

#[tokio::test]
async fn references_to_releases_are_followed_and_misspelt_ones_get_a_suggestion() {
    let given = a_registry();
    given.release("native-worker@3.1.0", &json!({
        "configurationSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["maxTaskRunTime"], "properties": {"maxTaskRunTime": {"type": "integer"}}},
        "variants": [
            {"name": "posix", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["command"]},
             "constraints": {"rules": [{"rule": "atMost", "path": "/payload/maxRunTime", "limit": {"from": "/configuration/maxTaskRunTime"}}]}},
            {"name": "windows", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["script"]}}],
    })).await;
    let unknown = given
        .publish("p/w", &one_variant(json!({"release": "native-worker@3.1.1"})), crate::given::ANY)
        .await
        .unwrap_err();
    let registry::WriteError::InvalidDefinition(report) = unknown else { panic!("{unknown}") };
    assert_eq!(report.errors[0].suggestion.as_deref(), Some("native-worker@3.1.0"));
    let refusals = given.refusals(&one_variant(json!({"release": "native-worker@3.1.0", "releaseVariant": "posxi", "configuration": {"maxTaskRunTime": 5}}))).await;
    assert_eq!(refusals, [at("unknown-release-variant", "/variants/0/releaseVariant")]);
    let refusals =
        given.refusals(&one_variant(json!({"release": "native-worker@3.1.0", "releaseVariant": "windows"}))).await;
    assert_eq!(refusals, [at("configuration", "/variants/0/configuration")]);
    let from_pool = json!({"description": "x", "pool": {"providerId": "static", "config": {"limits": {"run": 60}}}, "variants": [
        {"name": "default", "release": "native-worker@3.1.0", "releaseVariant": "posix", "configuration": {"maxTaskRunTime": {"from": "/pool/config/limits/run"}},
         "examples": [{"title": "long", "payload": {"command": [], "maxRunTime": 61}, "valid": false}, {"title": "short", "payload": {"command": [], "maxRunTime": 60}}]}]});
    given.published("p/w", &from_pool).await;
    let mut nowhere = from_pool.clone();
    nowhere["variants"][0]["configuration"]["maxTaskRunTime"] = json!({"from": "/pool/config/limits/walk"});
    assert_eq!(
        given.refusals(&nowhere).await,
        [
            at("unresolved-reference", "/variants/0/configuration/maxTaskRunTime/from"),
            at("unresolved-reference", "/variants/0/release")
        ]
    );
}

#[tokio::test]
async fn all_variants_of_a_release_stand_in_for_one_that_names_none() {
    let given = a_registry();
    given.release("w@1", &json!({"variants": [{"name": "a", "payloadSchema": {"required": ["a"]}}, {"name": "b", "payloadSchema": {"required": ["b"]}}]})).await;
    given.published("p/w", &one_variant(json!({"release": "w@1"}))).await;
    let live = given.registry.live(&crate::given::id("p/w")).unwrap();
    let names: Vec<_> = live.validation.revisions[0].variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["default/a", "default/b"]);
    let users = given.registry.used_by(&"w@1".parse().unwrap(), 10, None).unwrap();
    let ids: Vec<_> = users.worker_types.iter().map(|live| live.record.id.as_str()).collect();
    assert_eq!((ids, users.continuation), (vec!["p/w"], None));
}

#[tokio::test]
async fn a_release_is_immutable_and_its_examples_are_checked() {
    let given = a_registry();
    given.release("w@1", &json!({"variants": [{"name": "a"}]})).await;
    given.release("w@1", &json!({"variants": [{"name": "a"}]})).await;
    let context = || crate::given::context(None);
    let other = given
        .registry
        .publish_release("w@1".parse().unwrap(), json!({"variants": [{"name": "b"}]}), false, context())
        .await;
    assert!(matches!(other, Err(registry::WriteError::ReleaseExists(_))));
    let bad = json!({"variants": [{"name": "a", "payloadSchema": {"required": ["a"]}, "examples": [{"title": "empty", "payload": {}}]}]});
    let refused = given.registry.publish_release("w@2".parse().unwrap(), bad, false, context()).await;
    let Err(registry::WriteError::InvalidRelease(report)) = refused else { panic!("{refused:?}") };
    assert_eq!(report.errors[0].pointer, "/variants/0/examples/0/payload");
}

#[tokio::test]
async fn a_definition_has_a_limit_in_bytes() {
    let given = a_registry();
    let of_size = |bytes: usize| json!({"description": "x", "variants": [{"name": "a", "payloadSchema": {"enum": ["x".repeat(bytes)]}}]});
    let overhead = worker_types::canonical_json(&of_size(0)).len();
    given.published("p/w", &of_size((1 << 20) - overhead)).await;
    assert_eq!(given.refusals(&of_size((1 << 20) - overhead + 1)).await, [at("too-large", "")]);
}

#[tokio::test]
async fn documentation_that_shows_nothing_is_remarked() {
    let given = a_registry();
    let definition = json!({"description": "x", "documentation": "{{configuration.none}}"});
    let body = crate::given::body(&given.published("p/w", &definition).await);
    assert_eq!(body["warnings"][0]["problem"], "empty-placeholder");
}

#[tokio::test]
async fn a_fault_in_one_variant_hides_none_of_another() {
    let given = a_registry();
    let definition = json!({"description": "x", "owner": 3, "variants": [
        {"name": "a", "release": "none@1"},
        {"name": "b", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "strng"}, "examples": [{"title": "not asked", "payload": {}}]},
        {"name": "c", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["a"]}, "examples": [{"title": "wrong", "payload": {}}]},
        {"name": "d", "constraints": {"rules": [{"rule": "atMost", "path": "/payload/n", "limit": {"from": "/configuration/none"}}]}}]});
    let mut refusals = given.refusals(&definition).await;
    refusals.sort_by(|(_, left), (_, right)| left.cmp(right));
    let pointers: Vec<&str> = refusals.iter().map(|(_, pointer)| pointer.as_str()).collect();
    assert_eq!(
        pointers,
        [
            "/owner",
            "/variants/0/release",
            "/variants/1/payloadSchema/type",
            "/variants/2/examples/0/payload",
            "/variants/3/constraints/rules/0/limit/from"
        ]
    );
}
