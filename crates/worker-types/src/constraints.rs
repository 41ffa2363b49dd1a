//! What one pool narrows beyond the contract of its workers: more schemas, and rules that a schema cannot say.

use crate::shape::Reading;
use crate::{Item, WrittenSchema, shape};
use serde_json::{Number, Value};

/// The narrowing of one variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// The payload must fit this too.
    pub payload_schema: Option<WrittenSchema>,
    /// The normalised task must fit this too.
    pub task_schema: Option<WrittenSchema>,
    /// Comparisons between values.
    pub rules: Vec<Rule>,
}

/// A comparison. Paths are JSON Pointers on the normalised task in which `*` stands for every member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Every number at `path` is at most `limit`. Values that are absent or no numbers are not this rule's business.
    AtMost {
        /// Where the numbers stand.
        path: String,
        /// The bound.
        limit: Limit,
    },
    /// Every time at `path` is not after the time at `other`.
    NotAfter {
        /// Where the times stand.
        path: String,
        /// Where the time stands that they are held against.
        other: String,
    },
}

/// A bound: a number, or the place in `{configuration, pool}` that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The number itself.
    Number(Number),
    /// A JSON Pointer such as `/configuration/maxTaskRunTime` or `/pool/config/maxRunTime`.
    From(String),
}

impl Constraints {
    pub(crate) fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Self {
        let Some(mut fields) = shape::object(value, pointer, &["payloadSchema", "taskSchema", "rules"], reading) else {
            return Self::default();
        };
        let payload_schema = fields.schema("payloadSchema");
        let task_schema = fields.schema("taskSchema");
        let entries = fields.entries("rules", 100);
        let rules = entries.into_iter().filter_map(|(at, entry)| Rule::read(entry, &at, fields.reading())).collect();
        Self { payload_schema, task_schema, rules }
    }

    /// Whether nothing is narrowed.
    pub fn is_empty(&self) -> bool {
        self.payload_schema.is_none() && self.task_schema.is_none() && self.rules.is_empty()
    }
}

impl Rule {
    const NAMES: &'static [&'static str] = &["atMost", "notAfter"];

    fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Option<Self> {
        let name = value.get("rule").and_then(Value::as_str).unwrap_or_default();
        let known: &[&str] = match name {
            "atMost" => &["rule", "path", "limit"],
            "notAfter" => &["rule", "path", "other"],
            _ => &["rule", "path", "limit", "other"],
        };
        let mut fields = shape::object(value, pointer, known, reading)?;
        fields.required("rule")?;
        match name {
            "atMost" => {
                let path = read_path(&mut fields, "path");
                let limit = fields
                    .required("limit")
                    .and_then(|limit| Limit::read(limit, &fields.at("limit"), fields.reading()));
                Some(Self::AtMost { path: path?, limit: limit? })
            }
            "notAfter" => {
                let path = read_path(&mut fields, "path");
                let other = read_path(&mut fields, "other");
                Some(Self::NotAfter { path: path?, other: other? })
            }
            _ => {
                let at = fields.at("rule");
                let message = format!("{at} must be one of {}", Self::NAMES.join(", "));
                let suggestion = crate::closest(name, Self::NAMES.iter().copied());
                fields.fault(Item::new("invalid-value", at, message).suggest(suggestion));
                None
            }
        }
    }
}

impl Limit {
    fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Option<Self> {
        match value {
            Value::Number(number) => Some(Self::Number(number.clone())),
            Value::Object(_) => {
                let mut fields = shape::object(value, pointer, &["from"], reading)?;
                fields.required("from")?;
                fields.text("from", 1_000).map(Self::From)
            }
            _ => {
                reading.fault(shape::wrong_type(
                    pointer.to_owned(),
                    "a number or {\"from\": \"/configuration/…\"}",
                    value,
                ));
                None
            }
        }
    }
}

fn read_path(fields: &mut shape::Fields<'_, '_>, name: &str) -> Option<String> {
    fields.required(name)?;
    let path = fields.text(name, 1_000)?;
    if path.starts_with('/') {
        return Some(path);
    }
    let message = format!("{} must be a JSON Pointer on the task, as in /payload/maxRunTime", fields.at(name));
    let item = Item::new("invalid-value", fields.at(name), message);
    fields.fault(item);
    None
}
