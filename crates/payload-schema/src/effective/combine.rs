//! How parts of a derived schema are put together.

use serde_json::{Map, Value, json};

/// Something that accepts everything.
pub(super) fn anything() -> Value {
    json!({})
}

/// Something that accepts nothing, and tells editors why.
pub(super) fn nothing(why: &str) -> Value {
    json!({"not": {}, "description": why, "errorMessage": why})
}

/// What all of `parts` accept.
pub(super) fn all_of(mut parts: Vec<Value>) -> Value {
    parts.retain(|part| !accepts_everything(part));
    match parts.len() {
        0 => anything(),
        1 => parts.remove(0),
        _ => json!({"allOf": parts}),
    }
}

/// What at least one of `parts` accepts; there is one.
pub(super) fn any_of(mut parts: Vec<Value>) -> Value {
    if parts.len() == 1 { parts.remove(0) } else { json!({"anyOf": parts}) }
}

pub(super) fn accepts_everything(schema: &Value) -> bool {
    match schema {
        Value::Bool(accepts) => *accepts,
        Value::Object(members) => {
            members.keys().all(|name| matches!(name.as_str(), "title" | "description" | "$comment"))
        }
        _ => false,
    }
}

/// `schema` under a title, if it has none.
pub(super) fn titled(schema: Value, title: &str) -> Value {
    let mut titled = Map::new();
    titled.insert("title".to_owned(), title.into());
    wrapped(titled, schema)
}

/// `schema` with words for people.
pub(super) fn described(schema: Value, words: &str) -> Value {
    let mut described = Map::new();
    described.insert("description".to_owned(), words.into());
    wrapped(described, schema)
}

/// `schema` with words for those who read it.
pub(super) fn commented(schema: Value, words: &str) -> Value {
    let mut commented = Map::new();
    commented.insert("$comment".to_owned(), words.into());
    wrapped(commented, schema)
}

/// The words, then the schema's own members. A reference stays alone, as draft-07 needs it.
fn wrapped(mut words: Map<String, Value>, schema: Value) -> Value {
    match schema {
        Value::Object(members) if !members.contains_key("$ref") => {
            words.extend(members);
            Value::Object(words)
        }
        Value::Bool(true) => Value::Object(words),
        other => {
            words.insert("allOf".to_owned(), json!([other]));
            Value::Object(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{all_of, any_of, titled};
    use serde_json::json;

    #[test]
    fn parts_are_put_together_without_empty_ones() {
        assert_eq!(all_of(vec![json!({}), json!(true), json!({"title": "a"})]), json!({}));
        assert_eq!(all_of(vec![json!({}), json!({"type": "null"})]), json!({"type": "null"}));
        assert_eq!(any_of(vec![json!({}), json!({"type": "null"})]), json!({"anyOf": [{}, {"type": "null"}]}));
        assert_eq!(titled(json!({"$ref": "#"}), "a"), json!({"title": "a", "allOf": [{"$ref": "#"}]}));
        assert_eq!(titled(json!({"title": "b", "type": "null"}), "a"), json!({"title": "b", "type": "null"}));
    }
}
