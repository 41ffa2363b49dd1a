//! Properties that are required and refused.

use super::{Contradiction, Keyword, named};
use crate::excerpt;
use crate::explain::Probe;
use crate::model::{Members, Model, NodeId, Rule};
use serde_json::Value;

/// Names of one `required` that are looked at.
const NAMES: usize = 200;

fn required(model: &Model, id: NodeId) -> impl Iterator<Item = &str> {
    let names = model.node(id).rules.iter().filter_map(|rule| match rule {
        Rule::Required(names) => Some(names),
        _ => None,
    });
    names.flatten().map(AsRef::as_ref).take(NAMES)
}

/// Properties that one object requires and another refuses: by `false`, or by not knowing them where it is closed.
///
/// A closed object that does not know what it requires itself is another warning, which finds the misspelling.
pub(super) fn contradictions(model: &Model, together: &[NodeId]) -> Vec<Contradiction> {
    let requiring: Vec<NodeId> = together.iter().copied().filter(|id| required(model, *id).next().is_some()).collect();
    let mut found = Vec::new();
    for id in together {
        let members = model.node(*id).rules.iter().find_map(|rule| match rule {
            Rule::Members(members) => Some(members),
            _ => None,
        });
        let Some(members) = members else { continue };
        for requirer in &requiring {
            let refused = required(model, *requirer).find_map(|name| Some((name, refuses(model, members, name)?)));
            let Some((name, keyword)) = refused.filter(|(_, keyword)| *keyword == "properties" || id != requirer)
            else {
                continue;
            };
            let refusing = Keyword { node: *id, name: keyword };
            let requiring = Keyword { node: *requirer, name: "required" };
            let message = format!(
                "no object is accepted: the property {} is required, and {} refuses it",
                excerpt::text(name),
                named(model, refusing, *requirer)
            );
            found.push(Contradiction::new(refusing, requiring, message));
        }
    }
    found
}

/// The keyword by which `members` refuses every value of a member of this name.
fn refuses(model: &Model, members: &Members, name: &str) -> Option<&'static str> {
    if let Some(schema) = members.named.get(name) {
        return model.is_never(*schema).then_some("properties");
    }
    let matched = |id| model.pattern(id).matcher().is_none_or(|matcher| matcher.is_match(name));
    let closed = members.additional.is_some_and(|schema| model.is_never(schema));
    (closed && !members.patterns.iter().any(|(id, _)| matched(*id))).then_some("additionalProperties")
}

/// A required name that `propertyNames` beside it refuses.
pub(super) fn names(model: &Model, probe: &mut Probe<'_>, id: NodeId) -> Option<Contradiction> {
    let names = model.node(id).rules.iter().find_map(|rule| match rule {
        Rule::Names(names) => Some(*names),
        _ => None,
    })?;
    let refused = required(model, id).find(|name| probe.fits(names, &Value::from(*name)) == Some(false))?;
    let keyword = |name| Keyword { node: id, name };
    let message = format!(
        "no object is accepted: the property {} is required, and \"propertyNames\" refuses the name",
        excerpt::text(refused)
    );
    Some(Contradiction::new(keyword("propertyNames"), keyword("required"), message))
}
