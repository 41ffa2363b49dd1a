//! Mistakes made mechanically in real payloads: the place of the mistake is what the explanation names.

use crate::shared;
use payload_schema::{Limits, Schema};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One mistake: what was done, and the places that rightly name it.
struct Mistake {
    kind: &'static str,
    places: Vec<String>,
    payload: Value,
}

/// The pointers of every object member in `value`.
fn members(value: &Value, here: &str, found: &mut Vec<String>) {
    let mut descend = |token: &str, child: &Value| {
        let pointer = format!("{here}/{}", token.replace('~', "~0").replace('/', "~1"));
        if value.is_object() {
            found.push(pointer.clone());
        }
        members(child, &pointer, found);
    };
    match value {
        Value::Object(object) => object.iter().for_each(|(name, child)| descend(name, child)),
        Value::Array(elements) => elements.iter().enumerate().for_each(|(i, child)| descend(&i.to_string(), child)),
        _ => {}
    }
}

/// `text` with two neighbours swapped, or one character doubled.
fn misspelt(text: &str, at: usize) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    if characters.len() < 4 {
        return None;
    }
    let at = 1 + at % (characters.len() - 2);
    if characters[at] == characters[at + 1] {
        characters.insert(at, characters[at]);
    } else {
        characters.swap(at, at + 1);
    }
    Some(characters.into_iter().collect())
}

fn mistakes(payload: &Value) -> Vec<Mistake> {
    let mut pointers = Vec::new();
    members(payload, "", &mut pointers);
    let mut made = Vec::new();
    for (index, pointer) in pointers.iter().enumerate() {
        let (parent, _) = pointer.rsplit_once('/').unwrap();
        let name = pointer.rsplit('/').next().unwrap().replace("~1", "/").replace("~0", "~");
        let old = payload.pointer(pointer).unwrap().clone();
        let change = |edit: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut changed = payload.clone();
            edit(changed.pointer_mut(parent).unwrap().as_object_mut().unwrap());
            changed
        };
        if let Some(typo) = misspelt(&name, index) {
            let places = vec![format!("{parent}/{}", typo.replace('~', "~0").replace('/', "~1")), parent.to_owned()];
            let rename = |object: &mut serde_json::Map<String, Value>| {
                *object = object
                    .iter()
                    .map(|(key, value)| (if *key == name { typo.clone() } else { key.clone() }, value.clone()))
                    .collect();
            };
            made.push(Mistake { kind: "key typo", places, payload: change(&rename) });
        }
        let other = match &old {
            Value::String(_) => json!(5),
            Value::Number(number) => json!(number.to_string()),
            Value::Bool(_) => json!("yes"),
            Value::Object(_) => json!([]),
            Value::Array(_) => json!({}),
            Value::Null => json!("null"),
        };
        let swap = |object: &mut serde_json::Map<String, Value>| {
            object.insert(name.clone(), other.clone());
        };
        made.push(Mistake { kind: "type swap", places: vec![pointer.clone()], payload: change(&swap) });
        let remove = |object: &mut serde_json::Map<String, Value>| {
            object.shift_remove(&name);
        };
        made.push(Mistake { kind: "missing", places: vec![parent.to_owned()], payload: change(&remove) });
        let add = |object: &mut serde_json::Map<String, Value>| {
            object.insert("unheardOf".to_owned(), json!(1));
        };
        let places = vec![format!("{parent}/unheardOf"), parent.to_owned()];
        made.push(Mistake { kind: "extra", places, payload: change(&add) });
        if let Some(typo) = old.as_str().and_then(|text| misspelt(text, index)) {
            let spoil = |object: &mut serde_json::Map<String, Value>| {
                object.insert(name.clone(), json!(typo.clone()));
            };
            made.push(Mistake { kind: "value typo", places: vec![pointer.clone()], payload: change(&spoil) });
        }
    }
    made
}

#[test]
fn the_place_of_a_mistake_is_named_first_and_little_else() {
    let Some(folder) = shared::folder("data/taskcluster") else { return };
    let index = shared::json(&folder.join("INDEX.json"));
    let entries = index["files"].as_array().unwrap().iter();
    let entries = entries.filter(|entry| entry["kind"] == "payload" && entry["verdict"] == "valid");
    let mut schemas = BTreeMap::new();
    let (mut made, mut named, mut many) = (0, 0, 0);
    let mut misses: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        let schema = entry["schema"].as_str().unwrap();
        let compile = || Schema::compile(&shared::json(&folder.join(schema)), None, &Limits::default()).unwrap();
        let compiled = schemas.entry(schema).or_insert_with(compile);
        for mistake in mistakes(&shared::json(&folder.join(entry["file"].as_str().unwrap()))) {
            if compiled.is_valid(&mistake.payload) {
                continue;
            }
            let explanation = compiled.explain(&mistake.payload, "", &Limits::default());
            made += 1;
            many += usize::from(explanation.errors.len() + explanation.more > 3);
            if mistake.places.contains(&explanation.errors[0].pointer) {
                named += 1;
            } else {
                *misses.entry(mistake.kind).or_default() += 1;
            }
            if std::env::var_os("DUMP").is_some()
                && (!mistake.places.contains(&explanation.errors[0].pointer) || explanation.errors.len() > 3)
            {
                println!("== {} {} {:?}", mistake.kind, entry["file"], mistake.places);
                for item in explanation.errors.iter().take(6) {
                    println!(
                        "    {} @ {} {} | {}",
                        item.problem,
                        item.pointer,
                        item.schema_pointer.as_deref().unwrap(),
                        item.message.chars().take(200).collect::<String>()
                    );
                }
            }
        }
    }
    println!("{named} of {made} named first; {many} with more than three errors; missed: {misses:?}");
    assert!(made > 2_000, "only {made} mistakes");
    assert!(named * 100 >= made * 95, "{named} of {made}");
    assert!(many * 100 <= made, "{many} of {made} have more than three errors");
}
