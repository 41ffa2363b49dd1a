//! Comparisons: public reports, and the history of real schemas.

use crate::shared;
use payload_schema::{Comparer, Contract, Limits, Schema};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};
use worker_types::{Compatibility, CompatibilityVerdict, Effect, Finding};

fn compare(old: &Value, new: &Value) -> Compatibility {
    let contract = |schema| Contract { schema, dialect: None };
    Comparer::new(Limits::default()).schemas(contract(old), contract(new)).unwrap()
}

fn accepts(schema: &Value, value: &Value) -> bool {
    Schema::compile(schema, None, &Limits::default()).unwrap().is_valid(value)
}

/// A witness is there exactly for `breaking`, and is one.
#[track_caller]
fn check_witness(old: &Value, new: &Value, report: &Compatibility) {
    assert_eq!(report.witness.is_some(), report.verdict == CompatibilityVerdict::Breaking);
    if let Some(witness) = &report.witness {
        assert!(accepts(old, witness) && !accepts(new, witness), "{witness}");
    }
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn public_reports_are_judged_right() {
    let Some(folder) = shared::folder("cases") else { return };
    let cases = shared::json(&folder.join("cases.json"));
    let compared: Vec<&Value> = cases.as_array().unwrap().iter().filter(|case| case["kind"] == "compare").collect();
    assert!(compared.len() >= 30);
    for case in compared {
        let (old, new) = (&case["input"]["old"], &case["input"]["new"]);
        let report = compare(old, new);
        check_witness(old, new, &report);
        let faults = faults(&case["expected"], &report);
        assert!(faults.is_empty(), "{}: {faults:?} in {report:#?}", case["id"]);
    }
}

/// What is expected and not in the report.
fn faults(expected: &Value, report: &Compatibility) -> Vec<String> {
    let any = |holds: &dyn Fn(&Finding) -> bool| report.findings.iter().any(holds);
    let mut faults = Vec::new();
    if expected["verdict"] != report.verdict.as_str() {
        faults.push(format!("the verdict is not {}", expected["verdict"]));
    }
    for effect in texts(&expected["effects"]) {
        if !any(&|finding| finding.effect.as_str() == effect) {
            faults.push(format!("no finding is {effect}"));
        }
    }
    if let Some(place) = expected["instancePath"].as_str()
        && !any(&|finding| finding.effect == Effect::Tightened && finding.pointer == place)
    {
        faults.push(format!("nothing is tightened at {place}"));
    }
    for word in texts(&expected["mentions"]) {
        if !any(&|finding| finding.message.contains(word)) {
            faults.push(format!("nothing mentions {word}"));
        }
    }
    faults
}

/// The revisions of each real schema, oldest first.
pub fn history() -> Option<BTreeMap<String, Vec<PathBuf>>> {
    let folder = shared::folder("data/taskcluster/history")?;
    let mut series: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in shared::json_files(&folder) {
        let name = file.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        series.entry(name).or_default().push(file);
    }
    Some(series)
}

/// One step of a history.
struct Step {
    series: String,
    number: String,
    report: Compatibility,
}

fn steps(series: BTreeMap<String, Vec<PathBuf>>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (series, files) in series {
        for pair in files.windows(2) {
            let (old, new) = (shared::json(&pair[0]), shared::json(&pair[1]));
            let report = compare(&old, &new);
            check_witness(&old, &new, &report);
            let number = pair[1].file_name().unwrap().to_string_lossy()[..3].to_owned();
            steps.push(Step { series: series.clone(), number, report });
        }
    }
    steps
}

/// The steps for which somebody knows that they break, by replay of real payloads or by reading.
const KNOWN_TO_BREAK: [(&str, &str); 11] = [
    ("docker-worker", "011"),
    ("docker-worker", "013"),
    ("docker-worker", "016"),
    ("docker-worker", "017"),
    ("docker-worker", "032"),
    ("docker-worker", "034"),
    ("docker-worker", "036"),
    ("docker-worker", "037"),
    ("docker-worker", "045"),
    ("docker-worker", "047"),
    ("generic-worker-multiuser_posix", "028"),
];

#[test]
fn the_history_of_real_schemas_is_decided() {
    let Some(series) = history() else { return };
    let steps = steps(series);
    for (series, number) in KNOWN_TO_BREAK {
        let known = steps.iter().find(|step| step.series == series && step.number == number);
        assert_eq!(known.unwrap().report.verdict, CompatibilityVerdict::Breaking, "{series} {number}");
    }
    let unknown = steps.iter().filter(|step| step.report.verdict == CompatibilityVerdict::Unknown).count();
    assert!(unknown * 10 <= steps.len(), "{unknown} of {} are unknown", steps.len());
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/explanation/history-of-real-schemas.md");
    let written = page_of(&steps);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&page, &written).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&page).unwrap_or_default(),
        written,
        "run it with UPDATE_GOLDEN=1, and read what changed"
    );
}

