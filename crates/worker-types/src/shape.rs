//! Reading a JSON document field by field: every fault is noted with its place, and reading goes on.

use crate::{Item, Object, WrittenSchema, closest};
use serde_json::Value;
use std::str::FromStr;

/// A document that is being read: what is wrong with it so far, and whoever has its schemas already.
pub(crate) struct Reading<'a> {
    faults: Vec<Item>,
    shared: &'a dyn Fn(&Value) -> WrittenSchema,
}

/// One object of it.
pub(crate) struct Fields<'a, 'r> {
    object: &'a Object,
    pointer: String,
    reading: &'r mut Reading<'a>,
}

impl<'a> Reading<'a> {
    /// Takes the schemas from `shared`.
    pub(crate) fn sharing(shared: &'a dyn Fn(&Value) -> WrittenSchema) -> Self {
        Self { faults: Vec::new(), shared }
    }

    /// Notes a fault.
    pub(crate) fn fault(&mut self, item: Item) {
        self.faults.push(item);
    }

    /// Every fault, in the order in which they were found.
    pub(crate) fn into_faults(self) -> Vec<Item> {
        self.faults
    }
}

/// The JSON Pointer of `name` below `pointer` (RFC 6901 §3).
pub(crate) fn child(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The JSON type of `value`, in the words of a message.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// `value` as JSON on one line, shortened to what a message can carry.
pub(crate) fn excerpt(value: &Value) -> String {
    const LIMIT: usize = 80;
    let text = value.to_string();
    if text.chars().count() <= LIMIT { text } else { text.chars().take(LIMIT).chain("…".chars()).collect() }
}

/// The item for a value of another type than the one that the place holds.
pub(crate) fn wrong_type(pointer: String, expected: &str, value: &Value) -> Item {
    let message = format!("{} must be {expected}, not {}", place(&pointer), type_name(value));
    Item::new("wrong-type", pointer, message).contrast(expected, excerpt(value))
}

/// A pointer as a message names it.
pub(crate) fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "the document" } else { pointer }
}

/// Reads `value` as an object of which only the fields `known` may exist.
pub(crate) fn object<'a, 'r>(
    value: &'a Value,
    pointer: &str,
    known: &[&str],
    reading: &'r mut Reading<'a>,
) -> Option<Fields<'a, 'r>> {
    let Value::Object(object) = value else {
        reading.fault(wrong_type(pointer.to_owned(), "an object", value));
        return None;
    };
    for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
        let suggestion = closest(name, known.iter().copied());
        let hint = suggestion
            .map_or_else(|| format!("; known are {}", known.join(", ")), |name| format!("; did you mean {name:?}?"));
        let message = format!("{} has an unknown field {name:?}{hint}", place(pointer));
        reading.fault(Item::new("unknown-field", child(pointer, name), message).suggest(suggestion));
    }
    Some(Fields { object, pointer: pointer.to_owned(), reading })
}

