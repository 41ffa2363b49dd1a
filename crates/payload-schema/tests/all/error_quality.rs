//! What the explanation of one mistake in a real payload is worth: the place of the mistake stands first, little else
//! stands beside it, what was meant is found again. The messages themselves are kept, to be read.

use crate::mistakes::{KINDS, Mistake, listed_texts, mistakes};
use crate::shared;
use payload_schema::{Explanation, Limits, Schema};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use worker_types::Item;

/// A mistake and what was said about it.
struct Told {
    file: String,
    schema: String,
    mistake: Mistake,
    explanation: Explanation,
}

impl Told {
    /// Whether the first error is at the place, or at the object around and says the name.
    fn is_named_first(&self) -> bool {
        let Mistake { place, name, .. } = &self.mistake;
        let first = &self.explanation.errors[0];
        let around = |name: &String| {
            let object = place.strip_suffix(name.as_str()).and_then(|start| start.strip_suffix('/')).unwrap_or(place);
            first.pointer == object && first.message.contains(&format!("{name:?}"))
        };
        (first.pointer == *place && self.mistake.kind != "required missing") || name.as_ref().is_some_and(around)
    }

    fn count(&self) -> usize {
        self.explanation.errors.len() + self.explanation.more
    }

    fn suggests_what_was_meant(&self) -> bool {
        let suggestions = self.explanation.errors.iter().map(|item| item.suggestion.as_deref());
        suggestions.into_iter().any(|suggestion| suggestion.is_some() && suggestion == self.mistake.meant.as_deref())
    }
}

/// A schema of the corpus, compiled, and the texts that it lists.
struct Listed {
    schema: Schema,
    texts: BTreeSet<String>,
}

impl Listed {
    fn read(file: &Path) -> Self {
        let schema = shared::json(file);
        let mut texts = BTreeSet::new();
        listed_texts(&schema, &mut texts);
        Self { schema: Schema::compile(&schema, None, &Limits::default()).unwrap(), texts }
    }
}

/// Looks at every real payload of one verdict: its entry in the index, itself, its schema.
fn each_payload(folder: &Path, verdict: &str, mut look: impl FnMut(&Value, &Value, &Listed)) {
    let index = shared::json(&folder.join("INDEX.json"));
    let entries = index["files"].as_array().unwrap().iter();
    let mut schemas = BTreeMap::new();
    for entry in entries.filter(|entry| entry["kind"] == "payload" && entry["verdict"] == verdict) {
        let name = entry["schema"].as_str().unwrap();
        let listed = schemas.entry(name.to_owned()).or_insert_with(|| Listed::read(&folder.join(name)));
        let payload = shared::json(&folder.join(entry["file"].as_str().unwrap()));
        assert_eq!(listed.schema.is_valid(&payload), verdict == "valid", "{}", entry["file"]);
        look(entry, &payload, listed);
    }
}

fn all_told() -> Option<Vec<Told>> {
    let folder = shared::folder("data/taskcluster")?;
    let mut told = Vec::new();
    each_payload(&folder, "valid", |entry, payload, Listed { schema, texts }| {
        for mistake in mistakes(payload, texts, told.len() as u64) {
            // An open schema takes many a mistake: only what the engine refuses can be explained.
            if !schema.is_valid(&mistake.payload) {
                let explanation = schema.explain(&mistake.payload, "", &Limits::default());
                let [file, schema] = ["file", "schema"].map(|key| entry[key].as_str().unwrap().to_owned());
                told.push(Told { file, schema, mistake, explanation });
            }
        }
    });
    Some(told)
}

#[test]
fn the_place_of_a_mistake_is_named_first_and_little_else() {
    let Some(told) = all_told() else { return };
    if std::env::var_os("DUMP").is_some() {
        told.iter().filter(|told| !told.is_named_first() || told.count() > 3).for_each(dump);
    }
    for kind in KINDS {
        let of_kind: Vec<_> = told.iter().filter(|told| told.mistake.kind == kind).collect();
        let first = of_kind.iter().filter(|told| told.is_named_first()).count();
        let many = of_kind.iter().filter(|told| told.count() > 3).count();
        println!("{kind}: {first} of {} named first, {many} with more than three errors", of_kind.len());
        assert!(of_kind.len() >= 40, "only {} of kind {kind}", of_kind.len());
        assert!(first * 100 >= of_kind.len() * 95, "{kind}: {first} of {} named first", of_kind.len());
        assert_eq!(many, 0, "{kind}: more than three errors for one mistake");
    }
}

#[test]
fn what_was_meant_is_found_again() {
    let Some(told) = all_told() else { return };
    for (kind, percent) in [("key edited once", 95), ("key edited twice", 80), ("enum typo", 95)] {
        let of_kind: Vec<_> = told.iter().filter(|told| told.mistake.kind == kind).collect();
        let found = of_kind.iter().filter(|told| told.suggests_what_was_meant()).count();
        println!("{kind}: {found} of {} suggest what was meant", of_kind.len());
        if std::env::var_os("DUMP").is_some() {
            of_kind.iter().filter(|told| !told.suggests_what_was_meant()).for_each(|told| dump(told));
        }
        assert!(found * 100 >= of_kind.len() * percent, "{kind}: {found} of {}", of_kind.len());
    }
}

