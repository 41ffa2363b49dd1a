//! Small phrases that messages are made of.

use crate::excerpt;
use crate::model::{Model, NodeId, Rule};
use serde_json::Value;

/// Values or forms that a message lists.
const LISTED: usize = 12;

/// `a, b or c`.
pub(super) fn any_of(parts: impl IntoIterator<Item = String>) -> String {
    joined(parts, "or")
}

/// `a, b and c`.
pub(super) fn all_of(parts: impl IntoIterator<Item = String>) -> String {
    joined(parts, "and")
}

fn joined(parts: impl IntoIterator<Item = String>, word: &str) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    match parts.pop() {
        None => String::new(),
        Some(last) if parts.is_empty() => last,
        Some(last) => format!("{} {word} {last}", parts.join(", ")),
    }
}

/// `"a", "b", "c" and 30 others`.
pub(super) fn values(values: &[&Value]) -> String {
    let shown = values.iter().take(LISTED).map(|value| excerpt::value(value)).collect::<Vec<_>>().join(", ");
    match values.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} others"),
    }
}

/// `the property "a", and "b" or "c"`: names that all sets have, then the rest of each.
pub(super) fn one_set_of(sets: &[Vec<&str>]) -> String {
    let quoted = |names: &mut dyn Iterator<Item = &str>| all_of(names.map(excerpt::text));
    let in_all = |name: &str| sets.iter().all(|set| set.contains(&name));
    let first = sets.first().map_or(&[][..], Vec::as_slice);
    let common = quoted(&mut first.iter().copied().filter(|name| in_all(name)));
    let rests = sets.iter().take(LISTED).map(|set| quoted(&mut set.iter().copied().filter(|name| !in_all(name))));
    let rests: Vec<_> = rests.filter(|rest| !rest.is_empty()).collect();
    match (common.is_empty(), rests.is_empty()) {
        (true, _) => format!("the property {}", any_of(rests)),
        (false, true) => format!("the property {common}"),
        (false, false) => format!("the property {common}, and {}", any_of(rests)),
    }
}

/// `a string`, `an object`, `null`.
pub(super) fn with_article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "integer" | "array" | "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

/// What kind of value it is, with its article.
pub(super) fn kind_of(value: &Value) -> String {
    with_article(match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    })
}

/// `1 property`, `2 properties`.
pub(super) fn count(count: u64, unit: &str) -> String {
    match (count, unit) {
        (1, _) => format!("1 {unit}"),
        (_, "property") => format!("{count} properties"),
        _ => format!("{count} {unit}s"),
    }
}

/// `; did you mean "x"?`, or nothing.
pub(super) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|close| format!("; did you mean {}?", excerpt::text(close))).unwrap_or_default()
}

/// A value as a suggestion: a text without quotes, anything else as JSON.
pub(super) fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value of a format that people get wrong.
pub(super) fn format_example(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2027-05-06T12:00:00Z",
        "date" => "2027-05-06",
        "time" => "12:00:00Z",
        "duration" => "P1DT12H",
        "uri" => "https://example.com/path",
        "email" => "name@example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "json-pointer" => "/payload/env",
        _ => return None,
    })
}

/// What a value must not be, after its path.
pub(super) fn negated(model: &Model, schema: NodeId) -> String {
    let node = model.node(schema);
    // Which type is meant goes without saying where more is said of it.
    let says_more = node.rules.iter().any(|rule| !matches!(rule, Rule::Type(_)));
    let rules: Vec<&Rule> = node.rules.iter().filter(|rule| !(says_more && matches!(rule, Rule::Type(_)))).collect();
    match rules.as_slice() {
        [] => "must not be here".to_owned(),
        [Rule::Type(types)] => format!("must not be {}", any_of(types.names().map(with_article))),
        [Rule::Const(value)] => format!("must not be {}", excerpt::value(value)),
        [Rule::Enum(values_)] => format!("must not be any of {}", values(&values_.iter().collect::<Vec<_>>())),
        [Rule::Required(names)] => {
            let names = names.iter().map(|name| excerpt::text(name));
            format!("must not have the property {}", all_of(names.take(LISTED)))
        }
        [Rule::Pattern(id)] => {
            format!("must not match the pattern {}", excerpt::plain(&model.pattern(*id).source, 200))
        }
        _ => (ruled_out_member(model, &rules).or_else(|| titled(model, schema)))
            .unwrap_or_else(|| "is what the schema rules out by \"not\"".to_owned()),
    }
}

