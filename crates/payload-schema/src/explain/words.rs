//! What a fault says: the message, what is expected, what stands there, what was meant.

use super::phrases;
use super::place;
use super::report::{Fault, Kind};
use super::suggest;
use crate::excerpt;
use crate::model::{Counted, Model, NodeId, Rule, Types};
use serde_json::Value;
use worker_types::Item;

pub(super) use suggest::{close, nearest};

/// Characters of a description.
const DESCRIPTION: usize = 500;

/// Writes faults as items.
pub(super) struct Words<'a> {
    pub(super) model: &'a Model,
    /// The value that was explained.
    pub(super) root: &'a Value,
    /// Its pointer and its words, as `/payload` and `task.payload`.
    pub(super) at: &'a str,
    pub(super) path: &'a str,
    /// Whether no value of the instance may be shown.
    pub(super) masked: bool,
}

/// Where a fault is put into words.
#[derive(Clone, Copy)]
struct Scene<'a> {
    model: &'a Model,
    root: &'a Value,
    masked: bool,
}

impl Scene<'_> {
    /// `, not "x"`; nothing where values are masked.
    fn not(self, value: &Value) -> String {
        if self.masked { String::new() } else { format!(", not {}", excerpt::value(value)) }
    }

    /// What of `allowed` is close to `value`. It would tell what stands there where that is masked.
    fn nearest<'v>(self, value: &Value, allowed: &[&'v Value]) -> Option<&'v Value> {
        if self.masked { None } else { nearest(value, allowed) }
    }
}

/// A fault in words.
#[derive(Default)]
struct Said {
    /// Goes after the path: `must be an integer, not a string`.
    text: String,
    expected: Option<String>,
    suggestion: Option<String>,
    /// Whether the value that stands there is worth showing.
    shows_value: bool,
}

impl Words<'_> {
    pub(super) fn item(&self, fault: &Fault<'_>) -> Item {
        let (pointer, mut message) = place::write(self.at, self.path, &fault.steps);
        let said = say(Scene { model: self.model, root: self.root, masked: self.masked }, fault);
        message.push(' ');
        message.push_str(&said.text);
        if fault.like > 0 {
            let elements = if fault.like == 1 { "element" } else { "elements" };
            message.push_str(&format!(", and {} more {elements} like it", fault.like));
        }
        Item {
            schema_pointer: Some(schema_pointer(self.model, fault)),
            expected: said.expected,
            actual: (said.shows_value && !self.masked).then(|| excerpt::value(fault.value)),
            suggestion: said.suggestion,
            description: description(self.model, fault),
            ..Item::new(fault.shared.unwrap_or(fault.keyword), pointer, message)
        }
    }
}

/// What is wrong with a member's name, after "has a name that".
pub(super) fn of_a_name(model: &Model, fault: &Fault<'_>) -> String {
    // A name is no value: the pointer shows it anyway.
    say(Scene { model, root: fault.value, masked: false }, fault).text
}

fn schema_pointer(model: &Model, fault: &Fault<'_>) -> String {
    let pointer = match (fault.keyword, &fault.kind) {
        ("false", _) => return model.pointer(fault.node),
        (keyword, _) => model.keyword_pointer(fault.node, keyword),
    };
    match fault.token {
        Some(token) => crate::pointer::join(&pointer, token),
        None => pointer,
    }
}

fn description(model: &Model, fault: &Fault<'_>) -> Option<String> {
    let missing = match fault.kind {
        Kind::Missing(name, _) | Kind::MissingChoice(name, _) => {
            suggest::member(model, fault.node, name).and_then(|node| described(model, node))
        }
        _ => None,
    };
    let own = || fault.described.and_then(|node| model.node(node).description.as_deref());
    missing.or_else(own).map(|text| excerpt::plain(text.trim(), DESCRIPTION))
}

