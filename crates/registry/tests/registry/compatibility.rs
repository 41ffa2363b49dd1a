//! The compatibility policy: what is compared, what is refused, what is kept.

use crate::given::{ANY, Given, a_registry, body, context, id, operator, seen};
use registry::{Outcome, Publish, Published, WriteError};
use serde_json::{Value, json};
use worker_types::{CompatibilityVerdict, RevisionNumber};

/// A definition with `policy`, whose payload must have an integer `n` of at most `maximum`.
fn at_most(maximum: u32, policy: &str) -> Value {
    json!({"description": format!("up to {maximum}"), "validation": "enforce", "compatibility": policy,
        "variants": [{"name": "default", "payloadSchema": {
            "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["n"],
            "properties": {"n": {"type": "integer", "maximum": maximum}}}}]})
}

fn described(definition: &Value, description: &str) -> Value {
    let mut other = definition.clone();
    other["description"] = description.into();
    other
}

impl Given {
    async fn allowing(&self, definition: &Value) -> Published {
        let request = Publish { definition: definition.clone(), allow_breaking: true, ..Publish::default() };
        self.registry.publish(id("p/w"), request, context(ANY)).await.unwrap()
    }

    async fn refused(&self, definition: &Value) -> worker_types::Compatibility {
        match self.publish("p/w", definition, ANY).await {
            Err(WriteError::Incompatible { report, .. }) => *report,
            other => panic!("the policy must refuse, not answer {other:?}"),
        }
    }
}

#[tokio::test]
async fn nothing_is_compared_with_nothing_and_where_nobody_asks() {
    let given = a_registry();
    let first = given.published("p/w", &at_most(9, "require")).await;
    assert_eq!(body(&first).get("compatibility"), None);
    let other = a_registry();
    other.published("p/w", &at_most(9, "none")).await;
    let narrowed = body(&other.published("p/w", &at_most(5, "none")).await);
    assert_eq!((narrowed.get("compatibility"), &narrowed["warnings"]), (None, &json!([])));
}

#[tokio::test]
async fn what_changes_words_only_is_compatible_and_required_compatibility_lets_it_pass() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    let next = body(&given.published("p/w", &described(&at_most(9, "require"), "other words")).await);
    assert_eq!(next["compatibility"]["verdict"], "compatible");
    assert_eq!((&next["compatibility"]["against"], &next["warnings"]), (&json!([1]), &json!([])));
    let document = given.registry.definition(&operator(), &id("p/w")).await.unwrap();
    let read: Value = serde_json::from_slice(&document.identity.bytes).unwrap();
    assert_eq!(read["compatibility"], next["compatibility"], "GET says what PUT said");
}

#[tokio::test]
async fn warn_publishes_with_the_report_and_a_warning() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "warn")).await;
    let next = body(&given.published("p/w", &at_most(5, "warn")).await);
    assert_eq!(next["compatibility"]["verdict"], "breaking");
    assert!(next["compatibility"]["witness"]["n"].as_u64().is_some_and(|n| (6..=9).contains(&n)), "{next}");
    assert_eq!(next["warnings"][0]["problem"], "breaking-change");
    assert_eq!(next["warnings"][0]["pointer"], "/compatibility");
}

#[tokio::test]
async fn require_refuses_with_the_report_and_stores_nothing() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    let report = given.refused(&at_most(5, "require")).await;
    assert_ne!(report.verdict, CompatibilityVerdict::Compatible);
    assert_eq!(report.against, [RevisionNumber(1)]);
    assert_eq!(given.registry.live(&id("p/w")).unwrap().revision.revision, RevisionNumber(1));
    let dry = Publish { definition: at_most(5, "require"), dry_run: true, ..Publish::default() };
    let dry = given.registry.publish(id("p/w"), dry, context(None)).await;
    assert!(matches!(dry, Err(WriteError::Incompatible { .. })), "a dry run is refused as well: {dry:?}");
}

#[tokio::test]
async fn who_insists_is_published_and_the_report_is_kept_with_the_revision() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    let next = body(&given.allowing(&at_most(5, "require")).await);
    assert_ne!(next["compatibility"]["verdict"], "compatible");
    assert_eq!(next["warnings"].as_array().unwrap().len(), 1, "and the answer still says so");
    let kept = given.registry.revision(&operator(), &id("p/w"), RevisionNumber(2)).await.unwrap();
    let kept: Value = serde_json::from_slice(&kept.identity.bytes).unwrap();
    assert_eq!(kept["compatibility"], next["compatibility"]);
}

