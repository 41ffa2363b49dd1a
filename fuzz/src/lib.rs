//! Inputs for the fuzz targets: from the fuzzer's bytes a schema and values, either as text or by a grammar that knows
//! the keywords and gives them values of the right shape most of the time, so that what is tried goes deep.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Number, Value, json};
use worker_types::{Dialect, JsonLimits, parse_json};

/// Names that members, definitions and anchors have, few enough to meet.
const NAMES: [&str; 8] = ["a", "b", "kind", "", "~/", "é", "toString", "x-1"];

const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "array", "object", "null"];

const PATTERNS: [&str; 12] =
    ["^a", "b$", "", "[^]", "(a|b)*", "\\d+", "^.{0,20}$", "{x}", "\\p{L}", "(?=a)", "([", "^(a+)+$"];

const FORMATS: [&str; 8] = ["date-time", "uri", "regex", "ipv4", "json-pointer", "idn-hostname", "uuid", "no-such"];

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e3",
    "1.0",
    "1e400",
    "1e-400",
    "1e999999999",
    "9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0.01",
];

const REFERENCES: [&str; 10] = [
    "#",
    "#/definitions/a",
    "#/definitions/b",
    "#/$defs/a",
    "#a",
    "#/properties/a",
    "other",
    "http://x.example/y",
    "#/%zz",
    "#/allOf/0",
];

/// The dialect that surroundings name.
pub fn dialect(u: &mut Unstructured<'_>) -> Result<Option<Dialect>> {
    let all = [Dialect::Draft04, Dialect::Draft06, Dialect::Draft07, Dialect::Draft201909, Dialect::Draft202012];
    Ok(u.choose_iter([None].into_iter().chain(all.map(Some)).collect::<Vec<_>>().into_iter())?)
}

/// A schema: by the grammar, or a text of the fuzzer's own.
pub fn schema(u: &mut Unstructured<'_>) -> Result<Value> {
    if u.ratio(1, 8)? {
        return text(u);
    }
    let mut schema = subschema(u, 5)?;
    if let Value::Object(members) = &mut schema {
        for place in ["definitions", "$defs"] {
            if u.ratio(1, 2)? {
                let definitions = [("a", subschema(u, 3)?), ("b", subschema(u, 3)?)];
                members.insert(
                    place.to_owned(),
                    Value::Object(Map::from_iter(definitions.map(|(n, s)| (n.to_owned(), s)))),
                );
            }
        }
    }
    Ok(schema)
}

/// What JSON the next bytes are, as the service reads it; else null.
fn text(u: &mut Unstructured<'_>) -> Result<Value> {
    let length = u.arbitrary_len::<u8>()?;
    Ok(parse_json(u.bytes(length)?, JsonLimits::default()).unwrap_or(Value::Null))
}

fn name(u: &mut Unstructured<'_>) -> Result<String> {
    Ok((*u.choose(&NAMES)?).to_owned())
}

fn number(u: &mut Unstructured<'_>) -> Result<Value> {
    let text = u.choose(&NUMBERS)?;
    Ok(text.parse::<Number>().map_or(Value::Null, Value::Number))
}

fn list<T>(u: &mut Unstructured<'_>, most: usize, make: impl Fn(&mut Unstructured<'_>) -> Result<T>) -> Result<Vec<T>> {
    let count = u.int_in_range(0..=most)?;
    (0..count).map(|_| make(u)).collect()
}

fn map(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let members = list(u, 3, |u| Ok((name(u)?, subschema(u, depth)?)))?;
    Ok(Value::Object(Map::from_iter(members)))
}

fn subschema(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    if depth == 0 || u.is_empty() || u.ratio(1, 8)? {
        return Ok(if u.ratio(1, 2)? { json!({}) } else { Value::Bool(u.arbitrary()?) });
    }
    let keywords = list(u, 4, |u| keyword(u, depth - 1))?;
    Ok(Value::Object(Map::from_iter(keywords.into_iter().map(|(name, value)| (name.to_owned(), value)))))
}

fn keyword(u: &mut Unstructured<'_>, depth: usize) -> Result<(&'static str, Value)> {
    const OF_NUMBERS: [&str; 13] = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minContains",
        "maxContains",
    ];
    const OF_ONE: [&str; 14] = [
        "not",
        "if",
        "then",
        "else",
        "items",
        "additionalItems",
        "additionalProperties",
        "contains",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
        "contentSchema",
        "required",
        "type",
    ];
    const OF_LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "items", "prefixItems"];
    const OF_MAPS: [&str; 5] = ["properties", "dependentSchemas", "dependencies", "definitions", "$defs"];
    const OF_TEXTS: [&str; 7] = ["$id", "id", "$anchor", "$dynamicAnchor", "description", "title", "$schema"];
    Ok(match u.int_in_range(0..=15)? {
        0 | 1 => ("type", json!(u.choose(&TYPES)?)),
        2 => (u.choose(&OF_NUMBERS)?, number(u)?),
        3 | 4 => (u.choose(&OF_ONE)?, subschema(u, depth)?),
        5 | 6 => (u.choose(&OF_LISTS)?, Value::Array(list(u, 3, |u| subschema(u, depth))?)),
        7 | 8 => (u.choose(&OF_MAPS)?, map(u, depth)?),
        9 => ("required", Value::Array(list(u, 3, |u| Ok(name(u)?.into()))?)),
        10 => ("enum", Value::Array(list(u, 4, |u| value(u, 2))?)),
        11 => ("const", value(u, 2)?),
        12 => {
            let pattern = *u.choose(&PATTERNS)?;
            match u.ratio(1, 2)? {
                true => ("pattern", json!(pattern)),
                false => ("patternProperties", json!({pattern: subschema(u, depth)?})),
            }
        }
        13 => (*u.choose(&["$ref", "$dynamicRef", "$recursiveRef"])?, json!(u.choose(&REFERENCES)?)),
        14 => match u.int_in_range(0..=3)? {
            0 => ("format", json!(u.choose(&FORMATS)?)),
            1 => ("uniqueItems", json!(true)),
            2 => ("$recursiveAnchor", json!(true)),
            _ => ("type", Value::Array(list(u, 3, |u| Ok(json!(u.choose(&TYPES)?)))?)),
        },
        _ => (u.choose(&OF_TEXTS)?, json!(u.choose(&["a", "http://x.example/y", "#a", "", "other"])?)),
    })
}

/// A value that such schemas are about.
pub fn value(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    Ok(match u.int_in_range(0..=if depth == 0 { 4 } else { 7 })? {
        0 => Value::Null,
        1 => Value::Bool(u.arbitrary()?),
        2 => number(u)?,
        3 => json!(u.choose(&["", "a", "b", "2027-05-06T00:00:00Z", "é😀", "aaaaaaaaaaaaaaaaaaaaaaaaab"])?),
        4 => Value::String(u.arbitrary::<String>()?.chars().take(50).collect()),
        5 => Value::Array(list(u, 4, |u| value(u, depth - 1))?),
        _ => Value::Object(Map::from_iter(list(u, 4, |u| Ok((name(u)?, value(u, depth - 1)?)))?)),
    })
}
