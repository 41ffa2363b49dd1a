//! Bounds that leave nothing between them.

use super::{Contradiction, Keyword, named};
use crate::excerpt;
use crate::model::{Bound, Counted, Model, NodeId, Rule};

/// Every pair of bounds that leaves no number, no length and no count.
pub(super) fn contradictions(model: &Model, together: &[NodeId]) -> Vec<Contradiction> {
    let counted = [(Counted::Characters, "text"), (Counted::Elements, "array"), (Counted::Members, "object")];
    let counts = counted.into_iter().filter_map(|(of, kind)| count(model, together, of, kind));
    numbers(model, together).into_iter().chain(counts).chain(contained(model, together)).collect()
}

fn numbers(model: &Model, together: &[NodeId]) -> Option<Contradiction> {
    let bounds = |least: bool| {
        let rules = together.iter().flat_map(|id| model.node(*id).rules.iter().map(|rule| (*id, rule)));
        rules.filter_map(move |(id, rule)| match rule {
            Rule::Bound(bound) if bound.least == least => Some((id, bound)),
            _ => None,
        })
    };
    let keyword = |(node, bound): (NodeId, &Bound)| Keyword { node, name: bound.keyword };
    bounds(true).find_map(|low| {
        let excludes = |high: &(NodeId, &Bound)| {
            let order = low.1.value.cmp(&high.1.value);
            order.is_gt() || (order.is_eq() && (low.1.open || high.1.open))
        };
        let high = bounds(false).find(excludes)?;
        let [least, most] = [low, high].map(|(_, bound)| excerpt::plain(bound.limit.as_str(), 80));
        let message = format!(
            "no number is accepted: {} {least} leaves nothing below {} {most}",
            named(model, keyword(low), low.0),
            named(model, keyword(high), low.0),
        );
        Some(Contradiction::new(keyword(high), keyword(low), message))
    })
}

/// A bound that is said or follows: how many, and the keyword that says so.
type Limit = (u64, Keyword);

fn count(model: &Model, together: &[NodeId], of: Counted, kind: &str) -> Option<Contradiction> {
    let mut least: Vec<Limit> = Vec::new();
    let mut most: Vec<Limit> = Vec::new();
    for id in together {
        let keyword = |name| Keyword { node: *id, name };
        for rule in &model.node(*id).rules {
            match rule {
                Rule::Count(count) if count.of == of && count.least => {
                    least.push((count.limit, keyword(count.keyword)));
                }
                Rule::Count(count) if count.of == of => most.push((count.limit, keyword(count.keyword))),
                Rule::Required(names) if of == Counted::Members => {
                    least.push((names.len() as u64, keyword("required")));
                }
                Rule::Contains(contains) if of == Counted::Elements => {
                    let name = if contains.least == 1 { "contains" } else { "minContains" };
                    least.push((contains.least, keyword(name)));
                }
                Rule::Elements(elements)
                    if of == Counted::Elements && elements.rest.is_some_and(|rest| model.is_never(rest)) =>
                {
                    most.push((elements.first.len() as u64, keyword(elements.rest_keyword)));
                }
                _ => {}
            }
        }
    }
    let (low, high) =
        (least.into_iter().max_by_key(|(limit, _)| *limit)?, most.into_iter().min_by_key(|(limit, _)| *limit)?);
    (low.0 > high.0).then(|| {
        let message = format!(
            "no {kind} is accepted: {} asks for {} at least, and {} allows {} at most",
            named(model, low.1, low.1.node),
            low.0,
            named(model, high.1, low.1.node),
            high.0,
        );
        Contradiction::new(high.1, low.1, message)
    })
}

/// `minContains` above `maxContains` beside it.
fn contained(model: &Model, together: &[NodeId]) -> Option<Contradiction> {
    together.iter().find_map(|id| {
        let (least, most) = model.node(*id).rules.iter().find_map(|rule| match rule {
            Rule::Contains(contains) => Some((contains.least, contains.most?)),
            _ => None,
        })?;
        let keyword = |name| Keyword { node: *id, name };
        let name = if least == 1 { "contains" } else { "minContains" };
        let message =
            format!("no array is accepted: \"{name}\" asks for {least} at least, and \"maxContains\" allows {most}");
        (least > most).then(|| Contradiction::new(keyword("maxContains"), keyword(name), message))
    })
}