impl<'a> Fields<'a, '_> {
    /// The pointer of a field.
    pub(crate) fn at(&self, name: &str) -> String {
        child(&self.pointer, name)
    }

    /// Notes a fault.
    pub(crate) fn fault(&mut self, item: Item) {
        self.reading.fault(item);
    }

    /// For what reads deeper.
    pub(crate) fn reading(&mut self) -> &mut Reading<'a> {
        self.reading
    }

    /// The field's value, if it is there.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name)
    }

    /// The field's value; its absence is a fault.
    pub(crate) fn required(&mut self, name: &str) -> Option<&'a Value> {
        let value = self.get(name);
        if value.is_none() {
            let message = format!("{} must have the field {name:?}", place(&self.pointer));
            self.reading.fault(Item::new("missing-field", self.pointer.clone(), message));
        }
        value
    }

    /// Text of at most `limit` bytes.
    pub(crate) fn text(&mut self, name: &str, limit: usize) -> Option<String> {
        let value = self.get(name)?;
        let Value::String(text) = value else {
            self.reading.fault(wrong_type(self.at(name), "a string", value));
            return None;
        };
        if text.len() > limit {
            let message = format!("{} has {} bytes; the limit is {limit}", self.at(name), text.len());
            self.reading.fault(Item::new("too-long", self.at(name), message));
            return None;
        }
        Some(text.clone())
    }

    /// Text on one line that is not blank, of at most `limit` bytes.
    pub(crate) fn line(&mut self, name: &str, limit: usize) -> Option<String> {
        let text = self.text(name, limit)?;
        if text.trim().is_empty() || text.contains(['\n', '\r']) {
            let message = format!("{} must be one line of text that is not blank", self.at(name));
            self.reading.fault(
                Item::new("invalid-value", self.at(name), message).contrast("one line", excerpt(&Value::from(text))),
            );
            return None;
        }
        Some(text)
    }

    /// A required line.
    pub(crate) fn required_line(&mut self, name: &str, limit: usize) -> String {
        self.required(name).and_then(|_| self.line(name, limit)).unwrap_or_default()
    }

    /// True or false; absent is `default`.
    pub(crate) fn flag(&mut self, name: &str, default: bool) -> bool {
        match self.get(name) {
            None => default,
            Some(Value::Bool(flag)) => *flag,
            Some(value) => {
                self.reading.fault(wrong_type(self.at(name), "true or false", value));
                default
            }
        }
    }

    /// Text that parses as `T`: an id, or one word of a closed vocabulary.
    pub(crate) fn parsed<T: FromStr<Err: std::fmt::Display>>(&mut self, name: &str, known: &[&str]) -> Option<T> {
        let value = self.get(name)?;
        let Value::String(text) = value else {
            self.reading.fault(wrong_type(self.at(name), "a string", value));
            return None;
        };
        text.parse()
            .map_err(|error: T::Err| {
                let suggestion = closest(text, known.iter().copied());
                let hint = suggestion.map_or_else(String::new, |meant| format!("; did you mean {meant:?}?"));
                let message = format!("{}: {error}{hint}", self.at(name));
                let item = Item::new("invalid-value", self.at(name), message).suggest(suggestion);
                let expected = if known.is_empty() { item } else { item.contrast(known.join(", "), excerpt(value)) };
                self.reading.fault(expected);
            })
            .ok()
    }

    /// An array of at most `limit` entries, each with its pointer; absent is empty.
    pub(crate) fn entries(&mut self, name: &str, limit: usize) -> Vec<(String, &'a Value)> {
        let pointer = self.at(name);
        match self.get(name) {
            None => Vec::new(),
            Some(Value::Array(entries)) if entries.len() > limit => {
                let message = format!("{pointer} has {} entries; the limit is {limit}", entries.len());
                self.reading.fault(Item::new("too-long", pointer, message));
                Vec::new()
            }
            Some(Value::Array(entries)) => {
                entries.iter().enumerate().map(|(index, entry)| (format!("{pointer}/{index}"), entry)).collect()
            }
            Some(value) => {
                self.reading.fault(wrong_type(pointer, "an array", value));
                Vec::new()
            }
        }
    }

    /// An object whose members are free; absent is empty.
    pub(crate) fn free_object(&mut self, name: &str) -> Object {
        match self.get(name) {
            None => Object::new(),
            Some(Value::Object(object)) => object.clone(),
            Some(value) => {
                self.reading.fault(wrong_type(self.at(name), "an object", value));
                Object::new()
            }
        }
    }

    /// A JSON Schema: an object or a boolean. Whether it compiles is asked later.
    pub(crate) fn schema(&mut self, name: &str) -> Option<WrittenSchema> {
        match self.get(name)? {
            schema @ (Value::Object(_) | Value::Bool(_)) => Some((self.reading.shared)(schema)),
            value => {
                self.reading.fault(wrong_type(self.at(name), "a JSON Schema (an object or a boolean)", value));
                None
            }
        }
    }

    /// An absolute http(s) or mailto URL, or a path on this server.
    pub(crate) fn href(&mut self, name: &str) -> String {
        let text = self.required_line(name, 2_000);
        let fits = ["https://", "http://", "mailto:", "/"].iter().any(|start| text.starts_with(start));
        if !text.is_empty() && !fits {
            let message = format!("{} must be a URL that begins with https://, http://, mailto: or /", self.at(name));
            self.reading.fault(
                Item::new("invalid-value", self.at(name), message)
                    .contrast("a URL", excerpt(&Value::from(text.clone()))),
            );
        }
        text
    }
}
