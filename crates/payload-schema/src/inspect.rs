//! What the publish gate says of a schema: everything that is wrong and everything that is suspicious, at once.

mod shape;

use crate::dialect::{self, Declared};
use crate::engine::{self, Reading};
use crate::limits::{Limits, too_deep};
use crate::model::{Model, NodeId, Read, Rule, Source, read};
use crate::number::Decimal;
use crate::{expansion, lint, metaschema, pointer};
use jsonschema::Validator;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use worker_types::{Dialect, Item};

/// The gate's view of one schema. Pointers are relative to its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Why it cannot be published.
    pub errors: Vec<Item>,
    /// What its author probably did not mean.
    pub warnings: Vec<Item>,
    /// The dialect it is read in.
    pub dialect: Dialect,
}

/// Looks at everything in `schema`. `dialect` counts when it names no `$schema`; without either it is read as draft-07.
///
/// A schema without errors compiles ([`crate::Schema::compile`]). At most `limits.errors` errors and as many warnings
/// are named; a last item counts the rest.
pub fn inspect(schema: &Value, dialect: Option<Dialect>, limits: &Limits) -> Inspection {
    let examined = examine(schema, dialect, &Extent { documents: None, assert_formats: None, limits });
    let mut warnings = examined.read.as_ref().map(|read| lint::lint(schema, read, dialect)).unwrap_or_default();
    in_order(schema, &mut warnings);
    bound(&mut warnings, limits.errors, "more-warnings");
    Inspection { errors: examined.errors, warnings, dialect: examined.dialect }
}

/// What a schema may reach and how it is taken.
pub(crate) struct Extent<'a> {
    pub(crate) documents: Option<&'a HashMap<String, Value>>,
    pub(crate) assert_formats: Option<bool>,
    pub(crate) limits: &'a Limits,
}

/// A schema after every check; compiled, if there are no errors.
pub(crate) struct Examined {
    pub(crate) dialect: Dialect,
    pub(crate) has_own_metaschema: bool,
    pub(crate) read: Option<Read>,
    pub(crate) errors: Vec<Item>,
    pub(crate) validator: Option<Validator>,
}

/// Reads, checks and compiles a schema.
pub(crate) fn examine(schema: &Value, dialect: Option<Dialect>, extent: &Extent<'_>) -> Examined {
    let declared = schema.get("$schema").and_then(Value::as_str).map(Declared::read);
    let custom = custom_dialect(schema, extent.documents);
    let dialect = declared.and_then(Declared::dialect).or(custom).or(dialect).unwrap_or(Dialect::Draft07);
    let limits = extent.limits;
    if let Some(pointer) = too_deep(schema, limits.depth) {
        let message = format!("the schema is nested more than {} deep", limits.depth);
        let errors = vec![Item::new("schema-too-deep", pointer, message)];
        return Examined { dialect, has_own_metaschema: false, read: None, errors, validator: None };
    }
    let documents = |uri: &str| match extent.documents {
        Some(documents) => documents.get(uri).or_else(|| metaschema::document(uri)),
        None => metaschema::document(uri),
    };
    let read = read(&Source { schema, dialect, documents: &documents, limits });
    let mut errors = read.faults.clone();
    errors.extend(unknown_dialects(schema, &read, custom.is_some()));
    errors.extend(refused_patterns(&read));
    errors.extend(inexact_divisors(&read.model));
    if read.complete {
        errors.extend(expansion::check(&read.model, limits));
    }
    let rewritten = engine::rewrite(schema, &read);
    if custom.is_none() {
        let placed: HashSet<String> = errors.iter().map(|error| error.pointer.clone()).collect();
        errors.extend(shape::faults(&rewritten, &read, dialect, &placed, limits));
    }
    let mut validator = None;
    if errors.is_empty() {
        let dialect = custom.is_none().then_some(dialect);
        let Extent { documents, assert_formats, .. } = *extent;
        let reading = Reading { dialect, documents, assert_formats, limits };
        let built = engine::hide_contains(rewritten, &read).and_then(|schema| {
            engine::build(&schema, reading).map_err(|error| Box::new(refused_by_the_engine(&error)))
        });
        match built {
            Ok(built) => validator = Some(built),
            Err(refusal) => errors.push(*refusal),
        }
    }
    in_order(schema, &mut errors);
    bound(&mut errors, limits.errors, "more-errors");
    Examined { dialect, has_own_metaschema: custom.is_some(), read: Some(read), errors, validator }
}