/// Every text in a value, names not counted.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(found.insert(text.clone())),
        Value::Array(elements) => elements.iter().for_each(|element| texts(element, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        _ => {}
    }
}

#[test]
fn masked_explanations_show_no_value() {
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let (plain, masked) = (Limits::default(), Limits { masked: true, ..Limits::default() });
    let mut checked = 0;
    each_payload(&folder, "valid", |entry, payload, Listed { schema, texts: listed }| {
        let schema_text = shared::json(&folder.join(entry["schema"].as_str().unwrap())).to_string();
        for Mistake { payload, .. } in mistakes(payload, listed, 7).into_iter().step_by(7) {
            if schema.is_valid(&payload) {
                continue;
            }
            let [open, hidden] = [&plain, &masked].map(|limits| schema.explain(&payload, "", limits));
            let places = |explanation: &Explanation| -> Vec<_> {
                explanation.errors.iter().map(|item| (item.problem.clone(), item.pointer.clone())).collect()
            };
            assert_eq!(places(&open), places(&hidden));
            let mut values = BTreeSet::new();
            texts(&payload, &mut values);
            for item in hidden.errors {
                assert_eq!(item.actual, None, "{item:?}");
                // What a member is called is no secret, nor what the schema says.
                let known =
                    |value: &String| item.pointer.replace("~1", "/").contains(value) || schema_text.contains(value);
                let shown = [Some(&item.message), item.suggestion.as_ref(), item.expected.as_ref()];
                for value in values.iter().filter(|value| value.len() > 5 && !known(value)) {
                    assert!(!shown.into_iter().flatten().any(|text| text.contains(value)), "{value} in {item:?}");
                }
                checked += 1;
            }
        }
    });
    assert!(checked > 700, "only {checked} errors");
}

/// Whether ajv, which reports every branch's errors, has one at this place or at the object around it.
fn ajv_names(errors: &Value, pointer: &str) -> bool {
    let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
    let places = errors.as_array().unwrap().iter().filter_map(|error| error.as_str()?.split_once(' '));
    let mut places = places.map(|(place, _)| place.trim_end_matches('/'));
    places.any(|place| place == pointer || place == parent)
}

#[test]
fn invalid_payloads_are_told_what_ajv_finds_and_the_messages_are_kept() {
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let mut kept = String::new();
    each_payload(&folder, "invalid", |entry, payload, Listed { schema, .. }| {
        let explanation = schema.explain(payload, "", &Limits::default());
        let file = entry["file"].as_str().unwrap().strip_prefix("payloads/").unwrap();
        writeln!(kept, "== {}", file.replace("/invalid/", "/")).unwrap();
        for item in &explanation.errors {
            assert!(ajv_names(&entry["errors"], &item.pointer), "{file}: ajv has nothing at {}", item.pointer);
            writeln!(kept, "   {}", line(item)).unwrap();
        }
        let raw = entry["errors"].as_array().unwrap().len();
        assert!(explanation.errors.len() + explanation.more <= raw.max(1), "{file}: more errors than ajv's {raw}");
    });
    insta::assert_snapshot!("invalid_payloads", kept);
}

/// Of each kind, mistakes in each schema that differ in what is said of them.
const KEPT_OF_EACH: usize = 5;

#[test]
fn the_messages_of_some_mistakes_are_kept() {
    let Some(told) = all_told() else { return };
    let mut kept = String::new();
    for kind in KINDS {
        let mut of_each: BTreeMap<&str, BTreeMap<String, &Told>> = BTreeMap::new();
        for told in told.iter().filter(|told| told.mistake.kind == kind) {
            let refusing = told.explanation.errors[0].schema_pointer.clone().unwrap_or_default();
            of_each.entry(&told.schema).or_default().entry(refusing).or_insert(told);
        }
        writeln!(kept, "# {kind}").unwrap();
        for told in of_each.values().flat_map(|each| each.values().take(KEPT_OF_EACH)) {
            writeln!(kept, "== {}", told.mistake.place).unwrap();
            told.explanation.errors.iter().for_each(|item| writeln!(kept, "   {}", line(item)).unwrap());
        }
    }
    insta::assert_snapshot!("mistakes", kept);
}

fn dump(told: &Told) {
    println!("== {} {} {:?} {}", told.mistake.kind, told.file, told.mistake.place, told.count());
    told.explanation.errors.iter().take(5).for_each(|item| println!("   {}", line(item)));
}

/// One error as the snapshot keeps it.
fn line(item: &Item) -> String {
    let suggestion = item.suggestion.as_deref().map(|meant| format!("  -> {meant}")).unwrap_or_default();
    let pointer = item.schema_pointer.as_deref().unwrap_or("-");
    format!("{} {}  [{pointer}]{suggestion}", item.problem, item.message)
}
