//! A schema as it was read: every subschema with its place, its dialect and what it asks, every reference resolved.
//!
//! Lint, the limits and the explanations work on this; the verdict itself is the engine's.

mod edges;
mod listed;
mod read;
mod reference;
mod rules;

pub(crate) use edges::Edge;
pub(crate) use listed::Listed;
pub(crate) use read::{Read, Source, read};
pub(crate) use reference::percent_decoded;

use crate::number::Decimal;
use crate::pattern::{PatternFault, Translated};
use crate::pointer;
use regex::Regex;
use serde_json::{Number, Value};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use worker_types::Dialect;

/// The index of a subschema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

/// The index of a resource: a schema with an identifier of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ResourceId(pub(crate) u32);

/// The index of a regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PatternId(pub(crate) u32);

/// A schema and the documents that it refers to.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) nodes: Vec<Node>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) patterns: Vec<Pattern>,
    /// The URIs of the other documents, by the number in [`Node::document`]; the schema itself is number 0.
    pub(crate) documents: Vec<String>,
}

/// A subschema.
#[derive(Debug)]
pub(crate) struct Node {
    /// The nearest subschema around it; none for the root of a document.
    pub(crate) parent: Option<NodeId>,
    /// JSON Pointer from there.
    pub(crate) relative: Box<str>,
    pub(crate) document: u16,
    pub(crate) dialect: Dialect,
    pub(crate) resource: ResourceId,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    /// What it asks of a value, `type` first.
    pub(crate) rules: Vec<Rule>,
}

/// A schema that references reach by its URI.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) root: NodeId,
    /// `$dynamicAnchor`s.
    pub(crate) dynamic: BTreeMap<Box<str>, NodeId>,
    /// `$recursiveAnchor: true`.
    pub(crate) recursive: bool,
}

/// A regular expression as its author wrote it, with its translation, or why it has none.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) source: Box<str>,
    pub(crate) translated: Result<Translated, PatternFault>,
    matcher: OnceLock<Option<Regex>>,
}

/// One thing that a subschema asks.
#[derive(Debug)]
pub(crate) enum Rule {
    /// `false`.
    Never,
    Type(Types),
    Enum(Listed),
    Const(Value),
    Bound(Bound),
    MultipleOf(Number),
    Count(Count),
    Unique,
    Pattern(PatternId),
    Format(Box<str>),
    Required(Vec<Box<str>>),
    DependentNames(&'static str, Vec<(Box<str>, Vec<Box<str>>)>),
    DependentSchemas(&'static str, Vec<(Box<str>, NodeId)>),
    Members(Members),
    Names(NodeId),
    Elements(Elements),
    Contains(Contains),
    All(Vec<NodeId>),
    Any(Vec<NodeId>),
    One(Vec<NodeId>),
    Not(NodeId),
    If(Condition),
    Reference(Reference),
    UnevaluatedMembers(NodeId),
    UnevaluatedElements(NodeId),
}

/// The keyword that a rule comes from, the first of several; empty for `false`.
pub(crate) fn keyword(rule: &Rule) -> &'static str {
    match rule {
        Rule::Never => "",
        Rule::Type(_) => "type",
        Rule::Enum(_) => "enum",
        Rule::Const(_) => "const",
        Rule::Bound(bound) => bound.keyword,
        Rule::MultipleOf(_) => "multipleOf",
        Rule::Count(count) => count.keyword,
        Rule::Unique => "uniqueItems",
        Rule::Pattern(_) => "pattern",
        Rule::Format(_) => "format",
        Rule::Required(_) => "required",
        Rule::DependentNames(keyword, _) | Rule::DependentSchemas(keyword, _) => keyword,
        Rule::Members(members) if members.named.is_empty() && members.patterns.is_empty() => "additionalProperties",
        Rule::Members(members) if members.named.is_empty() => "patternProperties",
        Rule::Members(_) => "properties",
        Rule::Names(_) => "propertyNames",
        Rule::Elements(elements) if elements.first.is_empty() => elements.rest_keyword,
        Rule::Elements(elements) => elements.first_keyword,
        Rule::Contains(_) => "contains",
        Rule::All(_) => "allOf",
        Rule::Any(_) => "anyOf",
        Rule::One(_) => "oneOf",
        Rule::Not(_) => "not",
        Rule::If(_) => "if",
        Rule::Reference(reference) => reference.keyword,
        Rule::UnevaluatedMembers(_) => "unevaluatedProperties",
        Rule::UnevaluatedElements(_) => "unevaluatedItems",
    }
}

/// `minimum` and its kin.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) keyword: &'static str,
    pub(crate) limit: Number,
    pub(crate) value: Decimal,
    /// From below, not from above.
    pub(crate) least: bool,
    /// The limit itself is out.
    pub(crate) open: bool,
}

/// `minLength` and its kin.
#[derive(Debug)]
pub(crate) struct Count {
    pub(crate) keyword: &'static str,
    pub(crate) of: Counted,
    pub(crate) least: bool,
    pub(crate) limit: u64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    Characters,
    Elements,
    Members,
}

