//! Which subschemas a subschema applies, and to what.

use super::{Model, NodeId, Rule, Scope};

/// One application of a subschema by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// To the same value.
    Same(NodeId),
    /// To parts of it.
    Part(NodeId),
}

impl Edge {
    pub(crate) fn target(self) -> NodeId {
        match self {
            Self::Same(target) | Self::Part(target) => target,
        }
    }
}

impl Model {
    /// Whether the node applies anything to the value that it looks at itself.
    pub(crate) fn applies_to_the_same(&self, id: NodeId) -> bool {
        self.node(id).rules.iter().any(|rule| {
            matches!(
                rule,
                Rule::All(_)
                    | Rule::Any(_)
                    | Rule::One(_)
                    | Rule::DependentSchemas(..)
                    | Rule::Not(_)
                    | Rule::If(_)
                    | Rule::Reference(_)
            )
        })
    }

    /// What the node applies. A reference with a dynamic scope counts with the outermost target that it may have.
    pub(crate) fn edges(&self, id: NodeId) -> Vec<Edge> {
        self.node(id).rules.iter().flat_map(|rule| self.edges_of(rule)).collect()
    }

    /// What one rule applies.
    pub(crate) fn edges_of(&self, rule: &Rule) -> Vec<Edge> {
        let mut edges = Vec::new();
        match rule {
            Rule::All(schemas) | Rule::Any(schemas) | Rule::One(schemas) => {
                edges.extend(schemas.iter().copied().map(Edge::Same));
            }
            Rule::DependentSchemas(_, schemas) => {
                edges.extend(schemas.iter().map(|(_, schema)| Edge::Same(*schema)));
            }
            Rule::Not(schema) => edges.push(Edge::Same(*schema)),
            Rule::If(condition) => {
                let branches = [Some(condition.test), condition.then, condition.otherwise];
                edges.extend(branches.into_iter().flatten().map(Edge::Same));
            }
            Rule::Reference(_) => edges.extend(self.outermost_target(rule).map(Edge::Same)),
            Rule::Members(members) => {
                edges.extend(members.named.values().copied().map(Edge::Part));
                edges.extend(members.patterns.iter().map(|(_, schema)| Edge::Part(*schema)));
                edges.extend(members.additional.map(Edge::Part));
            }
            Rule::Elements(elements) => {
                edges.extend(elements.first.iter().copied().chain(elements.rest).map(Edge::Part));
            }
            Rule::Contains(contains) => edges.push(Edge::Part(contains.schema)),
            Rule::Names(schema) | Rule::UnevaluatedMembers(schema) | Rule::UnevaluatedElements(schema) => {
                edges.push(Edge::Part(*schema));
            }
            _ => {}
        }
        edges
    }

    /// Where a reference leads when everything is entered from the root.
    pub(crate) fn outermost_target(&self, rule: &Rule) -> Option<NodeId> {
        let Rule::Reference(reference) = rule else { return None };
        let outermost = match &reference.scope {
            Scope::Static => None,
            Scope::Anchor(name) => self.resources.iter().find_map(|resource| resource.dynamic.get(name).copied()),
            Scope::Recursive => self.resources.iter().find(|resource| resource.recursive).map(|resource| resource.root),
        };
        outermost.or(reference.target)
    }
}
