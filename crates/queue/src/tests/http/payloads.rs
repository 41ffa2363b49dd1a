//! What clients and operators are told of payloads.

use super::Server;
use crate::testing::{Given, NOW, definition, invalid, minutes, task_id, unchecked};
use serde_json::{Value, json};
use service::AccessPolicy;
use std::sync::Arc;
use worker_manager_client::Enforced;
use worker_types::{Item, UncheckedReason, ValidationMode, Verdict};

#[tokio::test(flavor = "multi_thread")]
async fn the_verdict_stands_in_headers() {
    let server = Server::start().await;
    let answer = server.put(&task_id(), definition()).await;
    assert_eq!((answer.status, answer.header("payload-verdict"), answer.header("link")), (200, "valid", ""));

    server.gate().says(unchecked(UncheckedReason::NoSchema));
    let answer = server.put(&task_id(), definition()).await;
    assert_eq!((answer.status, answer.header("payload-verdict")), (200, "unchecked; reason=no-schema"));

    server.gate().says(invalid(ValidationMode::Warn));
    let id = task_id();
    let answer = server.put(&id, definition()).await;
    let link =
        "<https://ci.example.com/api/worker-manager/v1/worker-types/proj-a/linux/validation>; rel=\"describedby\"";
    assert_eq!((answer.status, answer.header("payload-verdict"), answer.header("link")), (200, "invalid", link));
    let again = server.put(&id, definition()).await;
    assert_eq!((again.header("payload-verdict"), again.header("link")), ("invalid", link), "as the first time");

    let kept = server.get(&format!("/task/{id}/validation")).await.body;
    assert_eq!(
        (&kept["verdict"], &kept["action"], &kept["mode"]),
        (&json!("invalid"), &json!("warned"), &json!("warn"))
    );
    assert_eq!((&kept["checkedAt"], &kept["taskId"]), (&json!(NOW), &json!(id)));
    assert_eq!(kept["errors"][0]["pointer"], "/payload/maxRunTime");
    assert_eq!(kept["revisions"][0]["revision"], 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_says_what_to_mend_and_carries_the_verdict() {
    let server = Server::start().await;
    server.gate().says(invalid(ValidationMode::Enforce));
    let id = task_id();
    let answer = server.put(&id, definition()).await;
    answer.refused(400, "invalid-task", "InputError");
    assert_eq!(answer.header("payload-verdict"), "invalid");
    assert_eq!(answer.body["errors"][0]["message"], "task.payload.maxRunTime must be an integer, not a string");
    assert!(answer.body["detail"].as_str().unwrap().contains("proj-a/linux does not accept this task"));
    assert_eq!(
        (&answer.body["verdict"]["verdict"], &answer.body["verdict"]["validation"]),
        (&json!("invalid"), &json!("enforce"))
    );
    server.get(&format!("/task/{id}")).await.refused(404, "unknown-task", "ResourceNotFound");
    server.get(&format!("/task/{id}/status")).await.refused(404, "unknown-task", "ResourceNotFound");
    server.get(&format!("/task/{id}/validation")).await.refused(404, "unknown-task", "ResourceNotFound");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_during_a_rollout_says_so() {
    let server = Server::start().await;
    let words = "a strict rollout from revision 7 to revision 8 is open, and both revisions have to accept";
    let warnings = vec![Item { revision: Some(8), ..Item::new("rejected-by-revision", "", words) }];
    server.gate().says(Verdict { warnings, ..invalid(ValidationMode::Enforce) });
    let answer = server.put(&task_id(), definition()).await;
    let detail = answer.refused(400, "invalid-task", "InputError").body["detail"].as_str().unwrap();
    assert!(detail.ends_with(&format!("not a string. Know that {words}")), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_verdicts_says_when_enforce_is_safe() {
    let server = Server::start().await;
    server.given.created(json!({})).await;
    server.gate().says(invalid(ValidationMode::Warn));
    let mut warned = Vec::new();
    for _ in 0..3 {
        warned.insert(0, server.given.created(json!({})).await.to_string());
        server.given.pass(1);
    }
    // The id as one segment and as two.
    for path in ["/task-queues/proj-a%2Flinux/payload-verdicts", "/task-queues/proj-a/linux/payload-verdicts"] {
        let first = server.get(&format!("{path}?limit=2")).await;
        assert_eq!(first.status, 200, "{:#}", first.body);
        let summary = &first.body["summary"];
        assert_eq!((&summary["valid"], &summary["warned"], &summary["refused"]), (&json!(1), &json!(3), &json!(0)));
        let cause = &summary["causes"][0];
        assert_eq!(
            (&cause["problem"], &cause["pointer"], &cause["tasks"]),
            (&json!("type"), &json!("/payload/maxRunTime"), &json!(3))
        );
        assert_eq!(cause["lastTaskId"], json!(warned[0]));
        let token = first.body["continuationToken"].as_str().unwrap();
        // The clock goes on; the beginning of the list does not.
        server.given.pass(1);
        let second = server.get(&format!("{path}?limit=2&continuationToken={token}")).await;
        assert_eq!((&second.body["since"], &second.body["summary"]), (&first.body["since"], &Value::Null));
        let pages = [&first, &second];
        let listed: Vec<&str> = pages
            .iter()
            .flat_map(|page| page.body["verdicts"].as_array().unwrap())
            .map(|kept| kept["taskId"].as_str().unwrap())
            .collect();
        assert_eq!(listed, warned);
        assert_eq!(second.body["continuationToken"], Value::Null);
        let other = server.get(&format!("{path}?verdict=invalid&continuationToken={token}")).await;
        other.refused(400, "invalid-continuation-token", "InputError");
    }
    let path = "/task-queues/proj-a/linux/payload-verdicts";
    assert_eq!(server.get(&format!("{path}?verdict=valid")).await.body["verdicts"].as_array().unwrap().len(), 1);
    let later = server.get(&format!("{path}?since={}", minutes(1))).await.body;
    assert_eq!((later["verdicts"].as_array().unwrap().len(), &later["summary"]["warned"]), (2, &json!(2)));
    server.get(&format!("{path}?since=yesterday")).await.refused(400, "invalid-query", "InvalidRequestArguments");
    server.get(&format!("{path}?verdict=good")).await.refused(400, "invalid-query", "InvalidRequestArguments");
    server.get("/task-queues/proj-a/LINUX/payload-verdicts").await.refused(
        400,
        "invalid-id",
        "InvalidRequestArguments",
    );
}

/// A bundle with one variant whose payload schema this is.
fn enforced(schema: &Value) -> Enforced {
    let hash = worker_types::content_hash(schema);
    let bundle = json!({
        "workerTypeId": "proj-a/linux", "generation": 9, "validation": "enforce", "rollout": null,
        "revisions": [{"revision": 7, "contentHash": hash, "validation": "enforce", "acceptance": "any", "lifecycle": {"state": "active"},
            "variants": [{"name": "default", "payloadSchema": {"hash": hash, "dialect": "draft-07"}, "constraints": []}]}],
        "schemas": {hash.as_str(): schema},
    });
    let confirmed_at = NOW.parse().unwrap();
    Enforced { bundle: Arc::new(serde_json::from_value(bundle).unwrap()), confirmed_at, warnings: Vec::new() }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_enforced_can_be_read_with_its_revision() {
    let server = Server::start().await;
    let schema = json!({"type": "object", "required": ["image"]});
    server.gate().enforces(enforced(&schema));
    let answer = server.get("/task-queues/proj-a%2Flinux/payload-schema").await;
    assert_eq!(answer.status, 200, "{:#}", answer.body);
    let body = &answer.body;
    assert_eq!((&body["payloadSchema"], &body["mode"], &body["generation"]), (&schema, &json!("enforce"), &json!(9)));
    assert_eq!((&body["revisions"][0]["revision"], &body["confirmedAt"]), (&json!(7), &json!(NOW)));
    let variant = &body["revisions"][0]["variants"][0];
    assert_eq!(
        (&variant["payloadSchema"]["schema"], &variant["payloadSchema"]["dialect"]),
        (&schema, &json!("draft-07"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_enforced_is_said_in_words() {
    let path = "/task-queues/proj-a/linux/payload-schema";
    let server = Server::start().await;
    for (reason, status, problem, code) in [
        (UncheckedReason::UnknownWorkerType, 404, "unknown-worker-type", "ResourceNotFound"),
        (UncheckedReason::Deleted, 410, "deleted", "ResourceExpired"),
        (UncheckedReason::Off, 404, "no-schema", "ResourceNotFound"),
        (UncheckedReason::Unavailable, 503, "not-ready", "InternalServerError"),
    ] {
        server.gate().says(unchecked(reason));
        server.get(path).await.refused(status, problem, code);
    }
    let given = Given::on_sqlite().reopened(|settings| settings.max_validation = ValidationMode::Off);
    let off = Server::of(given, AccessPolicy::Local).await;
    off.gate().enforces(enforced(&json!({})));
    let answer = off.get(path).await;
    assert!(
        answer.refused(404, "no-schema", "ResourceNotFound").body["detail"]
            .as_str()
            .unwrap()
            .contains("max_validation")
    );
}
