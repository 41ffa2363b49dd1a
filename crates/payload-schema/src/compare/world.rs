//! The two schemas of a comparison, so that a subschema of either can be told from one of the other.

use super::fuel::Fuel;
use crate::explain;
use crate::model::{Model, Node, NodeId, PatternId, Reference, Rule, Scope};
use crate::{Schema, formats};
use serde_json::Value;
use worker_types::Dialect;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Side {
    Old,
    New,
}

/// A subschema of one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term {
    pub(super) side: Side,
    pub(super) node: NodeId,
}

/// A regular expression of one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TermPattern {
    pub(super) side: Side,
    pub(super) pattern: PatternId,
}

#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub(super) old: &'a Schema,
    pub(super) new: &'a Schema,
    pub(super) fuel: &'a Fuel,
    /// Whether it counts how a whole number is written: `1.0` is no integer in draft-04, and yet equal to `1`.
    pub(super) reads_digits: bool,
}

impl<'a> World<'a> {
    pub(super) fn new(old: &'a Schema, new: &'a Schema, fuel: &'a Fuel) -> Self {
        let reads_digits = |schema: &Schema| {
            let model = schema.model();
            model.ids().any(|id| model.node(id).dialect == Dialect::Draft04)
        };
        Self { old, new, fuel, reads_digits: reads_digits(old) || reads_digits(new) }
    }

    /// The comparison in the other direction: what does the new one accept that the old one refuses?
    pub(super) fn reversed(self, fuel: &'a Fuel) -> Self {
        Self { old: self.new, new: self.old, fuel, ..self }
    }

    pub(super) fn schema(self, side: Side) -> &'a Schema {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    pub(super) fn model(self, side: Side) -> &'a Model {
        self.schema(side).model()
    }

    pub(super) fn root(self, side: Side) -> Term {
        Term { side, node: Model::ROOT }
    }

    pub(super) fn node(self, term: Term) -> &'a Node {
        self.model(term.side).node(term.node)
    }

    pub(super) fn dialect(self, term: Term) -> Dialect {
        self.node(term).dialect
    }

    pub(super) fn is_never(self, term: Term) -> bool {
        self.model(term.side).is_never(term.node)
    }

    /// The source of a pattern, and its translation for the linear engine.
    pub(super) fn pattern(self, pattern: TermPattern) -> (&'a str, Option<&'a str>) {
        let found = self.model(pattern.side).pattern(pattern.pattern);
        (&found.source, found.translated.as_ref().ok().map(|translated| translated.text.as_str()))
    }

    pub(super) fn pattern_matches(self, pattern: TermPattern, text: &str) -> bool {
        self.model(pattern.side).pattern(pattern.pattern).matcher().is_none_or(|matcher| matcher.is_match(text))
    }

    /// Where a reference leads, if that does not depend on the way by which it is reached.
    pub(super) fn target(self, side: Side, reference: &Reference) -> Option<Term> {
        match (&reference.scope, reference.target) {
            (Scope::Static, Some(node)) => Some(Term { side, node }),
            _ => None,
        }
    }

    /// The subschema that stands behind references that stand alone.
    pub(super) fn behind(self, mut term: Term) -> Term {
        for _ in 0..32 {
            let [Rule::Reference(reference)] = self.node(term).rules.as_slice() else { break };
            let Some(target) = self.target(term.side, reference) else { break };
            term = target;
        }
        term
    }

    /// Whether a format of this subschema refuses anything.
    pub(super) fn asserts_format(self, term: Term, format: &str) -> bool {
        let dialect = self.dialect(term);
        let asserted = self.schema(term.side).assert_formats().unwrap_or(formats::are_asserted(dialect));
        asserted && formats::known(dialect, format).is_some()
    }

    /// Whether a format of the same name is the same check on both sides. Host names are read more strictly since draft-07.
    pub(super) fn same_format(self, left: Term, right: Term, format: &str) -> bool {
        let strict = |term: Term| self.dialect(term) >= Dialect::Draft07;
        format != "hostname" || strict(left) == strict(right)
    }

    /// Whether a value is valid under a subschema; none where that is not known.
    pub(super) fn accepts(self, term: Term, value: &Value) -> Option<bool> {
        if self.fuel.is_used_up() {
            return None;
        }
        let schema = self.schema(term.side);
        let (accepts, effort) = explain::accepts(schema.model(), term.node, value, schema.assert_formats());
        let asked = |rule: &Rule| if let Rule::Required(names) = rule { names.len() } else { 0 };
        self.fuel.take(5 + effort + self.node(term).rules.iter().map(asked).sum::<usize>());
        accepts
    }

    /// The subschema and the keyword that refuse a value itself, where it is one of them and not a part of the value.
    pub(super) fn refusing(self, term: Term, value: &Value) -> Option<(Term, &'static str)> {
        let schema = self.schema(term.side);
        let (node, keyword) = explain::refusing(schema.model(), term.node, value, schema.assert_formats())?;
        Some((Term { node, ..term }, keyword))
    }

    /// Whether the engines say that this value shows a difference: the old accepts it, the new refuses it.
    pub(super) fn is_witness(self, value: &Value) -> bool {
        self.fuel.take(100) && !self.new.is_valid(value) && self.old.is_valid(value)
    }
}
