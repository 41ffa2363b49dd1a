//! Rules about the members of an object and the elements of an array.

use super::discriminator;
use super::place::{Place, Step};
use super::report::{Kind, Report};
use super::walk::{At, Marks, Sent, Walk};
use super::words;
use crate::model::{Contains, Elements, Members, NodeId, Rule};
use serde_json::{Map, Value};

impl<'a> Walk<'a> {
    pub(super) fn parts(&mut self, rule: &'a Rule, at: At<'_, 'a>, marks: &mut Marks, report: &mut Report<'a>) {
        match (rule, at.value) {
            (Rule::Required(names), Value::Object(members)) => {
                for name in names.iter().filter(|name| !has(members, name)) {
                    report.evidence.values -= 1;
                    at.fault("required", Kind::Missing(name, None), report);
                }
            }
            (Rule::DependentNames(keyword, dependencies), Value::Object(members)) => {
                for (name, needed) in dependencies.iter().filter(|(name, _)| has(members, name)) {
                    for missing in needed.iter().filter(|needed| !has(members, needed)) {
                        at.fault(keyword, Kind::Missing(missing, Some(name)), report);
                    }
                }
            }
            (Rule::DependentSchemas(keyword, dependencies), Value::Object(members)) => {
                for (name, schema) in dependencies.iter().filter(|(name, _)| has(members, name)) {
                    let sent = Sent { token: Some(name), ..at.sent(keyword) };
                    marks.merge(&self.apply(*schema, at.value, at.place, sent, report));
                }
            }
            (Rule::Members(rule), Value::Object(members)) => self.members(rule, members, at, marks, report),
            (Rule::Names(schema), Value::Object(members)) => self.names(*schema, members, at, report),
            (Rule::UnevaluatedMembers(schema), Value::Object(members)) => {
                for (position, (name, member)) in members.iter().enumerate() {
                    if !marks.contains(position) {
                        let step = Step::Member(name, position);
                        self.part(*schema, member, step, at, ("unevaluatedProperties", None), report);
                    }
                }
                marks.all = true;
            }
            (Rule::Elements(rule), Value::Array(elements)) => self.elements(rule, elements, at, marks, report),
            (Rule::Contains(rule), Value::Array(elements)) => self.contains(rule, elements, at, marks, report),
            (Rule::UnevaluatedElements(schema), Value::Array(elements)) => {
                for (index, element) in elements.iter().enumerate() {
                    if !marks.contains(index) {
                        let step = Step::Element(index);
                        self.part(*schema, element, step, at, ("unevaluatedItems", None), report);
                    }
                }
                marks.all = true;
            }
            _ => {}
        }
    }

    /// Checks one member or element.
    fn part(
        &mut self,
        schema: NodeId,
        value: &'a Value,
        step: Step<'a>,
        at: At<'_, 'a>,
        (keyword, token): (&'static str, Option<&'a str>),
        report: &mut Report<'a>,
    ) {
        let sent = Sent { by: at.id, keyword, token, described: None };
        let place = Place::Below(at.place, step);
        let types = report.evidence.types;
        self.unmarked(|walk| walk.apply(schema, value, &place, sent, report));
        report.evidence.types = types;
    }

    fn members(
        &mut self,
        rule: &'a Members,
        members: &'a Map<String, Value>,
        at: At<'_, 'a>,
        marks: &mut Marks,
        report: &mut Report<'a>,
    ) {
        for (position, (name, value)) in members.iter().enumerate() {
            let step = Step::Member(name, position);
            let named = rule.named.get_key_value(name.as_str());
            let mut known = named.is_some();
            if let Some((name, schema)) = named {
                let before = report.total;
                self.part(*schema, value, step, at, ("properties", Some(name)), report);
                if report.is_weighed {
                    self.weigh(*schema, value, report.total == before, report);
                }
            }
            for (pattern, schema) in &rule.patterns {
                let pattern = self.model.pattern(*pattern);
                if pattern.matcher().is_some_and(|matcher| matcher.is_match(name)) {
                    known = true;
                    self.part(*schema, value, step, at, ("patternProperties", Some(&pattern.source)), report);
                }
            }
            if let (false, Some(schema)) = (known, rule.additional) {
                known = true;
                let refused = report.is_weighed && report.keeps() && self.model.is_never(schema);
                let misspelt = refused && words::close(name, rule.named.keys().map(AsRef::as_ref)).is_some();
                report.evidence.names += i64::from(misspelt);
                self.part(schema, value, step, at, ("additionalProperties", None), report);
            }
            if known && self.marking {
                marks.set(position);
            }
            if report.is_done() {
                return;
            }
        }
    }

