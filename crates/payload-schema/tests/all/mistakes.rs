//! Mistakes made mechanically in real payloads: one at a time, at every place, the same ones in every run.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// One mistake: what was done, and what an explanation has to name.
pub struct Mistake {
    pub kind: &'static str,
    /// The place that was changed; for a member that was taken away, the object that lacks it.
    pub place: String,
    /// A member's name that an error at the object around must say.
    pub name: Option<String>,
    /// What stood there before, where a suggestion could find it again.
    pub meant: Option<String>,
    pub payload: Value,
}

/// The kinds of mistakes.
pub const KINDS: [&str; 6] =
    ["key edited once", "key edited twice", "type swap", "enum typo", "required missing", "extra property"];

/// Every mistake that is made in `payload`. `enums` are the texts that its schema lists anywhere.
pub fn mistakes(payload: &Value, enums: &BTreeSet<String>, seed: u64) -> Vec<Mistake> {
    let mut random = Random(seed);
    let mut pointers = Vec::new();
    members(payload, "", &mut pointers);
    let mut made = Vec::new();
    for pointer in &pointers {
        let (parent, _) = pointer.rsplit_once('/').unwrap();
        let name = pointer.rsplit('/').next().unwrap().replace("~1", "/").replace("~0", "~");
        let old = payload.pointer(pointer).unwrap();
        let changed = |edit: &dyn Fn(&mut Map<String, Value>)| {
            let mut changed = payload.clone();
            edit(changed.pointer_mut(parent).unwrap().as_object_mut().unwrap());
            changed
        };
        let put = |value: Value| changed(&|object| drop(object.insert(name.clone(), value.clone())));
        // In shorter names an edit makes another word.
        let edits = [("key edited once", 1), ("key edited twice", 2)].into_iter();
        for (kind, times) in edits.filter(|_| name.chars().count() >= 4) {
            let typo = edited(&name, times, &mut random);
            if payload.pointer(parent).unwrap().get(&typo).is_some() {
                continue;
            }
            let rename = |object: &mut Map<String, Value>| {
                let renamed = object.iter().map(|(key, value)| (if *key == name { &typo } else { key }, value));
                *object = renamed.map(|(key, value)| (key.clone(), value.clone())).collect();
            };
            let place = format!("{parent}/{}", escaped(&typo));
            let payload = changed(&rename);
            made.push(Mistake { kind, place, name: Some(typo), meant: Some(name.clone()), payload });
        }
        let plain = |kind, payload| Mistake { kind, place: pointer.clone(), name: None, meant: None, payload };
        made.push(plain("type swap", put(swapped(old, &mut random))));
        if let Some(text) = old.as_str().filter(|text| enums.contains(*text) && text.chars().count() >= 4) {
            let typo = edited(text, 1, &mut random);
            if !enums.contains(&typo) {
                made.push(Mistake { meant: Some(text.to_owned()), ..plain("enum typo", put(typo.into())) });
            }
        }
        let remove = |object: &mut Map<String, Value>| drop(object.shift_remove(&name));
        made.push(Mistake {
            place: parent.to_owned(),
            name: Some(name.clone()),
            ..plain("required missing", changed(&remove))
        });
    }
    for parent in objects(payload) {
        let mut changed = payload.clone();
        let object = changed.pointer_mut(&parent).unwrap().as_object_mut().unwrap();
        object.insert("unheardOf".to_owned(), swapped(&json!("text"), &mut random));
        let place = format!("{parent}/unheardOf");
        let name = Some("unheardOf".to_owned());
        made.push(Mistake { kind: "extra property", place, name, meant: None, payload: changed });
    }
    made
}

/// Every text under `enum` and `const`, anywhere in a schema.
pub fn listed_texts(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            let listed = members.get("enum").and_then(Value::as_array).into_iter().flatten();
            found.extend(listed.chain(members.get("const")).filter_map(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| listed_texts(member, found));
        }
        Value::Array(elements) => elements.iter().for_each(|element| listed_texts(element, found)),
        _ => {}
    }
}

/// The pointers of every object member in `value`.
fn members(value: &Value, here: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, child) in object {
                let pointer = format!("{here}/{}", escaped(name));
                found.push(pointer.clone());
                members(child, &pointer, found);
            }
        }
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(i, child)| members(child, &format!("{here}/{i}"), found));
        }
        _ => {}
    }
}

/// The pointers of the objects in `value`, its own first.
fn objects(value: &Value) -> Vec<String> {
    let mut pointers = Vec::new();
    members(value, "", &mut pointers);
    let mut parents: Vec<String> =
        pointers.iter().map(|pointer| pointer.rsplit_once('/').unwrap().0.to_owned()).collect();
    parents.sort();
    parents.dedup();
    parents
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A value of another type, as people write it: a number in quotes, one element without its list.
fn swapped(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::String(_) => random.pick(&[json!(5), json!(true), json!(["text"]), json!(null)]),
        Value::Number(number) => json!(number.to_string()),
        Value::Bool(flag) => random.pick(&[json!(flag.to_string()), json!("yes"), json!(u8::from(*flag))]),
        Value::Object(_) => random.pick(&[json!([]), json!("text"), json!(true)]),
        Value::Array(elements) => elements.first().filter(|first| !first.is_array()).cloned().unwrap_or(json!({})),
        Value::Null => json!("null"),
    }
}

/// `text` with slips of the finger: a character doubled, left out, changed, or swapped with its neighbour.
fn edited(text: &str, times: usize, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    while characters.iter().collect::<String>() == text {
        for _ in 0..times {
            let at = random.below(characters.len() - 1);
            match random.below(4) {
                0 => characters.insert(at, characters[at]),
                1 => drop(characters.remove(at)),
                2 => characters[at] = char::from(b'a' + u8::try_from(random.below(26)).unwrap()),
                _ => characters.swap(at, at + 1),
            }
        }
    }
    characters.into_iter().collect()
}

/// SplitMix64: the same numbers from the same seed, whatever the version of a library.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        values[self.below(values.len())].clone()
    }
}
