//! A payload that a schema accepts, made to be read: what the author gave as default or example where there is one, the
//! plainest value elsewhere. What is made is held against the schema; values made blindly stand in where it does not fit.

mod pattern;

use crate::outline::{Layer, Outline, choices, first};
use crate::pattern::{Budget, check};
use crate::{Limits, Schema, sample};
use serde_json::{Map, Number, Value, json};
use worker_types::Dialect;

/// How much an example shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fullness {
    /// What must be there.
    Minimal,
    /// Everything that may be there, as deep as one reads.
    Full,
}

/// How deep optional things are shown.
const DEPTH: usize = 5;
/// How deep anything is made.
const DEEPEST: usize = 24;
/// Values that are made for one example.
const VALUES: usize = 2_000;
/// Values that are tried where the readable one does not fit.
const SAMPLES: usize = 40;

/// A value that `schema` accepts; none where none was found. `dialect` counts when the schema names no `$schema`.
pub fn example(schema: &Value, dialect: Dialect, fullness: Fullness, limits: &Limits) -> Option<Value> {
    let compiled = Schema::compile(schema, Some(dialect), limits).ok()?;
    let outline = Outline::new(schema, dialect, limits);
    let orders: &[Fullness] = match fullness {
        Fullness::Full => &[Fullness::Full, Fullness::Minimal],
        Fullness::Minimal => &[Fullness::Minimal],
    };
    for fullness in orders {
        for choice in 0..3 {
            let mut maker = Maker { outline: &outline, dialect, limits, fullness: *fullness, choice, left: VALUES };
            let made = maker.value(&[String::new()], 0);
            if let Some(made) = made.filter(|made| compiled.is_valid(made)) {
                return Some(made);
            }
        }
    }
    let by_size = |value: &Value| value.to_string().len();
    let sampled = sample(&compiled, SAMPLES, 1);
    match fullness {
        Fullness::Minimal => sampled.into_iter().min_by_key(by_size),
        Fullness::Full => sampled.into_iter().max_by_key(by_size),
    }
}

struct Maker<'o, 's> {
    outline: &'o Outline<'s>,
    dialect: Dialect,
    limits: &'o Limits,
    fullness: Fullness,
    /// Which branch of a choice is taken.
    choice: usize,
    left: usize,
}

