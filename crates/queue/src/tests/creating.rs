//! What is created, what is refused, and what happens when the same task is created twice, also at the same time.

use crate::testing::{Given, NOW, definition, definition_with, minutes, on_each_database, task_id};
use crate::{QueueError, State};
use serde_json::{Value, json};
use std::sync::Arc;
use worker_types::{Caller, TaskId};

on_each_database!(
    a_task_is_there_with_its_defaults_and_its_first_run,
    a_task_survives_its_server,
    the_same_request_again_is_answered_as_the_first_was,
    another_definition_under_the_same_id_is_a_conflict,
    a_task_that_waits_for_others_is_unscheduled,
    dependencies_must_exist_and_outlive_the_deadline,
    a_task_group_has_one_scheduler,
    names_that_disagree_are_refused,
    rules_are_asked_in_the_order_of_the_contract,
    equal_requests_at_the_same_time_make_one_task,
    different_requests_at_the_same_time_make_one_task_and_conflicts,
    many_tasks_join_one_group_at_the_same_time,
);

/// The message of a request that a rule refuses, with the places.
fn broken(error: QueueError) -> (String, Vec<String>) {
    let QueueError::Refused(rule) = error else { panic!("{error:?}") };
    (rule.message, rule.errors.into_iter().map(|item| item.pointer).collect())
}

async fn a_task_is_there_with_its_defaults_and_its_first_run(given: Given) {
    let id = task_id();
    let created = given.create(&id, definition_with(json!({"priority": "high", "projectId": "p"}))).await.unwrap();
    let expected = json!({
        "taskId": id.as_str(), "provisionerId": "proj-a", "workerType": "linux", "taskQueueId": "proj-a/linux", "schedulerId": "-",
        "projectId": "p", "taskGroupId": id.as_str(), "deadline": minutes(60), "expires": "2028-01-02T13:00:00.000Z", "retriesLeft": 5,
        "state": "pending", "runs": [{"runId": 0, "state": "pending", "reasonCreated": "scheduled", "scheduled": NOW}],
    });
    assert_eq!(serde_json::to_value(&created.status).unwrap(), expected);
    assert_eq!(given.queue.status(id.clone()).await.unwrap(), created.status);
    let definition = given.queue.definition(id.clone()).await.unwrap();
    assert_eq!((&definition["priority"], &definition["requires"]), (&json!("high"), &json!("all-completed")));
    assert!(matches!(given.queue.status(task_id()).await, Err(QueueError::UnknownTask(_))));
    assert!(matches!(given.queue.definition(task_id()).await, Err(QueueError::UnknownTask(_))));
}

async fn a_task_survives_its_server(given: Given) {
    let id = task_id();
    let payload = json!({"n": 9_007_199_254_740_993_u64, "z": 1, "a": 1.50, "text": "\u{1f600} \" \\"});
    let created = given.create(&id, definition_with(json!({"payload": payload.clone()}))).await.unwrap();
    let given = given.reopened(|_| ());
    assert_eq!(given.queue.status(id.clone()).await.unwrap(), created.status);
    assert_eq!(given.queue.verdict_of(id.clone()).await.unwrap(), created.verdict);
    assert_eq!(given.queue.definition(id).await.unwrap()["payload"].to_string(), payload.to_string());
}

async fn the_same_request_again_is_answered_as_the_first_was(given: Given) {
    let id = task_id();
    let first = given.create(&id, definition()).await.unwrap();
    // Long after a new task could be created like this.
    given.pass(50);
    let spelled_otherwise = definition_with(json!({"created": "2027-01-02T13:00:00+01:00", "scopes": []}));
    assert_eq!(given.create(&id, spelled_otherwise).await.unwrap(), first);
}

async fn another_definition_under_the_same_id_is_a_conflict(given: Given) {
    let id = task_id();
    let first = given.create(&id, definition()).await.unwrap();
    let other = definition_with(json!({"payload": {}, "tags": {"a": "b"}}));
    let Err(QueueError::TaskConflict { task_id, differing }) = given.create(&id, other).await else { panic!() };
    assert_eq!((task_id, differing), (id.clone(), vec!["payload".to_owned(), "tags".to_owned()]));
    assert_eq!(given.queue.status(id.clone()).await.unwrap(), first.status);
    assert_eq!(given.queue.definition(id).await.unwrap()["payload"], definition()["payload"]);
}

async fn a_task_that_waits_for_others_is_unscheduled(given: Given) {
    let (one, other) = (given.created(json!({})).await, given.created(json!({})).await);
    let id = task_id();
    let waiting = definition_with(json!({"dependencies": [one, other], "requires": "all-resolved"}));
    let created = given.create(&id, waiting).await.unwrap();
    assert_eq!((created.status.state, created.status.runs.len()), (State::Unscheduled, 0));
    let id = task_id();
    let by_hand = given.create(&id, definition_with(json!({"dependencies": [id]}))).await.unwrap();
    assert_eq!(by_hand.status.state, State::Unscheduled);
}

async fn dependencies_must_exist_and_outlive_the_deadline(given: Given) {
    let (known, unknown) = (given.created(json!({})).await, task_id());
    let early = given.created(json!({"deadline": minutes(10), "expires": minutes(20)})).await;
    let id = task_id();
    let missing = definition_with(json!({"dependencies": [known, unknown, early]}));
    let (message, places) = broken(given.create(&id, missing).await.unwrap_err());
    assert!(message.contains("non-existing tasks") && message.contains(unknown.as_str()), "{message}");
    assert_eq!(places, ["/dependencies/1"]);
    let expiring = definition_with(json!({"dependencies": [known, early]}));
    let (message, places) = broken(given.create(&id, expiring).await.unwrap_err());
    assert!(message.contains("expire before `task.deadline`"), "{message}");
    assert_eq!(places, ["/dependencies/1"]);
    assert!(matches!(given.queue.status(id.clone()).await, Err(QueueError::UnknownTask(_))));
    // Nothing of the refused requests is in the way: neither the id nor its group.
    given.create(&id, definition_with(json!({"schedulerId": "another"}))).await.unwrap();
}

