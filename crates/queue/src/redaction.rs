//! What is taken out of a task before it is recorded.

use serde_json::{Number, Value};
use std::{fmt, str::FromStr};
use thiserror::Error;
use worker_types::Object;

/// What stands in the place of a string.
const REDACTED: &str = "redacted";

/// A place in a task: a JSON Pointer (RFC 6901) in which `*` stands for every member or element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactedPlace {
    parts: Vec<String>,
    text: String,
}

/// Text that is no place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?} is no place in a task: write a JSON Pointer such as /payload/env/*, in which * stands for every member")]
pub struct NoPlace(String);

impl FromStr for RedactedPlace {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let rest = text.strip_prefix('/').filter(|rest| !rest.is_empty()).ok_or_else(|| NoPlace(text.to_owned()))?;
        let parts = rest.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect();
        Ok(Self { parts, text: text.to_owned() })
    }
}

impl fmt::Display for RedactedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `task` without what stands at `places`. Every value keeps its type and every object its keys, so that a replay is
/// about the same shape: strings become "redacted", numbers 0, and true becomes false.
pub(crate) fn redacted(task: &Object, places: &[RedactedPlace]) -> Object {
    let mut value = Value::Object(task.clone());
    for place in places {
        at(&mut value, &place.parts);
    }
    match value {
        Value::Object(task) => task,
        _ => Object::new(),
    }
}

fn at(value: &mut Value, parts: &[String]) {
    let Some((first, rest)) = parts.split_first() else { return blot(value) };
    match value {
        Value::Object(members) if first == "*" => members.values_mut().for_each(|member| at(member, rest)),
        Value::Object(members) => {
            if let Some(member) = members.get_mut(first) {
                at(member, rest);
            }
        }
        Value::Array(elements) if first == "*" => elements.iter_mut().for_each(|element| at(element, rest)),
        Value::Array(elements) => {
            if let Some(element) = first.parse().ok().and_then(|index: usize| elements.get_mut(index)) {
                at(element, rest);
            }
        }
        _ => {}
    }
}

fn blot(value: &mut Value) {
    match value {
        Value::Null => {}
        Value::Bool(flag) => *flag = false,
        Value::Number(number) => *number = Number::from(0),
        Value::String(text) => REDACTED.clone_into(text),
        Value::Array(elements) => elements.iter_mut().for_each(blot),
        Value::Object(members) => members.values_mut().for_each(blot),
    }
}

#[cfg(test)]
mod tests {
    use super::{RedactedPlace, redacted};
    use serde_json::json;

    #[test]
    fn what_stands_at_a_place_goes_and_its_shape_stays() {
        let task = json!({"payload": {
            "env": {"TOKEN": "s3cret", "N": 7}, "files": [{"key": "a", "name": "b"}, {"key": [true, null]}], "a/b": "c"},
            "extra": "kept"});
        let places: Vec<RedactedPlace> =
            ["/payload/env/*", "/payload/files/*/key", "/payload/a~1b", "/none/*", "/extra/x"]
                .map(|text| text.parse().unwrap())
                .into();
        let expected = json!({"payload": {
            "env": {"TOKEN": "redacted", "N": 0},
            "files": [{"key": "redacted", "name": "b"}, {"key": [false, null]}], "a/b": "redacted"}, "extra": "kept"});
        assert_eq!(json!(redacted(task.as_object().unwrap(), &places)), expected);
        let one: RedactedPlace = "/payload/files/0".parse().unwrap();
        assert_eq!(redacted(task.as_object().unwrap(), &[one])["payload"]["files"][0]["name"], "redacted");
    }

    #[test]
    fn a_place_is_a_pointer_into_the_task() {
        for bad in ["", "/", "payload", "#/payload"] {
            assert!(bad.parse::<RedactedPlace>().is_err(), "{bad}");
        }
        assert_eq!("/payload/env/*".parse::<RedactedPlace>().unwrap().to_string(), "/payload/env/*");
    }
}
