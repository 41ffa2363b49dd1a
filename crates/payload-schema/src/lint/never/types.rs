//! Types that exclude each other.

use super::{Contradiction, Keyword, named};
use crate::model::{Model, NodeId, Rule, Types};

fn types(model: &Model, id: NodeId) -> Option<Types> {
    model.node(id).rules.iter().find_map(|rule| match rule {
        Rule::Type(types) => Some(*types),
        _ => None,
    })
}

fn listed(types: Types) -> String {
    types.names().collect::<Vec<_>>().join(" or ")
}

fn keyword(node: NodeId) -> Keyword {
    Keyword { node, name: "type" }
}

/// Two of the objects, by `type`, of which a value can only match one.
pub(super) fn contradiction(model: &Model, together: &[NodeId]) -> Option<Contradiction> {
    let asked = || together.iter().filter_map(|id| Some((*id, types(model, *id)?)));
    asked().enumerate().find_map(|(index, (id, own))| {
        let (other, theirs) = asked().take(index).find(|(_, other)| other.meet(own) == Types::default())?;
        let message = format!(
            "no value is accepted: it must be of type {}, and of type {} by {}",
            listed(own),
            listed(theirs),
            named(model, keyword(other), id)
        );
        Some(Contradiction::new(keyword(other), keyword(id), message))
    })
}

/// Branches of `anyOf` and `oneOf` of another type than the object around them allows.
pub(super) fn branches(model: &Model, id: NodeId, together: &[NodeId]) -> Vec<Contradiction> {
    let around = || together.iter().filter_map(|around| Some((*around, types(model, *around)?)));
    let branches = model.node(id).rules.iter().flat_map(|rule| match rule {
        Rule::Any(schemas) | Rule::One(schemas) => schemas.as_slice(),
        _ => &[],
    });
    let never = branches.filter_map(|branch| {
        let own = types(model, *branch)?;
        let (other, theirs) = around().find(|(_, around)| around.meet(own) == Types::default())?;
        let message = format!(
            "this branch never matches: it is for type {}, and {} asks for type {}",
            listed(own),
            named(model, keyword(other), *branch),
            listed(theirs),
        );
        Some(Contradiction::new(keyword(other), keyword(*branch), message))
    });
    never.collect()
}
