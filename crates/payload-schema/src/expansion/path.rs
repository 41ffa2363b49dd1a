//! The checks that one path through a nested value costs at most: how often each subschema is applied on the way, and
//! how deep the checks nest. Names and positions that exclude one another are told apart.

use super::{VALUE_DEPTH, graph};
use crate::Limits;
use crate::model::{Edge, Members, Model, NodeId, Rule};
use std::collections::{BTreeMap, HashMap};

/// What a path costs.
pub(super) enum Measured {
    /// Within the limit of checks, and this deep.
    Bounded { nesting: usize },
    /// More checks than the limit.
    Explodes,
}

/// Steps of this analysis itself.
const EFFORT: usize = 4_000_000;

/// Checks of parts by the subschema that is applied, with how often; negative where a name is excepted.
type Row = Vec<(usize, i64)>;

/// A subschema that is applied to a part of a value: what happens there, and at the parts of that.
struct Entry {
    checks: i64,
    /// The longest chain of checks on the same value.
    chain: usize,
    members: Table,
    elements: Table,
    names: Row,
    /// The parts' subschemas with the longest chain before each.
    parts: Vec<(usize, usize)>,
}

/// What is applied to any part, and how it differs for parts of a known name or position.
#[derive(Default)]
struct Table {
    any: Row,
    known: Vec<Row>,
}

pub(super) fn measure(model: &Model, limits: &Limits) -> Measured {
    let limit = i64::try_from(limits.expansion).unwrap_or(i64::MAX);
    let Some(entries) = Builder::new(model, limit).build() else { return Measured::Explodes };
    let mut cost: Vec<i64> = entries.iter().map(|entry| entry.checks).collect();
    let mut nesting: Vec<usize> = entries.iter().map(|entry| entry.chain).collect();
    for _ in 0..VALUE_DEPTH {
        let next: Vec<i64> = entries.iter().map(|entry| entry.cost(&cost)).collect();
        let deeper: Vec<usize> = entries.iter().map(|entry| entry.nesting(&nesting)).collect();
        if next.iter().any(|cost| *cost > limit) {
            return Measured::Explodes;
        }
        if next == cost && deeper == nesting {
            break;
        }
        (cost, nesting) = (next, deeper);
    }
    Measured::Bounded { nesting: nesting[0] }
}

impl Entry {
    fn cost(&self, cost: &[i64]) -> i64 {
        let sum = |row: &Row| row.iter().map(|(entry, times)| times * cost[*entry]).sum::<i64>();
        let table = |table: &Table| sum(&table.any) + table.known.iter().map(sum).max().unwrap_or(0).max(0);
        self.checks + table(&self.members).max(table(&self.elements)).max(sum(&self.names))
    }

    fn nesting(&self, nesting: &[usize]) -> usize {
        self.parts.iter().map(|(entry, chain)| chain + 1 + nesting[*entry]).max().unwrap_or(0).max(self.chain)
    }
}

