//! The law over real schemas, their payloads and their tasks.

use super::given::{FORMS, TARGETS, bundle, payload_schema, prepared, queue, read, service_accepts, task, task_schema};
use crate::shared;
use payload_schema::Input;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use worker_types::Outcome;

/// Payloads and tasks of one kind by the path of their schema.
fn corpus(kind: &str) -> Option<BTreeMap<String, (Value, Vec<Value>)>> {
    let folder = shared::folder("data/taskcluster")?;
    let index = shared::json(&folder.join("INDEX.json"));
    let mut corpus = BTreeMap::new();
    for entry in index["files"].as_array().unwrap().iter().filter(|entry| entry["kind"] == kind) {
        let path = entry["schema"].as_str().unwrap();
        let (_, values) =
            corpus.entry(path.to_owned()).or_insert_with(|| (shared::json(&folder.join(path)), Vec::new()));
        values.push(shared::json(&folder.join(entry["file"].as_str().unwrap())));
    }
    Some(corpus)
}

#[test]
fn real_payloads_get_the_same_verdict_by_the_document() {
    let Some(corpus) = corpus("payload") else { return };
    let mut verdicts = BTreeMap::<_, usize>::new();
    for (path, (schema, payloads)) in &corpus {
        let bundle = bundle("p/w", None, &[json!({"variants": [{"payloadSchema": schema}]})]);
        let prepared = prepared(&bundle);
        let documents = TARGETS.map(|target| read(&payload_schema(&bundle, target)));
        for payload in payloads {
            let verdict = prepared.evaluate(Input::Payload(payload)).verdict;
            *verdicts.entry(verdict.as_str()).or_default() += 1;
            for document in &documents {
                assert_eq!(document.is_valid(payload), verdict != Outcome::Invalid, "{path}: {payload}");
            }
        }
    }
    assert_eq!(verdicts.values().sum::<usize>(), 254);
    assert!(verdicts["valid"] > 50 && verdicts["invalid"] > 50, "{verdicts:?}");
}

/// A task of the corpus is a fragment, with names that no queue would take as task ids.
fn whole(fragment: &Value, id: &str) -> Value {
    let mut fields = fragment.clone();
    let count = fragment["dependencies"].as_array().map_or(0, Vec::len);
    if count > 0 {
        fields["dependencies"] = (0..count).map(|index| json!(format!("AAAAAAA{index}QACAAAAAAAAAAA"))).collect();
    }
    let known = ["scopes", "dependencies", "payload", "taskGroupId", "schedulerId", "routes", "extra", "tags"];
    fields.as_object_mut().unwrap().retain(|name, _| known.contains(&name.as_str()));
    fields["taskQueueId"] = id.into();
    task(fields)
}

#[test]
fn real_tasks_get_the_same_verdict_by_one_document_for_all_worker_types() {
    let (Some(tasks), Some(payloads)) = (corpus("task"), corpus("payload")) else { return };
    let mut bundles = Vec::new();
    let mut all = Vec::new();
    for (place, corpus) in [("taskSchema", tasks), ("payloadSchema", payloads)] {
        for (schema, values) in corpus.into_values() {
            let id = format!("real/w{}", bundles.len());
            bundles.push(bundle(&id, None, &[json!({"variants": [{place: schema}]})]));
            all.extend(values.iter().map(|value| match place {
                "taskSchema" => whole(value, &id),
                _ => task(json!({"taskQueueId": id, "payload": value})),
            }));
        }
    }
    let known: Vec<_> = bundles.iter().map(|bundle| (bundle.clone(), prepared(bundle))).collect();
    let queue = queue();
    let documents: Vec<_> =
        TARGETS.into_iter().flat_map(|target| FORMS.map(|form| read(&task_schema(&bundles, form, target)))).collect();
    let mut verdicts = BTreeMap::<_, usize>::new();
    for task in &all {
        let accepted = service_accepts(&known, &queue, task);
        *verdicts.entry(accepted).or_default() += 1;
        for document in &documents {
            assert_eq!(document.is_valid(task), accepted, "{task}");
        }
    }
    assert_eq!(all.len(), 288);
    assert!(verdicts[&true] > 80 && verdicts[&false] > 50, "{verdicts:?}");
    println!("{} worker types, {verdicts:?}", bundles.len());
}
