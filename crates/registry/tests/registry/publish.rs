//! Publishing, rolling back, deleting: the order of checks and what the numbers do.

use crate::given::{ABSENT, ANY, a_registry, body, context, id, operator, requiring, seen};
use payload_schema::Input;
use registry::{Outcome, Publish, ReadError, WriteError};
use serde_json::{Value, json};
use worker_types::{Generation, RevisionNumber};

#[tokio::test]
async fn the_first_publish_creates_and_the_next_updates() {
    let given = a_registry();
    let first = given.publish("p/w", &requiring("a"), ABSENT).await.unwrap();
    assert_eq!((first.outcome, first.generation, first.revision), (Outcome::Created, Generation(1), RevisionNumber(1)));
    let answer = body(&first);
    assert_eq!(answer["definition"], requiring("a"));
    assert_eq!(
        (&answer["publishedBy"], &answer["message"], &answer["warnings"]),
        (&json!("operator"), &json!("because"), &json!([]))
    );
    let second = given.publish("p/w", &requiring("b"), seen(1)).await.unwrap();
    assert_eq!(
        (second.outcome, second.generation, second.revision),
        (Outcome::Updated, Generation(2), RevisionNumber(2))
    );
    assert_eq!(given.registry.definition(&operator(), &id("p/w")).await.unwrap().identity.etag, "\"g2\"");
}

#[tokio::test]
async fn no_precondition_is_refused_before_anything_else() {
    let given = a_registry();
    assert!(matches!(given.publish("p/w", &json!({}), None).await, Err(WriteError::PreconditionRequired)));
}

#[tokio::test]
async fn the_same_content_is_live_already_whatever_the_precondition() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    given.published("p/w", &requiring("b")).await;
    for precondition in [seen(1), seen(2), ABSENT, ANY] {
        let again = given.publish("p/w", &requiring("b"), precondition).await.unwrap();
        assert_eq!(
            (again.outcome, again.revision, again.generation),
            (Outcome::Unchanged, RevisionNumber(2), Generation(2))
        );
    }
}

#[tokio::test]
async fn a_lost_race_names_the_generation_that_is_there() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    for precondition in [ABSENT, seen(7)] {
        let lost = given.publish("p/w", &requiring("b"), precondition).await;
        assert!(matches!(lost, Err(WriteError::PreconditionFailed { current: Some(Generation(1)), .. })), "{lost:?}");
    }
    let none = given.publish("p/none", &requiring("b"), seen(1)).await;
    assert!(matches!(none, Err(WriteError::PreconditionFailed { current: None, .. })), "{none:?}");
}

#[tokio::test]
async fn a_dry_run_answers_what_would_be_and_stores_nothing() {
    let given = a_registry();
    let dry = |definition: Value| Publish { definition, dry_run: true, ..Publish::default() };
    let would = given.registry.publish(id("p/w"), dry(requiring("a")), context(None)).await.unwrap();
    assert_eq!((would.outcome, would.generation, would.revision), (Outcome::Created, Generation(1), RevisionNumber(1)));
    assert!(matches!(given.registry.live(&id("p/w")), Err(ReadError::UnknownWorkerType { .. })));
    let refused = given.registry.publish(id("p/w"), dry(json!({})), context(None)).await;
    assert!(matches!(refused, Err(WriteError::InvalidDefinition(_))));
}

#[tokio::test]
async fn a_tombstone_keeps_the_history_and_numbering_goes_on() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    let deleted = given.registry.delete(id("p/w"), context(seen(1))).await.unwrap();
    assert_eq!(deleted.record.generation, Generation(2));
    let read = given.registry.live(&id("p/w"));
    assert!(matches!(read, Err(ReadError::Deleted { last_revision: RevisionNumber(1), .. })), "{read:?}");
    assert!(matches!(
        given.registry.delete(id("p/w"), context(ANY)).await,
        Err(WriteError::Read(ReadError::Deleted { .. }))
    ));
    assert!(given.registry.revision(&operator(), &id("p/w"), RevisionNumber(1)).await.is_ok());
    let back = given.publish("p/w", &requiring("a"), ABSENT).await.unwrap();
    assert_eq!((back.outcome, back.generation, back.revision), (Outcome::Created, Generation(3), RevisionNumber(2)));
}

