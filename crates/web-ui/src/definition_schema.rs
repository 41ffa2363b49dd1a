//! The JSON Schema of a definition, for the editor's completion and explanations: made from the one table of fields, so
//! that it names what the reader takes. The verdict on a definition is the publish gate's.

use crate::schema_vocabulary::schema_vocabulary;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use worker_types::reference::{DEFINITION, FieldReference};

static SCHEMA: LazyLock<Value> = LazyLock::new(|| from_table(DEFINITION));

/// In 2020-12.
pub(crate) fn definition_schema() -> &'static Value {
    &SCHEMA
}

fn from_table(table: &[FieldReference]) -> Value {
    let mut schema = object(table, "");
    if let Some(keywords) = schema.as_object_mut() {
        keywords.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
        keywords.insert("title".to_owned(), "Definition of a worker type".into());
        keywords.insert("$defs".to_owned(), json!({"schema": schema_vocabulary()}));
    }
    schema
}

/// The object whose fields stand right below `parent`, which is empty or ends with a dot.
fn object(table: &[FieldReference], parent: &str) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in table {
        let Some(name) = field.path.strip_prefix(parent).filter(|rest| !rest.contains(['.', '['])) else { continue };
        properties.insert(name.to_owned(), described(field, value(table, field)));
        if field.default == "required" {
            required.push(name);
        }
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn value(table: &[FieldReference], field: &FieldReference) -> Value {
    let inside = |parent: &str| table.iter().any(|other| other.path.starts_with(parent));
    let (members, fields) = (format!("{}[].", field.path), format!("{}.", field.path));
    if inside(&members) {
        return json!({"type": "array", "items": object(table, &members)});
    }
    if inside(&fields) {
        return object(table, &fields);
    }
    plain(field.kind)
}

/// From the words of the table: its JSON type, or the vocabulary in backticks.
fn plain(kind: &str) -> Value {
    if kind.starts_with("JSON Schema") {
        return json!({"$ref": "#/$defs/schema"});
    }
    if kind.starts_with("array of strings") {
        return json!({"type": "array", "items": {"type": "string"}});
    }
    match kind.split([' ', ',']).next().unwrap_or_default() {
        "JSON" if kind == "JSON" => json!({}),
        "object" => json!({"type": "object"}),
        "array" => json!({"type": "array"}),
        "boolean" => json!({"type": "boolean"}),
        "number" => json!({"type": ["number", "object"]}),
        _ => words(kind).map_or_else(|| json!({"type": "string"}), |words| json!({"type": "string", "enum": words})),
    }
}

/// The words in backticks; none where they are a pattern rather than a vocabulary.
fn words(kind: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = kind.split('`').skip(1).step_by(2).collect();
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (words.len() > 1 && words.iter().all(is_word)).then_some(words)
}

fn described(field: &FieldReference, mut schema: Value) -> Value {
    let Some(keywords) = schema.as_object_mut() else { return schema };
    keywords.insert("description".to_owned(), field.words.into());
    let default = field.default.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    if let Some(default) = default.filter(|default| !default.contains('`')) {
        keywords.insert("default".to_owned(), default.into());
    }
    if matches!(field.default, "true" | "false") {
        keywords.insert("default".to_owned(), (field.default == "true").into());
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::definition_schema;
    use payload_schema::{Limits, Schema, inspect};
    use serde_json::{Value, json};
    use worker_types::reference::DEFINITION;
    use worker_types::{Definition, LifecycleState, ValidationMode};

    #[test]
    fn it_is_a_schema_without_a_remark_and_names_every_field() {
        let inspection = inspect(definition_schema(), None, &Limits::default());
        assert_eq!((inspection.errors, inspection.warnings), (Vec::new(), Vec::new()));
        for field in DEFINITION {
            let pointer: String = field.path.split('.').map(step).collect();
            assert!(definition_schema().pointer(&pointer).is_some(), "{} at {pointer}", field.path);
        }
    }

    fn step(part: &str) -> String {
        match part.strip_suffix("[]") {
            Some(name) => format!("/properties/{name}/items"),
            None => format!("/properties/{part}"),
        }
    }

    #[test]
    fn vocabularies_are_those_of_the_types() {
        let of = |pointer: &str| definition_schema().pointer(pointer).cloned().unwrap();
        assert_eq!(of("/properties/validation/enum"), json!(ValidationMode::NAMES));
        assert_eq!(of("/properties/validation/default"), "warn");
        assert_eq!(of("/properties/lifecycle/properties/state/enum"), json!(LifecycleState::NAMES));
        assert_eq!(of("/properties/variants/items/required"), json!(["name"]));
        assert_eq!(of("/required"), json!(["description"]));
    }

    #[test]
    fn it_takes_what_the_reader_takes_and_refuses_unknown_fields_as_it_does() {
        let schema = Schema::compile(definition_schema(), None, &Limits::default()).unwrap();
        let whole = json!({"description": "x", "owner": "o", "tags": ["a"], "links": [{"title": "t", "href": "https://e.example"}],
            "lifecycle": {"state": "deprecated", "replacedBy": "p/x"}, "rollout": {"policy": "lenient"}, "pool": {"providerId": "static"},
            "variants": [{"name": "a", "implementation": {"name": "w", "version": "1"}, "payloadSchema": {"type": "object"}, "dialect": "2020-12",
                "constraints": {"rules": [{"rule": "atMost", "path": "/payload/x", "limit": 5}]}, "examples": [{"payload": {}, "valid": true}]}]});
        let accepts = |value: &Value| Definition::read(value, &"p/w".parse().unwrap()).is_ok();
        assert!(accepts(&whole) && schema.is_valid(&whole));
        for odd in [
            json!({"description": "x", "validaton": "warn"}),
            json!({"description": "x", "validation": "always"}),
            json!({"variants": []}),
        ] {
            assert!(!accepts(&odd) && !schema.is_valid(&odd), "{odd}");
        }
    }
}
