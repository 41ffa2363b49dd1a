//! What a schema tells people and editors: copied as it stands, where it has the shape that the target asks for.

use crate::vocabulary;
use serde_json::{Map, Value};
use worker_types::Dialect;

/// A keyword, and whether a value is one for it.
type Telling = (&'static str, fn(&Value) -> bool);

/// Keywords that refuse nothing.
const TELLING: &[Telling] = &[
    ("title", Value::is_string),
    ("description", Value::is_string),
    ("$comment", Value::is_string),
    ("deprecated", Value::is_boolean),
    ("readOnly", Value::is_boolean),
    ("writeOnly", Value::is_boolean),
    ("default", |_| true),
    ("examples", Value::is_array),
    ("contentEncoding", Value::is_string),
    ("contentMediaType", Value::is_string),
];

/// Keywords of editors, which no draft has.
const FOR_EDITORS: &[&str] =
    &["markdownDescription", "deprecationMessage", "enumDescriptions", "markdownEnumDescriptions", "defaultSnippets"];

/// What tells something in `schema`, which is written in `dialect`.
pub(super) fn copy(schema: &Map<String, Value>, dialect: Dialect, copy: &mut Map<String, Value>) {
    for (name, fits) in TELLING {
        let tells = vocabulary::find(name).is_some_and(|keyword| keyword.tells || keyword.is_in(dialect));
        if let Some(value) = schema.get(*name).filter(|value| tells && fits(value)) {
            copy.insert((*name).to_owned(), value.clone());
        }
    }
    for name in FOR_EDITORS {
        if let Some(value) = schema.get(*name) {
            copy.insert((*name).to_owned(), value.clone());
        }
    }
}

/// Adds a remark to a schema's `$comment`.
pub(super) fn remark(schema: &mut Map<String, Value>, remark: &str) {
    let comment = match schema.get("$comment").and_then(Value::as_str) {
        Some(comment) => format!("{comment} {remark}"),
        None => remark.to_owned(),
    };
    schema.insert("$comment".to_owned(), comment.into());
}
