//! Subschemas that no value can match, because two things that they ask contradict each other: in one schema object, or
//! in several that apply to the same value by `allOf` and `$ref`.

mod counts;
mod enums;
mod members;
mod types;

use crate::explain::Probe;
use crate::model::{Model, NodeId, Rule, Scope};
use std::collections::HashSet;
use worker_types::Item;

/// Schema objects that are looked at together.
const TOGETHER: usize = 100;

/// What is known while a schema's objects are looked at one after another.
pub(super) struct Never<'a> {
    model: &'a Model,
    probe: Probe<'a>,
    /// Pairs of keywords that are told already: an object around them sees them too.
    told: HashSet<[Keyword; 2]>,
    /// Whether what a reference means depends on the way to it.
    is_dynamic: bool,
}

/// A keyword of a schema object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Keyword {
    node: NodeId,
    name: &'static str,
}

impl<'a> Never<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let rules = || model.ids().flat_map(|id| &model.node(id).rules);
        let is_dynamic =
            rules().any(|rule| matches!(rule, Rule::Reference(reference) if reference.scope != Scope::Static));
        Self { model, probe: Probe::new(model), told: HashSet::new(), is_dynamic }
    }

    /// The contradictions in what the schema object `id` asks.
    pub(super) fn lint(&mut self, id: NodeId, warnings: &mut Vec<Item>) {
        let together = self.together(id);
        let mut found = Vec::new();
        found.extend(types::contradiction(self.model, &together));
        found.extend(types::branches(self.model, id, &together));
        found.extend(counts::contradictions(self.model, &together));
        found.extend(members::contradictions(self.model, &together));
        if !self.is_dynamic {
            found.extend(enums::contradiction(self.model, &mut self.probe, id));
            found.extend(members::names(self.model, &mut self.probe, id));
        }
        for Contradiction { between, message, place } in found {
            if self.told.insert(between) && between.iter().all(|keyword| self.model.is_own(keyword.node)) {
                let place = place.unwrap_or(between[1]);
                warnings.push(Item::new("never-matches", self.model.keyword_pointer(place.node, place.name), message));
            }
        }
    }

    /// The schema objects that a value must all match where it matches `id`.
    fn together(&self, id: NodeId) -> Vec<NodeId> {
        let mut together = vec![id];
        let mut next = 0;
        while let Some(id) = together.get(next).copied() {
            next += 1;
            for rule in &self.model.node(id).rules {
                let also = match rule {
                    Rule::All(schemas) => schemas.clone(),
                    Rule::Reference(reference) if reference.scope == Scope::Static => Vec::from_iter(reference.target),
                    _ => continue,
                };
                for id in also {
                    if together.len() < TOGETHER && !together.contains(&id) {
                        together.push(id);
                    }
                }
            }
        }
        together
    }
}

/// Two keywords that no value satisfies together.
struct Contradiction {
    between: [Keyword; 2],
    message: String,
    /// Where it is told, if not at the second.
    place: Option<Keyword>,
}

impl Contradiction {
    fn new(first: Keyword, second: Keyword, message: String) -> Self {
        Self { between: [first, second], message, place: None }
    }
}

/// `"minimum"`, or `"minimum" in /allOf/0` when it stands in another object than `here`.
fn named(model: &Model, keyword: Keyword, here: NodeId) -> String {
    if keyword.node == here {
        return format!("\"{}\"", keyword.name);
    }
    let pointer = model.pointer(keyword.node);
    let shown = if pointer.is_empty() { "the schema's root" } else { &pointer };
    format!("\"{}\" in {}", keyword.name, crate::excerpt::plain(shown, 200))
}
