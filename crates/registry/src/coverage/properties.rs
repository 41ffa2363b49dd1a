//! The properties that payloads may have, as a schema declares them.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Properties that are looked at: a hostile schema has no more.
const MOST: usize = 5_000;

/// How deep objects are looked into.
const DEPTH: usize = 32;

/// A declared property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    /// From the payload on: `artifacts[].name`.
    pub(super) path: String,
    pub(super) name: String,
    /// Whether a schema that declares it, or one that it refers to, says in words what it is.
    pub(super) described: bool,
}

/// The properties that `schema` declares, in the order of their paths.
pub(super) fn of(schema: &Value) -> Vec<Property> {
    let mut walk = Walk { root: schema, found: BTreeMap::new(), under_way: BTreeSet::new() };
    walk.schema(schema, "", 0);
    walk.found.into_values().collect()
}

/// The words of a text, as names are written in it.
pub(super) fn words(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    text.split(|c| !is_part(c)).map(|word| word.trim_matches('-')).collect()
}

struct Walk<'v> {
    root: &'v Value,
    found: BTreeMap<String, Property>,
    /// References that are being followed: a recursive schema has its properties named once.
    under_way: BTreeSet<&'v str>,
}

impl<'v> Walk<'v> {
    fn schema(&mut self, schema: &'v Value, path: &str, depth: usize) {
        let Value::Object(keywords) = schema else { return };
        if depth > DEPTH || self.found.len() > MOST {
            return;
        }
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "properties" => self.properties(value, path, depth),
                "items" | "additionalItems" | "unevaluatedItems" | "contains" | "prefixItems" => {
                    self.each(value, &format!("{path}[]"), depth);
                }
                "additionalProperties" | "unevaluatedProperties" => self.schema(value, &joined(path, "*"), depth + 1),
                "patternProperties" => self.values(value, &joined(path, "*"), depth),
                "allOf" | "anyOf" | "oneOf" | "then" | "else" => self.each(value, path, depth),
                "dependentSchemas" => self.values(value, path, depth),
                "$ref" => self.reference(value, path, depth),
                _ => {}
            }
        }
    }

    fn properties(&mut self, properties: &'v Value, path: &str, depth: usize) {
        for (name, schema) in properties.as_object().into_iter().flatten() {
            // What is declared only to be refused is none that a payload may have.
            if *schema == Value::Bool(false) {
                continue;
            }
            let path = joined(path, name);
            let described = self.is_described(schema, 0);
            let blank = || Property { path: path.clone(), name: name.clone(), described };
            self.found.entry(path.clone()).or_insert_with(blank).described |= described;
            self.schema(schema, &path, depth + 1);
        }
    }

    /// A schema, or each of several.
    fn each(&mut self, value: &'v Value, path: &str, depth: usize) {
        match value {
            Value::Array(schemas) => schemas.iter().for_each(|schema| self.schema(schema, path, depth + 1)),
            schema => self.schema(schema, path, depth + 1),
        }
    }

    fn values(&mut self, value: &'v Value, path: &str, depth: usize) {
        value.as_object().into_iter().flatten().for_each(|(_, schema)| self.schema(schema, path, depth + 1));
    }

    fn reference(&mut self, reference: &'v Value, path: &str, depth: usize) {
        let Some(text) = reference.as_str() else { return };
        let Some(target) = self.target(text) else { return };
        if self.under_way.insert(text) {
            self.schema(target, path, depth + 1);
            self.under_way.remove(text);
        }
    }

    /// What a reference within the document leads to.
    fn target(&self, text: &str) -> Option<&'v Value> {
        self.root.pointer(text.strip_prefix('#')?)
    }

    fn is_described(&self, schema: &'v Value, depth: usize) -> bool {
        let says = |keyword| schema.get(keyword).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
        let target = || schema.get("$ref").and_then(Value::as_str).and_then(|text| self.target(text));
        says("description")
            || says("title")
            || depth < DEPTH && target().is_some_and(|at| self.is_described(at, depth + 1))
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::{of, words};
    use serde_json::json;

    #[test]
    fn properties_are_found_wherever_a_payload_may_have_them() {
        let schema = json!({
            "properties": {
                "a": {"description": "said", "properties": {"b": {}}},
                "list": {"title": "T", "items": {"properties": {"c": {"$ref": "#/definitions/c"}}}},
                "gone": false,
            },
            "anyOf": [{"properties": {"a": {}, "d": {"description": " "}}}],
            "patternProperties": {"^x": {"properties": {"e": {"$ref": "#/definitions/loop"}}}},
            "definitions": {"c": {"description": "by reference"}, "loop": {"properties": {"next": {"$ref": "#/definitions/loop"}}}},
        });
        let found: Vec<_> = of(&schema).into_iter().map(|property| (property.path, property.described)).collect();
        let expected = [
            ("*.e", false),
            ("*.e.next", false),
            ("a", true),
            ("a.b", false),
            ("d", false),
            ("list", true),
            ("list[].c", true),
        ];
        assert_eq!(found, expected.map(|(path, described)| (path.to_owned(), described)));
        assert_eq!(of(&json!(true)), []);
    }

    #[test]
    fn a_name_is_mentioned_as_a_word() {
        let words = words("The `maxRunTime` in *seconds* -- `on-exit`, artifacts[].name.");
        assert!(["maxRunTime", "on-exit", "artifacts", "name"].iter().all(|word| words.contains(word)));
        assert!(!words.contains("maxRun") && !words.contains("exit"));
    }
}
