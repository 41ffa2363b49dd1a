//! Anchors, and how much aliases may copy: a file of a kilobyte must not become a value of a gigabyte.

use super::super::places::Node;
use serde_json::Value;
use std::collections::HashMap;

/// The most that anchors and aliases copy in one file, in bytes as `weight` counts them.
const BUDGET: usize = 64 << 20;

/// What a node costs beside its text.
const NODE: usize = 64;

/// The anchored nodes of a document.
#[derive(Default)]
pub(super) struct Anchors {
    nodes: HashMap<usize, Anchored>,
    copied: usize,
}

struct Anchored {
    value: Value,
    places: Node,
    weight: usize,
    height: usize,
}

/// Why an alias was not followed.
pub(super) enum Refusal {
    /// It stands inside the node that it names.
    Inside,
    /// Too much would be copied.
    Budget,
    /// It would nest too deeply.
    Depth,
}

impl Anchors {
    /// Keeps a whole node under its anchor; `0` is none.
    pub(super) fn keep(&mut self, anchor: usize, value: &Value, places: &Node) -> Result<(), Refusal> {
        if anchor == 0 {
            return Ok(());
        }
        let (weight, height) = measure(value);
        self.spend(weight)?;
        self.nodes.insert(anchor, Anchored { value: value.clone(), places: places.clone(), weight, height });
        Ok(())
    }

    /// A copy of the node under `anchor`, which may be at most `depth` deep.
    pub(super) fn copy(&mut self, anchor: usize, depth: usize) -> Result<(Value, Node), Refusal> {
        let Some(anchored) = self.nodes.get(&anchor) else { return Err(Refusal::Inside) };
        if anchored.height > depth {
            return Err(Refusal::Depth);
        }
        let copy = (anchored.value.clone(), anchored.places.clone());
        let weight = anchored.weight;
        self.spend(weight)?;
        Ok(copy)
    }

    fn spend(&mut self, weight: usize) -> Result<(), Refusal> {
        self.copied = self.copied.saturating_add(weight);
        if self.copied > BUDGET { Err(Refusal::Budget) } else { Ok(()) }
    }
}

/// What a value costs, and how deep it is.
fn measure(value: &Value) -> (usize, usize) {
    let inside = |parts: &mut dyn Iterator<Item = (usize, &Value)>| {
        parts.fold((NODE, 0), |(weight, height), (text, part)| {
            let (of_part, below) = measure(part);
            (weight + text + of_part, height.max(below))
        })
    };
    match value {
        Value::String(text) => (NODE + text.len(), 0),
        Value::Array(items) => {
            let (weight, height) = inside(&mut items.iter().map(|item| (0, item)));
            (weight, height + 1)
        }
        Value::Object(members) => {
            let (weight, height) = inside(&mut members.iter().map(|(key, member)| (key.len(), member)));
            (weight, height + 1)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => (NODE, 0),
    }
}