/// The description of a subschema, also through references.
fn described(model: &Model, mut node: NodeId) -> Option<&str> {
    for _ in 0..8 {
        if let Some(description) = model.node(node).description.as_deref() {
            return Some(description);
        }
        node = model.node(node).rules.iter().find_map(|rule| model.outermost_target(rule))?;
    }
    None
}

fn say(scene: Scene<'_>, fault: &Fault<'_>) -> Said {
    let Scene { model, masked, .. } = scene;
    let value = fault.value;
    let not = || scene.not(value);
    let plain = |text: String, expected: Option<String>| Said { text, expected, shows_value: true, ..Said::default() };
    match &fault.kind {
        Kind::Type(types) => {
            let wanted = phrases::any_of(types.names().map(phrases::with_article));
            let expected = phrases::any_of(types.names().map(str::to_owned));
            let fraction = value.is_number() && types.has(Types::INTEGER);
            let found = match (fraction, masked) {
                (false, _) => phrases::kind_of(value),
                (true, false) => excerpt::value(value),
                (true, true) => "a number with a fraction".to_owned(),
            };
            plain(format!("must be {wanted}, not {found}"), Some(expected))
        }
        Kind::Enum(allowed) => {
            let meant = scene.nearest(value, allowed);
            let listed = phrases::values(allowed);
            let text = match allowed.as_slice() {
                [] => "can have no value here".to_owned(),
                [only] => format!("must be {}{}", excerpt::value(only), not()),
                _ => {
                    let close = meant.map(|meant| format!("; did you mean {}?", excerpt::value(meant)));
                    format!("must be one of {listed}{}{}", not(), close.unwrap_or_default())
                }
            };
            Said { suggestion: meant.map(phrases::bare), ..plain(text, Some(format!("one of {listed}"))) }
        }
        Kind::Const(expected) => {
            let wanted = excerpt::value(expected);
            let suggestion = scene.nearest(value, &[expected]).map(phrases::bare);
            Said { suggestion, ..plain(format!("must be {wanted}{}", not()), Some(wanted)) }
        }
        Kind::Bound(bound) => {
            let limit = excerpt::plain(bound.limit.as_str(), 80);
            let relation = match (bound.least, bound.open) {
                (true, false) => "at least",
                (true, true) => "more than",
                (false, false) => "at most",
                (false, true) => "less than",
            };
            plain(format!("must be {relation} {limit}{}", not()), Some(format!("{relation} {limit}")))
        }
        Kind::MultipleOf(divisor) => {
            let divisor = excerpt::plain(divisor.as_str(), 80);
            plain(format!("must be a multiple of {divisor}{}", not()), Some(format!("a multiple of {divisor}")))
        }
        Kind::Count(count, found) => {
            let unit = match count.of {
                Counted::Characters => "character",
                Counted::Elements => "element",
                Counted::Members => "property",
            };
            let relation = if count.least { "at least" } else { "at most" };
            let wanted = format!("{relation} {}", phrases::count(count.limit, unit));
            let found = if *found == 0 { "none".to_owned() } else { found.to_string() };
            plain(format!("must have {wanted}, but has {found}"), Some(wanted))
        }
        Kind::Repeated(first, second) => {
            let text = format!("must not have an element twice, but [{second}] is the same as [{first}]");
            plain(text, Some("elements that all differ".to_owned()))
        }
        Kind::Pattern(pattern) => {
            let pattern = excerpt::plain(pattern, 200);
            let found = if masked { String::new() } else { format!(", but is {}", excerpt::value(value)) };
            plain(format!("must match the pattern {pattern}{found}"), Some(format!("pattern {pattern}")))
        }
        Kind::Format(format) => {
            let format = excerpt::plain(format, 80);
            let example = phrases::format_example(&format).map(|text| format!(", as in {text}")).unwrap_or_default();
            plain(format!("must be a valid {format}{example}{}", not()), Some(format!("format {format}")))
        }
        Kind::Contains { schema, least, most, found } => {
            let element = phrases::element(model, *schema);
            let text = match (found < least, most) {
                (false, Some(most)) => format!("must contain {element} at most {most} times, but contains {found}"),
                _ if *least == 1 => format!("must contain {element}"),
                _ => format!("must contain {element} at least {least} times, but contains {found}"),
            };
            plain(text, Some(element))
        }
        Kind::Not(schema) => plain(phrases::negated(model, *schema), None),
        Kind::Several(matched, branches) => {
            let numbers = phrases::all_of(matched.iter().take(10).map(usize::to_string));
            let forms = phrases::forms(model, &matched.iter().map(|index| branches[*index]).collect::<Vec<_>>());
            let forms = forms.map(|forms| format!(" ({forms})")).unwrap_or_default();
            let text = format!("matches more than one: branches {numbers}{forms}; exactly one must match");
            plain(text, Some("exactly one of the branches".to_owned()))
        }
        Kind::NoBranch(branches) => {
            let forms = phrases::forms(model, branches);
            let text = match &forms {
                Some(forms) => format!("must be {forms}"),
                None => format!("has none of the {} forms that are allowed", branches.len()),
            };
            plain(text, forms)
        }
        kind => members(scene, fault, kind),
    }
}

