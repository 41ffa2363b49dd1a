//! The rules on times, scopes and dependencies, with the bounds of Taskcluster's queue.

use crate::new_task::NewTask;
use crate::testing::{NOW, at, definition, minutes, new_task, task_id};
use serde_json::{Value, json};
use worker_types::Task;

fn refused(fields: Value) -> Option<(String, String)> {
    let broken = new_task(fields).check_times(at(NOW)).err()?;
    Some((broken.errors[0].pointer.clone(), broken.message))
}

#[test]
fn created_may_be_off_by_a_quarter_of_an_hour() {
    assert_eq!(refused(json!({"created": minutes(-15)})), None);
    assert_eq!(refused(json!({"created": minutes(15)})), None);
    let past = refused(json!({"created": "2027-01-02T11:44:59.999Z"})).unwrap();
    assert_eq!(past, ("/created".to_owned(), "`created` cannot be in the past (max 15min drift)".to_owned()));
    let future = refused(json!({"created": "2027-01-02T12:15:00.001Z"})).unwrap();
    assert_eq!(future, ("/created".to_owned(), "`created` cannot be in the future (max 15min drift)".to_owned()));
}

#[test]
fn a_deadline_is_not_before_creation_nor_past_nor_more_than_five_days_away() {
    assert_eq!(refused(json!({"deadline": NOW})), None);
    let before = refused(json!({"created": minutes(10), "deadline": minutes(9)})).unwrap();
    assert_eq!(before, ("/deadline".to_owned(), "`deadline` cannot be before `created`".to_owned()));
    let past = refused(json!({"created": minutes(-10), "deadline": minutes(-5)})).unwrap();
    assert_eq!(past, ("/deadline".to_owned(), "`deadline` cannot be in the past".to_owned()));
    let five_days = 5 * 24 * 60;
    assert_eq!(refused(json!({"deadline": minutes(five_days + 15)})), None);
    let far = refused(json!({"deadline": minutes(five_days + 16)})).unwrap();
    assert_eq!(far, ("/deadline".to_owned(), "`deadline` cannot be more than 5 days into the future".to_owned()));
}

#[test]
fn a_task_expires_at_its_deadline_or_later() {
    assert_eq!(refused(json!({"expires": minutes(60)})), None);
    let early = refused(json!({"expires": minutes(59)})).unwrap();
    assert_eq!(early, ("/expires".to_owned(), "`expires` cannot be before `deadline`".to_owned()));
}

#[test]
fn defaults_are_those_of_the_contract() {
    let id = task_id();
    let task = NewTask::read(id.clone(), &Task::normalised(definition()).unwrap()).unwrap();
    let mut expected = definition();
    expected.as_object_mut().unwrap().extend(
        json!({
            "provisionerId": "proj-a", "workerType": "linux", "schedulerId": "-", "projectId": "none", "priority": "lowest",
            "retries": 5, "requires": "all-completed", "dependencies": [], "routes": [], "scopes": [], "tags": {}, "extra": {},
            "taskGroupId": id.as_str(), "expires": "2028-01-02T13:00:00.000Z",
        })
        .as_object()
        .unwrap()
        .clone(),
    );
    assert_eq!(Value::Object(task.definition), expected);
}

#[test]
fn a_request_that_spells_the_same_otherwise_is_the_same() {
    let hash = |fields: Value| {
        let mut definition = definition();
        definition.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let id = "fN1SbArXTPSVFNUvaOlinQ".parse().unwrap();
        NewTask::read(id, &Task::normalised(definition).unwrap()).unwrap().hash
    };
    let plain = hash(json!({}));
    for same in [
        json!({"created": "2027-01-02T12:00:00Z"}),
        json!({"created": "2027-01-02T13:00:00.0004+01:00"}),
        json!({"retries": 5.0, "projectId": "none", "tags": {}}),
        json!({"taskGroupId": "fN1SbArXTPSVFNUvaOlinQ", "expires": "2028-01-02T13:00:00Z"}),
        json!({"provisionerId": "proj-a", "workerType": "linux"}),
    ] {
        assert_eq!(hash(same.clone()), plain, "{same}");
    }
    for other in [
        json!({"created": "2027-01-02T12:00:00.001Z"}),
        json!({"payload": {"command": ["false"]}}),
        json!({"payload": {"command": ["true"], "n": 9_007_199_254_740_993_u64}}),
        json!({"retries": 4}),
    ] {
        assert_ne!(hash(other.clone()), plain, "{other}");
    }
}

#[test]
fn scopes_end_in_one_star_at_most() {
    assert!(new_task(json!({"scopes": ["a:*", "*", "b:**c"]})).check_scopes().is_ok());
    let broken = new_task(json!({"scopes": ["a:*", "b:**", "**"]})).check_scopes().unwrap_err();
    assert_eq!(broken.message, "scopes must not end with `**`");
    let places: Vec<_> = broken.errors.iter().map(|item| item.pointer.as_str()).collect();
    assert_eq!(places, ["/scopes/1", "/scopes/2"]);
}

#[test]
fn an_operator_may_allow_fewer_dependencies() {
    let ids: Vec<String> = (0..3).map(|_| task_id().to_string()).collect();
    let task = new_task(json!({ "dependencies": ids }));
    assert!(task.check_dependency_count(3).is_ok());
    let broken = task.check_dependency_count(2).unwrap_err();
    assert_eq!(broken.message, "task.dependencies has 3 entries; this queue's limit is 2");
}
