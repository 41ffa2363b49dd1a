//! A schema as people read it: what one place says together with what it refers to and what it puts together by `allOf`, or
//! by a choice that leaves one branch only.

use crate::{Limits, pointer, references};
use serde_json::{Map, Value};
use std::collections::HashMap;
use worker_types::Dialect;

/// Subschemas that are read together, at most: a hostile schema has no more.
const TOGETHER: usize = 50;

/// A schema with its references followed.
pub struct Outline<'s> {
    root: &'s Value,
    references: HashMap<String, String>,
}

/// One of the subschemas that say together what a place is.
#[derive(Clone, Debug)]
pub struct Layer<'s> {
    /// Where it stands.
    pub pointer: String,
    /// What it says.
    pub keywords: &'s Map<String, Value>,
    /// Whether a reference led to it.
    pub is_target: bool,
}

/// A property that is declared somewhere in the layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'s> {
    /// Its name.
    pub name: &'s str,
    /// Where its schemas stand: one, or several that hold together.
    pub pointers: Vec<String>,
    /// Whether an object must have it.
    pub is_required: bool,
}

impl<'s> Outline<'s> {
    /// `dialect` counts when the schema names no `$schema`.
    pub fn new(schema: &'s Value, dialect: Dialect, limits: &Limits) -> Self {
        Self { root: schema, references: references(schema, dialect, limits) }
    }

    /// What stands at a place.
    pub fn at(&self, pointer: &str) -> Option<&'s Value> {
        self.root.pointer(pointer)
    }

    /// Everything that the subschemas at `pointers` say: each one, what it refers to, what stands in its `allOf`.
    pub fn layers(&self, pointers: &[String]) -> Vec<Layer<'s>> {
        let mut layers: Vec<Layer<'s>> = Vec::new();
        let mut waiting: Vec<(String, bool)> = pointers.iter().rev().map(|pointer| (pointer.clone(), false)).collect();
        while let Some((pointer, is_target)) = waiting.pop() {
            let known = layers.iter().any(|layer| layer.pointer == pointer);
            let Some(Value::Object(keywords)) = self.at(&pointer).filter(|_| !known && layers.len() < TOGETHER) else {
                continue;
            };
            for keyword in ["oneOf", "anyOf", "allOf"] {
                let branches = keywords.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
                let together = keyword == "allOf" || branches == 1;
                let places = (0..branches).rev().filter(|_| together);
                waiting.extend(places.map(|index| (format!("{pointer}/{keyword}/{index}"), false)));
            }
            waiting.extend(self.references.get(&pointer).map(|target| (target.clone(), true)));
            layers.push(Layer { pointer, keywords, is_target });
        }
        layers
    }

    /// The declared properties, in the order in which they are written.
    pub fn members(layers: &[Layer<'s>]) -> Vec<Member<'s>> {
        let mut members: Vec<Member<'s>> = Vec::new();
        let mut index: HashMap<&str, usize> = HashMap::new();
        for layer in layers {
            for name in layer.keywords.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
                let place = *index.entry(name).or_insert_with(|| {
                    members.push(Member { name, pointers: Vec::new(), is_required: false });
                    members.len() - 1
                });
                let mut at = format!("{}/properties", layer.pointer);
                pointer::push(&mut at, name);
                members[place].pointers.push(at);
            }
        }
        for layer in layers {
            for name in layer.keywords.get("required").and_then(Value::as_array).into_iter().flatten() {
                if let Some(place) = name.as_str().and_then(|name| index.get(name)) {
                    members[*place].is_required = true;
                }
            }
        }
        members
    }
}

/// The branches among which `keywords` lets one choose by `oneOf` or `anyOf`; none where only one is left.
pub fn choices<'s>(keywords: &'s Map<String, Value>, keyword: &str) -> Option<&'s Vec<Value>> {
    keywords.get(keyword).and_then(Value::as_array).filter(|branches| branches.len() > 1)
}

/// The first value that any layer has for a keyword.
pub fn first<'s>(layers: &[Layer<'s>], keyword: &str) -> Option<&'s Value> {
    layers.iter().find_map(|layer| layer.keywords.get(keyword))
}

#[cfg(test)]
mod tests {
    use super::{Outline, first};
    use crate::Limits;
    use serde_json::json;
    use worker_types::Dialect;

    #[test]
    fn what_a_place_says_includes_what_it_refers_to_and_what_it_puts_together() {
        let schema = json!({
            "allOf": [{"properties": {"b": {"type": "string"}}, "required": ["a"]}, {"$ref": "#/definitions/more"}],
            "properties": {"a": {"description": "first"}, "b": {}},
            "definitions": {"more": {"title": "more", "properties": {"c": {}}, "allOf": [{"$ref": "#/definitions/more"}]}},
        });
        let outline = Outline::new(&schema, Dialect::Draft07, &Limits::default());
        let layers = outline.layers(&[String::new()]);
        let places: Vec<_> = layers.iter().map(|layer| layer.pointer.as_str()).collect();
        assert_eq!(places, ["", "/allOf/0", "/allOf/1", "/definitions/more", "/definitions/more/allOf/0"]);
        let members = Outline::members(&layers);
        let found: Vec<_> =
            members.iter().map(|member| (member.name, member.pointers.len(), member.is_required)).collect();
        assert_eq!(found, [("a", 1, true), ("b", 2, false), ("c", 1, false)]);
        assert_eq!(first(&layers, "title"), Some(&json!("more")));
    }
}
