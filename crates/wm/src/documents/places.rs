//! Lines and columns, and the tree that gives every part of a value its place.

use serde_json::Value;
use std::fmt;

/// A place in a text: line and column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

impl Place {
    /// Where every text begins.
    pub const START: Self = Self { line: 1, column: 1 };

    pub(crate) fn below(self, lines: u32) -> Self {
        Self { line: self.line.saturating_add(lines), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Which token of a member is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its value.
    Value,
    /// Its key, where it has one.
    Key,
}

/// The places of a value, shaped as the value is.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    /// Of a member of an object.
    pub(crate) key: Option<Place>,
    /// Of an array or an object, in the value's order.
    pub(crate) children: Vec<Node>,
}

impl Node {
    pub(crate) fn new(place: Place) -> Self {
        Self { place, key: None, children: Vec::new() }
    }

    /// The place at `pointer` in `value`, or of the innermost part that is there.
    pub(crate) fn find(&self, value: &Value, pointer: &str, part: Part) -> Place {
        let (mut node, mut value) = (self, value);
        for token in pointer.split('/').skip(1) {
            let Some((child, inner)) = node.child(value, &unescape(token)) else { return node.place };
            (node, value) = (child, inner);
        }
        match part {
            Part::Key => node.key.unwrap_or(node.place),
            Part::Value => node.place,
        }
    }

    fn child<'a>(&'a self, value: &'a Value, token: &str) -> Option<(&'a Self, &'a Value)> {
        let (index, inner) = match value {
            Value::Object(members) => {
                let (index, (_, inner)) = members.iter().enumerate().find(|(_, (key, _))| *key == token)?;
                (index, inner)
            }
            Value::Array(items) => {
                let index = token.parse().ok()?;
                (index, items.get(index)?)
            }
            _ => return None,
        };
        Some((self.children.get(index)?, inner))
    }
}

/// RFC 6901 §4.
fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
