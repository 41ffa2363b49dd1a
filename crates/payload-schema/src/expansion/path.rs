//! What happens at one value, and on the way down through a nested one: how many checks of the same value, and how
//! deep checks nest.
//!
//! A recursion may reach itself by several ways: the engine remembers what it found for a container that a recursive
//! reference led to, so that each is checked once. It remembers nothing within one value; that is what is counted.

use super::{VALUE_DEPTH, graph};
use crate::Limits;
use crate::model::{Edge, Model, NodeId, Rule};
use std::collections::{HashMap, HashSet};

/// What a value costs.
pub(super) enum Measured {
    /// Within the limit of checks, and this deep.
    Bounded { nesting: usize },
    /// More checks of one value than the limit.
    Explodes,
}

/// Steps of this analysis itself.
const EFFORT: usize = 4_000_000;

/// How often the engine looks at a subschema again to learn what it evaluated, when `unevaluated…` stands beside.
const LOOKS_AGAIN: u64 = 4;

/// A subschema that is applied to a part of a value.
struct Entry {
    /// The longest chain of checks of the same value.
    chain: usize,
    /// The subschemas applied to its parts, with the longest chain before each.
    parts: HashMap<usize, usize>,
}

pub(super) fn measure(model: &Model, limits: &Limits) -> Measured {
    let builder = Builder {
        model,
        limit: limits.expansion,
        numbers: HashMap::from([(Model::ROOT, 0)]),
        waiting: vec![Model::ROOT],
        effort: EFFORT,
    };
    let Some(entries) = builder.build() else { return Measured::Explodes };
    let mut nesting: Vec<usize> = entries.iter().map(|entry| entry.chain).collect();
    for _ in 0..VALUE_DEPTH {
        let deeper: Vec<usize> = entries.iter().map(|entry| entry.nesting(&nesting)).collect();
        if deeper == nesting {
            break;
        }
        nesting = deeper;
    }
    Measured::Bounded { nesting: nesting[0] }
}

impl Entry {
    fn nesting(&self, nesting: &[usize]) -> usize {
        self.parts.iter().map(|(part, chain)| chain + 1 + nesting[*part]).max().unwrap_or(0).max(self.chain)
    }
}

struct Builder<'m> {
    model: &'m Model,
    limit: u64,
    numbers: HashMap<NodeId, usize>,
    waiting: Vec<NodeId>,
    effort: usize,
}

impl Builder<'_> {
    /// Every subschema that the root's recursion through parts reaches; none when that takes too much.
    fn build(mut self) -> Option<Vec<Entry>> {
        let mut built = Vec::new();
        while let Some(id) = self.waiting.get(built.len()).copied() {
            built.push(self.entry(id)?);
        }
        Some(built)
    }

    fn number(&mut self, id: NodeId) -> usize {
        let new = self.waiting.len();
        let number = *self.numbers.entry(id).or_insert(new);
        if number == new {
            self.waiting.push(id);
        }
        number
    }

    fn spend(&mut self, effort: usize) -> Option<()> {
        self.effort = self.effort.checked_sub(effort)?;
        Some(())
    }

    fn entry(&mut self, id: NodeId) -> Option<Entry> {
        let mut entry = Entry { chain: 0, parts: HashMap::new() };
        let mut checks = 0_u64;
        for (node, times, chain) in self.closure(id)? {
            checks = checks.checked_add(times).filter(|checks| *checks <= self.limit)?;
            entry.chain = entry.chain.max(chain);
            let edges = self.model.edges(node);
            self.spend(edges.len())?;
            for edge in edges {
                if let Edge::Part(part) = edge {
                    let longest = entry.parts.entry(self.number(part)).or_insert(0);
                    *longest = (*longest).max(chain);
                }
            }
        }
        Some(entry)
    }

    /// What is applied to the same value as `id`: each subschema with how often and after how long a chain.
    fn closure(&mut self, id: NodeId) -> Option<Vec<(NodeId, u64, usize)>> {
        let order = self.targets_last(id)?;
        let mut found: HashMap<NodeId, (u64, usize)> = HashMap::from([(id, (1, 0))]);
        for node in &order {
            let (times, chain) = found.get(node).copied().unwrap_or((0, 0));
            let rules = &self.model.node(*node).rules;
            let looks_again =
                rules.iter().any(|rule| matches!(rule, Rule::UnevaluatedMembers(_) | Rule::UnevaluatedElements(_)));
            let times = if looks_again { times.checked_mul(LOOKS_AGAIN)? } else { times };
            for target in graph::same_value(self.model, *node) {
                let (total, longest) = found.entry(target).or_insert((0, 0));
                *total = total.checked_add(times).filter(|total| *total <= self.limit)?;
                *longest = (*longest).max(chain + 1);
            }
        }
        let counted =
            order.into_iter().filter_map(|node| found.get(&node).map(|(times, chain)| (node, *times, *chain)));
        Some(counted.collect())
    }

    /// The subschemas applied to the same value, each before those that it applies. There is no cycle.
    fn targets_last(&mut self, id: NodeId) -> Option<Vec<NodeId>> {
        let mut order = Vec::new();
        let mut seen = HashSet::from([id]);
        let mut open = vec![(id, graph::same_value(self.model, id))];
        while let Some((node, left)) = open.last_mut() {
            let Some(next) = left.pop() else {
                order.push(*node);
                open.pop();
                continue;
            };
            self.spend(1)?;
            if seen.insert(next) {
                open.push((next, graph::same_value(self.model, next)));
            }
        }
        order.reverse();
        Some(order)
    }
}
