//! The walk over a value and its schema. It finds what the engine refuses, with everything that an explanation needs;
//! the engine's verdict is the one that counts.

use super::place::Place;
use super::report::{Fault, Kind, Report};
use crate::model::{Counted, Model, NodeId, ResourceId, Rule, Scope, Types};
use crate::number::Decimal;
use crate::{equality, formats};
use serde_json::Value;
use worker_types::Dialect;

/// Faults that are kept of one branch.
pub(super) const BRANCH_ROOM: usize = 20;

pub(super) struct Walk<'a> {
    pub(super) model: &'a Model,
    /// Whether `format` is asserted, where that does not follow from the dialect.
    pub(super) assert_formats: Option<bool>,
    /// Checks that may still be made.
    pub(super) effort: usize,
    /// Checks that may still be made inside one another: each takes stack.
    nesting: usize,
    /// The resources entered on the way, outermost first.
    scope: Vec<ResourceId>,
    /// Whether somebody asks which parts were evaluated.
    pub(super) marking: bool,
    /// Whether it was cut short because checks nested too deeply.
    pub(super) too_deep: bool,
}

/// Which members or elements of a value were evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) all: bool,
    some: Vec<bool>,
}

impl Marks {
    pub(super) fn set(&mut self, position: usize) {
        if self.some.len() <= position {
            self.some.resize(position + 1, false);
        }
        self.some[position] = true;
    }

    pub(super) fn contains(&self, position: usize) -> bool {
        self.all || self.some.get(position).copied().unwrap_or(false)
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.all |= other.all;
        other.some.iter().enumerate().filter(|(_, set)| **set).for_each(|(position, _)| self.set(position));
    }
}

