//! The keywords of each draft: what they hold, when they came and when they went.

use worker_types::Dialect;
use worker_types::Dialect::{Draft04, Draft06, Draft07, Draft201909, Draft202012};

/// What a keyword's value is made of, as far as schemas inside it go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// No schema.
    Nothing,
    /// One schema.
    Schema,
    /// A list of schemas.
    List,
    /// Schemas by name.
    Map,
    /// One schema, or a list (`items` before 2020-12).
    SchemaOrList,
    /// By name, a schema or a list of names (`dependencies`).
    SchemasOrNames,
}

/// A keyword of JSON Schema.
#[derive(Debug)]
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    pub(crate) holds: Holds,
    pub(crate) since: Dialect,
    pub(crate) until: Dialect,
    /// Whether it only tells people something, so that it does no harm in a draft that does not know it.
    pub(crate) tells: bool,
}

impl Keyword {
    /// Whether `dialect` knows the keyword.
    pub(crate) fn is_in(&self, dialect: Dialect) -> bool {
        (self.since..=self.until).contains(&dialect)
    }
}

const fn keyword(name: &'static str, holds: Holds, since: Dialect, until: Dialect) -> Keyword {
    Keyword { name, holds, since, until, tells: false }
}

const fn telling(name: &'static str, since: Dialect) -> Keyword {
    Keyword { name, holds: Holds::Nothing, since, until: Draft202012, tells: true }
}

/// Every keyword of the five drafts, sorted by name.
const KEYWORDS: &[Keyword] = &[
    keyword("$anchor", Holds::Nothing, Draft201909, Draft202012),
    telling("$comment", Draft07),
    Keyword { tells: true, ..keyword("$defs", Holds::Map, Draft201909, Draft202012) },
    keyword("$dynamicAnchor", Holds::Nothing, Draft202012, Draft202012),
    keyword("$dynamicRef", Holds::Nothing, Draft202012, Draft202012),
    keyword("$id", Holds::Nothing, Draft06, Draft202012),
    keyword("$recursiveAnchor", Holds::Nothing, Draft201909, Draft201909),
    keyword("$recursiveRef", Holds::Nothing, Draft201909, Draft201909),
    keyword("$ref", Holds::Nothing, Draft04, Draft202012),
    keyword("$schema", Holds::Nothing, Draft04, Draft202012),
    keyword("$vocabulary", Holds::Nothing, Draft201909, Draft202012),
    keyword("additionalItems", Holds::Schema, Draft04, Draft201909),
    keyword("additionalProperties", Holds::Schema, Draft04, Draft202012),
    keyword("allOf", Holds::List, Draft04, Draft202012),
    keyword("anyOf", Holds::List, Draft04, Draft202012),
    keyword("const", Holds::Nothing, Draft06, Draft202012),
    keyword("contains", Holds::Schema, Draft06, Draft202012),
    keyword("contentEncoding", Holds::Nothing, Draft07, Draft202012),
    keyword("contentMediaType", Holds::Nothing, Draft07, Draft202012),
    keyword("contentSchema", Holds::Schema, Draft201909, Draft202012),
    telling("default", Draft04),
    Keyword { tells: true, ..keyword("definitions", Holds::Map, Draft04, Draft202012) },
    // Replaced in 2019-09, and still evaluated by engines, this one among them.
    keyword("dependencies", Holds::SchemasOrNames, Draft04, Draft202012),
    keyword("dependentRequired", Holds::Nothing, Draft201909, Draft202012),
    keyword("dependentSchemas", Holds::Map, Draft201909, Draft202012),
    telling("deprecated", Draft201909),
    telling("description", Draft04),
    keyword("else", Holds::Schema, Draft07, Draft202012),
    keyword("enum", Holds::Nothing, Draft04, Draft202012),
    telling("examples", Draft06),
    keyword("exclusiveMaximum", Holds::Nothing, Draft04, Draft202012),
    keyword("exclusiveMinimum", Holds::Nothing, Draft04, Draft202012),
    keyword("format", Holds::Nothing, Draft04, Draft202012),
    keyword("id", Holds::Nothing, Draft04, Draft04),
    keyword("if", Holds::Schema, Draft07, Draft202012),
    keyword("items", Holds::SchemaOrList, Draft04, Draft202012),
    keyword("maxContains", Holds::Nothing, Draft201909, Draft202012),
    keyword("maxItems", Holds::Nothing, Draft04, Draft202012),
    keyword("maxLength", Holds::Nothing, Draft04, Draft202012),
    keyword("maxProperties", Holds::Nothing, Draft04, Draft202012),
    keyword("maximum", Holds::Nothing, Draft04, Draft202012),
    keyword("minContains", Holds::Nothing, Draft201909, Draft202012),
    keyword("minItems", Holds::Nothing, Draft04, Draft202012),
    keyword("minLength", Holds::Nothing, Draft04, Draft202012),
    keyword("minProperties", Holds::Nothing, Draft04, Draft202012),
    keyword("minimum", Holds::Nothing, Draft04, Draft202012),
    keyword("multipleOf", Holds::Nothing, Draft04, Draft202012),
    keyword("not", Holds::Schema, Draft04, Draft202012),
    keyword("oneOf", Holds::List, Draft04, Draft202012),
    keyword("pattern", Holds::Nothing, Draft04, Draft202012),
    keyword("patternProperties", Holds::Map, Draft04, Draft202012),
    keyword("prefixItems", Holds::List, Draft202012, Draft202012),
    keyword("properties", Holds::Map, Draft04, Draft202012),
    keyword("propertyNames", Holds::Schema, Draft06, Draft202012),
    telling("readOnly", Draft07),
    keyword("required", Holds::Nothing, Draft04, Draft202012),
    keyword("then", Holds::Schema, Draft07, Draft202012),
    telling("title", Draft04),
    keyword("type", Holds::Nothing, Draft04, Draft202012),
    keyword("unevaluatedItems", Holds::Schema, Draft201909, Draft202012),
    keyword("unevaluatedProperties", Holds::Schema, Draft201909, Draft202012),
    keyword("uniqueItems", Holds::Nothing, Draft04, Draft202012),
    telling("writeOnly", Draft07),
];

/// The keyword of this name, in whatever draft.
pub(crate) fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.binary_search_by(|keyword| keyword.name.cmp(name)).ok().map(|index| &KEYWORDS[index])
}

/// The keyword of this name, if `dialect` knows it.
pub(crate) fn find_in(name: &str, dialect: Dialect) -> Option<&'static Keyword> {
    find(name).filter(|keyword| keyword.is_in(dialect))
}

/// The names that `dialect` knows.
pub(crate) fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().filter(move |keyword| keyword.is_in(dialect)).map(|keyword| keyword.name)
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, find_in};
    use worker_types::Dialect;

    #[test]
    fn the_table_is_sorted_so_that_it_can_be_searched() {
        assert!(KEYWORDS.is_sorted_by(|left, right| left.name < right.name));
        assert!(KEYWORDS.iter().all(|keyword| keyword.since <= keyword.until));
    }

    #[test]
    fn keywords_come_and_go() {
        assert!(find_in("const", Dialect::Draft04).is_none() && find_in("const", Dialect::Draft06).is_some());
        assert!(find_in("id", Dialect::Draft04).is_some() && find_in("id", Dialect::Draft07).is_none());
        assert!(find_in("prefixItems", Dialect::Draft201909).is_none());
        assert!(find_in("additionalItems", Dialect::Draft202012).is_none());
    }
}
