//! What is kept compiled: bounded, and without a say in what is accepted.

use crate::given::{a_registry, id, requiring};
use payload_schema::Input;
use registry::Settings;
use serde_json::json;
use worker_types::Outcome;

#[tokio::test]
async fn few_schemas_stay_compiled_and_every_worker_type_is_still_judged_by_its_own() {
    let given = a_registry();
    let names: Vec<String> = (0..40).map(|number| format!("p/w{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        given.published(name, &requiring(&format!("property{number}"))).await;
    }
    let registry = given.replica_with(Settings { schema_capacity: 4, ..Settings::default() });
    let verdict = |name: &str, property: usize| {
        let payload = json!({format!("property{property}"): 1});
        registry.verdict(&id(name), Input::Payload(&payload)).unwrap().verdict
    };
    for _ in 0..2 {
        for (number, name) in names.iter().enumerate() {
            assert_eq!(verdict(name, number), Outcome::Valid, "{name}");
            assert_eq!(verdict(name, number + 1), Outcome::Invalid, "{name}");
            // Four are kept, four more may be held by worker types, and one is being asked for.
            assert!(registry.compiled_schemas() <= 9, "{} are compiled", registry.compiled_schemas());
        }
    }
}

#[tokio::test]
async fn one_schema_of_many_worker_types_is_compiled_once() {
    let given = a_registry();
    for number in 0..20 {
        given.published(&format!("p/w{number}"), &requiring("same")).await;
    }
    let registry = given.replica_with(Settings { schema_capacity: 1, ..Settings::default() });
    for number in 0..20 {
        let verdict = registry.verdict(&id(&format!("p/w{number}")), Input::Payload(&json!({"same": 1}))).unwrap();
        assert_eq!(verdict.verdict, Outcome::Valid);
    }
    assert_eq!(registry.compiled_schemas(), 1);
}