/// A subschema that looks at a value, and who sent it.
#[derive(Clone, Copy)]
pub(super) struct Sent<'a> {
    pub(super) by: NodeId,
    pub(super) keyword: &'static str,
    pub(super) token: Option<&'a str>,
    pub(super) described: Option<NodeId>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(model: &'a Model, assert_formats: Option<bool>, effort: usize, nesting: usize) -> Self {
        Self { model, assert_formats, effort, nesting, too_deep: false, scope: Vec::new(), marking: false }
    }

    /// Whether the walk was cut short.
    pub(super) fn is_exhausted(&self) -> bool {
        self.effort == 0
    }

    /// A walk over something else, which shares what is left.
    pub(super) fn aside<'b>(&self) -> Walk<'b>
    where
        'a: 'b,
    {
        Walk { scope: self.scope.clone(), ..Walk::new(self.model, self.assert_formats, self.effort, self.nesting) }
    }

    /// Checks `value` by the subschema `node`, which `sent` applies to it.
    pub(super) fn apply(
        &mut self,
        node: NodeId,
        value: &'a Value,
        place: &Place<'_, 'a>,
        sent: Sent<'a>,
        report: &mut Report<'a>,
    ) -> Marks {
        if self.model.is_never(node) {
            let kind = match sent.keyword {
                "additionalProperties" | "unevaluatedProperties" => Kind::Unknown,
                "items" | "additionalItems" | "unevaluatedItems" => Kind::Extra,
                _ => Kind::Never,
            };
            let Sent { by, keyword, token, described } = sent;
            let fault = Fault { node: by, token, ..Fault::new(keyword, value, described, kind) };
            report.add(place, fault);
            return Marks::default();
        }
        self.check(node, value, place, sent.described, report)
    }

    /// Checks `value` by the subschema `node`.
    pub(super) fn check(
        &mut self,
        id: NodeId,
        value: &'a Value,
        place: &Place<'_, 'a>,
        described: Option<NodeId>,
        report: &mut Report<'a>,
    ) -> Marks {
        let mut marks = Marks::default();
        if self.effort == 0 || self.nesting == 0 {
            self.too_deep |= self.nesting == 0;
            self.effort = 0;
            return marks;
        }
        self.effort -= 1;
        self.nesting -= 1;
        let node = self.model.node(id);
        let entered = self.scope.last() != Some(&node.resource);
        if entered {
            self.scope.push(node.resource);
        }
        let marking = self.marking;
        // Those that ask stand last.
        self.marking |= matches!(node.rules.last(), Some(Rule::UnevaluatedMembers(_) | Rule::UnevaluatedElements(_)));
        let described = described.or(node.description.is_some().then_some(id));
        for rule in &node.rules {
            let at = At { id, value, place, described };
            self.rule(rule, at, &mut marks, report);
            // A value of another type breaks the rest only because of it.
            if report.is_done()
                || (report.failed() && matches!(rule, Rule::Type(types) if !self.fits(*types, value, node.dialect)))
            {
                break;
            }
        }
        self.marking = marking;
        if entered {
            self.scope.pop();
        }
        self.nesting += 1;
        marks
    }

    fn rule(&mut self, rule: &'a Rule, at: At<'_, 'a>, marks: &mut Marks, report: &mut Report<'a>) {
        let value = at.value;
        match rule {
            Rule::Never => at.fault("false", Kind::Never, report),
            Rule::Type(types) => {
                if self.fits(*types, value, self.model.node(at.id).dialect) {
                    report.evidence.types += 1;
                } else {
                    report.evidence.types -= 1;
                    at.fault("type", Kind::Type(*types), report);
                }
            }
            Rule::Enum(values) if !values.has(value) => {
                // Only what is told needs the list.
                let kind = if report.keeps() { Kind::Enum(values.iter().collect()) } else { Kind::Never };
                at.fault("enum", kind, report);
            }
            Rule::Const(expected) if !equality::same(expected, value) => {
                at.fault("const", Kind::Const(expected), report);
            }
            Rule::Bound(_) | Rule::MultipleOf(_) => Self::number(rule, at, report),
            Rule::Count(count) => {
                let found = match (count.of, value) {
                    (Counted::Characters, Value::String(text)) => text.chars().count(),
                    (Counted::Elements, Value::Array(elements)) => elements.len(),
                    (Counted::Members, Value::Object(members)) => members.len(),
                    _ => return,
                };
                let limit = usize::try_from(count.limit).unwrap_or(usize::MAX);
                if (count.least && found < limit) || (!count.least && found > limit) {
                    at.fault(count.keyword, Kind::Count(count, found), report);
                }
            }
            Rule::Unique => {
                if let Some((first, second)) = value.as_array().and_then(|elements| equality::repeated(elements)) {
                    at.fault("uniqueItems", Kind::Repeated(first, second), report);
                }
            }
            Rule::Pattern(_) | Rule::Format(_) => self.text(rule, at, report),
            Rule::All(schemas) => {
                for schema in schemas {
                    let found = self.apply(*schema, value, at.place, at.sent("allOf"), report);
                    marks.merge(&found);
                }
            }
            Rule::Any(schemas) => self.any(schemas, at, marks, report),
            Rule::One(schemas) => self.one(schemas, at, marks, report),
            Rule::Not(schema) => {
                let mut probe = Report::probe();
                self.unmarked(|walk| walk.check(*schema, value, at.place, None, &mut probe));
                if !probe.failed() && !self.is_exhausted() {
                    at.fault("not", Kind::Not(*schema), report);
                }
            }
            Rule::If(condition) => {
                let mut probe = Report::probe();
                let found = self.check(condition.test, value, at.place, None, &mut probe);
                let (branch, keyword) = if probe.failed() {
                    (condition.otherwise, "else")
                } else {
                    marks.merge(&found);
                    (condition.then, "then")
                };
                if let Some(branch) = branch {
                    marks.merge(&self.apply(branch, value, at.place, at.sent(keyword), report));
                }
            }
            Rule::Reference(reference) => {
                if let Some(target) = self.target(&reference.scope, reference.target) {
                    marks.merge(&self.apply(target, value, at.place, at.sent(reference.keyword), report));
                }
            }
            _ => self.parts(rule, at, marks, report),
        }
    }

    fn number(rule: &'a Rule, at: At<'_, 'a>, report: &mut Report<'a>) {
        let Value::Number(number) = at.value else { return };
        match rule {
            Rule::Bound(bound) => {
                let order = Decimal::new(number).cmp(&bound.value);
                let order = if bound.least { order } else { order.reverse() };
                if order.is_lt() || (bound.open && order.is_eq()) {
                    at.fault(bound.keyword, Kind::Bound(bound), report);
                }
            }
            Rule::MultipleOf(divisor) if Decimal::new(number).is_multiple_of(&Decimal::new(divisor)) == Some(false) => {
                at.fault("multipleOf", Kind::MultipleOf(divisor), report);
            }
            _ => {}
        }
    }

    fn text(&self, rule: &'a Rule, at: At<'_, 'a>, report: &mut Report<'a>) {
        let Value::String(text) = at.value else { return };
        match rule {
            Rule::Pattern(id) => {
                let pattern = self.model.pattern(*id);
                if pattern.matcher().is_some_and(|matcher| !matcher.is_match(text)) {
                    at.fault("pattern", Kind::Pattern(&pattern.source), report);
                }
            }
            Rule::Format(format) => {
                let dialect = self.model.node(at.id).dialect;
                let asserted = self.assert_formats.unwrap_or(formats::are_asserted(dialect));
                if asserted && !formats::fits(dialect, format, at.value) {
                    at.fault("format", Kind::Format(format), report);
                }
            }
            _ => {}
        }
    }

    /// Runs `check` without anybody asking what was evaluated.
    pub(super) fn unmarked<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let marking = std::mem::replace(&mut self.marking, false);
        let result = check(self);
        self.marking = marking;
        result
    }

    fn target(&self, scope: &Scope, target: Option<NodeId>) -> Option<NodeId> {
        let resources = || self.scope.iter().map(|id| self.model.resource(*id));
        match scope {
            Scope::Static => target,
            Scope::Anchor(name) => resources().find_map(|resource| resource.dynamic.get(name).copied()).or(target),
            Scope::Recursive => {
                let outward = resources().rev().take_while(|resource| resource.recursive);
                outward.last().map(|resource| resource.root).or(target)
            }
        }
    }

    pub(super) fn fits(&self, types: Types, value: &Value, dialect: Dialect) -> bool {
        match value {
            Value::Null => types.has(Types::NULL),
            Value::Bool(_) => types.has(Types::BOOLEAN),
            Value::String(_) => types.has(Types::STRING),
            Value::Array(_) => types.has(Types::ARRAY),
            Value::Object(_) => types.has(Types::OBJECT),
            Value::Number(number) => {
                types.has(Types::NUMBER)
                    || (types.has(Types::INTEGER)
                        && if dialect == Dialect::Draft04 {
                            // draft-04 core §3.5: an integer has no fraction part at all.
                            number.as_str().bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
                        } else {
                            Decimal::new(number).is_integer()
                        })
            }
        }
    }
}

/// A value under check, and by which subschema.
#[derive(Clone, Copy)]
pub(super) struct At<'p, 'a> {
    pub(super) id: NodeId,
    pub(super) value: &'a Value,
    pub(super) place: &'p Place<'p, 'a>,
    pub(super) described: Option<NodeId>,
}

impl<'a> At<'_, 'a> {
    /// A fault of the value itself.
    pub(super) fn fault(&self, keyword: &'static str, kind: Kind<'a>, report: &mut Report<'a>) {
        let Self { id, value, place, described } = *self;
        let fault = Fault { node: id, ..Fault::new(keyword, value, described, kind) };
        report.add(place, fault);
    }

    /// For a subschema that looks at the same value.
    pub(super) fn sent(&self, keyword: &'static str) -> Sent<'a> {
        Sent { by: self.id, keyword, token: None, described: self.described }
    }
}
