//! Equality of JSON values as JSON Schema means it: numbers by value, objects without order, `true` is not `1`.

use crate::number::Decimal;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Whether the two are the same value (JSON Schema core, "instance equality").
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left.as_str() == right.as_str() || Decimal::new(left) == Decimal::new(right)
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, value)| right.get(name).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

/// Elements that are compared with each other one by one; more of them are looked up.
const FEW: usize = 8;

/// The positions of the first two elements that are the same value.
pub(crate) fn repeated(elements: &[Value]) -> Option<(usize, usize)> {
    if elements.len() <= FEW {
        return elements.iter().enumerate().find_map(|(index, element)| {
            let first = elements[..index].iter().position(|before| same(before, element))?;
            Some((first, index))
        });
    }
    let mut seen = HashMap::with_capacity(elements.len());
    elements
        .iter()
        .enumerate()
        .find_map(|(index, element)| seen.insert(key(element), index).map(|first| (first, index)))
}

/// A text that two values share exactly when they are the same.
pub(crate) fn key(value: &Value) -> String {
    let mut key = String::new();
    write_key(value, &mut key);
    key
}

fn write_key(value: &Value, key: &mut String) {
    match value {
        Value::Number(number) => {
            // Writing to a String cannot fail.
            let _ = write!(key, "{:?}", Decimal::new(number));
        }
        Value::Array(elements) => {
            key.push('[');
            for element in elements {
                write_key(element, key);
                key.push(',');
            }
            key.push(']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by_key(|(name, _)| *name);
            key.push('{');
            for (name, member) in sorted {
                let _ = write!(key, "{name:?}:");
                write_key(member, key);
                key.push(',');
            }
            key.push('}');
        }
        // Its length says where it ends.
        Value::String(text) => {
            let _ = write!(key, "\"{}\"", text.len());
            key.push_str(text);
        }
        Value::Null | Value::Bool(_) => {
            let _ = write!(key, "{value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{repeated, same};
    use serde_json::{Value, from_str};

    fn value(text: &str) -> Value {
        from_str(text).unwrap()
    }

    #[test]
    fn numbers_compare_by_value_and_types_never_mix() {
        assert!(same(&value("[1.0, {\"a\": 1e1, \"b\": 2}]"), &value("[1, {\"b\": 2.0, \"a\": 10}]")));
        assert!(!same(&value("1"), &value("true")));
        assert!(!same(&value("0"), &value("false")));
        assert!(!same(&value("9007199254740993"), &value("9007199254740992")));
        assert!(!same(&value("{\"a\": null}"), &value("{}")));
    }

    #[test]
    fn the_first_repeated_element_is_found() {
        let elements = |text: &str| repeated(value(text).as_array().unwrap());
        assert_eq!(elements("[0, 1, false, true]"), None);
        assert_eq!(elements("[1, \"1\", [1], 1.0]"), Some((0, 3)));
        assert_eq!(elements("[{\"a\":1,\"b\":2}, 3, {\"b\":2,\"a\":1}]"), Some((0, 2)));
        assert_eq!(elements("[[1,2],[12]]"), None);
        let many = r#"["a", "b,", ["a", "b"], ["a,", "b"], ["a", ",b"], "1", 1, true, "true", null, {"a": "b"}"#;
        assert_eq!(elements(&format!("{many}, {{\"a\": \"b\\\"1\"}}]")), None);
        assert_eq!(elements(&format!("{many}, [\"a,\", \"b\"]]")), Some((3, 11)));
    }
}