async fn a_task_group_has_one_scheduler(given: Given) {
    let group = task_id();
    given.created(json!({"taskGroupId": group, "schedulerId": "one"})).await;
    given.created(json!({"taskGroupId": group, "schedulerId": "one"})).await;
    let id = task_id();
    let other = given.create(&id, definition_with(json!({"taskGroupId": group, "schedulerId": "other"}))).await;
    let Err(QueueError::GroupConflict { task_group_id, scheduler_id }) = other else { panic!("{other:?}") };
    assert_eq!((task_group_id.as_str(), scheduler_id.as_str()), (group.as_str(), "other"));
    assert!(matches!(given.queue.status(id).await, Err(QueueError::UnknownTask(_))));
}

async fn names_that_disagree_are_refused(given: Given) {
    let names = |fields: Value| {
        let mut definition = definition_with(fields);
        if definition["taskQueueId"].is_null() {
            definition.as_object_mut().unwrap().remove("taskQueueId");
        }
        definition
    };
    for fields in [
        json!({"taskQueueId": null, "provisionerId": "proj-a", "workerType": "linux"}),
        json!({"provisionerId": "proj-a", "workerType": "linux"}),
        json!({"workerType": "linux"}),
    ] {
        given.create(&task_id(), names(fields)).await.unwrap();
    }
    let disagree = names(json!({"provisionerId": "proj-a", "workerType": "mac"}));
    let (message, places) = broken(given.create(&task_id(), disagree).await.unwrap_err());
    assert!(message.starts_with("taskQueueId must match \"provisionerId/workerType\""), "{message}");
    assert_eq!(places, ["/taskQueueId"]);
    for fields in [json!({"taskQueueId": null}), json!({"taskQueueId": null, "workerType": "linux"})] {
        let (message, _) = broken(given.create(&task_id(), names(fields)).await.unwrap_err());
        assert_eq!(message, "at least a provisionerId and a workerType or a taskQueueId must be provided");
    }
}

async fn rules_are_asked_in_the_order_of_the_contract(given: Given) {
    let given = given.reopened(|settings| settings.max_dependencies = 1);
    let id = given.created(json!({})).await;
    let mut all = definition_with(json!({
        "retries": 50, "workerType": "mac", "dependencies": [task_id(), task_id()], "created": minutes(-20), "scopes": ["a**"],
        "routes": ["r"],
    }));
    let nobody = Caller::new("nobody", []);
    let mut ask = async |mend: &str, with: Value| {
        let fails = given.queue.create_task(&nobody, id.clone(), all.clone()).await.unwrap_err();
        all[mend] = with;
        fails
    };
    assert!(matches!(ask("retries", json!(5)).await, QueueError::NotADefinition(_)));
    assert!(broken(ask("workerType", json!("linux")).await).0.starts_with("taskQueueId must match"));
    assert!(broken(ask("dependencies", json!([])).await).0.contains("this queue's limit is 1"));
    assert!(matches!(ask("unused", json!(1)).await, QueueError::MissingScopes(_)));
    all.as_object_mut().unwrap().remove("unused");
    let mut ask = async |mend: &str, with: Value| {
        let fails = given.create(&id, all.clone()).await.unwrap_err();
        all[mend] = with;
        fails
    };
    assert!(broken(ask("created", json!(NOW)).await).0.contains("cannot be in the past"));
    assert!(broken(ask("scopes", json!([])).await).0.contains("`**`"));
    assert!(matches!(ask("routes", json!([])).await, QueueError::TaskConflict { .. }));
    given.create(&id, all).await.unwrap();
}

/// Makes the requests all at once.
async fn at_once(given: Given, requests: Vec<(TaskId, Value)>) -> Vec<Result<crate::Created, QueueError>> {
    let given = Arc::new(given);
    let tasks: Vec<_> = requests
        .into_iter()
        .map(|(id, definition)| {
            let given = Arc::clone(&given);
            tokio::spawn(async move { given.create(&id, definition).await })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

async fn equal_requests_at_the_same_time_make_one_task(given: Given) {
    let id = task_id();
    let answers = at_once(given, vec![(id, definition()); 16]).await;
    let first = answers[0].as_ref().unwrap();
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap() == first));
}

async fn different_requests_at_the_same_time_make_one_task_and_conflicts(given: Given) {
    let id = task_id();
    let request = |n: usize| (id.clone(), definition_with(json!({"payload": {"n": n}, "taskGroupId": task_id()})));
    let answers = at_once(given, (0..16).map(request).collect()).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    let conflicts = answers.iter().filter(|answer| matches!(answer, Err(QueueError::TaskConflict { .. })));
    assert_eq!(conflicts.count(), 15);
}

async fn many_tasks_join_one_group_at_the_same_time(given: Given) {
    let group = task_id();
    let expires = |n: i64| definition_with(json!({"taskGroupId": group, "expires": minutes(60 + n)}));
    let answers = at_once(given, (0..16).map(|n| (task_id(), expires(n))).collect()).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
}