#[tokio::test]
async fn deleting_what_is_not_there_is_unknown_with_the_closest_id() {
    let given = a_registry();
    given.published("proj/linux-large", &requiring("a")).await;
    let error = given.registry.delete(id("proj/linux-lrage"), context(ANY)).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no worker type proj/linux-lrage; did you mean proj/linux-large?");
}

#[tokio::test]
async fn a_rollback_is_a_new_revision_with_an_old_content() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    given.published("p/w", &requiring("b")).await;
    let back = given.registry.rollback(id("p/w"), RevisionNumber(1), context(seen(2))).await.unwrap();
    assert_eq!((back.revision, back.generation), (RevisionNumber(3), Generation(3)));
    assert_eq!((body(&back)["definition"].clone(), body(&back)["rollbackOf"].clone()), (requiring("a"), json!(1)));
    let unknown = given.registry.rollback(id("p/w"), RevisionNumber(9), context(seen(3))).await;
    assert!(matches!(unknown, Err(WriteError::Read(ReadError::UnknownRevision { .. }))));
    assert!(matches!(
        given.registry.rollback(id("p/w"), RevisionNumber(2), context(seen(1))).await,
        Err(WriteError::PreconditionFailed { .. })
    ));
}

#[tokio::test]
async fn a_lenient_rollout_keeps_both_revisions_live_until_it_is_replaced() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    let with_policy = |property: &str, policy: &str| {
        let mut definition = requiring(property);
        definition["rollout"] = json!({"policy": policy});
        definition
    };
    let rolling = given.published("p/w", &with_policy("b", "lenient")).await;
    let rollout = &body(&rolling)["rollout"];
    assert_eq!((&rollout["from"], &rollout["to"], &rollout["policy"]), (&json!(1), &json!(2), &json!("lenient")));
    assert_eq!((&rollout["startedAt"], &rollout["completesAt"]), (&body(&rolling)["publishedAt"], &Value::Null));
    let verdict =
        |payload: Value| given.registry.verdict(&id("p/w"), Input::Payload(&payload)).unwrap().verdict.as_str();
    assert_eq!((verdict(json!({"a": 1})), verdict(json!({"b": 1})), verdict(json!({}))), ("valid", "valid", "invalid"));
    let open = given.publish("p/w", &with_policy("c", "strict"), ANY).await;
    assert!(
        matches!(open, Err(WriteError::RolloutOpen { from: RevisionNumber(1), to: RevisionNumber(2), .. })),
        "{open:?}"
    );
    let replace = Publish { definition: with_policy("c", "strict"), replace_rollout: true, ..Publish::default() };
    let replaced = given.registry.publish(id("p/w"), replace, context(ANY)).await.unwrap();
    let rollout = &body(&replaced)["rollout"];
    assert_eq!((&rollout["from"], &rollout["to"], &rollout["policy"]), (&json!(1), &json!(3), &json!("strict")));
    assert_eq!(
        (verdict(json!({"a": 1})), verdict(json!({"c": 1})), verdict(json!({"a": 1, "c": 1}))),
        ("invalid", "invalid", "valid")
    );
    let end = given.registry.rollback(id("p/w"), RevisionNumber(2), context(ANY)).await.unwrap();
    assert_eq!(body(&end)["rollout"], Value::Null);
    assert_eq!((verdict(json!({"a": 1})), verdict(json!({"b": 1}))), ("invalid", "valid"));
}

#[tokio::test]
async fn eight_writers_lose_races_and_lose_nothing() {
    let given = a_registry();
    given.published("p/w", &requiring("start")).await;
    let writers = (0..8).map(|writer| {
        let registry = given.registry.clone();
        tokio::spawn(async move {
            let mut won = 0;
            for round in 0..10 {
                let request = Publish { definition: requiring(&format!("w{writer}r{round}")), ..Publish::default() };
                let generation = registry.live(&id("p/w")).unwrap().record.generation;
                let precondition = Some(registry::Precondition::Generation(generation));
                match registry.publish(id("p/w"), request, context(precondition)).await {
                    Ok(_) => won += 1,
                    Err(WriteError::PreconditionFailed { .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
            won
        })
    });
    let mut won = 0;
    for writer in writers.collect::<Vec<_>>() {
        won += writer.await.unwrap();
    }
    let page = given.registry.revisions(&id("p/w"), None, 1_000).await.unwrap();
    let numbers: Vec<u32> = page.revisions.iter().rev().map(|revision| revision.revision.0).collect();
    assert_eq!(numbers, (1..=won + 1).collect::<Vec<u32>>());
}
