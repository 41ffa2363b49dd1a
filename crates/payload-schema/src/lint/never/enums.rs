//! `enum` and `const` whose values the rest of the schema refuses, all of them.

use super::{Contradiction, Keyword};
use crate::excerpt;
use crate::explain::Probe;
use crate::model::{Model, NodeId, Rule};
use serde_json::Value;

/// Values of one `enum` that are tried.
const VALUES: usize = 200;

/// An `enum` or `const` of which no value fits the object that it stands in.
pub(super) fn contradiction(model: &Model, probe: &mut Probe<'_>, id: NodeId) -> Option<Contradiction> {
    let (name, values) = model.node(id).rules.iter().find_map(|rule| match rule {
        Rule::Enum(values) => Some(("enum", &**values)),
        Rule::Const(value) => Some(("const", std::slice::from_ref(value))),
        _ => None,
    })?;
    let never = |value: &Value| probe.fits(id, value) == Some(false);
    let first = values.first().filter(|_| values.len() <= VALUES)?;
    if !values.iter().all(never) {
        return None;
    }
    let why = probe.reason(id, first, &excerpt::value(first))?;
    let message = match (name, values.len()) {
        ("const", _) | (_, 1) => format!("no value is accepted: the one of \"{name}\" does not fit beside it; {why}"),
        (_, count) => format!("no value is accepted: none of the {count} of \"enum\" fits beside it; {why}"),
    };
    let keyword = Keyword { node: id, name };
    Some(Contradiction::new(keyword, keyword, message))
}
