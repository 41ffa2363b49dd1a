//! What is kept of verdicts, how it is listed and counted, and when it goes.

use crate::store::{Position, VerdictFilter};
use crate::testing::{Given, NOW, at, definition_with, invalid, minutes, on_each_database, queue_id, task_id, valid};
use crate::{Action, KeptVerdict, QueueError};
use jiff::Timestamp;
use serde_json::json;
use std::time::Duration;
use worker_types::{Item, Outcome, TaskId, ValidationMode, Verdict};

on_each_database!(
    warned_and_refused_tasks_are_listed_newest_first,
    pages_follow_one_another_while_tasks_keep_coming,
    the_list_can_be_narrowed,
    causes_are_counted_over_tasks,
    records_of_refusals_go_by_age_and_by_number,
    expired_tasks_go_with_their_verdicts_and_groups,
    definitions_are_read_up_to_a_number_of_bytes,
);

const ALL: VerdictFilter = VerdictFilter { outcome: None, action: None, since: Timestamp::MIN };

async fn refused(given: &Given) -> TaskId {
    given.gate.says(invalid(ValidationMode::Enforce));
    let id = task_id();
    assert!(matches!(
        given.create(&id, definition_with(json!({"created": minutes(0), "deadline": minutes(600)}))).await,
        Err(QueueError::NotAccepted(_))
    ));
    given.pass(1);
    id
}

async fn warned(given: &Given) -> TaskId {
    given.gate.says(invalid(ValidationMode::Warn));
    let id = given.created(json!({})).await;
    given.pass(1);
    id
}

async fn page(
    given: &Given,
    filter: VerdictFilter,
    after: Option<Position>,
    limit: usize,
) -> (Vec<KeptVerdict>, Option<Position>) {
    given.queue.verdicts(queue_id(), filter, after, limit).await.unwrap()
}

fn ids(page: &[KeptVerdict]) -> Vec<TaskId> {
    page.iter().map(|kept| kept.task_id.clone()).collect()
}

async fn warned_and_refused_tasks_are_listed_newest_first(given: Given) {
    let first = refused(&given).await;
    let second = warned(&given).await;
    given.gate.says(valid());
    given.created(json!({})).await;
    given.gate.says(invalid(ValidationMode::Warn));
    given.created(json!({"taskQueueId": "proj-a/other"})).await;
    let (listed, next) = page(&given, ALL, None, 100).await;
    assert_eq!((ids(&listed), next), (vec![second, first], None));
    assert_eq!((listed[0].action, listed[1].action), (Action::Warned, Action::Refused));
    assert_eq!(listed[1].verdict, invalid(ValidationMode::Enforce));
    assert_eq!(listed[1].at, at(NOW));
}

async fn pages_follow_one_another_while_tasks_keep_coming(given: Given) {
    let mut expected = Vec::new();
    for _ in 0..7 {
        expected.insert(0, warned(&given).await);
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let (listed, next) = page(&given, ALL, after, 3).await;
        assert!(listed.len() <= 3);
        seen.extend(ids(&listed));
        warned(&given).await;
        if next.is_none() {
            break;
        }
        after = next;
    }
    assert_eq!(seen, expected);
}

async fn the_list_can_be_narrowed(given: Given) {
    let of_refusal = refused(&given).await;
    let of_warning = warned(&given).await;
    given.gate.says(valid());
    let fine = given.created(json!({})).await;
    let narrowed =
        async |outcome, action, since| ids(&page(&given, VerdictFilter { outcome, action, since }, None, 10).await.0);
    assert_eq!(narrowed(None, Some(Action::Refused), Timestamp::MIN).await, std::slice::from_ref(&of_refusal));
    assert_eq!(narrowed(Some(Outcome::Valid), None, Timestamp::MIN).await, [fine]);
    assert_eq!(narrowed(Some(Outcome::Invalid), None, Timestamp::MIN).await, [of_warning.clone(), of_refusal]);
    assert_eq!(narrowed(Some(Outcome::Valid), Some(Action::Warned), Timestamp::MIN).await, []);
    assert_eq!(narrowed(None, None, at(&minutes(1))).await, [of_warning]);
}