impl<'s> Maker<'_, 's> {
    fn value(&mut self, pointers: &[String], depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        let mut layers = self.outline.layers(pointers);
        self.choose(&mut layers);
        if let Some(given) = given(&layers) {
            return Some(given);
        }
        if depth > DEEPEST {
            return None;
        }
        match kind(&layers) {
            "object" => self.object(&layers, depth),
            "array" => self.array(&layers, depth),
            "string" => self.text(&layers),
            "integer" | "number" => Some(number(&layers)),
            "boolean" => Some(Value::Bool(false)),
            _ => Some(Value::Null),
        }
    }

    /// Adds what one branch of each choice says.
    fn choose(&self, layers: &mut Vec<Layer<'s>>) {
        let mut chosen = Vec::new();
        for layer in layers.iter() {
            for keyword in ["oneOf", "anyOf"] {
                let branches = choices(layer.keywords, keyword).map_or(0, Vec::len);
                if branches > 0 {
                    chosen.push(format!("{}/{keyword}/{}", layer.pointer, self.choice % branches));
                }
            }
        }
        layers.extend(self.outline.layers(&chosen));
    }

    fn object(&mut self, layers: &[Layer<'s>], depth: usize) -> Option<Value> {
        let mut object = Map::new();
        let members = Outline::members(layers);
        for member in &members {
            let shown = self.fullness == Fullness::Full && depth < DEPTH;
            let pointers = &member.pointers;
            let refused = pointers.iter().any(|pointer| self.outline.at(pointer) == Some(&Value::Bool(false)));
            if refused || !(member.is_required || shown) {
                continue;
            }
            match self.value(pointers, depth + 1) {
                Some(value) => drop(object.insert(member.name.to_owned(), value)),
                None if member.is_required => return None,
                None => {}
            }
        }
        // What must be there and is described nowhere.
        let required = layers.iter().filter_map(|layer| layer.keywords.get("required").and_then(Value::as_array));
        for name in required.flatten().filter_map(Value::as_str) {
            if !object.contains_key(name) {
                let value = self.other(layers, name, depth)?;
                object.insert(name.to_owned(), value);
            }
        }
        Some(Value::Object(object))
    }

    /// A member that no property describes.
    fn other(&mut self, layers: &[Layer<'s>], _name: &str, depth: usize) -> Option<Value> {
        let layer =
            layers.iter().find(|layer| layer.keywords.get("additionalProperties").is_some_and(Value::is_object));
        match layer {
            Some(layer) => self.value(&[format!("{}/additionalProperties", layer.pointer)], depth + 1),
            None => Some(json!("…")),
        }
    }

    fn array(&mut self, layers: &[Layer<'s>], depth: usize) -> Option<Value> {
        let least = first(layers, "minItems").and_then(Value::as_u64).unwrap_or(0);
        let shown = u64::from(self.fullness == Fullness::Full && depth < DEPTH);
        let count = usize::try_from(least.max(shown)).ok()?.min(VALUES);
        let place = |keyword: &str| {
            let layer = layers.iter().find(|layer| layer.keywords.contains_key(keyword))?;
            Some((format!("{}/{keyword}", layer.pointer), layer.keywords.get(keyword)?))
        };
        let tuple = ["prefixItems", "items"].into_iter().filter_map(place).find(|(_, value)| value.is_array());
        let rest = ["items", "additionalItems"].into_iter().filter_map(place).find(|(_, value)| value.is_object());
        let mut elements = Vec::new();
        for index in 0..count {
            let in_tuple = tuple.as_ref().filter(|(_, list)| list.get(index).is_some());
            let pointer = match (in_tuple, &rest) {
                (Some((pointer, _)), _) => format!("{pointer}/{index}"),
                (None, Some((pointer, _))) => pointer.clone(),
                (None, None) => {
                    elements.push(json!("…"));
                    continue;
                }
            };
            match self.value(&[pointer], depth + 1) {
                Some(element) => elements.push(element),
                None if index >= usize::try_from(least).ok()? => break,
                None => return None,
            }
        }
        Some(Value::Array(elements))
    }

    fn text(&self, layers: &[Layer<'s>]) -> Option<Value> {
        let format = first(layers, "format").and_then(Value::as_str);
        let length = |keyword| first(layers, keyword).and_then(Value::as_u64);
        let plain = match format {
            Some("date-time") => "2030-01-01T00:00:00.000Z",
            Some("date") => "2030-01-01",
            Some("time") => "12:00:00Z",
            Some("uri" | "uri-reference" | "iri" | "iri-reference" | "url") => "https://example.com/",
            Some("email" | "idn-email") => "someone@example.com",
            Some("hostname" | "idn-hostname") => "example.com",
            Some("ipv4") => "192.0.2.1",
            Some("ipv6") => "2001:db8::1",
            Some("uuid") => "00000000-0000-4000-8000-000000000000",
            _ => "…",
        };
        let count = plain.chars().count() as u64;
        let fits = length("minLength").is_none_or(|least| count >= least)
            && length("maxLength").is_none_or(|most| count <= most);
        if fits && first(layers, "pattern").is_none() {
            return Some(Value::from(plain));
        }
        // Whatever else it must be, as a schema of its own.
        let mut own = Map::from_iter([("type".to_owned(), json!("string"))]);
        for keyword in ["pattern", "format", "minLength", "maxLength"] {
            own.extend(first(layers, keyword).map(|value| (keyword.to_owned(), value.clone())));
        }
        let schema = Schema::compile(&Value::Object(own), Some(self.dialect), self.limits).ok()?;
        let pattern = first(layers, "pattern").and_then(Value::as_str).map(|source| translated(source, self.limits));
        let short = pattern.flatten().and_then(|text| pattern::plainest(&text)).map(Value::from);
        if let Some(short) = short.filter(|short| schema.is_valid(short)) {
            return Some(short);
        }
        let texts = sample(&schema, 8, 1);
        // Letters say more than nothing and than signs.
        let plainness = |value: &Value| {
            let text = value.as_str().unwrap_or_default();
            let odd = text.chars().filter(|c| !c.is_ascii_alphanumeric()).count();
            (text.is_empty(), odd, text.len())
        };
        texts.into_iter().min_by_key(plainness)
    }
}

/// A pattern as the linear engine takes it.
fn translated(source: &str, limits: &Limits) -> Option<String> {
    check(source, limits, &mut Budget::new(limits)).ok().map(|translated| translated.text)
}

/// What the author gave.
fn given(layers: &[Layer<'_>]) -> Option<Value> {
    let listed = |keyword| first(layers, keyword).and_then(Value::as_array).and_then(|list| list.first());
    let constant = || first(layers, "const");
    constant().or_else(|| first(layers, "default")).or_else(|| listed("examples")).or_else(|| listed("enum")).cloned()
}

/// The type that a value is made of.
fn kind<'s>(layers: &[Layer<'s>]) -> &'s str {
    let named = first(layers, "type").and_then(|types| match types {
        Value::Array(types) => types.iter().find_map(Value::as_str),
        name => name.as_str(),
    });
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| first(layers, keyword).is_some());
    match named {
        Some(name) => name,
        None if has(&["properties", "required", "additionalProperties", "patternProperties"]) => "object",
        None if has(&["items", "prefixItems", "minItems", "maxItems"]) => "array",
        None if has(&["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]) => "number",
        None => "string",
    }
}

/// The least number that the bounds leave, from zero on.
fn number(layers: &[Layer<'_>]) -> Value {
    let bound = |keyword| first(layers, keyword).and_then(Value::as_number);
    let whole = |number: &Number| number.as_i64();
    let step = bound("multipleOf").and_then(whole).filter(|step| *step > 0).unwrap_or(1);
    let round = |least: i64| least.div_euclid(step) * step + if least.rem_euclid(step) == 0 { 0 } else { step };
    if let Some(least) = bound("minimum").and_then(whole) {
        return json!(round(least.max(0)).max(least));
    }
    if let Some(below) = bound("exclusiveMinimum").and_then(whole) {
        return json!(round(below.saturating_add(1)));
    }
    match (bound("minimum"), bound("maximum").and_then(whole)) {
        (Some(least), _) => Value::Number(least.clone()),
        (None, Some(most)) if most < 0 => json!(most),
        _ => json!(0),
    }
}
