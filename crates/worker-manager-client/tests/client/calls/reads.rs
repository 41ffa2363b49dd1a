//! Reading one resource.

use super::{answering, definition_answer, hash, id, last, line};
use crate::fake::{answer, json};
use serde_json::json;
use worker_manager_client::Conditional;
use worker_types::{Generation, RevisionNumber};

#[tokio::test]
async fn a_definition_keeps_its_authors_order_and_numbers() {
    let definition = serde_json::from_str(r#"{"z": 1.0, "a": 9007199254740993, "m": {"1": 1e2}}"#).unwrap();
    let (fake, client) = answering([json(200, &definition_answer(&definition))]).await;
    let worker_type = client.worker_type(&id()).await.unwrap();
    assert_eq!(line(&fake), "GET /worker-types/p/w");
    assert_eq!((worker_type.generation, worker_type.revision), (Generation(9), RevisionNumber(7)));
    assert_eq!(worker_type.definition.to_string(), definition.to_string());
    assert_eq!(worker_type.warnings[0].problem, "not-checked-yet");
}

#[tokio::test]
async fn a_revision_and_a_diff() {
    let revision = json!({"workerTypeId": "p/w", "revision": 2, "contentHash": hash(), "publishedAt": "t",
        "publishedBy": "me", "message": null, "rollbackOf": 1, "definition": {}, "warnings": []});
    let diff = json!({"workerTypeId": "p/w", "from": 1, "to": 2, "equal": false, "unified": "-a\n+b\n"});
    let (fake, client) = answering([json(200, &revision), json(200, &diff)]).await;
    let revision = client.revision(&id(), RevisionNumber(2)).await.unwrap();
    assert_eq!(line(&fake), "GET /worker-types/p/w/revisions/2");
    assert_eq!(revision.rollback_of, Some(RevisionNumber(1)));
    let diff = client.diff(&id(), RevisionNumber(1), RevisionNumber(2)).await.unwrap();
    assert_eq!(
        (last(&fake).target.as_str(), diff.unified.as_str()),
        ("/worker-types/p/w/diff?from=1&to=2", "-a\n+b\n")
    );
}

#[tokio::test]
async fn a_schema_and_the_documentation() {
    let schema = answer(200, &[("content-type", "application/schema+json"), ("etag", "\"s\"")], r#"{"maximum": 1.0}"#);
    let words = answer(200, &[("content-type", "text/markdown")], "# Größe");
    let (fake, client) = answering([schema, words]).await;
    let schema = client.payload_schema(&id(), Some(RevisionNumber(3)), Some("posix")).await.unwrap();
    assert_eq!(line(&fake), "GET /worker-types/p/w/payload-schema?revision=3&variant=posix");
    assert_eq!((schema.schema.to_string().as_str(), schema.etag.as_deref()), (r#"{"maximum":1.0}"#, Some("\"s\"")));
    assert_eq!(client.documentation(&id(), None).await.unwrap(), "# Größe");
    assert_eq!(last(&fake).header("accept"), Some("text/markdown"));
}

#[tokio::test]
async fn a_bundle_is_asked_for_on_a_condition() {
    let bundle = json!({"workerTypeId": "p/w", "generation": 1, "validation": "off", "rollout": null, "revisions": [], "schemas": {}});
    let fresh = answer(200, &[("etag", "\"b\"")], bundle.to_string());
    let (fake, client) = answering([fresh, answer(304, &[("etag", "\"b\"")], "")]).await;
    let Conditional::Fresh { value, etag } = client.validation(&id(), None).await.unwrap() else { panic!() };
    assert_eq!((value.generation, etag.as_deref()), (Generation(1), Some("\"b\"")));
    assert_eq!(client.validation(&id(), etag.as_deref()).await.unwrap(), Conditional::NotModified);
    assert_eq!(last(&fake).header("if-none-match"), Some("\"b\""));
    assert_eq!(last(&fake).target, "/worker-types/p/w/validation");
}

#[tokio::test]
async fn implementations_releases_and_who_uses_them() {
    let summary =
        json!({"release": "gw@1.0.0", "contentHash": hash(), "publishedAt": "t", "publishedBy": "me", "message": null});
    let release = json!({"release": "gw@1.0.0", "contentHash": hash(), "publishedAt": "t", "publishedBy": "me",
        "message": null, "content": {"variants": []}, "warnings": []});
    let answers = [
        json!({"implementations": [{"name": "gw", "versions": ["1.0.0"], "workerTypes": 3}]}),
        json!({"releases": [summary]}),
        release,
        json!({"release": "gw@1.0.0", "workerTypes": [{"workerTypeId": "p/w"}]}),
    ];
    let (fake, client) = answering(answers.iter().map(|body| json(200, body))).await;
    let release = "gw@1.0.0+b".parse().unwrap();
    assert_eq!(client.implementations().await.unwrap()[0].worker_types, 3);
    assert_eq!(client.releases("gw").await.unwrap()[0].release.to_string(), "gw@1.0.0");
    assert_eq!(client.release(&release).await.unwrap().content, json!({"variants": []}));
    assert_eq!(client.release_used_by(&release).await.unwrap()[0].worker_type_id, id());
    let asked: Vec<_> = fake.requests().into_iter().map(|request| request.target).collect();
    let below = "/implementations/gw/releases";
    assert_eq!(
        asked,
        [
            "/implementations".to_owned(),
            below.to_owned(),
            format!("{below}/1.0.0+b"),
            format!("{below}/1.0.0+b/used-by")
        ]
    );
}