async fn causes_are_counted_over_tasks(given: Given) {
    let with = |pointers: &[&str]| {
        let errors =
            pointers.iter().map(|pointer| Item::new("type", *pointer, format!("wrong at {pointer}"))).collect();
        Verdict { errors, ..invalid(ValidationMode::Warn) }
    };
    given.gate.says(with(&["/payload/env/0", "/payload/env/1", "/payload/image"]));
    given.created(json!({})).await;
    given.pass(1);
    given.gate.says(with(&["/payload/env/7"]));
    let last = given.created(json!({})).await;
    given.pass(1);
    refused(&given).await;
    given.gate.says(valid());
    given.created(json!({})).await;

    let (counts, causes) = given.queue.summary(queue_id(), at(NOW), 10).await.unwrap();
    assert_eq!((counts.valid, counts.invalid, counts.unchecked, counts.warned, counts.refused), (1, 3, 0, 2, 1));
    let of: Vec<_> = causes.iter().map(|cause| (cause.pointer.as_str(), cause.tasks)).collect();
    assert_eq!(of, [("/payload/env/*", 2), ("/payload/maxRunTime", 1), ("/payload/image", 1)]);
    let newest = (&causes[0].last_task, causes[0].last_message.as_str(), causes[0].last_at);
    assert_eq!(newest, (&last, "wrong at /payload/env/7", at(&minutes(1))));

    let (later, _) = given.queue.summary(queue_id(), at(&minutes(2)), 10).await.unwrap();
    assert_eq!((later.warned, later.refused, later.valid), (0, 1, 1));
    let (counts, causes) = given.queue.summary("proj-a/other".parse().unwrap(), at(NOW), 10).await.unwrap();
    assert_eq!((counts.valid + counts.invalid, causes.len()), (0, 0));
}

async fn records_of_refusals_go_by_age_and_by_number(given: Given) {
    let given = given.reopened(|settings| {
        settings.retention.refused_for = Duration::from_secs(5 * 60);
        settings.retention.refused_at_most = 3;
    });
    let kept = warned(&given).await;
    let mut expected = vec![kept];
    for _ in 0..5 {
        expected.insert(0, refused(&given).await);
    }
    given.queue.sweep().await;
    expected.drain(3..5);
    assert_eq!(ids(&page(&given, ALL, None, 10).await.0), expected);
    let (_, causes) = given.queue.summary(queue_id(), at(NOW), 10).await.unwrap();
    assert_eq!(causes[0].tasks, 4, "what is forgotten is not counted");
    given.pass(3);
    given.queue.sweep().await;
    expected.drain(2..3);
    assert_eq!(ids(&page(&given, ALL, None, 10).await.0), expected);
}

async fn expired_tasks_go_with_their_verdicts_and_groups(given: Given) {
    let group = task_id();
    let short = given.created(json!({"taskGroupId": group, "schedulerId": "one", "expires": minutes(100)})).await;
    let long = given.created(json!({"taskGroupId": group, "schedulerId": "one", "expires": minutes(200)})).await;
    given.pass(150);
    given.queue.sweep().await;
    assert!(matches!(given.queue.status(short.clone()).await, Err(QueueError::UnknownTask(_))));
    assert!(matches!(given.queue.verdict_of(short.clone()).await, Err(QueueError::UnknownTask(_))));
    given.queue.status(long).await.unwrap();
    given.pass(60);
    given.queue.sweep().await;
    let again = definition_with(
        json!({"created": minutes(210), "deadline": minutes(220), "taskGroupId": group, "schedulerId": "two"}),
    );
    given.create(&short, again).await.unwrap();
}

async fn definitions_are_read_up_to_a_number_of_bytes(given: Given) {
    let mut ids = Vec::new();
    for length in [10, 3000, 3000, 10] {
        ids.push(given.created(json!({"payload": {"text": "x".repeat(length)}})).await);
    }
    ids.insert(1, task_id());
    let read = async |from: usize, bytes: u64| {
        let (found, done) = given.queue.store().definitions(ids[from..].to_vec(), bytes).await.unwrap();
        (found.len(), done)
    };
    assert_eq!(read(0, 100_000).await, (4, 5));
    assert_eq!(read(0, 6000).await, (2, 3));
    assert_eq!(read(2, 1000).await, (1, 1), "one at least");
    assert_eq!(read(1, 0).await, (1, 2), "one that does not exist is none");
}
