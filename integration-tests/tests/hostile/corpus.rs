//! The cases that are kept as files.

use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::Path;

/// One schema and what is held against it, as texts: they may be no JSON that a parser takes.
pub struct Case {
    pub name: String,
    pub schema: String,
    /// `ok`, a problem's name, or `any`.
    pub publish: String,
    /// Payloads, and for each `valid`, `invalid`, a problem's name, or `any`.
    pub payloads: Vec<(String, String)>,
}

type Fields = BTreeMap<String, Box<RawValue>>;

/// Every case under `hostile/`.
pub fn read() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(files.len() >= 5);
    files.iter().flat_map(|file| cases(file)).collect()
}

fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).unwrap();
    let cases: Vec<Fields> = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    cases.into_iter().map(case).collect()
}

fn case(fields: Fields) -> Case {
    let text = |name: &str| fields.get(name).map(|raw| serde_json::from_str::<String>(raw.get()).unwrap());
    let payloads = fields.get("payloads").map(|raw| serde_json::from_str(raw.get()).unwrap());
    let payloads: Vec<(Box<RawValue>, String)> = payloads.unwrap_or_default();
    Case {
        name: text("case").unwrap(),
        schema: fields["schema"].get().to_owned(),
        publish: text("publish").unwrap_or_else(|| "any".to_owned()),
        payloads: payloads.into_iter().map(|(payload, answer)| (payload.get().to_owned(), answer)).collect(),
    }
}