/// `properties`, `patternProperties` and `additionalProperties`.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) named: BTreeMap<Box<str>, NodeId>,
    pub(crate) patterns: Vec<(PatternId, NodeId)>,
    pub(crate) additional: Option<NodeId>,
}

/// `prefixItems` and `items`, or `items` and `additionalItems`, by their names in the dialect.
#[derive(Debug)]
pub(crate) struct Elements {
    pub(crate) first_keyword: &'static str,
    pub(crate) first: Vec<NodeId>,
    pub(crate) rest_keyword: &'static str,
    pub(crate) rest: Option<NodeId>,
}

/// `contains` with its bounds.
#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) schema: NodeId,
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
    /// Whether what it matches counts as evaluated (2020-12).
    pub(crate) evaluates: bool,
}

/// `if`, `then` and `else`.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) test: NodeId,
    pub(crate) then: Option<NodeId>,
    pub(crate) otherwise: Option<NodeId>,
}

/// `$ref` and its kin.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) keyword: &'static str,
    /// None while it leads nowhere; the fault is reported where references are resolved.
    pub(crate) target: Option<NodeId>,
    pub(crate) scope: Scope,
}

/// Whether a reference looks back along the way it came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Always the same target.
    Static,
    /// `$dynamicRef` to a `$dynamicAnchor` of this name.
    Anchor(Box<str>),
    /// `$recursiveRef` to a resource with `$recursiveAnchor: true`.
    Recursive,
}

/// A set of JSON's types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    /// In the order in which messages name them.
    pub(crate) const NAMES: [&'static str; 7] = ["string", "integer", "number", "boolean", "array", "object", "null"];

    pub(crate) const STRING: Self = Self(1);
    pub(crate) const INTEGER: Self = Self(1 << 1);
    pub(crate) const NUMBER: Self = Self(1 << 2);
    pub(crate) const BOOLEAN: Self = Self(1 << 3);
    pub(crate) const ARRAY: Self = Self(1 << 4);
    pub(crate) const OBJECT: Self = Self(1 << 5);
    pub(crate) const NULL: Self = Self(1 << 6);

    /// Whether `other`, which is one type, is among them.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn insert(&mut self, name: &str) {
        if let Some(index) = Self::NAMES.iter().position(|known| *known == name) {
            self.0 |= 1 << index;
        }
    }

    pub(crate) fn contains(self, name: &str) -> bool {
        Self::NAMES.iter().position(|known| *known == name).is_some_and(|index| self.0 & (1 << index) != 0)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The types that both allow; an integer is a number, too.
    pub(crate) fn meet(self, other: Self) -> Self {
        let [mine, theirs] = [self, other].map(|mut types| {
            if types.contains("number") {
                types.insert("integer");
            }
            types.0
        });
        Self(mine & theirs)
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(move |name| self.contains(name))
    }
}

impl Pattern {
    pub(crate) fn new(source: &str, translated: Result<Translated, PatternFault>) -> Self {
        Self { source: source.into(), translated, matcher: OnceLock::new() }
    }

    /// The matcher; none for a pattern that was refused.
    pub(crate) fn matcher(&self) -> Option<&Regex> {
        let compile = || {
            let translated = self.translated.as_ref().ok()?;
            crate::pattern::compile(&translated.text, usize::MAX).ok()
        };
        self.matcher.get_or_init(compile).as_ref()
    }
}

impl Model {
    pub(crate) const ROOT: NodeId = NodeId(0);

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    pub(crate) fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.0 as usize]
    }

    pub(crate) fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.0 as usize]
    }

    /// Whether the node is of the schema itself, not of a document that it refers to.
    pub(crate) fn is_own(&self, id: NodeId) -> bool {
        self.node(id).document == 0
    }

    /// Whether the node refuses everything.
    pub(crate) fn is_never(&self, id: NodeId) -> bool {
        matches!(self.node(id).rules.as_slice(), [Rule::Never])
    }

    /// Where the node stands: a JSON Pointer from the schema's root; in another document, with its URI before it.
    pub(crate) fn pointer(&self, id: NodeId) -> String {
        let mut pointer = match self.node(id).document {
            0 => String::new(),
            document => format!("{}#", self.documents[usize::from(document)]),
        };
        let upwards = || std::iter::successors(Some(id), |id| self.node(*id).parent).map(|id| &self.node(id).relative);
        let chain: SmallVec<[&str; 24]> = upwards().map(AsRef::as_ref).collect();
        // Room for a keyword and a name, which most callers add.
        pointer.reserve(chain.iter().map(|part| part.len()).sum::<usize>() + 40);
        chain.into_iter().rev().for_each(|part| pointer.push_str(part));
        pointer
    }

    /// Where a keyword of the node stands.
    pub(crate) fn keyword_pointer(&self, id: NodeId, keyword: &str) -> String {
        let mut pointer = self.pointer(id);
        pointer::push(&mut pointer, keyword);
        pointer
    }
}