#[test]
fn what_is_called_compatible_refuses_no_real_payload() {
    let Some(series) = history() else { return };
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let index = shared::json(&folder.join("INDEX.json"));
    let files = index["files"].as_array().unwrap().iter().filter(|file| file["kind"] == "payload");
    let payloads: Vec<Value> =
        files.filter_map(|file| file["file"].as_str()).map(|file| shared::json(&folder.join(file))).collect();
    assert!(payloads.len() > 200);
    for files in series.values() {
        for pair in files.windows(2) {
            let (old, new) = (shared::json(&pair[0]), shared::json(&pair[1]));
            if compare(&old, &new).verdict == CompatibilityVerdict::Compatible {
                let limits = Limits::default();
                let (old, new) =
                    (Schema::compile(&old, None, &limits).unwrap(), Schema::compile(&new, None, &limits).unwrap());
                let lost = payloads.iter().find(|payload| old.is_valid(payload) && !new.is_valid(payload));
                assert_eq!(lost, None, "{}", pair[1].display());
            }
        }
    }
}

fn page_of(steps: &[Step]) -> String {
    let count = |verdict| steps.iter().filter(|step| step.report.verdict == verdict).count();
    let mut page = format!(
        "# What the history of real schemas would have broken\n\n\
         Every step in the histories of ten payload schemas of Taskcluster's workers, compared as `wm compare` does. A step is \
         `breaking` only with a payload that the schema before takes and the schema after refuses; `compatible` only by proof.\n\n\
         {} steps: {} compatible, {} breaking, {} unknown.\n\n\
         Made by `UPDATE_GOLDEN=1 scripts/test -k history_of_real_schemas --crate payload-schema` from the schemas' published \
         revisions (Taskcluster and its scriptworkers, MPL-2.0); every run of `make test` compares them again.\n\n\
         | schema | step | verdict | where | what it means |\n|---|---|---|---|---|\n",
        steps.len(),
        count(CompatibilityVerdict::Compatible),
        count(CompatibilityVerdict::Breaking),
        count(CompatibilityVerdict::Unknown),
    );
    for step in steps.iter().filter(|step| step.report.verdict != CompatibilityVerdict::Compatible) {
        let Some(finding) = step.report.findings.first() else { continue };
        let place = if finding.pointer.is_empty() { "the payload" } else { &finding.pointer };
        let message = finding.message.replace('|', "\\|");
        let (series, number, verdict) = (&step.series, &step.number, step.report.verdict);
        let _ = writeln!(page, "| {series} | {number} | {verdict} | `{place}` | {message} |");
    }
    page
}

#[test]
fn a_finding_names_the_rule_that_changed_and_what_it_was() {
    let said = |old: Value, new: Value| {
        let report = compare(&old, &new);
        let finding = report.findings.into_iter().find(|finding| finding.effect == Effect::Tightened).unwrap();
        (finding.new_schema_pointer.unwrap(), finding.message)
    };
    let pair = |pointer: &str, message: &str| (pointer.to_owned(), message.to_owned());
    let times = |most: u64| serde_json::json!({"type": "integer", "minimum": 1, "maximum": most});
    assert_eq!(said(times(10), times(3)), pair("/maximum", "maximum is 3; before: maximum is 10"));
    let letters = |letters: &[&str]| serde_json::json!({"type": "string", "enum": letters});
    let expected = pair("/enum", "no longer accepts \"b\"; must be one of \"a\"");
    assert_eq!(said(letters(&["a", "b"]), letters(&["a"])), expected);
    let free = serde_json::json!({"type": "string"});
    let expected = pair("/enum", "must be one of \"a\", \"b\"; before: type must be string");
    assert_eq!(said(free, letters(&["a", "b"])), expected);
}
