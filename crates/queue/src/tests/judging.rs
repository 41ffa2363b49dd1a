//! What the gate says, and what becomes of the task under the queue's settings.

use crate::testing::{Given, definition, definition_with, invalid, on_each_database, task_id, unchecked, valid};
use crate::{Action, QueueError, UnknownWorkerType};
use serde_json::json;
use worker_types::{Outcome, UncheckedReason, ValidationMode, Verdict};

on_each_database!(
    an_enforced_invalid_payload_is_refused_and_nothing_but_the_record_is_stored,
    a_warned_task_is_created_and_its_verdict_kept,
    a_retry_is_answered_as_before_even_if_a_later_revision_would_refuse,
    the_queues_setting_caps_the_worker_types_mode,
    with_validation_off_the_payload_is_not_looked_at,
    an_unknown_worker_type_has_a_setting_of_its_own,
    a_worker_manager_that_is_away_makes_nothing_fail,
);

async fn an_enforced_invalid_payload_is_refused_and_nothing_but_the_record_is_stored(given: Given) {
    given.gate.says(invalid(ValidationMode::Enforce));
    let id = task_id();
    let Err(QueueError::NotAccepted(kept)) = given.create(&id, definition()).await else { panic!() };
    assert_eq!((kept.action, kept.mode), (Action::Refused, Some(ValidationMode::Enforce)));
    assert_eq!(kept.verdict.errors[0].pointer, "/payload/maxRunTime");
    assert!(matches!(given.queue.status(id.clone()).await, Err(QueueError::UnknownTask(_))));
    assert!(matches!(given.queue.verdict_of(id.clone()).await, Err(QueueError::UnknownTask(_))));
    // The author mends the payload, and the id and its group are free, whoever schedules.
    given.gate.says(valid());
    let mended = definition_with(json!({"payload": {"maxRunTime": 1}, "schedulerId": "another"}));
    given.create(&id, mended).await.unwrap();
    assert_eq!(given.queue.verdict_of(id).await.unwrap().action, Action::Created);
}

async fn a_warned_task_is_created_and_its_verdict_kept(given: Given) {
    given.gate.says(invalid(ValidationMode::Warn));
    let id = task_id();
    let created = given.create(&id, definition()).await.unwrap();
    assert_eq!((created.verdict.action, created.verdict.header().as_str()), (Action::Warned, "invalid"));
    given.gate.says(valid());
    assert_eq!(given.queue.verdict_of(id).await.unwrap(), created.verdict);
}

async fn a_retry_is_answered_as_before_even_if_a_later_revision_would_refuse(given: Given) {
    let id = task_id();
    let first = given.create(&id, definition()).await.unwrap();
    given.gate.says(invalid(ValidationMode::Enforce));
    assert_eq!(given.create(&id, definition()).await.unwrap(), first);
    assert_eq!(first.verdict.header(), "valid");
    assert!(matches!(given.create(&task_id(), definition()).await, Err(QueueError::NotAccepted(_))));
    let other = given.create(&id, definition_with(json!({"payload": {}}))).await;
    assert!(matches!(other, Err(QueueError::TaskConflict { .. })), "the conflict comes before the payload");
}

async fn the_queues_setting_caps_the_worker_types_mode(given: Given) {
    let given = given.reopened(|settings| settings.max_validation = ValidationMode::Warn);
    given.gate.says(invalid(ValidationMode::Enforce));
    let created = given.create(&task_id(), definition()).await.unwrap();
    assert_eq!((created.verdict.action, created.verdict.mode), (Action::Warned, Some(ValidationMode::Warn)));
    assert_eq!(created.verdict.verdict.validation, Some(ValidationMode::Enforce), "the verdict says what it was");
}

async fn with_validation_off_the_payload_is_not_looked_at(given: Given) {
    let given = given.reopened(|settings| settings.max_validation = ValidationMode::Off);
    given.gate.says(invalid(ValidationMode::Enforce));
    let created = given.create(&task_id(), definition()).await.unwrap();
    assert_eq!(created.verdict.header(), "unchecked; reason=off");
    assert!(created.verdict.verdict.errors.is_empty());
    let given = given.reopened(|settings| settings.unknown_worker_type = UnknownWorkerType::Refuse);
    let created = given.create(&task_id(), definition()).await.unwrap();
    assert_eq!(created.verdict.header(), "unchecked; reason=off");
    given.gate.says(unchecked(UncheckedReason::UnknownWorkerType));
    assert!(matches!(given.create(&task_id(), definition()).await, Err(QueueError::NotAccepted(_))));
}

async fn an_unknown_worker_type_has_a_setting_of_its_own(given: Given) {
    given.gate.says(unchecked(UncheckedReason::UnknownWorkerType));
    let created = given.create(&task_id(), definition()).await.unwrap();
    assert_eq!(created.verdict.action, Action::Created);
    let given = given.reopened(|settings| settings.unknown_worker_type = UnknownWorkerType::Warn);
    let created = given.create(&task_id(), definition()).await.unwrap();
    assert_eq!((created.verdict.action, created.verdict.verdict.verdict), (Action::Warned, Outcome::Unchecked));
    let given = given.reopened(|settings| settings.unknown_worker_type = UnknownWorkerType::Refuse);
    let Err(QueueError::NotAccepted(kept)) = given.create(&task_id(), definition()).await else { panic!() };
    assert_eq!(kept.causes()[0].suggestion.as_deref(), Some("proj-a/linux-2"));
}

async fn a_worker_manager_that_is_away_makes_nothing_fail(given: Given) {
    let given = given.reopened(|settings| settings.unknown_worker_type = UnknownWorkerType::Refuse);
    given.gate.says(Verdict { validation: None, ..unchecked(UncheckedReason::Unavailable) });
    let created = given.create(&task_id(), definition()).await.unwrap();
    assert_eq!(created.verdict.header(), "unchecked; reason=unavailable");
}
