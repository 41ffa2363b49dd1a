//! How rollouts end: by an operator, or by themselves, once.

use crate::given::{ABSENT, ANY, Given, a_registry, body, context, id, requiring, seen};
use payload_schema::Input;
use registry::{EventFilter, Publish, WriteError};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use worker_types::{CompatibilityVerdict, EventKind, Generation, RevisionNumber, RolloutEnd};

fn rolling(property: &str, rollout: Value) -> Value {
    let mut definition = requiring(property);
    definition["rollout"] = rollout;
    definition
}

/// A worker type with revision 1 that needs `a`, and 2 that needs `b`, both live.
async fn given_a_rollout(rollout: Value) -> Given {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    given.published("p/w", &rolling("b", rollout)).await;
    given
}

fn accepts(given: &Given, payload: &Value) -> bool {
    given.registry.verdict(&id("p/w"), Input::Payload(payload)).unwrap().verdict.as_str() == "valid"
}

async fn kinds(given: &Given) -> Vec<(EventKind, u32)> {
    let start = given.registry.begin(None).await.unwrap();
    let stretch = given.registry.events_after(&start, &EventFilter::default(), 100).await.unwrap();
    stretch.events.iter().map(|entry| (entry.event.kind, entry.event.revision.unwrap().0)).collect()
}

#[tokio::test]
async fn completing_leaves_the_newer_and_aborting_the_older_revision() {
    for (end, stays, kind) in
        [(RolloutEnd::Completed, 2, EventKind::RolloutCompleted), (RolloutEnd::Aborted, 1, EventKind::RolloutAborted)]
    {
        let given = given_a_rollout(json!({"policy": "lenient"})).await;
        assert!(accepts(&given, &json!({"a": 1})) && accepts(&given, &json!({"b": 1})));
        let ended = given.registry.end_rollout(id("p/w"), end, false, context(seen(2))).await.unwrap();
        assert_eq!((ended.revision, ended.generation), (RevisionNumber(stays), Generation(3)));
        assert_eq!((&body(&ended)["rollout"], &body(&ended)["revision"]), (&Value::Null, &json!(stays)));
        assert_eq!((accepts(&given, &json!({"a": 1})), accepts(&given, &json!({"b": 1}))), (stays == 1, stays == 2));
        let expected = [(EventKind::WorkerTypePublished, 1), (EventKind::RolloutStarted, 2), (kind, stays)];
        assert_eq!(kinds(&given).await, expected);
        let next = given.published("p/w", &requiring("c")).await;
        assert_eq!((next.revision, next.generation), (RevisionNumber(3), Generation(4)));
    }
}

#[tokio::test]
async fn what_is_refused_changes_nothing() {
    let given = given_a_rollout(json!({"policy": "strict"})).await;
    let end = async |name: &str, precondition| {
        given.registry.end_rollout(id(name), RolloutEnd::Completed, false, context(precondition)).await
    };
    assert!(matches!(end("p/w", None).await, Err(WriteError::PreconditionRequired)));
    let lost = end("p/w", seen(1)).await;
    assert!(matches!(lost, Err(WriteError::PreconditionFailed { current: Some(Generation(2)), .. })), "{lost:?}");
    let lost = end("p/w", ABSENT).await;
    assert!(matches!(lost, Err(WriteError::PreconditionFailed { .. })), "{lost:?}");
    given.published("p/alone", &requiring("a")).await;
    assert!(matches!(end("p/alone", ANY).await, Err(WriteError::NoRollout(_))));
    assert!(matches!(end("p/none", ANY).await, Err(WriteError::Read(_))));
    given.registry.delete(id("p/alone"), context(ANY)).await.unwrap();
    assert!(matches!(end("p/alone", ANY).await, Err(WriteError::Read(_))));
    assert!(given.registry.live(&id("p/w")).unwrap().rollout.is_some());
}

#[tokio::test]
async fn a_rollout_may_go_on_otherwise() {
    let given = given_a_rollout(json!({"policy": "lenient"})).await;
    let change = async |rollout: Value, precondition| {
        given.registry.change_rollout(id("p/w"), rollout, false, context(precondition)).await
    };
    let stricter = change(json!({"policy": "strict", "completeAfter": "2h"}), seen(2)).await.unwrap();
    assert_eq!((stricter.revision, stricter.generation), (RevisionNumber(3), Generation(3)));
    let rollout = given.registry.live(&id("p/w")).unwrap().rollout.unwrap();
    assert_eq!((rollout.from, rollout.to, rollout.policy.as_str()), (RevisionNumber(1), RevisionNumber(3), "strict"));
    assert_eq!(rollout.completes_at.unwrap() - rollout.started_at, jiff::SignedDuration::from_hours(2));
    assert!(!accepts(&given, &json!({"a": 1})) && accepts(&given, &json!({"a": 1, "b": 1})));
    assert!(matches!(change(json!({"policy": "x"}), ANY).await, Err(WriteError::InvalidDefinition(_))));
    assert!(matches!(change(json!({"policy": "lenient"}), seen(2)).await, Err(WriteError::PreconditionFailed { .. })));
    let over = change(json!({"policy": "immediate"}), ANY).await.unwrap();
    assert_eq!((over.revision, &body(&over)["rollout"]), (RevisionNumber(4), &Value::Null));
    assert!(matches!(change(json!({"policy": "strict"}), ANY).await, Err(WriteError::NoRollout(_))));
}

/// As [`rolling`], of a worker type that requires compatibility.
fn required(property: &str, rollout: Value) -> Value {
    let mut definition = rolling(property, rollout);
    definition["compatibility"] = json!("require");
    definition
}

