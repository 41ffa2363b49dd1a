//! Rules on one value, as data, and the one function that holds a value against them.

use crate::time;
use payload_schema::dotted;
use serde_json::Value;
use std::collections::HashSet;
use worker_types::{Item, Object, closest};

/// Faults that one answer lists; the rest is counted.
const LISTED: usize = 100;

/// What is wrong with a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first ones, in the order of the rules.
    pub items: Vec<Item>,
    /// How many more there are.
    pub more: usize,
}

impl Faults {
    fn add(&mut self, item: impl FnOnce() -> Item) {
        if self.items.len() < LISTED { self.items.push(item()) } else { self.more += 1 }
    }
}

/// What a value must be.
pub(crate) enum Rule {
    /// A time of RFC 3339.
    Time,
    /// Text whose length in characters has bounds.
    Text { least: usize, most: usize, pattern: Option<Pattern> },
    /// Text of a form that bounds its length too.
    Fits(Pattern),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number within bounds, both included.
    Integer { least: i64, most: i64 },
    /// A list.
    List { of: &'static Rule, most: usize, unique: bool },
    /// An object, whatever is in it.
    Object,
    /// An object of any names.
    Map(&'static Rule),
    /// An object of these names only.
    Fields(&'static [Field]),
}

/// A form of text.
pub(crate) struct Pattern {
    pub(crate) fits: fn(&str) -> bool,
    /// `must …`
    pub(crate) says: &'static str,
}

/// A name in an object.
pub(crate) struct Field {
    name: &'static str,
    rule: &'static Rule,
    required: bool,
}

pub(crate) const fn required(name: &'static str, rule: &'static Rule) -> Field {
    Field { name, rule, required: true }
}

pub(crate) const fn optional(name: &'static str, rule: &'static Rule) -> Field {
    Field { name, rule, required: false }
}

impl Rule {
    /// Notes what is wrong with `value`, which stands at `at`.
    pub(crate) fn check(&self, value: &Value, at: &str, faults: &mut Faults) {
        match (self, value) {
            (Self::Time, Value::String(text)) => {
                let says = "must be a time of RFC 3339 such as 2027-01-02T03:04:05.678Z";
                invalid_unless(time::parse(text).is_some(), says, value, at, faults);
            }
            (Self::Text { least, most, pattern }, Value::String(text)) => {
                check_text(text, (*least, *most), pattern.as_ref(), at, faults);
            }
            (Self::Fits(pattern), Value::String(text)) => {
                invalid_unless((pattern.fits)(text), pattern.says, value, at, faults);
            }
            (Self::OneOf(words), Value::String(text)) if !words.contains(&text.as_str()) => {
                faults.add(|| {
                    let says = format!("must be one of {}", words.join(", "));
                    invalid(&says, value, at).suggest(closest(text, words.iter().copied()))
                });
            }
            (Self::Integer { least, most }, Value::Number(number)) => {
                let whole = number.as_f64().filter(|number| number.fract() == 0.0);
                #[expect(clippy::cast_precision_loss, reason = "bounds of rules are small")]
                let within = whole.is_some_and(|number| (*least as f64..=*most as f64).contains(&number));
                invalid_unless(within, &format!("must be an integer from {least} to {most}"), value, at, faults);
            }
            (Self::List { of, most, unique }, Value::Array(entries)) => {
                check_list(entries, of, *most, *unique, at, faults);
            }
            (Self::Map(rule), Value::Object(members)) => {
                members.iter().for_each(|(name, member)| rule.check(member, &child(at, name), faults));
            }
            (Self::Fields(fields), Value::Object(members)) => check_fields(members, fields, at, faults),
            (Self::OneOf(_), Value::String(_)) | (Self::Object, Value::Object(_)) => {}
            _ => faults.add(|| wrong_type(self.expected(), value, at)),
        }
    }

    fn expected(&self) -> &'static str {
        match self {
            Self::Time | Self::Text { .. } | Self::Fits(_) | Self::OneOf(_) => "a string",
            Self::Integer { .. } => "an integer",
            Self::List { .. } => "an array",
            Self::Object | Self::Map(_) | Self::Fields(_) => "an object",
        }
    }
}

fn check_text(text: &str, (least, most): (usize, usize), pattern: Option<&Pattern>, at: &str, faults: &mut Faults) {
    let length = text.chars().count();
    if length > most {
        let message = format!("{} has {length} characters; the limit is {most}", dotted(at));
        faults.add(|| Item::new("too-long", at, message).contrast(format!("at most {most} characters"), excerpt(text)));
    } else if length < least {
        faults.add(|| invalid("must not be empty", &Value::from(text), at));
    } else if let Some(pattern) = pattern {
        invalid_unless((pattern.fits)(text), pattern.says, &Value::from(text), at, faults);
    }
}

fn check_list(entries: &[Value], of: &Rule, most: usize, unique: bool, at: &str, faults: &mut Faults) {
    if entries.len() > most {
        let message = format!("{} has {} entries; the limit is {most}", dotted(at), entries.len());
        faults.add(|| Item::new("too-long", at, message));
        return;
    }
    let mut seen = HashSet::new();
    for (index, entry) in entries.iter().enumerate() {
        let at = format!("{at}/{index}");
        of.check(entry, &at, faults);
        if unique && entry.as_str().is_some_and(|text| !seen.insert(text)) {
            faults.add(|| invalid("stands in the list already", entry, &at));
        }
    }
}

fn check_fields(members: &Object, fields: &[Field], at: &str, faults: &mut Faults) {
    let known = || fields.iter().map(|field| field.name);
    for name in members.keys().filter(|name| !known().any(|known| known == name.as_str())) {
        faults.add(|| {
            let suggestion = closest(name, known());
            let meant = suggestion.map(|name| format!("; did you mean {name:?}?")).unwrap_or_default();
            let message = format!("{} has an unknown field {:?}{meant}", dotted(at), cut(name));
            Item::new("unknown-field", child(at, name), message).suggest(suggestion)
        });
    }
    for field in fields {
        match members.get(field.name) {
            Some(value) => field.rule.check(value, &child(at, field.name), faults),
            None if field.required => faults.add(|| {
                let message = format!("{} must have the field {:?}", dotted(at), field.name);
                Item::new("missing-field", at, message)
            }),
            None => {}
        }
    }
}

fn invalid_unless(fits: bool, says: &str, value: &Value, at: &str, faults: &mut Faults) {
    if !fits {
        faults.add(|| invalid(says, value, at));
    }
}

fn invalid(says: &str, value: &Value, at: &str) -> Item {
    let actual = value.as_str().map_or_else(|| cut(&value.to_string()), excerpt);
    Item::new("invalid-value", at, format!("{} {says}", dotted(at))).contrast(says.trim_start_matches("must "), actual)
}

fn wrong_type(expected: &str, value: &Value, at: &str) -> Item {
    let (kind, actual) = match value {
        Value::Null => ("null", "null".to_owned()),
        Value::Bool(value) => ("a boolean", value.to_string()),
        Value::Number(number) => ("a number", cut(&number.to_string())),
        Value::String(text) => ("a string", excerpt(text)),
        Value::Array(_) => ("an array", "an array".to_owned()),
        Value::Object(_) => ("an object", "an object".to_owned()),
    };
    Item::new("wrong-type", at, format!("{} must be {expected}, not {kind}", dotted(at))).contrast(expected, actual)
}

/// The JSON Pointer of `name` below `at` (RFC 6901 §3).
fn child(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Text as JSON, shortened to what a message can carry.
fn excerpt(text: &str) -> String {
    Value::from(cut(text)).to_string()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
