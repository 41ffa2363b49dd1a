//! What an effective schema looks like, and what it says in words.

use super::given::{FORMS, bundle, payload_schema, read, task, task_schema};
use payload_schema::{
    EffectiveError, Form, Limits, Refused, Strictness, Target, effective_payload_schema, effective_task_schema,
};
use serde_json::json;

const LATEST: Target = Target::Draft202012;

#[test]
fn what_a_schema_cannot_say_is_said_in_words() {
    let rules = json!([
        {"rule": "atMost", "path": "/payload/maxRunTime", "limit": 3600},
        {"rule": "notAfter", "path": "/payload/artifacts/*/expires", "other": "/expires"},
    ]);
    let bundle = bundle("p/w", None, &[json!({"variants": [{"constraints": [{"rules": rules}]}]})]);
    let document = payload_schema(&bundle, LATEST);
    assert_eq!(
        document["description"],
        "Checked by the service, not by this schema: task.payload.artifacts.*.expires must not be after task.expires."
    );
    let schema = read(&document);
    assert!(schema.is_valid(&json!({"maxRunTime": 3600})) && !schema.is_valid(&json!({"maxRunTime": 3601})));
}

#[test]
fn a_retired_worker_type_accepts_nothing_and_says_what_replaces_it() {
    let lifecycle = json!({"state": "retired", "replacedBy": "p/new"});
    let bundle = bundle("p/w", None, &[json!({"lifecycle": lifecycle, "variants": [{"payloadSchema": {}}]})]);
    let document = payload_schema(&bundle, LATEST);
    assert!(!read(&document).is_valid(&json!({})));
    assert_eq!(document["allOf"][0]["errorMessage"], "the worker type p/w is retired; use p/new instead");
}

#[test]
fn a_deprecated_worker_type_is_marked() {
    let lifecycle = json!({"state": "deprecated", "message": "old kernel", "replacedBy": "p/new"});
    let bundle = bundle("p/w", None, &[json!({"lifecycle": lifecycle, "variants": [{"payloadSchema": {}}]})]);
    let branch = &task_schema(&[bundle], Form::OneOf, LATEST)["allOf"][1]["oneOf"][0];
    assert_eq!(branch["deprecated"], true);
    assert_eq!(branch["description"], "The worker type p/w is deprecated: old kernel; use p/new instead.");
}

#[test]
fn worker_types_of_one_release_share_its_definitions() {
    let payload = json!({"properties": {"a": {"$ref": "#/definitions/a"}}, "definitions": {"a": {"type": "null"}}, "$id": "https://example.com/same"});
    let on_task = json!({"required": ["scopes"], "properties": {"scopes": {"minItems": 1}}});
    let variants =
        json!([{"name": "posix", "release": "native@3.1.0", "payloadSchema": payload, "taskSchema": on_task}]);
    let other = json!({"$id": "https://example.com/same", "required": ["b"]});
    let bundles = [
        bundle("p/a", None, &[json!({"variants": variants})]),
        bundle("p/b", None, &[json!({"variants": variants})]),
        bundle("p/c", None, &[json!({"variants": [{"payloadSchema": other}]})]),
    ];
    let document = task_schema(&bundles, Form::OneOf, LATEST);
    let names: Vec<_> = document["$defs"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "createTask",
            "createTask.taskId",
            "native@3.1.0.posix",
            "native@3.1.0.posix.a",
            "native@3.1.0.posix-2",
            "p-c"
        ]
    );
    assert!(!document.to_string().contains("example.com/same"), "identifiers would collide");
    // The queue fills in an empty list of scopes, which the schema refuses: so they have to be written.
    assert_eq!(document["$defs"]["native@3.1.0.posix-2"]["required"], json!(["scopes"]));
}

#[test]
fn a_schema_on_the_names_of_a_worker_type_is_not_shared() {
    let on_task = json!({"properties": {"workerType": {"const": "a"}}});
    let bundles = ["p/a", "p/b"].map(|id| bundle(id, None, &[json!({"variants": [{"taskSchema": on_task}]})]));
    for form in FORMS {
        let schema = read(&task_schema(&bundles, form, LATEST));
        assert!(schema.is_valid(&task(json!({"taskQueueId": "p/a"}))));
        assert!(!schema.is_valid(&task(json!({"taskQueueId": "p/b"}))));
    }
}

#[test]
fn a_task_for_an_unknown_queue_is_held_against_the_queues_own_rules() {
    for form in FORMS {
        let schema = read(&task_schema(
            &[bundle("p/w", None, &[json!({"variants": [{"payloadSchema": false}]})])],
            form,
            LATEST,
        ));
        assert!(schema.is_valid(&task(json!({"taskQueueId": "p/unknown"}))));
        assert!(!schema.is_valid(&task(json!({"taskQueueId": "p/unknown", "retries": 50}))));
        assert!(!schema.is_valid(&task(json!({"taskQueueId": "p/w"}))));
        assert!(!schema.is_valid(&task(json!({}))), "it names no queue");
    }
}

#[test]
fn what_the_older_draft_cannot_say_is_refused_with_the_variant() {
    let payload = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"contains": {}, "minContains": 2}}});
    let bundle = bundle("p/w", None, &[json!({"variants": [{"name": "posix", "payloadSchema": payload}]})]);
    let refused = effective_payload_schema(&bundle, Target::Draft07, &Limits::default()).unwrap_err();
    let EffectiveError::Refused { variant, source: Refused::Inexpressible { keyword, pointer, .. }, .. } = &refused
    else {
        panic!("{refused}")
    };
    assert_eq!((variant.as_str(), *keyword, pointer.as_str()), ("posix", "minContains", "/properties/a"));
}

#[test]
fn among_many_worker_types_the_one_that_cannot_be_said_is_left_free_and_leaves_nothing_behind() {
    let modern = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "required": ["b"],
        "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/b"}},
        "$defs": {"a": {"minContains": 2, "contains": {}}, "b": {"type": "integer"}},
    });
    let bundles = [
        bundle("p/modern", None, &[json!({"variants": [{"payloadSchema": modern}]})]),
        bundle("p/plain", None, &[json!({"variants": [{"payloadSchema": {"required": ["x"]}}]})]),
    ];
    let bundles = bundles.iter().map(|bundle| &**bundle);
    let document =
        effective_task_schema(bundles, Form::OneOf, Target::Draft07, Strictness::LeaveFree, &Limits::default())
            .unwrap();
    let names: Vec<_> = document["definitions"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["createTask", "createTask.taskId", "p-plain"]);
    let said = document["allOf"][1]["oneOf"][0]["description"].as_str().unwrap();
    assert!(said.contains("minContains at /$defs/a cannot be said in draft-07"), "{said}");
    let schema = read(&document);
    assert!(schema.is_valid(&task(json!({"taskQueueId": "p/modern"}))));
    assert!(!schema.is_valid(&task(json!({"taskQueueId": "p/plain"}))));
}