    /// What a declared member says about whether this branch was meant.
    fn weigh(&self, schema: NodeId, value: &Value, valid: bool, report: &mut Report<'a>) {
        report.evidence.names += 1;
        report.evidence.values += i64::from(valid);
        if let Some(allowed) = discriminator::values(self.model, schema) {
            let matches = allowed.iter().any(|allowed| crate::equality::same(allowed, value));
            report.evidence.discriminators += i64::from(matches && allowed.len() == 1);
            report.evidence.near_misses += i64::from(!matches && words::nearest(value, &allowed).is_some());
        }
    }

    fn names(&mut self, schema: NodeId, members: &'a Map<String, Value>, at: At<'_, 'a>, report: &mut Report<'a>) {
        for (position, name) in members.keys().enumerate() {
            let text = Value::from(name.as_str());
            let mut aside = self.aside();
            let mut found = Report::new(usize::from(report.keeps()));
            aside.check(schema, &text, &Place::Root, None, &mut found);
            self.effort = aside.effort;
            self.too_deep |= aside.too_deep;
            if found.failed() {
                let why = found.faults.first().map(|fault| words::of_a_name(self.model, fault)).unwrap_or_default();
                let place = Place::Below(at.place, Step::Member(name, position));
                At { place: &place, ..at }.fault("propertyNames", Kind::Name(name, why), report);
            }
            if report.is_done() {
                return;
            }
        }
    }

    fn elements(
        &mut self,
        rule: &'a Elements,
        elements: &'a [Value],
        at: At<'_, 'a>,
        marks: &mut Marks,
        report: &mut Report<'a>,
    ) {
        for (index, element) in elements.iter().enumerate() {
            let (schema, keyword) = match rule.first.get(index) {
                Some(schema) => (Some(*schema), rule.first_keyword),
                None => (rule.rest, rule.rest_keyword),
            };
            let Some(schema) = schema else { break };
            self.part(schema, element, Step::Element(index), at, (keyword, None), report);
            if self.marking {
                marks.set(index);
            }
            if report.is_done() {
                return;
            }
        }
        marks.all |= rule.rest.is_some();
    }

    fn contains(
        &mut self,
        rule: &'a Contains,
        elements: &'a [Value],
        at: At<'_, 'a>,
        marks: &mut Marks,
        report: &mut Report<'a>,
    ) {
        let mut found = 0;
        for (index, element) in elements.iter().enumerate() {
            let mut probe = Report::probe();
            let place = Place::Below(at.place, Step::Element(index));
            self.unmarked(|walk| walk.check(rule.schema, element, &place, None, &mut probe));
            if !probe.failed() {
                found += 1;
                if rule.evaluates && self.marking {
                    marks.set(index);
                }
            }
        }
        let Contains { schema, least, most, .. } = *rule;
        if (found < least || most.is_some_and(|most| found > most)) && !self.is_exhausted() {
            let keyword = match () {
                () if found >= least => "maxContains",
                () if least == 1 => "contains",
                () => "minContains",
            };
            at.fault(keyword, Kind::Contains { schema, least, most, found }, report);
        }
    }
}

/// Members that are gone through one by one; more of them are looked up by a hash.
const FEW: usize = 8;

/// Whether an object has a member of this name.
pub(super) fn has(members: &Map<String, Value>, name: &str) -> bool {
    if members.len() <= FEW { members.keys().any(|key| key == name) } else { members.contains_key(name) }
}