/// The dialect behind a metaschema of its own that is among the documents.
fn custom_dialect(schema: &Value, documents: Option<&HashMap<String, Value>>) -> Option<Dialect> {
    let mut uri = schema.get("$schema")?.as_str()?;
    for _ in 0..8 {
        let metaschema = documents?.get(uri.trim_end_matches('#'))?;
        uri = metaschema.get("$schema")?.as_str()?;
        if let Some(dialect) = Declared::read(uri).dialect() {
            return Some(dialect);
        }
    }
    None
}

fn unknown_dialects<'r>(schema: &'r Value, read: &'r Read, custom: bool) -> impl Iterator<Item = Item> + 'r {
    let unknown = read.declared.iter().filter(move |(id, declared)| {
        *declared == Declared::Unknown && read.model.is_own(*id) && !(custom && *id == Model::ROOT)
    });
    unknown.map(|(id, _)| {
        let pointer = read.model.keyword_pointer(*id, "$schema");
        let shown = schema.pointer(&pointer).map(crate::excerpt::value).unwrap_or_default();
        let known = dialect::ALL.map(dialect::metaschema_uri);
        let message = format!("the $schema {shown} is not known and never fetched; these are: {}", known.join(", "));
        let given = schema.pointer(&pointer).and_then(Value::as_str).filter(|given| given.len() < 200);
        let close = given.and_then(|given| worker_types::closest(given, known));
        Item::new("unknown-dialect", pointer, message).suggest(close)
    })
}

fn refused_patterns(read: &Read) -> impl Iterator<Item = Item> + '_ {
    read.patterns.iter().filter(|(id, ..)| read.model.is_own(*id)).filter_map(|(id, keyword, pattern)| {
        let pattern = read.model.pattern(*pattern);
        let refusal = pattern.translated.as_ref().err()?;
        let mut pointer = read.model.keyword_pointer(*id, keyword);
        // A key that is too long to be taken is also too long to be named.
        if *keyword == "patternProperties" && pattern.source.len() <= 1000 {
            pointer::push(&mut pointer, &pattern.source);
        }
        Some(Item::new(refusal.problem(), pointer, refusal.message(&pattern.source)))
    })
}

/// Divisors with more digits than are divided by exactly. Zero is refused by the metaschema's rule.
fn inexact_divisors(model: &Model) -> impl Iterator<Item = Item> + '_ {
    let rules = |id: NodeId| model.node(id).rules.iter().map(move |rule| (id, rule));
    model.ids().filter(|id| model.is_own(*id)).flat_map(rules).filter_map(|(id, rule)| {
        let Rule::MultipleOf(divisor) = rule else { return None };
        let exact = Decimal::new(divisor);
        (!exact.is_zero() && !exact.divides_exactly()).then(|| {
            let shown = crate::excerpt::plain(divisor.as_str(), 60);
            let message = format!(
                "multipleOf {shown} has more than {} digits, and what is a multiple of it would not be told exactly",
                Decimal::DIVISOR_DIGITS
            );
            Item::new("invalid-keyword", model.keyword_pointer(id, "multipleOf"), message)
        })
    })
}

/// What none of our own checks foresaw.
fn refused_by_the_engine(error: &jsonschema::ValidationError<'_>) -> Item {
    let message = format!("the engine does not take the schema: {}", error.masked());
    Item::new("invalid-schema", error.schema_path().as_str(), crate::excerpt::plain(&message, 300))
}

/// Sorts items by where their pointers lead, in the order of the text.
fn in_order(schema: &Value, items: &mut [Item]) {
    items.sort_by_cached_key(|item| {
        let mut value = Some(schema);
        let mut order = Vec::new();
        for token in pointer::tokens(&item.pointer) {
            let (position, next) = match value {
                Some(Value::Object(members)) => {
                    let found = members.iter().enumerate().find(|(_, (name, _))| **name == token);
                    found.map_or((usize::MAX, None), |(position, (_, member))| (position, Some(member)))
                }
                Some(Value::Array(elements)) => {
                    let index = token.parse().unwrap_or(usize::MAX);
                    (index, elements.get(index))
                }
                _ => (usize::MAX, None),
            };
            order.push(position);
            value = next;
        }
        order
    });
}

fn bound(items: &mut Vec<Item>, limit: usize, problem: &str) {
    if items.len() > limit {
        let more = items.len() - limit;
        items.truncate(limit);
        items.push(Item::new(problem, "", format!("and {more} more")));
    }
}
