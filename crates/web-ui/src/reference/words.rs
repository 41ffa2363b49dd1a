//! Types and choices in words.

use payload_schema::{Layer, Outline, choices as choices_of, first_keyword};
use serde_json::{Map, Value};

/// Characters of a value that are shown.
const SHOWN: usize = 200;

/// A value, shortened.
pub(super) fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain(['…']).collect() }
}

/// `3 elements`, `1 element`.
pub(super) fn number_of(count: &Value, what: &str) -> String {
    let one = count.as_u64() == Some(1);
    match (one, what.strip_suffix('y')) {
        (true, _) => format!("{count} {what}"),
        (false, Some(stem)) => format!("{count} {stem}ies"),
        (false, None) => format!("{count} {what}s"),
    }
}

/// The type of a value, as one says it: `array of string`.
pub(super) fn kind(outline: &Outline<'_>, layers: &[Layer<'_>]) -> String {
    let names: Vec<&str> = match first_keyword(layers, "type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => inferred(layers).into_iter().collect(),
    };
    let words: Vec<String> = names.into_iter().map(|name| full_name(name, outline, layers)).collect();
    let choices = first_choices(layers);
    match (words.is_empty(), choices) {
        (false, _) => words.join(" or "),
        (true, Some(choices)) => format!("one of {} forms", choices.len()),
        (true, None) => "any value".to_owned(),
    }
}

fn first_choices<'s>(layers: &[Layer<'s>]) -> Option<&'s Vec<Value>> {
    layers.iter().find_map(|layer| choices_of(layer.keywords, "oneOf").or_else(|| choices_of(layer.keywords, "anyOf")))
}

fn full_name(name: &str, outline: &Outline<'_>, layers: &[Layer<'_>]) -> String {
    let items = layers.iter().find(|layer| layer.keywords.get("items").is_some_and(Value::is_object));
    match (name, items) {
        ("array", Some(layer)) => {
            let of = outline.layers(&[format!("{}/items", layer.pointer)]);
            match first_keyword(&of, "type").and_then(Value::as_str) {
                Some(of) => format!("array of {of}s"),
                None => "array".to_owned(),
            }
        }
        _ => name.to_owned(),
    }
}

fn inferred(layers: &[Layer<'_>]) -> Option<&'static str> {
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| first_keyword(layers, keyword).is_some());
    if let Some(value) = first_keyword(layers, "const") {
        return Some(type_of(value));
    }
    if let Some(Value::Array(values)) = first_keyword(layers, "enum") {
        let first = type_of(values.first()?);
        return values.iter().all(|value| type_of(value) == first).then_some(first);
    }
    if has(&["properties", "additionalProperties", "patternProperties", "required"]) {
        return Some("object");
    }
    has(&["items", "prefixItems", "minItems", "maxItems"]).then_some("array")
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// What is folded away of a part: `4 properties`.
pub(super) fn inside(layers: &[Layer<'_>]) -> String {
    let members = Outline::members(layers).len();
    let choices = first_choices(layers);
    let has = |keyword| first_keyword(layers, keyword).is_some_and(Value::is_object);
    match (members, choices) {
        (1, _) => "1 property".to_owned(),
        (2.., _) => format!("{members} properties"),
        (_, Some(choices)) => format!("{} forms", choices.len()),
        _ if has("additionalProperties") || has("patternProperties") => "Each property".to_owned(),
        _ if first_keyword(layers, "items").is_some() || first_keyword(layers, "prefixItems").is_some() => {
            "Its elements".to_owned()
        }
        _ => "More".to_owned(),
    }
}

/// What a branch of a choice is called: by its title, by the one value that sets it apart, by its type.
pub(super) fn branch(outline: &Outline<'_>, layers: &[Layer<'_>], index: usize) -> String {
    if let Some(title) = first_keyword(layers, "title").and_then(Value::as_str).filter(|title| !title.trim().is_empty())
    {
        return title.to_owned();
    }
    if let Some(value) = first_keyword(layers, "const") {
        return excerpt(value);
    }
    let members = Outline::members(layers);
    let apart = members.iter().find_map(|member| {
        let layers = outline.layers(&member.pointers);
        let only = match first_keyword(&layers, "enum").and_then(Value::as_array).map(Vec::as_slice) {
            Some([only]) => Some(only),
            _ => first_keyword(&layers, "const"),
        };
        Some(format!("{} is {}", member.name, excerpt(only?)))
    });
    let required = || {
        let names: Vec<&str> = members.iter().filter(|member| member.is_required).map(|member| member.name).collect();
        (!names.is_empty()).then(|| format!("with {}", names.join(", ")))
    };
    let kind = kind(outline, layers);
    let plain = || if kind == "any value" { format!("choice {}", index + 1) } else { kind.clone() };
    apart.or_else(required).unwrap_or_else(plain)
}

/// Whether a schema says no more than a type.
pub(super) fn is_plain(schema: &Map<String, Value>) -> bool {
    schema.keys().all(|keyword| keyword == "type")
}
