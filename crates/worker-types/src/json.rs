//! JSON from outside, read strictly: one value, no key twice, no U+0000, bounded depth, numbers exactly as written.

use crate::{Item, Problem};
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};
use std::{cell::RefCell, fmt};
use thiserror::Error;

/// The field name by which serde_json hands a number on as its digits (its feature `arbitrary_precision`).
const NUMBER_TOKEN: &str = "$serde_json::private::Number";

/// How much nesting is read. The bytes are limited where they are received.
#[derive(Clone, Copy, Debug)]
pub struct JsonLimits {
    /// Arrays and objects inside one another; at most 127, serde_json's own guard.
    pub depth: usize,
}

impl Default for JsonLimits {
    fn default() -> Self {
        Self { depth: 100 }
    }
}

/// Why a text was not taken as JSON.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message} at line {line}, column {column}")]
pub struct JsonError {
    /// Which of the problems of reading it is.
    pub problem: Problem,
    /// What is wrong, without the position.
    pub message: String,
    /// JSON Pointer of the innermost value that was being read.
    pub pointer: String,
    /// From 1.
    pub line: usize,
    /// From 1, in bytes.
    pub column: usize,
}

impl JsonError {
    /// The error as an item of `errors[]`.
    pub fn item(&self) -> Item {
        Item::new(self.problem.name(), self.pointer.clone(), self.to_string())
    }
}

/// Reads one JSON value (RFC 8259) from `bytes`.
///
/// # Errors
/// Text that is not JSON or not UTF-8, a duplicate key, U+0000 in a string or a key, nesting beyond `limits`.
pub fn parse_json(bytes: &[u8], limits: JsonLimits) -> Result<Value, JsonError> {
    let state = State { path: RefCell::default(), refusal: RefCell::default(), limits };
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let read = Strict { state: &state, depth: 0 }.deserialize(&mut deserializer);
    read.and_then(|value| deserializer.end().map(|()| value)).map_err(|error| {
        let refusal = state.refusal.take();
        let text = error.to_string();
        let (problem, message) = match refusal {
            Some(refusal) => refusal,
            None if text.starts_with("recursion limit") => (Problem::TooDeep, depth_message(127)),
            None => (Problem::MalformedJson, without_position(&text)),
        };
        JsonError { problem, message, pointer: state.pointer(), line: error.line(), column: error.column() }
    })
}

fn without_position(text: &str) -> String {
    text.rsplit_once(" at line ").map_or(text, |(message, _)| message).to_owned()
}

fn depth_message(limit: usize) -> String {
    format!("arrays and objects are nested more than {limit} deep")
}

struct State {
    /// The way to the innermost value that could not be read, innermost first. Empty until reading fails: the way is
    /// noted while the error passes outward, so that text that can be read pays nothing for it.
    path: RefCell<Vec<String>>,
    refusal: RefCell<Option<(Problem, String)>>,
    limits: JsonLimits,
}

impl State {
    fn pointer(&self) -> String {
        let parts = self.path.borrow();
        parts.iter().rev().map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1"))).collect()
    }

    /// Notes that what failed stands under `part`.
    fn under<T, E>(&self, part: impl FnOnce() -> String, read: Result<T, E>) -> Result<T, E> {
        if read.is_err() {
            self.path.borrow_mut().push(part());
        }
        read
    }

    fn refuse<E: de::Error>(&self, problem: Problem, message: String) -> E {
        let error = E::custom(&message);
        *self.refusal.borrow_mut() = Some((problem, message));
        error
    }

