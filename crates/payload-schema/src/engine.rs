//! The engine behind the verdict: how a schema is handed to it, and what it may do.

mod evaluated;
mod exact;
mod rewrite;

pub(crate) use evaluated::hide_contains;
pub(crate) use rewrite::rewrite;

use exact::EXACT_PATTERN;

use crate::dialect;
use crate::limits::Limits;
use jsonschema::{PatternOptions, Registry, Resource, Retrieve, Uri, ValidationError, Validator};
use serde_json::Value;
use std::collections::HashMap;
use worker_types::Dialect;

/// How the engine reads a schema, beside the schema.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// None for a metaschema of its own among the documents.
    pub(crate) dialect: Option<Dialect>,
    /// What `$ref` may reach beside the schema.
    pub(crate) documents: Option<&'a HashMap<String, Value>>,
    /// Instead of what the dialect says.
    pub(crate) assert_formats: Option<bool>,
    pub(crate) limits: &'a Limits,
}

/// Compiles a rewritten schema. Nothing is fetched, patterns match in linear time, content is not looked into.
pub(crate) fn build(schema: &Value, reading: Reading<'_>) -> Result<Validator, ValidationError<'static>> {
    let limit = reading.limits.regex_bytes;
    let patterns = PatternOptions::regex().size_limit(limit).dfa_size_limit(limit);
    let mut options = jsonschema::options()
        .offline()
        .with_pattern_options(patterns)
        // As the specifications from 2019-09 on and other engines have it for every draft.
        .without_content_encoding_support("base64")
        .without_content_media_type_support("application/json");
    if contains(schema, &|name, _| name == EXACT_PATTERN) {
        options = options.with_keyword(EXACT_PATTERN, exact::pattern);
    }
    // A metaschema of its own may not know these keywords.
    if reading.dialect.is_some() {
        if contains(schema, &|name, _| name == "multipleOf") {
            options = options.with_keyword("multipleOf", exact::multiple_of);
        }
        if contains(schema, &exact::is_rounded) {
            options = exact::with_bounds(options);
        }
    }
    if let Some(dialect) = reading.dialect {
        options = options.with_draft(dialect::engine_draft(dialect));
    }
    if let Some(assert) = reading.assert_formats {
        options = options.should_validate_formats(assert);
    }
    let Some(documents) = reading.documents else { return options.build(schema) };
    options = options.with_retriever(Known(documents.clone()));
    // A metaschema of its own says which draft it stands on only when it is registered.
    let own = reading.dialect.is_none().then(|| schema.get("$schema").and_then(Value::as_str)).flatten();
    let Some(own) = own else { return options.build(schema) };
    let registry = Registry::new().retriever(Known(documents.clone()));
    let metaschema = documents.get(own.trim_end_matches('#')).cloned().unwrap_or_default();
    let registry = registry.add(own, Resource::from_contents(metaschema)).and_then(|registry| registry.prepare());
    options.with_registry(&registry.map_err(ValidationError::from)?).build(schema)
}

/// Whether any member of a value of bounded depth is one that is looked for.
fn contains(value: &Value, is_it: &dyn Fn(&str, &Value) -> bool) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, member)| is_it(name, member) || contains(member, is_it)),
        Value::Array(elements) => elements.iter().any(|element| contains(element, is_it)),
        _ => false,
    }
}

/// Documents that are at hand; everything else stays away.
struct Known(HashMap<String, Value>);

impl Retrieve for Known {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let uri = uri.as_str().trim_end_matches('#');
        self.0.get(uri).cloned().ok_or_else(|| format!("{uri} is not among the known documents").into())
    }
}