/// Of an object that must not have a member with some value: which, and with what.
fn ruled_out_member(model: &Model, rules: &[&Rule]) -> Option<String> {
    let ([Rule::Members(members), Rule::Required(names)] | [Rule::Required(names), Rule::Members(members)]) = rules
    else {
        return None;
    };
    let [name] = names.as_slice() else { return None };
    let value = members.named.get(name).filter(|_| members.named.len() == 1 && members.patterns.is_empty())?;
    let with = match model.node(*value).rules.as_slice() {
        [Rule::Const(value)] => format!("with the value {}", excerpt::value(value)),
        [Rule::Enum(values_)] => format!("with any of {}", values(&values_.iter().collect::<Vec<_>>())),
        [Rule::Type(types)] => format!("that is {}", any_of(types.names().map(with_article))),
        _ => return None,
    };
    Some(format!("must not have the property {} {with}", excerpt::text(name)))
}

/// What the schema's author calls it.
fn titled(model: &Model, schema: NodeId) -> Option<String> {
    let title = model.node(schema).title.as_deref().filter(|title| !title.is_empty())?;
    Some(format!("must not be \u{201c}{}\u{201d}", excerpt::plain(title, 60)))
}

/// The elements that an array must contain.
pub(super) fn element(model: &Model, schema: NodeId) -> String {
    let said = model.node(schema).rules.iter().find_map(|rule| match rule {
        Rule::Const(value) => Some(excerpt::value(value)),
        Rule::Enum(allowed) => Some(format!("one of {}", values(&allowed.iter().collect::<Vec<_>>()))),
        Rule::Pattern(id) => {
            Some(format!("a text that matches the pattern {}", excerpt::plain(&model.pattern(*id).source, 200)))
        }
        _ => None,
    });
    said.or_else(|| form(model, schema)).unwrap_or_else(|| "an element of the form that the schema asks for".to_owned())
}

/// The forms that a value may have, `a string or an object with "a"`; none where some form cannot be said shortly.
pub(super) fn forms(model: &Model, branches: &[NodeId]) -> Option<String> {
    let mut forms = branches.iter().take(LISTED).map(|branch| form(model, *branch)).collect::<Option<Vec<_>>>()?;
    if branches.len() > LISTED {
        forms.push(format!("one of {} other forms", branches.len() - LISTED));
    }
    Some(any_of(forms))
}

fn form(model: &Model, mut branch: NodeId) -> Option<String> {
    for _ in 0..8 {
        let node = model.node(branch);
        if let Some(title) = node.title.as_deref().filter(|title| !title.is_empty()) {
            return Some(format!("\u{201c}{}\u{201d}", excerpt::plain(title, 60)));
        }
        let said = node.rules.iter().find_map(|rule| match rule {
            Rule::Const(value) => Some(excerpt::value(value)),
            Rule::Enum(allowed) => Some(format!("one of {}", values(&allowed.iter().collect::<Vec<_>>()))),
            _ => None,
        });
        let kind = node.rules.iter().find_map(|rule| match rule {
            Rule::Type(types) => Some(any_of(types.names().map(with_article))),
            _ => None,
        });
        let required = node.rules.iter().find_map(|rule| match rule {
            Rule::Required(names) if !names.is_empty() => {
                Some(all_of(names.iter().take(LISTED).map(|name| excerpt::text(name))))
            }
            _ => None,
        });
        match (said, kind, required) {
            (Some(said), ..) => return Some(said),
            (_, kind, Some(names)) => {
                return Some(format!("{} with {names}", kind.unwrap_or_else(|| "an object".to_owned())));
            }
            (_, Some(kind), None) => return Some(kind),
            (None, None, None) => {
                branch = node.rules.iter().find_map(|rule| model.outermost_target(rule))?;
            }
        }
    }
    None
}
