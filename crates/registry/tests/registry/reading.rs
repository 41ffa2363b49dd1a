//! What people read: documentation, history, and the pool only for those who may see it.

use crate::given::{ANY, a_registry, context, id, operator, requiring};
use registry::{Publish, WriteContext, WriteError};
use serde_json::{Value, json};
use worker_types::{Caller, RevisionNumber};

#[tokio::test]
async fn the_owners_words_come_first_then_the_variants_then_the_releases() {
    let given = a_registry();
    given.release("w@1.0.0", &json!({"documentation": "Stops after {{configuration.limit}} s.", "variants": [{"name": "posix", "documentation": "On POSIX."}]})).await;
    let definition = json!({"description": "x", "documentation": "# Ours\n\nAsk {{configuration.who}}.\n", "variants": [
        {"name": "default", "release": "w@1.0.0", "documentation": "Here.", "configuration": {"limit": 60, "who": "us"}}]});
    given.published("p/w", &definition).await;
    let live = given.registry.live(&id("p/w")).unwrap();
    let text = String::from_utf8(given.registry.documentation(&live).await.unwrap().identity.bytes.to_vec()).unwrap();
    assert_eq!(
        text,
        "# Ours\n\nAsk us.\n\n## Variant default\n\nHere.\n\nOn POSIX.\n\n## Implementation w 1.0.0\n\nStops after 60 s."
    );
}

#[tokio::test]
async fn the_pool_is_shown_to_those_who_may_see_it() {
    let given = a_registry();
    let mut definition = requiring("a");
    definition["pool"] = json!({"providerId": "static", "config": {"secret": "ami-1"}});
    given.published("p/w", &definition).await;
    let reader = Caller::new("reader", ["worker-manager:get:*".to_owned()]);
    let keeper = Caller::new("keeper", ["worker-manager:get-pool:p/*".to_owned()]);
    let shown = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap()["definition"]["pool"].clone();
    let hidden = given.registry.definition(&reader, &id("p/w")).await.unwrap();
    assert_eq!((shown(&hidden.identity.bytes), hidden.identity.etag.as_str()), (Value::Null, "\"g1-public\""));
    let full = given.registry.definition(&keeper, &id("p/w")).await.unwrap();
    assert_eq!(shown(&full.identity.bytes)["config"]["secret"], "ami-1");
    let revision = given.registry.revision(&reader, &id("p/w"), RevisionNumber(1)).await.unwrap();
    assert_eq!(shown(&revision.identity.bytes), Value::Null);
    given.published("p/w", &requiring("b")).await;
    let diff = async |caller: &Caller| {
        given.registry.diff(caller, &id("p/w"), RevisionNumber(1), RevisionNumber(2)).await.unwrap().unified
    };
    assert!(!diff(&reader).await.contains("ami-1"));
    assert!(diff(&operator()).await.contains("ami-1"));
}

#[tokio::test]
async fn text_is_served_in_its_authors_order_and_spelling() {
    let given = a_registry();
    let text = r#"{"variants":[{"payloadSchema":{"$schema":"http://json-schema.org/draft-07/schema#","maximum":3600.0,"const":9007199254740993},"name":"default"}],"description":"é"}"#;
    given.published("p/w", &serde_json::from_str(text).unwrap()).await;
    let live = given.registry.live(&id("p/w")).unwrap();
    assert_eq!(live.revision.definition, text);
    let full = given.registry.definition(&operator(), &id("p/w")).await.unwrap();
    assert!(String::from_utf8(full.identity.bytes.to_vec()).unwrap().contains(text));
    // Another who says the same in another order does not change what this one reads.
    let turned = r#"{"variants":[{"payloadSchema":{"const":9007199254740993,"maximum":3600.0,"$schema":"http://json-schema.org/draft-07/schema#"},"name":"default"}],"description":"é"}"#;
    given.published("p/turned", &serde_json::from_str(turned).unwrap()).await;
    for (name, text) in [("p/w", text), ("p/turned", turned)] {
        let live = given.registry.live(&id(name)).unwrap();
        let schema = given.registry.payload_schema(&live, None).await.unwrap().unwrap();
        assert!(text.contains(std::str::from_utf8(&schema.identity.bytes).unwrap()), "{name}");
    }
}

#[tokio::test]
async fn a_schema_that_constraints_narrow_does_not_stand_for_the_payloads_alone() {
    let given = a_registry();
    let mut definition = requiring("a");
    given.published("p/w", &definition).await;
    definition["variants"][0]["constraints"] = json!({"payloadSchema": {"required": ["b"]}});
    given.published("p/narrowed", &definition).await;
    for (name, stands_alone) in [("p/w", true), ("p/narrowed", false)] {
        let live = given.registry.live(&id(name)).unwrap();
        let written = async |variant| given.registry.payload_schema(&live, variant).await.unwrap();
        assert_eq!(written(None).await.is_some(), stands_alone, "{name}");
        assert!(
            written(Some("default")).await.is_some(),
            "{name}: what its author wrote is there by the variant's name"
        );
    }
}

#[tokio::test]
async fn worker_types_with_the_same_schema_share_it() {
    let given = a_registry();
    for name in ["p/a", "p/b"] {
        given.published(name, &requiring("same")).await;
    }
    let schema = |name: &str| given.registry.live(&id(name)).unwrap().validation.schemas.values().next().cloned();
    let (one, other) = (schema("p/a").unwrap(), schema("p/b").unwrap());
    assert!(std::ptr::eq::<Value>(&*one, &*other));
}

#[tokio::test]
async fn equal_revisions_have_an_empty_diff() {
    let given = a_registry();
    given.published("p/w", &requiring("a")).await;
    let diff = given.registry.diff(&operator(), &id("p/w"), RevisionNumber(1), RevisionNumber(1)).await.unwrap();
    assert_eq!(diff.unified, "");
}

#[tokio::test]
async fn a_pool_that_one_may_not_see_is_not_removed_by_oversight() {
    let given = a_registry();
    let mut definition = requiring("a");
    definition["pool"] = json!({"providerId": "static", "config": {}});
    given.published("p/w", &definition).await;
    let blind = WriteContext { caller: Caller::new("blind", ["worker-manager:publish:*".to_owned()]), ..context(ANY) };
    let publish = |definition: Value| Publish { definition, ..Publish::default() };
    let refused = given.registry.publish(id("p/w"), publish(requiring("b")), blind.clone()).await;
    assert!(matches!(refused, Err(WriteError::HiddenPool(_))), "{refused:?}");
    definition["description"] = json!("with a pool of one's own");
    assert!(given.registry.publish(id("p/w"), publish(definition), blind).await.is_ok());
    assert!(given.publish("p/w", &requiring("b"), ANY).await.is_ok());
}