/// Faults about which members an object has.
fn members(scene: Scene<'_>, fault: &Fault<'_>, kind: &Kind<'_>) -> Said {
    let Scene { model, root, .. } = scene;
    match kind {
        Kind::Missing(name, because) => {
            let present = suggest::misspelt(model, fault.node, fault.value, name);
            let name_shown = excerpt::text(name);
            let because = because.map(|other| format!(", because it has {}", excerpt::text(other))).unwrap_or_default();
            let hint = present.map(|other| format!("; is {} a misspelling of it?", excerpt::text(other)));
            Said {
                text: format!("must have the property {name_shown}{because}{}", hint.unwrap_or_default()),
                expected: Some(format!("property {name_shown}")),
                suggestion: present.map(|_| (*name).to_owned()),
                shows_value: false,
            }
        }
        Kind::MissingChoice(name, values) => {
            let listed = phrases::values(values);
            let plain = members(scene, fault, &Kind::Missing(name, None));
            let (said, hint) = plain.text.split_once(';').unwrap_or((&plain.text, ""));
            let hint = if hint.is_empty() { String::new() } else { format!(";{hint}") };
            Said { text: format!("{said}, which is one of {listed}{hint}"), ..plain }
        }
        Kind::MissingOneOf(sets) => {
            let wanted = phrases::one_set_of(sets);
            Said { text: format!("must have {wanted}"), expected: Some(wanted), ..Said::default() }
        }
        Kind::Unknown => {
            let (suggestion, known) = suggest::known_member(model, root, fault);
            let text =
                format!("is not a property that is allowed here{}", phrases::did_you_mean(suggestion.as_deref()));
            Said { text, suggestion, expected: known, shows_value: true }
        }
        Kind::Extra => {
            let text = "is an element too many: none is allowed here".to_owned();
            Said { text, expected: Some("no element".to_owned()), shows_value: true, ..Said::default() }
        }
        Kind::Name(name, why) => {
            let text = format!("has a name that {why}");
            let allowed = suggest::named(model, fault.node).unwrap_or_default();
            let suggestion = nearest(&Value::from(*name), &allowed).map(phrases::bare);
            Said { text, suggestion, ..Said::default() }
        }
        _ => {
            let text = match model.node(fault.node).rules.as_slice() {
                [Rule::Never] => "can have no value: the schema refuses all".to_owned(),
                _ if fault.keyword == "then" => "must not match the \"if\" of the schema".to_owned(),
                _ if fault.keyword == "else" => "must match the \"if\" of the schema".to_owned(),
                _ => "must not be here".to_owned(),
            };
            Said { text, expected: Some("nothing".to_owned()), shows_value: true, ..Said::default() }
        }
    }
}
