//! The JSON-Schema-Test-Suite: the required tests of every draft and the optional ones, their remotes from a closed map.

use crate::shared;
use payload_schema::{Limits, Schema, Surroundings};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use worker_types::Dialect;

const DRAFTS: [(&str, Dialect); 5] = [
    ("draft4", Dialect::Draft04),
    ("draft6", Dialect::Draft06),
    ("draft7", Dialect::Draft07),
    ("draft2019-09", Dialect::Draft201909),
    ("draft2020-12", Dialect::Draft202012),
];

/// Required tests that are known to fail: none.
const REQUIRED_FAILURES: &[&str] = &[];

/// Optional tests that are known to fail. `contentEncoding` and `contentMediaType` only describe here, in every draft,
/// as later drafts say and other engines do it.
const OPTIONAL_FAILURES: &[&str] = &[
    "draft7/content.json: validation of binary string-encoding: an invalid base64 string (% is not a valid character)",
    "draft7/content.json: validation of binary-encoded media type documents: a validly-encoded invalid JSON document",
    "draft7/content.json: validation of binary-encoded media type documents: an invalid base64 string that is valid JSON",
    "draft7/content.json: validation of string-encoded content based on media type: an invalid JSON document",
];

#[test]
fn the_required_tests_of_every_draft_pass() {
    let Some(suite) = shared::folder("data/json-schema-test-suite") else { return };
    let files = |folder: PathBuf| {
        let all = shared::json_files(&folder).into_iter();
        all.filter(|file| file.parent() == Some(folder.as_path())).collect()
    };
    run(&suite, files, asserted_by_required_tests, REQUIRED_FAILURES, 4_942);
}

#[test]
fn the_optional_tests_pass_as_well() {
    let Some(suite) = shared::folder("data/json-schema-test-suite") else { return };
    let assert_formats = |file: &Path, _| file.to_string_lossy().contains("format").then_some(true);
    let files = |folder: PathBuf| shared::json_files(&folder.join("optional"));
    run(&suite, files, assert_formats, OPTIONAL_FAILURES, 3_385);
}

/// The suite asserts no format unless a test is about it: those are optional.
pub fn asserted_by_required_tests(file: &Path, dialect: Dialect) -> Option<bool> {
    (file.ends_with("format.json") || dialect >= Dialect::Draft201909).then_some(false)
}

/// Runs the files of every draft. A known failure that passes fails the run until it is taken off its list.
fn run(
    suite: &Path,
    files: impl Fn(PathBuf) -> Vec<PathBuf>,
    assert_formats: impl Fn(&Path, Dialect) -> Option<bool>,
    known: &[&str],
    expected: usize,
) {
    let documents = remotes(&suite.join("remotes"));
    let (mut failures, mut count) = (Vec::new(), 0);
    for (draft, dialect) in DRAFTS {
        for path in files(suite.join("tests").join(draft)) {
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            for group in shared::json(&path).as_array().unwrap() {
                let name = format!("{draft}/{file}: {}", group["description"].as_str().unwrap());
                let surroundings =
                    Surroundings { documents: Some(&documents), assert_formats: assert_formats(&path, dialect) };
                let compiled = Schema::compile_with(&group["schema"], Some(dialect), &Limits::default(), surroundings);
                for test in group["tests"].as_array().unwrap() {
                    count += 1;
                    if let Err(failure) = check(&compiled, test) {
                        failures.push((format!("{name}: {}", test["description"].as_str().unwrap()), failure));
                    }
                }
            }
        }
    }
    println!("{count} tests, {} known failures", known.len());
    assert!(count >= expected, "only {count} tests");
    let unexpected: Vec<_> = failures.iter().filter(|(name, _)| !known.contains(&name.as_str())).take(20).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    let passed: Vec<_> = known.iter().filter(|known| !failures.iter().any(|(name, _)| name == *known)).collect();
    assert!(passed.is_empty(), "these pass now: {passed:#?}");
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
pub fn remotes(folder: &Path) -> HashMap<String, Value> {
    let uri = |path: &Path| format!("http://localhost:1234/{}", path.strip_prefix(folder).unwrap().display());
    shared::json_files(folder).iter().map(|path| (uri(path), shared::json(path))).collect()
}