struct Builder<'m> {
    model: &'m Model,
    limit: i64,
    entries: HashMap<NodeId, usize>,
    waiting: Vec<NodeId>,
    effort: usize,
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model, limit: i64) -> Self {
        let entries = HashMap::from([(Model::ROOT, 0)]);
        Self { model, limit, entries, waiting: vec![Model::ROOT], effort: 0 }
    }

    /// Every entry that the root reaches; none when that takes too much.
    fn build(mut self) -> Option<Vec<Entry>> {
        let mut built = Vec::new();
        let mut next = 0;
        while let Some(id) = self.waiting.get(next).copied() {
            next += 1;
            built.push(self.entry(id)?);
        }
        Some(built)
    }

    fn number(&mut self, id: NodeId) -> usize {
        let new = self.waiting.len();
        let number = *self.entries.entry(id).or_insert(new);
        if number == new {
            self.waiting.push(id);
        }
        number
    }

    fn spend(&mut self, effort: usize) -> Option<()> {
        self.effort += effort;
        (self.effort <= EFFORT).then_some(())
    }

    fn entry(&mut self, id: NodeId) -> Option<Entry> {
        let mut entry = Entry {
            checks: 0,
            chain: 0,
            members: Table::default(),
            elements: Table::default(),
            names: Row::new(),
            parts: Vec::new(),
        };
        let mut known_members: BTreeMap<&str, Row> = BTreeMap::new();
        let mut known_elements: BTreeMap<usize, Row> = BTreeMap::new();
        for (node, times, chain) in self.closure(id)? {
            entry.checks = entry.checks.checked_add(times).filter(|checks| *checks <= self.limit)?;
            entry.chain = entry.chain.max(chain);
            let model = self.model;
            for rule in &model.node(node).rules {
                match rule {
                    Rule::Members(members) => {
                        self.members(members, times, &mut entry.members.any, &mut known_members)?;
                    }
                    Rule::Elements(elements) => {
                        let rest = elements.rest.map(|rest| self.number(rest));
                        entry.elements.any.extend(rest.map(|rest| (rest, times)));
                        for (index, schema) in elements.first.iter().enumerate() {
                            let row = known_elements.entry(index).or_default();
                            row.push((self.number(*schema), times));
                            row.extend(rest.map(|rest| (rest, -times)));
                        }
                    }
                    Rule::Contains(contains) => entry.elements.any.push((self.number(contains.schema), times)),
                    Rule::UnevaluatedElements(schema) => entry.elements.any.push((self.number(*schema), times)),
                    Rule::UnevaluatedMembers(schema) => entry.members.any.push((self.number(*schema), times)),
                    Rule::Names(schema) => entry.names.push((self.number(*schema), times)),
                    _ => {}
                }
            }
            for edge in model.edges(node) {
                if let Edge::Part(part) = edge {
                    self.spend(1)?;
                    let part = self.number(part);
                    entry.parts.push((part, chain));
                }
            }
        }
        entry.members.known = known_members.into_values().collect();
        entry.elements.known = known_elements.into_values().collect();
        Some(entry)
    }

    fn members(
        &mut self,
        members: &'m Members,
        times: i64,
        any: &mut Row,
        known: &mut BTreeMap<&'m str, Row>,
    ) -> Option<()> {
        let additional = members.additional.map(|schema| self.number(schema));
        let patterns: Vec<_> = members.patterns.iter().map(|(id, schema)| (*id, self.number(*schema))).collect();
        any.extend(additional.map(|schema| (schema, times)));
        any.extend(patterns.iter().map(|(_, schema)| (*schema, times)));
        for (name, schema) in &members.named {
            self.spend(1 + patterns.len())?;
            let row = known.entry(name).or_default();
            row.push((self.number(*schema), times));
            row.extend(additional.map(|schema| (schema, -times)));
            let matches = |id| self.model.pattern(id).matcher().is_none_or(|matcher| matcher.is_match(name));
            row.extend(patterns.iter().filter(|(id, _)| !matches(*id)).map(|(_, schema)| (*schema, -times)));
        }
        Some(())
    }

    /// What is applied to the same value as `id`: each subschema with how often and after how long a chain.
    fn closure(&mut self, id: NodeId) -> Option<Vec<(NodeId, i64, usize)>> {
        let order = self.targets_last(id)?;
        let mut found: HashMap<NodeId, (i64, usize)> = HashMap::from([(id, (1, 0))]);
        for node in &order {
            let (times, chain) = found.get(node).copied().unwrap_or((0, 0));
            let looks_again = self
                .model
                .node(*node)
                .rules
                .iter()
                .any(|rule| matches!(rule, Rule::UnevaluatedMembers(_) | Rule::UnevaluatedElements(_)));
            for edge in self.model.edges(*node) {
                let factor = match edge {
                    Edge::Same(_) => 1,
                    Edge::Alternative(_) => 1 + i64::from(looks_again),
                    Edge::Part(_) => continue,
                };
                let (total, longest) = found.entry(edge.target()).or_insert((0, 0));
                *total = total.checked_add(times * factor).filter(|total| *total <= self.limit)?;
                *longest = (*longest).max(chain + 1);
            }
        }
        Some(
            order
                .into_iter()
                .filter_map(|node| found.get(&node).map(|(times, chain)| (node, *times, *chain)))
                .collect(),
        )
    }

    /// The subschemas applied to the same value, each before those that it applies. There is no cycle.
    fn targets_last(&mut self, id: NodeId) -> Option<Vec<NodeId>> {
        let mut order = Vec::new();
        let mut seen = HashMap::from([(id, ())]);
        let mut open = vec![(id, graph::same_value(self.model, id))];
        while let Some((node, left)) = open.last_mut() {
            let Some(next) = left.pop() else {
                order.push(*node);
                open.pop();
                continue;
            };
            self.spend(1)?;
            if seen.insert(next, ()).is_none() {
                open.push((next, graph::same_value(self.model, next)));
            }
        }
        order.reverse();
        Some(order)
    }
}
