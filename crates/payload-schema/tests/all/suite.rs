//! The JSON-Schema-Test-Suite: the required tests of every draft, their remotes from a closed map.

use crate::shared;
use payload_schema::{Limits, Schema, Surroundings};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use worker_types::Dialect;

/// Tests that are known to fail, as `draft/file: group: test`. One that passes fails the suite until it is taken out.
const EXPECTED_FAILURES: &[&str] = &[];

#[test]
fn the_required_tests_of_every_draft_pass() {
    let Some(suite) = shared::folder("data/json-schema-test-suite") else { return };
    let documents = remotes(&suite.join("remotes"));
    let mut run = Run { documents, failures: Vec::new() };
    for (name, dialect) in [
        ("draft4", Dialect::Draft04),
        ("draft6", Dialect::Draft06),
        ("draft7", Dialect::Draft07),
        ("draft2019-09", Dialect::Draft201909),
        ("draft2020-12", Dialect::Draft202012),
    ] {
        let mut count = 0;
        for entry in fs::read_dir(suite.join("tests").join(name)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                count += run.file(name, dialect, &path);
            }
        }
        println!("{name}: {count} tests");
        assert!(count > 600, "{name} has only {count} tests");
    }
    run.failures.sort();
    let unexpected: Vec<_> = run.failures.iter().filter(|name| !is_expected(name)).collect();
    let passed: Vec<_> =
        EXPECTED_FAILURES.iter().filter(|name| !run.failures.iter().any(|f| f.starts_with(**name))).collect();
    assert!(
        unexpected.is_empty() && passed.is_empty(),
        "{} failed: {:#?}\npassed unexpectedly: {passed:#?}",
        unexpected.len(),
        &unexpected[..unexpected.len().min(20)]
    );
}

fn is_expected(name: &str) -> bool {
    EXPECTED_FAILURES.iter().any(|expected| name.starts_with(expected))
}

struct Run {
    documents: HashMap<String, Value>,
    failures: Vec<String>,
}

impl Run {
    /// Runs a file and says how many tests it has.
    fn file(&mut self, draft: &str, dialect: Dialect, path: &Path) -> usize {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut count = 0;
        for group in shared::json(path).as_array().unwrap() {
            let name = format!("{draft}/{file}: {}", group["description"].as_str().unwrap());
            // The suite asserts no format unless a test is about it: those are optional.
            let assert_formats = (file == "format.json" || dialect >= Dialect::Draft201909).then_some(false);
            let surroundings = Surroundings { documents: Some(&self.documents), assert_formats };
            let compiled = Schema::compile_with(&group["schema"], Some(dialect), &Limits::default(), surroundings);
            for test in group["tests"].as_array().unwrap() {
                count += 1;
                let name = format!("{name}: {}", test["description"].as_str().unwrap());
                if let Err(failure) = check(&compiled, test) {
                    self.failures.push(format!("{name}: {failure}"));
                }
            }
        }
        count
    }
}

/// The verdict is the suite's, and the explanation says something exactly when the verdict is "invalid".
fn check(compiled: &Result<Schema, Vec<worker_types::Item>>, test: &Value) -> Result<(), String> {
    let schema = compiled.as_ref().map_err(|faults| format!("does not compile: {faults:?}"))?;
    let valid = test["valid"].as_bool().unwrap();
    if schema.is_valid(&test["data"]) != valid {
        return Err(format!("the verdict is not {valid}"));
    }
    let explanation = schema.explain(&test["data"], "", &Limits::default());
    if explanation.errors.is_empty() != valid || explanation.errors.iter().any(|item| item.problem == "invalid") {
        return Err(format!("valid is {valid} and the explanation is {explanation:?}"));
    }
    Ok(())
}

/// The suite serves `remotes/` at this address.
fn remotes(folder: &Path) -> HashMap<String, Value> {
    let uri = |path: &Path| format!("http://localhost:1234/{}", path.strip_prefix(folder).unwrap().display());
    shared::json_files(folder).iter().map(|path| (uri(path), shared::json(path))).collect()
}