#[tokio::test]
async fn required_compatibility_holds_where_a_rollout_ends() {
    let given = a_registry();
    given.published("p/w", &required("a", json!({"policy": "immediate"}))).await;
    // Nobody will be asked when it ends by itself.
    let by_itself = required("b", json!({"policy": "lenient", "completeAfter": "1h"}));
    let refused = given.publish("p/w", &by_itself, ANY).await.unwrap_err();
    let words = refused.to_string();
    assert!(
        words.contains("once the rollout has ended by itself") && words.contains("leave out completeAfter"),
        "{words}"
    );
    let WriteError::Incompatible { report, .. } = refused else { panic!("{refused:?}") };
    // Nothing is lost while it is open.
    assert_eq!(report.verdict, CompatibilityVerdict::Compatible);
    assert_eq!(report.decisive().verdict, CompatibilityVerdict::Breaking);
    given.published("p/w", &required("b", json!({"policy": "lenient"}))).await;
    let end = async |end, allow| given.registry.end_rollout(id("p/w"), end, allow, context(ANY)).await;
    let refused = end(RolloutEnd::Completed, false).await;
    assert!(matches!(refused, Err(WriteError::Incompatible { .. })), "{refused:?}");
    assert!(accepts(&given, &json!({"a": 1})), "nothing changed");
    end(RolloutEnd::Aborted, false).await.unwrap();
    given.published("p/w", &required("b", json!({"policy": "lenient"}))).await;
    let completed = end(RolloutEnd::Completed, true).await.unwrap();
    assert_eq!(completed.revision, RevisionNumber(3));
    assert!(!accepts(&given, &json!({"a": 1})));
}

#[tokio::test]
async fn what_comes_after_an_abort_has_the_next_number_everywhere() {
    let given = given_a_rollout(json!({"policy": "lenient"})).await;
    given.registry.end_rollout(id("p/w"), RolloutEnd::Aborted, false, context(ANY)).await.unwrap();
    let task = json!({"taskQueueId": "p/w", "payload": {"a": 1}});
    let task = worker_types::Task::normalised(task).unwrap();
    let check = given.registry.check(id("p/w"), requiring("c"), vec![task]).await;
    assert_eq!(check.verdicts.unwrap()[0].revisions[0].revision, RevisionNumber(3));
    let dry = Publish { definition: requiring("c"), dry_run: true, ..Publish::default() };
    assert_eq!(given.registry.publish(id("p/w"), dry, context(ANY)).await.unwrap().revision, RevisionNumber(3));
    let back = given.registry.rollback(id("p/w"), RevisionNumber(2), context(ANY)).await.unwrap();
    assert_eq!((back.revision, accepts(&given, &json!({"b": 1}))), (RevisionNumber(3), true));
}

#[tokio::test]
async fn a_rollback_to_either_live_revision_ends_the_rollout() {
    for to in [1, 2] {
        let given = given_a_rollout(json!({"policy": "lenient"})).await;
        let back = given.registry.rollback(id("p/w"), RevisionNumber(to), context(ANY)).await.unwrap();
        assert_eq!((back.revision, &body(&back)["rollout"]), (RevisionNumber(3), &Value::Null));
        assert_eq!((accepts(&given, &json!({"a": 1})), accepts(&given, &json!({"b": 1}))), (to == 1, to == 2));
    }
}

#[tokio::test]
async fn a_dry_run_and_a_check_know_of_the_rollout() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    let lenient = rolling("b", json!({"policy": "lenient"}));
    let dry = Publish { definition: lenient.clone(), dry_run: true, ..Publish::default() };
    let would = given.registry.publish(id("p/w"), dry, context(ANY)).await.unwrap();
    let did = given.published("p/w", &lenient).await;
    for field in ["from", "to", "policy"] {
        assert_eq!(body(&would)["rollout"][field], body(&did)["rollout"][field]);
    }
    let check = given.registry.check(id("p/w"), requiring("c"), Vec::new()).await;
    let remarks: Vec<&str> = check.gate.warnings.iter().map(|item| item.problem.as_str()).collect();
    assert!(remarks.contains(&"rollout-open"), "{remarks:?}");
}

#[tokio::test]
async fn a_rollout_whose_time_was_over_while_nobody_ran_is_completed_at_the_next_start() {
    let given = given_a_rollout(json!({"policy": "lenient", "completeAfter": "1ms"})).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let started = given.replica();
    let following = tokio::spawn(started.clone().follow());
    let start = Instant::now();
    while started.live(&id("p/w")).unwrap().rollout.is_some() {
        assert!(start.elapsed() < Duration::from_secs(60), "it did not end");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    following.abort();
}

#[tokio::test]
async fn a_rollout_whose_time_is_over_is_completed_once_by_whichever_replica_sees_it_first() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    let replicas = [given.registry.clone(), given.replica(), given.replica()];
    let following = replicas.clone().map(|replica| tokio::spawn(replica.follow()));
    for round in 0..5 {
        let property = format!("b{round}");
        given.published("p/w", &rolling(&property, json!({"policy": "strict", "completeAfter": "1ms"}))).await;
        let start = Instant::now();
        while replicas.iter().any(|replica| {
            let live = replica.live(&id("p/w")).unwrap();
            live.rollout.is_some() || live.record.generation != Generation(2 * round + 3)
        }) {
            assert!(start.elapsed() < Duration::from_secs(60), "the rollout of round {round} did not end");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    following.iter().for_each(tokio::task::JoinHandle::abort);
    let ended = kinds(&given).await.into_iter().filter(|(kind, _)| *kind == EventKind::RolloutCompleted);
    assert_eq!(ended.map(|(_, revision)| revision).collect::<Vec<_>>(), [2, 3, 4, 5, 6]);
}
