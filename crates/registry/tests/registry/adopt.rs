//! Moving many worker types to a release and back, and releases that are deprecated or withdrawn.

use crate::given::{ANY, Given, a_registry, context, id, operator};
use payload_schema::Input;
use registry::{Adopt, Adopted, AdoptionOutcome, Left, MarkPrecondition, Which, WriteContext, WriteError};
use serde_json::{Value, json};
use worker_types::{Caller, Generation, ReleaseId, ReleaseState, RevisionNumber};

fn release(text: &str) -> ReleaseId {
    text.parse().unwrap()
}

/// A release whose payloads must have an integer `n` of at most `maximum`.
fn at_most(maximum: u32) -> Value {
    json!({"variants": [{"name": "posix", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object", "properties": {"n": {"type": "integer", "maximum": maximum}}}}]})
}

fn using(release: &str, words: &str) -> Value {
    json!({"description": words, "compatibility": "none", "tags": [words], "variants": [{"name": "a", "release": release}]})
}

/// Three worker types on `w@1`, one on another implementation; `w@2` accepts the same, `w@3` less.
async fn given() -> Given {
    let given = a_registry();
    for (name, content) in [("w@1", at_most(9)), ("w@2", at_most(9)), ("w@3", at_most(5)), ("other@1", at_most(9))] {
        given.release(name, &content).await;
    }
    for (name, words) in [("p/a", "one"), ("p/b", "two"), ("q/c", "one")] {
        given.published(name, &using("w@1", words)).await;
    }
    given.published("p/other", &using("other@1", "one")).await;
    given
}

fn adopt(to: &str) -> Adopt {
    Adopt {
        release: release(to),
        which: Which::default(),
        back: None,
        apply: true,
        generations: None,
        allow_breaking: false,
    }
}

impl Given {
    async fn adopt(&self, request: Adopt) -> Adopted {
        self.registry.adopt(request, context(None)).await.unwrap()
    }

    fn uses(&self, name: &str) -> String {
        self.registry.live(&id(name)).unwrap().summary.releases.join(" ")
    }
}

/// The rows of an answer, as they are sent to take it back.
fn back(made: &Adopted) -> Adopt {
    let left = made.changes.iter().filter_map(|change| {
        let (generation, before) = (change.generation_after?, change.revision_before?);
        Some((change.id.clone(), Left { generation, before, from: change.from.clone() }))
    });
    Adopt { back: Some(left.collect()), ..adopt("w@2") }
}

/// One letter for what became of each.
fn outcomes(adopted: &Adopted) -> String {
    let letter = |outcome: &AdoptionOutcome| match outcome {
        AdoptionOutcome::Planned => '~',
        AdoptionOutcome::Published(_) => '+',
        AdoptionOutcome::Unchanged(_) => '=',
        AdoptionOutcome::Refused(_) => 'r',
        AdoptionOutcome::LostRace(_) => 'l',
        AdoptionOutcome::Forbidden(_) => 'f',
        AdoptionOutcome::Failed(_) => '!',
    };
    adopted.changes.iter().map(|change| letter(&change.outcome)).collect()
}

fn names(adopted: &Adopted) -> Vec<&str> {
    adopted.changes.iter().map(|change| change.id.as_str()).collect()
}

#[tokio::test]
async fn a_plan_names_what_would_move_and_compares_each_pair_of_contracts_once() {
    let given = given().await;
    let plan = given.adopt(Adopt { apply: false, ..adopt("w@2") }).await;
    assert_eq!(names(&plan), ["p/a", "p/b", "q/c"]);
    assert!(plan.changes.iter().all(|change| matches!(change.outcome, AdoptionOutcome::Planned)));
    assert_eq!((plan.reports.len(), plan.reports[0].worker_types), (1, 3), "their contracts are the same");
    assert_eq!(plan.reports[0].compatibility.verdict.as_str(), "compatible");
    assert_eq!(plan.changes[0].from, [release("w@1")]);
    assert_eq!(given.uses("p/a"), "w@1", "nothing was published");
    let nothing = given.adopt(Adopt { apply: false, ..adopt("other@1") }).await;
    assert!(nothing.changes.is_empty());
    let unknown = given.registry.adopt(adopt("w@9"), context(None)).await;
    assert!(matches!(unknown, Err(WriteError::Read(_))), "{unknown:?}");
}

#[tokio::test]
async fn those_that_are_meant_are_moved_and_can_be_moved_back() {
    let given = given().await;
    let which = Which { provisioner_id: Some("p".to_owned()), ..Which::default() };
    let moved = given.adopt(Adopt { which: which.clone(), ..adopt("w@2") }).await;
    assert_eq!(names(&moved), ["p/a", "p/b"]);
    assert!(moved.changes.iter().all(|change| matches!(change.outcome, AdoptionOutcome::Published(RevisionNumber(2)))));
    assert_eq!((given.uses("p/a"), given.uses("q/c")), ("w@2".to_owned(), "w@1".to_owned()));
    assert!(given.adopt(Adopt { which, ..adopt("w@2") }).await.changes.is_empty(), "there is nothing left to move");
    // Somebody goes on working on one of them: that is not taken back.
    given.published("p/b", &using("w@2", "edited")).await;
    let planned = given.adopt(Adopt { apply: false, ..back(&moved) }).await;
    assert_eq!((names(&planned), outcomes(&planned).as_str()), (vec!["p/a", "p/b"], "~l"));
    let taken_back = given.adopt(back(&moved)).await;
    assert_eq!(outcomes(&taken_back), "+l", "the other one is told");
    assert_eq!((given.uses("p/a"), given.uses("p/b")), ("w@1".to_owned(), "w@2".to_owned()));
    assert_eq!(given.registry.live(&id("p/a")).unwrap().revision.rollback_of, Some(RevisionNumber(1)));
    let again = given.adopt(back(&moved)).await;
    assert_eq!((outcomes(&again).as_str(), again.changes[0].generation_after), ("=l", None));
    assert_eq!(given.registry.live(&id("p/a")).unwrap().revision.revision, RevisionNumber(3), "nothing was published");
}

#[tokio::test]
async fn a_rollback_is_of_one_adoption() {
    let given = given().await;
    let first = given.adopt(adopt("w@2")).await;
    assert_eq!(outcomes(&given.adopt(back(&first)).await), "+++");
    let second = given.adopt(adopt("w@2")).await;
    assert_eq!(outcomes(&given.adopt(back(&first)).await), "lll", "what the second one made is not the first one's");
    assert_eq!(outcomes(&given.adopt(back(&second)).await), "+++");
    // A plan that was never made: another publish made the generation that it foretold.
    let plan = given.adopt(Adopt { apply: false, ..adopt("w@2") }).await;
    given.published("p/a", &using("w@1", "edited")).await;
    let refused = given.adopt(back(&plan)).await;
    assert_eq!(outcomes(&refused), "rll");
    // The way back is open where nobody may enter any more.
    let third = given.adopt(adopt("w@2")).await;
    let mark = given.registry.mark_release(
        release("w@2"),
        ReleaseState::Withdrawn,
        None,
        Some(MarkPrecondition::Any),
        context(None),
    );
    mark.await.unwrap();
    assert_eq!(outcomes(&given.adopt(back(&third)).await), "+++");
    let refused = given.registry.adopt(Adopt { apply: false, ..adopt("w@2") }, context(None)).await;
    assert!(matches!(refused, Err(WriteError::Withdrawn(_))), "once for all: {refused:?}");
}

#[tokio::test]
async fn what_was_deleted_since_the_plan_is_a_lost_race() {
    let given = given().await;
    let generations = [(id("p/a"), Generation(1)), (id("p/never"), Generation(1)), (id("q/c"), Generation(1))];
    given.registry.delete(id("p/a"), context(ANY)).await.unwrap();
    let request = Adopt { generations: Some(generations.into()), ..adopt("w@2") };
    let moved = given.adopt(request.clone()).await;
    assert_eq!((names(&moved), outcomes(&moved).as_str()), (vec!["p/a", "p/never", "q/c"], "ll+"));
    let AdoptionOutcome::LostRace(words) = &moved.changes[0].outcome else { panic!("{moved:?}") };
    assert!(words.contains("p/a was deleted"), "{words}");
    assert_eq!(outcomes(&given.adopt(request).await), "ll=", "the same again does nothing");
}

#[tokio::test]
async fn a_plan_says_what_will_happen() {
    let given = given().await;
    let mut second = using("w@1", "two-on-its-way");
    second["rollout"] = json!({"policy": "lenient"});
    given.published("p/b", &second).await;
    let scopes = ["worker-manager:publish:p/*", "worker-manager:get:*"].map(str::to_owned);
    let context = WriteContext { caller: Caller::new("p-only", scopes), ..context(None) };
    let plan = given.registry.adopt(Adopt { apply: false, ..adopt("w@2") }, context.clone()).await.unwrap();
    assert_eq!(outcomes(&plan), "~rf");
    let AdoptionOutcome::Refused(errors) = &plan.changes[1].outcome else { panic!("{plan:?}") };
    assert_eq!(errors[0].problem, "rollout-open");
    assert_eq!(plan.changes[0].generation_after, Some(Generation(2)));
    let made = given.registry.adopt(adopt("w@2"), context).await.unwrap();
    assert_eq!(outcomes(&made), "+rf", "as the plan said");
}

#[tokio::test]
async fn a_plan_shows_no_more_than_reads_do() {
    let given = given().await;
    let scopes = ["worker-manager:publish:*", "worker-manager:get:q/*"].map(str::to_owned);
    let context = WriteContext { caller: Caller::new("q-only", scopes), ..context(None) };
    let made = given.registry.adopt(adopt("w@2"), context.clone()).await.unwrap();
    assert_eq!((names(&made), made.reports[0].worker_types, made.not_shown), (vec!["q/c"], 1, 2));
    assert_eq!(given.uses("p/a"), "w@1", "what is not shown is not moved");
    let named = Adopt { generations: Some([(id("p/a"), Generation(1))].into()), ..adopt("w@2") };
    let named = given.registry.adopt(named, context).await.unwrap();
    assert!(matches!(&named.changes[0].outcome, AdoptionOutcome::Forbidden(words) if words.contains("get:p/a")));
    assert_eq!(named.reports.len(), 0);
}

#[tokio::test]
async fn under_require_a_lenient_rollout_may_begin_and_not_end_in_a_loss() {
    let given = given().await;
    let mut requiring = using("w@1", "one");
    requiring["compatibility"] = "require".into();
    given.published("p/a", &requiring).await;
    let mut narrower = using("w@3", "one");
    narrower["compatibility"] = "require".into();
    for (policy, is_taken) in [("strict", false), ("lenient", true)] {
        narrower["rollout"] = json!({"policy": policy});
        let published = given.publish("p/a", &narrower, ANY).await;
        assert_eq!(published.is_ok(), is_taken, "{policy}: {published:?}");
        let Ok(published) = published else { continue };
        let report = &crate::given::body(&published)["compatibility"];
        assert_eq!(
            (&report["verdict"], &report["afterRollout"]["verdict"]),
            (&json!("compatible"), &json!("breaking")),
            "until it ends, the older revision takes what the newer refuses"
        );
        let warnings = &crate::given::body(&published)["warnings"];
        assert_eq!((&warnings[0]["problem"], &warnings[0]["pointer"]), (&json!("breaking-change"), &json!("/rollout")));
    }
    let diff = given.registry.diff(&operator(), &id("p/a"), RevisionNumber(2), RevisionNumber(3)).await.unwrap();
    assert_eq!(diff.compatibility.verdict.as_str(), "breaking", "each taken alone");
    // The end of the rollout: what only the older revision took is refused from then on.
    narrower["rollout"] = json!({"policy": "immediate"});
    let end = registry::Publish { definition: narrower, replace_rollout: true, ..registry::Publish::default() };
    let ended = given.registry.publish(id("p/a"), end, context(ANY)).await;
    assert!(matches!(ended, Err(WriteError::Incompatible { .. })), "{ended:?}");
}

#[tokio::test]
async fn a_plan_knows_that_a_rollout_ends_by_itself() {
    let given = given().await;
    let mut requiring = using("w@1", "rolling");
    requiring["compatibility"] = "require".into();
    requiring["rollout"] = json!({"policy": "lenient", "completeAfter": "1h"});
    given.published("p/rolling", &requiring).await;
    let which = Which { tag: Some("rolling".to_owned()), ..Which::default() };
    for (apply, allow_breaking, letter) in
        [(false, false, "r"), (true, false, "r"), (false, true, "~"), (true, true, "+")]
    {
        let request = Adopt { which: which.clone(), apply, allow_breaking, ..adopt("w@3") };
        let context = WriteContext { message: Some("why".to_owned()), ..context(None) };
        let adopted = given.registry.adopt(request, context).await.unwrap();
        assert_eq!(outcomes(&adopted), letter, "{:?}", adopted.changes);
        let AdoptionOutcome::Refused(errors) = &adopted.changes[0].outcome else { continue };
        assert_eq!(
            (errors[0].problem.as_str(), errors[0].pointer.as_str()),
            ("incompatible", "/rollout/completeAfter")
        );
        assert!(errors[0].message.contains("once the rollout has ended by itself"), "{errors:?}");
    }
}

#[tokio::test]
async fn filters_hold_together() {
    let given = given().await;
    let plan = async |which: Which| {
        let plan = given.adopt(Adopt { which, apply: false, ..adopt("w@2") }).await;
        names(&plan).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let tag = Some("one".to_owned());
    assert_eq!(plan(Which { tag: tag.clone(), ..Which::default() }).await, ["p/a", "q/c"]);
    assert_eq!(plan(Which { tag, worker_types: [id("p/a"), id("p/b")].into(), ..Which::default() }).await, ["p/a"]);
    assert!(plan(Which { from: vec![release("w@3")], ..Which::default() }).await.is_empty());
}

#[tokio::test]
async fn each_is_moved_from_the_state_that_was_planned_on_or_not_at_all() {
    let given = given().await;
    given.published("p/b", &using("w@1", "newer")).await;
    let generations = [(id("p/a"), Generation(1)), (id("p/b"), Generation(1))].into();
    let moved = given.adopt(Adopt { generations: Some(generations), ..adopt("w@2") }).await;
    assert_eq!(names(&moved), ["p/a", "p/b"], "others are left alone");
    assert!(matches!(moved.changes[0].outcome, AdoptionOutcome::Published(_)));
    assert!(matches!(moved.changes[1].outcome, AdoptionOutcome::LostRace(_)), "{:?}", moved.changes[1]);
    assert_eq!(given.uses("p/b"), "w@1");
}

#[tokio::test]
async fn what_requires_compatibility_stays_where_a_move_would_break_it() {
    let given = given().await;
    let mut requiring = using("w@1", "one");
    requiring["compatibility"] = "require".into();
    given.published("p/a", &requiring).await;
    let moved = given.adopt(adopt("w@3")).await;
    let outcomes: Vec<bool> =
        moved.changes.iter().map(|change| matches!(change.outcome, AdoptionOutcome::Published(_))).collect();
    assert_eq!(outcomes, [false, true, true]);
    assert!(
        matches!(&moved.changes[0].outcome, AdoptionOutcome::Refused(errors) if errors[0].problem == "incompatible")
    );
    let insisted = given.adopt(Adopt { allow_breaking: true, ..adopt("w@3") }).await;
    assert!(matches!(insisted.changes[0].outcome, AdoptionOutcome::Published(_)), "{:?}", insisted.changes);
}

#[tokio::test]
async fn whoever_may_not_publish_a_worker_type_does_not_move_it() {
    let given = given().await;
    let scopes = ["worker-manager:publish:p/*", "worker-manager:get:*"].map(str::to_owned);
    let caller = Caller::new("p-only", scopes);
    let context = WriteContext { caller, ..context(None) };
    let moved = given.registry.adopt(adopt("w@2"), context).await.unwrap();
    assert!(matches!(moved.changes[1].outcome, AdoptionOutcome::Published(_)));
    assert!(matches!(&moved.changes[2].outcome, AdoptionOutcome::Forbidden(words) if words.contains("publish:q/c")));
}

#[tokio::test]
async fn a_mark_warns_those_who_use_a_release_and_a_withdrawn_one_gets_no_new_users() {
    let given = given().await;
    let mark = async |state| {
        let (replaced_by, any) = (Some(release("w@2")), Some(MarkPrecondition::Any));
        given.registry.mark_release(release("w@1"), state, replaced_by, any, context(None)).await.unwrap()
    };
    let etag = async || {
        let live = given.registry.live(&id("p/b")).unwrap();
        given.registry.validation(&live).await.unwrap().identity.etag
    };
    let unmarked = etag().await;
    let words = "the release w@1 is deprecated: because; use w@2 instead";
    mark(ReleaseState::Deprecated).await;
    let warned = given.registry.verdict(&id("p/a"), Input::Payload(&json!({"n": 1}))).unwrap();
    assert_eq!((warned.verdict.as_str(), warned.warnings[0].message.as_str()), ("valid", words));
    let live = given.registry.live(&id("p/b")).unwrap();
    assert_eq!((live.record.generation, live.validation.release_marks.len()), (Generation(1), 1));
    assert_ne!(etag().await, unmarked, "a gate that asks with the ETag it has gets the mark");
    let body = crate::given::body(&given.published("p/new", &using("w@1", "new")).await);
    assert_eq!(
        (&body["warnings"][0]["problem"], &body["warnings"][0]["pointer"]),
        (&json!("deprecated-release"), &json!("/variants/0/release"))
    );
    mark(ReleaseState::Withdrawn).await;
    let refused = given.refusals(&using("w@1", "late")).await;
    assert_eq!(refused, [("withdrawn-release".to_owned(), "/variants/0/release".to_owned())]);
    given.published("p/a", &using("w@1", "goes-on")).await;
    let marked = serde_json::from_slice::<Value>(&mark(ReleaseState::Withdrawn).await.document.identity.bytes).unwrap();
    assert_eq!((&marked["mark"]["state"], &marked["mark"]["replacedBy"]), (&json!("withdrawn"), &json!("w@2")));
    mark(ReleaseState::Active).await;
    assert!(given.registry.verdict(&id("p/b"), Input::Payload(&json!({}))).unwrap().warnings.is_empty());
    assert_eq!(etag().await, unmarked);
    given.published("p/late", &using("w@1", "late")).await;
}

#[tokio::test]
async fn marks_travel_with_an_export_and_reach_other_replicas() {
    let given = given().await;
    let any = Some(MarkPrecondition::Any);
    given.registry.mark_release(release("w@1"), ReleaseState::Deprecated, None, any, context(None)).await.unwrap();
    assert!(given.replica().snapshot().marked.contains_key(&release("w@1")));
    let mut lines = given.registry.export_header();
    for step in given.registry.export_plan().into_iter().chain(given.registry.export_releases()) {
        lines += &given.registry.export_lines(step).await.unwrap();
    }
    let other = a_registry();
    other.registry.import(lines.into_bytes(), context(None)).await.unwrap();
    let mark = &other.registry.snapshot().marked[&release("w@1")];
    assert_eq!((mark.reason.as_deref(), mark.by.as_str()), (Some("because"), operator().name()));
}

#[tokio::test]
async fn documentation_is_measured_and_held_against_its_policy() {
    let given = a_registry();
    let mut definition = json!({"description": "x", "documentation": "# X\n\nThe `image`, see [limits](#limits).", "variants": [
        {"name": "a", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {
            "image": {"description": "what runs"}, "command": {"type": "array"}}}}]});
    let publish = async |definition: &Value| given.publish("p/w", definition, ANY).await;
    let quiet = crate::given::body(&publish(&definition).await.unwrap());
    assert_eq!(quiet["warnings"], json!([]), "nobody is warned who did not ask");
    let coverage = given.registry.coverage(&given.registry.live(&id("p/w")).unwrap());
    assert_eq!(
        (coverage.complete, coverage.properties, coverage.undescribed, coverage.unmentioned),
        (false, 2, vec!["command".to_owned()], vec!["command".to_owned()])
    );
    assert_eq!((coverage.without_example, coverage.dead_links), (vec!["a".to_owned()], vec!["#limits".to_owned()]));
    definition["documentationCoverage"] = "warn".into();
    let warned = crate::given::body(&publish(&definition).await.unwrap());
    let problems: Vec<&str> =
        warned["warnings"].as_array().unwrap().iter().map(|item| item["problem"].as_str().unwrap()).collect();
    assert_eq!(problems, ["undescribed-property", "unmentioned-property", "no-example", "dead-link"]);
    definition["documentationCoverage"] = "require".into();
    let refused = publish(&definition).await;
    assert!(matches!(&refused, Err(WriteError::InvalidDefinition(report)) if report.errors.len() == 4), "{refused:?}");
    definition["documentation"] = "# X\n\nThe `image` and the `command`, see [limits](#limits).\n\n## Limits".into();
    definition["variants"][0]["payloadSchema"]["properties"]["command"]["description"] = "how".into();
    definition["variants"][0]["examples"] = json!([{"title": "one", "payload": {"image": "a", "command": []}}]);
    let published = publish(&definition).await.unwrap();
    assert_eq!(crate::given::body(&published)["warnings"], json!([]));
    assert!(given.registry.coverage(&given.registry.live(&id("p/w")).unwrap()).complete);
    let check = given.registry.check(id("p/w"), definition, Vec::new()).await;
    assert!(check.documentation.is_some_and(|coverage| coverage.complete));
}
