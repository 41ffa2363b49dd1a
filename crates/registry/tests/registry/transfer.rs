//! Export then import is the identity.

use crate::given::{ANY, Given, a_registry, context, id, requiring};
use registry::WriteError;
use serde_json::json;
use worker_types::RevisionNumber;

async fn export(given: &Given) -> String {
    let mut text = given.registry.export_header();
    for step in given.registry.export_plan() {
        text += &given.registry.export_lines(step).await.unwrap();
    }
    for step in given.registry.export_releases() {
        text += &given.registry.export_lines(step).await.unwrap();
    }
    text
}

async fn filled() -> Given {
    let given = a_registry();
    given.release("w@1", &json!({"variants": [{"name": "a"}]})).await;
    given.published("p/a", &json!({"description": "x", "variants": [{"name": "a", "release": "w@1"}]})).await;
    given.published("p/a", &requiring("a")).await;
    given.registry.rollback(id("p/a"), RevisionNumber(1), context(ANY)).await.unwrap();
    given.published("p/gone", &requiring("a")).await;
    given.registry.delete(id("p/gone"), context(ANY)).await.unwrap();
    let mut rolling = requiring("b");
    rolling["rollout"] = json!({"policy": "strict"});
    given.published("p/rolling", &requiring("a")).await;
    given.published("p/rolling", &rolling).await;
    given
}

#[tokio::test]
async fn export_then_import_is_the_identity() {
    let from = filled().await;
    let text = export(&from).await;
    let to = a_registry();
    let imported = to.registry.import(text.clone().into_bytes(), context(None)).await.unwrap();
    assert_eq!((imported.records, imported.new), (4, 4));
    assert_eq!(export(&to).await, text);
    let (left, right) = (from.registry.live(&id("p/rolling")).unwrap(), to.registry.live(&id("p/rolling")).unwrap());
    assert_eq!(left.record, right.record);
    assert_eq!(left.validation, right.validation);
    let again = to.registry.import(text.into_bytes(), context(None)).await.unwrap();
    assert_eq!((again.records, again.new), (4, 0));
}

#[tokio::test]
async fn an_import_is_taken_whole_or_not_at_all() {
    let text = export(&filled().await).await;
    let to = a_registry();
    to.published("p/a", &requiring("other")).await;
    let before = export(&to).await;
    let conflict = to.registry.import(text.clone().into_bytes(), context(None)).await;
    assert!(matches!(conflict, Err(WriteError::InvalidImport(_))), "{conflict:?}");
    assert_eq!(export(&to).await, before);
}

#[tokio::test]
async fn a_forged_or_broken_line_is_refused_with_its_number() {
    let text = export(&filled().await).await;
    let refused = async |text: String| {
        let to = a_registry();
        match to.registry.import(text.into_bytes(), context(None)).await {
            Err(WriteError::InvalidImport(report)) => {
                report.errors.into_iter().map(|item| item.message).collect::<Vec<_>>().join("\n")
            }
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(text.replacen("\"required\":[\"a\"]", "\"required\":[\"z\"]", 1)).await.contains("hash is"));
    assert!(refused(text.replacen("\"revision\":2", "\"revision\":3", 1)).await.contains("out of order"));
    assert!(refused(text.lines().skip(1).collect::<Vec<_>>().join("\n")).await.contains("line 1"));
    assert!(refused(text.replacen("\"kind\":\"worker-type\"", "\"kind\":\"worker-tpye\"", 1)).await.contains("line 2"));
    assert!(refused(String::new()).await.contains("no lines"));
    let without_release: String =
        text.lines().filter(|line| !line.contains("\"kind\":\"release\"")).map(|line| format!("{line}\n")).collect();
    assert!(refused(without_release).await.contains("w@1"));
}
