//! Schemas and payloads of real workers: what is published today is taken, and every payload gets its verdict.

use crate::shared;
use payload_schema::{Limits, Schema, inspect};
use std::collections::BTreeMap;

/// Schemas that are rightly refused: the file, the place, the problem.
const REFUSED: &[(&str, &str, &str)] = &[];

#[test]
fn every_schema_and_every_revision_of_it_is_taken() {
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let mut problems: BTreeMap<String, usize> = BTreeMap::new();
    let (mut refused, mut never) = (Vec::new(), Vec::new());
    let folders = ["payload-schemas", "history"].map(|name| folder.join(name));
    let files: Vec<_> = folders.iter().flat_map(|folder| shared::json_files(folder)).collect();
    assert!(files.len() >= 300, "only {} schemas", files.len());
    for file in &files {
        let inspection = inspect(&shared::json(file), None, &Limits::default());
        let name = file.strip_prefix(&folder).unwrap().display().to_string();
        refused.extend(inspection.errors.into_iter().map(|item| (name.clone(), item.pointer, item.problem)));
        for warning in inspection.warnings {
            if warning.problem == "never-matches" {
                never.push((name.clone(), warning.pointer.clone(), warning.message.clone()));
            }
            *problems.entry(warning.problem).or_default() += 1;
        }
    }
    let expected: Vec<_> =
        REFUSED.iter().map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned())).collect();
    assert_eq!(refused, expected);
    println!("{problems:#?}");
    // None of them contradicts itself.
    assert_eq!(never, []);
}

#[test]
fn every_payload_and_every_task_gets_its_verdict() {
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let index = shared::json(&folder.join("INDEX.json"));
    let entries = index["files"].as_array().unwrap().iter().filter(|entry| entry["verdict"].is_string());
    let mut schemas = BTreeMap::new();
    let mut count = 0;
    for entry in entries {
        let (file, schema) = (entry["file"].as_str().unwrap(), entry["schema"].as_str().unwrap());
        let compile = || Schema::compile(&shared::json(&folder.join(schema)), None, &Limits::default()).unwrap();
        let compiled = schemas.entry(schema).or_insert_with(compile);
        let value = shared::json(&folder.join(file));
        let valid = entry["verdict"] == "valid";
        assert_eq!(compiled.is_valid(&value), valid, "{file}");
        let explanation = compiled.explain(&value, "", &Limits::default());
        assert_eq!(explanation.errors.is_empty(), valid, "{file}: {explanation:?}");
        count += 1;
        if !valid && std::env::var_os("DUMP").is_some() {
            println!("== {file}  [{schema}]");
            println!("   ajv: {}", entry["errors"].to_string().chars().take(700).collect::<String>());
            for item in &explanation.errors {
                println!(
                    "   {} @ {} ({}) -> {:?} | {}",
                    item.problem,
                    item.pointer,
                    item.schema_pointer.as_deref().unwrap(),
                    item.suggestion,
                    item.message
                );
            }
        }
    }
    assert_eq!(count, 288, "254 payloads and 34 tasks");
}
