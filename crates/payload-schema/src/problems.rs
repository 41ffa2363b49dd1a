//! The names of what can be wrong or suspicious with a schema, for documentation and for tests. What is wrong with a
//! value is named by the keyword that refuses it.

/// A kind of fault or warning about a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaProblem {
    /// `Item::problem`.
    pub name: &'static str,
    /// Whether a schema with it is refused.
    pub refuses: bool,
    /// What it says, in one line.
    pub title: &'static str,
}

const fn error(name: &'static str, title: &'static str) -> SchemaProblem {
    SchemaProblem { name, refuses: true, title }
}

const fn warning(name: &'static str, title: &'static str) -> SchemaProblem {
    SchemaProblem { name, refuses: false, title }
}

/// Every kind of fault and warning about a schema.
pub const SCHEMA_PROBLEMS: &[SchemaProblem] = &[
    error("invalid-keyword", "A keyword's value is not what the draft asks for"),
    error("invalid-schema", "The engine does not take the schema for a reason that no other problem names"),
    error("unknown-dialect", "The `$schema` is none of the five drafts and is never fetched"),
    error("invalid-id", "An identifier is no URI reference or too long"),
    error("invalid-ref", "A reference is no URI reference"),
    error("remote-ref", "A reference leads to another document, which is never fetched"),
    error("unresolved-ref", "A reference leads to a place that does not exist or is no schema"),
    error("reference-loop", "A reference comes back to itself without going into the value"),
    error("reference-fan-out", "Definitions that refer several times to one another multiply beyond the limit"),
    error("nests-too-deep", "Checking a deep value would nest more steps than the limit"),
    error("schema-too-deep", "Arrays and objects of the schema are nested beyond the limit"),
    error("too-many-subschemas", "The schema has more subschemas than the limit"),
    error("names-too-long", "Long names repeat in so many places that they exhaust memory"),
    error("invalid-pattern", "A pattern is not a regular expression of ECMAScript"),
    error("unsupported-pattern", "A pattern needs a backtracking engine: lookaround, back-references"),
    error("pattern-too-long", "A pattern has more bytes than the limit"),
    error("pattern-too-large", "A pattern takes more memory than the limit when compiled"),
    error("patterns-too-large", "The patterns together take more memory than the limit when compiled"),
    warning("no-dialect", "The schema names no `$schema` and is read as draft-07"),
    warning("taskcluster-metaschema", "Taskcluster's own metaschema is read as draft-06"),
    warning("relative-id", "The schema's identifier is relative and names no address"),
    warning("unknown-keyword", "A name is no keyword, and ignored"),
    warning("keyword-of-another-draft", "A keyword belongs to another draft, and is ignored"),
    warning("ref-sibling-ignored", "A keyword beside `$ref` is ignored up to draft-07"),
    warning("unknown-format", "A format is not known, and not checked"),
    warning("format-not-asserted", "A format only describes in this draft"),
    warning("content-not-checked", "`contentEncoding` and `contentMediaType` only describe"),
    warning("literal-braces", "A pattern has lone braces, which are read as themselves"),
    warning("empty-class", "A pattern has `[]` or `[^]`, which match nothing and everything"),
    warning("posix-class", "A pattern has a POSIX class, which is read as its characters"),
    warning("required-and-refused", "A property is required and refused by `additionalProperties` beside it"),
    warning("never-matches", "Two things that are asked contradict each other, so that no value is accepted"),
    warning("not-only-objects", "`properties` and `required` without a type accept other values too"),
    error("more-errors", "There are so many more errors"),
    warning("more-warnings", "There are so many more warnings"),
];