    fn check_text<E: de::Error>(&self, text: &str) -> Result<(), E> {
        if text.as_bytes().contains(&0) {
            return Err(self.refuse(Problem::NulCharacter, "a string contains the character U+0000".to_owned()));
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    state: &'a State,
    depth: usize,
}

impl Strict<'_> {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > self.state.limits.depth {
            return Err(self.state.refuse(Problem::TooDeep, depth_message(self.state.limits.depth)));
        }
        Ok(Self { depth, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        self.state.check_text(value)?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Value, E> {
        self.state.check_text(&value)?;
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = self.state.under(|| items.len().to_string(), seq.next_element_seed(inner))? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        let Some(first) = map.next_key::<String>()? else {
            self.deeper::<A::Error>()?;
            return Ok(Value::Object(members));
        };
        if first == NUMBER_TOKEN {
            return self.number(&map.next_value::<String>()?);
        }
        let inner = self.deeper()?;
        let mut key = Some(first);
        while let Some(name) = key {
            self.state.check_text(&name)?;
            if name == NUMBER_TOKEN {
                return Err(self.reserved());
            }
            match members.entry(name) {
                Entry::Vacant(place) => {
                    let read = map.next_value_seed(inner);
                    let value = self.state.under(|| place.key().clone(), read)?;
                    place.insert(value);
                }
                Entry::Occupied(there) => {
                    let name = there.key();
                    return Err(self.state.refuse(Problem::DuplicateKey, format!("the key {name:?} stands twice")));
                }
            }
            key = map.next_key()?;
        }
        Ok(Value::Object(members))
    }
}

impl Strict<'_> {
    fn number<E: de::Error>(self, digits: &str) -> Result<Value, E> {
        digits.parse::<Number>().map(Value::Number).map_err(|_| self.reserved())
    }

    fn reserved<E: de::Error>(self) -> E {
        self.state.refuse(Problem::MalformedJson, format!("the key {NUMBER_TOKEN:?} is reserved"))
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonLimits, parse_json};
    use crate::Problem;

    fn refusal(text: &str) -> (Problem, String) {
        let error = parse_json(text.as_bytes(), JsonLimits { depth: 4 }).expect_err("must be refused");
        (error.problem, error.pointer)
    }

    #[test]
    fn keeps_order_and_the_spelling_of_numbers() {
        let text = r#"{"z":1,"a":[3600.0,9007199254740993,1e400,-0.10,123456789012345678901234567890]}"#;
        let value = parse_json(text.as_bytes(), JsonLimits::default()).unwrap();
        assert_eq!(value.to_string(), text.replace("1e400", "1e+400"));
    }

    #[test]
    fn a_key_twice_is_refused_with_its_place() {
        assert_eq!(refusal(r#"{"a":{"b":1,"b":2}}"#), (Problem::DuplicateKey, "/a".to_owned()));
    }

    #[test]
    fn the_nul_character_is_refused_in_values_and_keys() {
        assert_eq!(refusal(r#"{"a":["x\u0000"]}"#), (Problem::NulCharacter, "/a/0".to_owned()));
        assert_eq!(refusal(r#"{"a\u0000":1}"#).0, Problem::NulCharacter);
    }

    #[test]
    fn depth_is_bounded_by_the_limit_and_by_the_parser() {
        assert!(parse_json(b"[[[[]]]]", JsonLimits { depth: 4 }).is_ok());
        assert_eq!(refusal("[[[[[]]]]]").0, Problem::TooDeep);
        let deep = "[".repeat(100_000);
        assert_eq!(parse_json(deep.as_bytes(), JsonLimits { depth: 1000 }).unwrap_err().problem, Problem::TooDeep);
    }

    #[test]
    fn text_after_the_value_bad_utf8_and_a_cut_end_are_refused() {
        assert_eq!(refusal("{} {}").0, Problem::MalformedJson);
        assert_eq!(refusal("{\"a\":").0, Problem::MalformedJson);
        assert_eq!(parse_json(b"\"\xff\"", JsonLimits::default()).unwrap_err().problem, Problem::MalformedJson);
    }

    #[test]
    fn the_reserved_key_does_not_smuggle_a_value_in() {
        for text in [r#"{"$serde_json::private::Number":"x"}"#, r#"{"a":1,"$serde_json::private::Number":5}"#] {
            let error = parse_json(text.as_bytes(), JsonLimits::default()).unwrap_err();
            assert_eq!(error.problem, Problem::MalformedJson, "{text}");
        }
    }
}
