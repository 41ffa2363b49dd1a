//! Which tasks are recorded for replays, what is taken out of them, and when they go; and those that wait now.

use crate::settings::Recording;
use crate::testing::{Given, definition_with, invalid, minutes, on_each_database, queue_id, task_id};
use serde_json::{Value, json};
use std::time::Duration;
use worker_types::{TaskId, ValidationMode};

on_each_database!(
    nothing_is_recorded_unless_it_is_asked_for,
    created_tasks_are_recorded_without_what_is_redacted,
    the_newest_are_kept_and_the_others_go,
    a_recording_survives_its_tasks_and_goes_when_it_is_switched_off,
    pending_tasks_are_paged,
);

fn recording(given: Given, at_most: u64) -> Given {
    given.reopened(|settings| settings.recording.at_most = at_most)
}

/// The recorded tasks, newest first, read two at a time.
async fn recorded(given: &Given) -> Vec<Value> {
    let (mut tasks, mut after) = (Vec::new(), None);
    loop {
        let page = given.queue.recorded(queue_id(), after, 2).await.unwrap();
        tasks.extend(page.tasks.iter().map(|task| serde_json::from_str::<Value>(task).unwrap()));
        match page.next {
            Some(next) => after = Some(next),
            None => return tasks,
        }
    }
}

fn numbers(tasks: &[Value]) -> Vec<i64> {
    tasks.iter().map(|task| task["payload"]["n"].as_i64().unwrap()).collect()
}

async fn nothing_is_recorded_unless_it_is_asked_for(given: Given) {
    given.created(json!({})).await;
    assert!(recorded(&given).await.is_empty());
}

async fn created_tasks_are_recorded_without_what_is_redacted(given: Given) {
    let given = recording(given, 100);
    given.created(json!({"payload": {"env": {"TOKEN": "s3cret"}, "n": 1}, "scopes": ["a:b"]})).await;
    given.pass(1);
    given.gate.says(invalid(ValidationMode::Warn));
    given.created(json!({"payload": {"n": 2}})).await;
    given.gate.says(invalid(ValidationMode::Enforce));
    given.create(&task_id(), definition_with(json!({"payload": {"n": 3}}))).await.unwrap_err();
    let tasks = recorded(&given).await;
    assert_eq!(numbers(&tasks), [2, 1], "refused tasks are none that ran");
    assert_eq!(tasks[1]["payload"], json!({"env": {"TOKEN": "redacted"}, "n": 1}));
    assert_eq!((&tasks[1]["taskQueueId"], &tasks[1]["scopes"]), (&json!("proj-a/linux"), &json!(["a:b"])));
    let read = given.queue.recorded("proj-a/other".parse().unwrap(), None, 10).await.unwrap();
    assert!(read.tasks.is_empty());
}

async fn the_newest_are_kept_and_the_others_go(given: Given) {
    let given = recording(given, 3);
    for n in 1..=5 {
        given.created(json!({"payload": {"n": n}})).await;
        given.pass(1);
    }
    given.queue.sweep().await;
    assert_eq!(numbers(&recorded(&given).await), [5, 4, 3]);
    let given = given.reopened(|settings| {
        settings.recording = Recording { kept_for: Duration::from_secs(150), ..settings.recording.clone() };
    });
    assert_eq!(numbers(&recorded(&given).await), [5, 4], "what is too old is not shown, swept or not");
    given.queue.sweep().await;
    let given = given.reopened(|settings| settings.recording.kept_for = Duration::from_secs(86_400));
    assert_eq!(numbers(&recorded(&given).await), [5, 4]);
}

async fn a_recording_survives_its_tasks_and_goes_when_it_is_switched_off(given: Given) {
    let given = recording(given, 100);
    let id = given.created(json!({"payload": {"n": 1}, "expires": minutes(61)})).await;
    given.pass(120);
    given.queue.sweep().await;
    assert!(given.queue.status(id.clone()).await.is_err(), "the task has expired");
    assert_eq!(numbers(&recorded(&given).await), [1]);
    given.pass(-120);
    given.create(&id, definition_with(json!({"payload": {"n": 2}}))).await.unwrap();
    assert_eq!(numbers(&recorded(&given).await), [2], "the id was taken again");
    let given = recording(given, 0);
    given.queue.sweep().await;
    assert!(recorded(&recording(given, 100)).await.is_empty());
}

async fn pending_tasks_are_paged(given: Given) {
    let mut ids = Vec::new();
    for n in 1..=5 {
        ids.push(given.created(json!({"payload": {"n": n}})).await);
    }
    let waits_for_another = json!({"dependencies": [ids[0]], "payload": {"n": 6}});
    given.created(waits_for_another).await;
    let mut found: Vec<(TaskId, i64)> = Vec::new();
    let mut after = None;
    loop {
        let (page, next) = given.queue.pending(queue_id(), after, 2).await.unwrap();
        let number = |task: &worker_types::Object| task["payload"]["n"].as_i64().unwrap();
        found.extend(page.iter().map(|(status, task)| (status.task_id.clone(), number(task))));
        match next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    let mut expected: Vec<(TaskId, i64)> = ids.into_iter().zip(1..).collect();
    expected.sort_by(|one, other| one.0.as_str().cmp(other.0.as_str()));
    assert_eq!(found, expected, "those that can run, in the order of their ids");
}