#[tokio::test]
async fn a_definition_that_lowers_the_policy_is_held_against_the_one_that_it_lowers() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    for lowered in ["none", "warn"] {
        given.refused(&at_most(5, lowered)).await;
    }
    // Lowered by a revision that breaks nothing, it holds from the next one on.
    given.allowing(&at_most(9, "none")).await;
    let narrowed = body(&given.published("p/w", &at_most(5, "none")).await);
    assert_eq!(narrowed.get("compatibility"), None);
    // Raised, it holds at once.
    given.refused(&at_most(2, "require")).await;
}

#[tokio::test]
async fn lost_races_and_unchanged_content_go_before_the_policy() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    let same = given.published("p/w", &at_most(9, "require")).await;
    assert_eq!(same.outcome, Outcome::Unchanged);
    let lost = given.publish("p/w", &at_most(5, "require"), seen(7)).await;
    assert!(matches!(lost, Err(WriteError::PreconditionFailed { .. })), "{lost:?}");
}

#[tokio::test]
async fn a_rollback_is_compared_and_never_refused() {
    let given = a_registry();
    given.published("p/w", &at_most(5, "require")).await;
    given.allowing(&at_most(9, "require")).await;
    let back = given.registry.rollback(id("p/w"), RevisionNumber(1), context(ANY)).await.unwrap();
    let back = body(&back);
    assert_eq!((&back["rollbackOf"], &back["compatibility"]["against"]), (&json!(1), &json!([2])));
    assert_ne!(back["compatibility"]["verdict"], "compatible");
}

#[tokio::test]
async fn a_definition_that_comes_back_from_its_tombstone_is_compared_with_nothing() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    given.registry.delete(id("p/w"), context(ANY)).await.unwrap();
    let back = given.published("p/w", &at_most(5, "require")).await;
    assert_eq!((back.outcome, body(&back).get("compatibility")), (Outcome::Created, None));
}

#[tokio::test]
async fn during_a_rollout_both_live_revisions_count() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    let mut rolling = described(&at_most(9, "none"), "rolling");
    rolling["rollout"] = json!({"policy": "lenient"});
    given.allowing(&rolling).await;
    let replace = |definition: Value| Publish { definition, replace_rollout: true, ..Publish::default() };
    let refused = given.registry.publish(id("p/w"), replace(at_most(5, "none")), context(ANY)).await;
    let Err(WriteError::Incompatible { report, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(report.against, [RevisionNumber(1), RevisionNumber(2)]);
}

#[tokio::test]
async fn a_rollback_opens_no_rollout_and_is_compared_without_one() {
    let given = a_registry();
    let mut lenient = at_most(5, "warn");
    lenient["rollout"] = json!({"policy": "lenient"});
    given.published("p/w", &lenient).await;
    given.published("p/w", &at_most(9, "warn")).await;
    let back = given.registry.rollback(id("p/w"), RevisionNumber(1), context(ANY)).await.unwrap();
    let report = &body(&back)["compatibility"];
    assert_eq!((&report["verdict"], report.get("afterRollout")), (&json!("breaking"), None));
}

#[tokio::test]
async fn a_replica_that_lags_compares_with_what_is_live_and_not_with_what_it_remembers() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "warn")).await;
    let lagging = given.replica();
    given.published("p/w", &described(&at_most(9, "warn"), "newer")).await;
    let request = Publish { definition: at_most(7, "warn"), ..Publish::default() };
    let dry = Publish { dry_run: true, ..request.clone() };
    for request in [dry, request] {
        let published = lagging.publish(id("p/w"), request, context(ANY)).await.unwrap();
        assert_eq!(body(&published)["compatibility"]["against"], json!([2]));
    }
}

