//! Keywords whose values are not what their draft asks for, and the draft in which they would be.

use crate::dialect;
use crate::limits::Limits;
use crate::metaschema;
use crate::model::Read;
use crate::{pointer, vocabulary};
use serde_json::Value;
use std::collections::HashSet;
use worker_types::{Dialect, Item};

/// Violations of the metaschema, except at places in `placed`, whose fault is known by another check.
pub(super) fn faults(
    schema: &Value,
    read: &Read,
    dialect: Dialect,
    placed: &HashSet<String>,
    limits: &Limits,
) -> Vec<Item> {
    if is_well_formed(dialect, schema) {
        return Vec::new();
    }
    let foreign = foreign_resources(read, dialect);
    let elsewhere = |item: &Item| foreign.iter().any(|place| is_below(&item.pointer, place));
    // What is beyond the limit is counted later, together with the other faults.
    let limits = &Limits { errors: limits.errors.saturating_mul(10), ..limits.clone() };
    let found = metaschema::explain(dialect, schema, limits);
    let mut others = Others::new(schema, dialect, limits);
    found
        .errors
        .into_iter()
        .filter(|item| !placed.contains(&item.pointer) && !elsewhere(item))
        .map(|item| {
            let help = help(schema, &item.pointer, dialect).or_else(|| others.accepting(&item.pointer));
            let message = help.map_or(item.message.clone(), |help| format!("{}; {help}", item.message));
            Item { problem: "invalid-keyword".to_owned(), message, schema_pointer: None, description: None, ..item }
        })
        .collect()
}

fn is_well_formed(dialect: Dialect, schema: &Value) -> bool {
    match dialect {
        Dialect::Draft04 => jsonschema::draft4::meta::is_valid(schema),
        Dialect::Draft06 => jsonschema::draft6::meta::is_valid(schema),
        Dialect::Draft07 => jsonschema::draft7::meta::is_valid(schema),
        Dialect::Draft201909 => jsonschema::draft201909::meta::is_valid(schema),
        Dialect::Draft202012 => jsonschema::draft202012::meta::is_valid(schema),
    }
}

/// The places of schemas inside this one that are written in another draft. The engine checks those by their own.
fn foreign_resources(read: &Read, dialect: Dialect) -> Vec<String> {
    let declared = read.declared.iter().map(|(id, _)| *id).filter(|id| read.model.is_own(*id));
    declared.filter(|id| read.model.node(*id).dialect != dialect).map(|id| read.model.pointer(id)).collect()
}

fn is_below(pointer: &str, place: &str) -> bool {
    pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What people write who know another draft, and what to write instead.
fn help(schema: &Value, at: &str, dialect: Dialect) -> Option<String> {
    let value = schema.pointer(at)?;
    let (around, keyword) = at.rsplit_once('/')?;
    let beside = |name: &str| schema.pointer(around).and_then(|around| around.get(name));
    let bound = keyword.strip_prefix("exclusiveM").map(|rest| format!("m{rest}"));
    match (keyword, value) {
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(exclusive)) => {
            let bound = bound?;
            let write = match (exclusive, beside(&bound)) {
                (true, Some(limit)) => format!("write \"{keyword}\": {limit} instead of \"{bound}\": {limit}"),
                (true, None) => format!("write the limit itself as \"{keyword}\""),
                (false, _) => "leave it out".to_owned(),
            };
            Some(format!("true and false are the form of draft-04: {write}, or declare draft-04"))
        }
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Number(limit)) if dialect == Dialect::Draft04 => {
            let bound = bound?;
            Some(format!(
                "numbers are the form of draft-06 and later: write \"{bound}\": {limit}, \"{keyword}\": true, or declare \
                 draft-06 or later"
            ))
        }
        ("items", Value::Array(_)) if dialect == Dialect::Draft202012 => Some(
            "a list is the form of draft 2019-09 and before: write \"prefixItems\", or declare draft-07".to_owned(),
        ),
        ("required", Value::Bool(_)) => {
            Some("true and false are the form of draft-03: list the names in \"required\" of the object".to_owned())
        }
        ("type", Value::String(any)) if any == "any" => Some("leave \"type\" out to allow any type".to_owned()),
        (_, Value::Bool(true)) if dialect == Dialect::Draft04 => {
            Some("true as a schema is the form of draft-06 and later: write {}".to_owned())
        }
        (_, Value::Bool(false)) if dialect == Dialect::Draft04 => {
            Some("false as a schema is the form of draft-06 and later: write {\"not\": {}}".to_owned())
        }
        _ => None,
    }
}

/// What the other drafts say of the same schema, asked only when needed.
struct Others<'a> {
    schema: &'a Value,
    dialect: Dialect,
    limits: &'a Limits,
    refused: Option<Vec<(Dialect, HashSet<String>)>>,
}

impl<'a> Others<'a> {
    fn new(schema: &'a Value, dialect: Dialect, limits: &'a Limits) -> Self {
        Self { schema, dialect, limits, refused: None }
    }

    /// Names a draft, the closest one, that knows the keyword at `pointer` and takes its value.
    fn accepting(&mut self, pointer: &str) -> Option<String> {
        let keyword = pointer::tokens(pointer).last()?;
        let refused = self.refused.get_or_insert_with(|| {
            let others = dialect::ALL.into_iter().filter(|other| *other != self.dialect);
            let pointers = |other| {
                let found = metaschema::explain(other, self.schema, self.limits);
                (other, found.errors.into_iter().map(|item| item.pointer).collect())
            };
            others.map(pointers).collect()
        });
        let position = |dialect| dialect::ALL.iter().position(|other| *other == dialect).unwrap_or(0);
        let distance = |other: Dialect| position(other).abs_diff(position(self.dialect));
        let accepts = refused
            .iter()
            .filter(|(other, pointers)| vocabulary::find_in(&keyword, *other).is_some() && !pointers.contains(pointer));
        let closest = accepts.map(|(other, _)| *other).min_by_key(|other| distance(*other))?;
        Some(format!("{} would take it", dialect::named(closest)))
    }
}