#[tokio::test]
async fn a_difference_says_what_it_does_to_tasks() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "none")).await;
    given.published("p/w", &at_most(5, "none")).await;
    given.published("p/w", &at_most(7, "warn")).await;
    let diff = async |from, to| {
        let (from, to) = (RevisionNumber(from), RevisionNumber(to));
        given.registry.diff(&operator(), &id("p/w"), from, to).await.unwrap().compatibility
    };
    for (from, to, expected) in [(1, 2, "breaking"), (2, 1, "compatible"), (2, 3, "compatible"), (1, 3, "breaking")] {
        let report = diff(from, to).await;
        assert_eq!((report.against.as_slice(), report.verdict.as_str()), (&[RevisionNumber(from)][..], expected));
    }
    assert_eq!(diff(1, 1).await.verdict.as_str(), "compatible");
}

#[tokio::test]
async fn a_check_compares_whatever_the_policy_and_says_what_the_policy_would_say() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "require")).await;
    let check = async |definition: Value| given.registry.check(id("p/w"), definition, Vec::new()).await;
    let narrowed = check(at_most(5, "require")).await;
    assert!(!narrowed.gate.ok() && narrowed.compatibility.is_some() && narrowed.verdicts.is_some());
    assert_eq!(narrowed.gate.errors[0].pointer, "/compatibility");
    assert!(check(json!([])).await.compatibility.is_none(), "what is no definition is not compared");
    let other = a_registry();
    other.published("p/w", &at_most(9, "none")).await;
    let quiet = other.registry.check(id("p/w"), at_most(5, "none"), Vec::new()).await;
    assert!(quiet.gate.ok() && quiet.gate.warnings.is_empty() && quiet.compatibility.is_some());
}

#[tokio::test]
async fn during_a_rollout_a_text_that_nobody_changed_differs_in_nothing() {
    let given = a_registry();
    for policy in ["lenient", "strict"] {
        let name = format!("p/{policy}");
        given.published(&name, &at_most(10, "warn")).await;
        let mut rolling = at_most(5, "warn");
        rolling["rollout"] = json!({"policy": policy});
        given.published(&name, &rolling).await;
        let check = given.registry.check(id(&name), rolling, Vec::new()).await;
        let report = check.compatibility.unwrap();
        assert_eq!((report.verdict, &report.findings), (CompatibilityVerdict::Compatible, &Vec::new()), "{policy}");
    }
}

#[tokio::test]
async fn a_check_compares_what_the_gate_refuses_for_what_decides_about_no_task() {
    let given = a_registry();
    given.published("p/w", &at_most(9, "warn")).await;
    let task = worker_types::Task::normalised_for(json!({"taskQueueId": "p/w", "payload": {"n": 7}}), &id("p/w"));
    let task = task.unwrap();
    let check = async |pointer: &str, value: Value| {
        let mut definition = at_most(5, "warn");
        definition.pointer_mut(pointer).unwrap().as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        given.registry.check(id("p/w"), definition, vec![task.clone()]).await
    };
    let beside = [
        ("", json!({"description": 5})),
        ("", json!({"documentation": 5, "owner": [], "tags": {}})),
        ("", json!({"links": [{"title": "Elsewhere", "href": "javascript:alert(1)"}]})),
        ("/variants/0", json!({"examples": [{"title": "too large", "payload": {"n": 99}, "valid": true}]})),
        ("/variants/0", json!({"documentation": 5, "implementation": "container-worker"})),
    ];
    for (pointer, value) in beside {
        let found = check(pointer, value.clone()).await;
        assert!(!found.gate.ok(), "{value}");
        let report = found.compatibility.unwrap_or_else(|| panic!("{value} is compared"));
        assert_eq!(report.verdict, CompatibilityVerdict::Breaking, "{value}");
        assert!(report.witness.is_some(), "{value}");
        assert!(found.verdicts.is_none(), "{value}: tasks are held against what the gate lets pass");
    }
    // What may decide, and cannot be read, is not guessed at.
    let deciding = [
        ("", json!({"varients": []})),
        ("", json!({"acceptance": "some"})),
        ("/variants/0", json!({"payloadSchema": {"type": "integr"}})),
        ("/variants/0", json!({"payloadShema": {}})),
        ("/variants/0", json!({"release": "none@1"})),
        (
            "/variants/0",
            json!({"constraints": {"rules": [{"rule": "atMost", "path": "/payload/n", "limit": {"from": "/none"}}]}}),
        ),
    ];
    for (pointer, value) in deciding {
        let found = check(pointer, value.clone()).await;
        assert!(!found.gate.ok() && found.compatibility.is_none() && found.verdicts.is_none(), "{value}: {found:?}");
    }
}
