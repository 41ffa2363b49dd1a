//! Variants of the same name, part by part.

use super::finding;
use crate::compare::Comparer;
use crate::compare::decide::Decision;
use crate::compare::parts::{Part, samples};
use crate::number::Decimal;
use crate::prepared::{PreparedSchemas, PreparedVariant};
use crate::{Prepared, Schema};
use serde_json::{Value, json};
use std::sync::Arc;
use worker_types::{
    Acceptance, Bundle, BundleVariant, CompatibilityVerdict, Effect, Finding, ResolvedConstraints, ResolvedRule,
    SchemaRef,
};

/// Pairs of schemas that one comparison of definitions looks at.
const PAIRS: usize = 40;

/// What may show that something is refused now.
pub(super) enum Candidate {
    Payload(Value),
    Task(Value),
}

/// Payloads, and tasks around them.
#[derive(Default)]
pub(super) struct Candidates {
    pub(super) payloads: Vec<Value>,
    frames: Vec<Value>,
}

impl Candidates {
    /// Every payload in every frame, and the frames as they are.
    pub(super) fn tasks(&self) -> impl Iterator<Item = Value> + '_ {
        let framed = |payload: &Value, frame: &Value| {
            let mut task = frame.clone();
            if let Value::Object(members) = &mut task {
                members.insert("payload".to_owned(), payload.clone());
            }
            task
        };
        let all = self.payloads.iter().flat_map(move |payload| self.frames.iter().map(move |f| framed(payload, f)));
        self.frames.iter().filter(|frame| frame.get("payload").is_some()).cloned().chain(all)
    }
}

/// What comparing variant by variant comes to.
pub(super) struct Pairing {
    /// Whether it proves that nothing is lost.
    pub(super) proved: bool,
    pub(super) findings: Vec<Finding>,
    pub(super) candidates: Candidates,
    compared: usize,
}

/// A variant with its schemas and their texts.
#[derive(Clone, Copy)]
struct Variant<'a> {
    bundle: &'a Bundle,
    described: &'a BundleVariant,
    prepared: &'a PreparedVariant,
}

fn variants(prepared: &Prepared) -> impl Iterator<Item = Variant<'_>> {
    let described = prepared.bundle.revisions.iter().flat_map(|revision| &revision.variants);
    let compiled = prepared.revisions.iter().flat_map(|revision| &revision.variants);
    described.zip(compiled).map(|(described, compiled)| Variant {
        bundle: &prepared.bundle,
        described,
        prepared: compiled,
    })
}

impl<'a> Variant<'a> {
    fn part(&self, reference: Option<&'a SchemaRef>, schema: Option<&'a Arc<Schema>>) -> Part<'a> {
        let known = reference.zip(schema).and_then(|(reference, schema)| {
            Some(Part::new(reference, schema, self.bundle.schemas.get(&reference.hash)?))
        });
        known.unwrap_or_else(Part::any)
    }

    fn applies_when(&self) -> Part<'a> {
        self.part(self.described.applies_when.as_ref(), self.prepared.applies_when.as_ref())
    }

    fn payload(&self) -> Part<'a> {
        self.part(self.described.payload_schema.as_ref(), self.prepared.contract.payload.as_ref())
    }

    fn task(&self) -> Part<'a> {
        self.part(self.described.task_schema.as_ref(), self.prepared.contract.task.as_ref())
    }

    fn constraints(&self) -> impl Iterator<Item = (&'a ResolvedConstraints, Part<'a>, Part<'a>)> + use<'a> {
        let variant = *self;
        let compiled = self.prepared.constraints.iter().map(|constraints| &constraints.schemas);
        self.described.constraints.iter().zip(compiled).map(move |(described, compiled): (_, &PreparedSchemas)| {
            let payload = variant.part(described.payload_schema.as_ref(), compiled.payload.as_ref());
            (described, payload, variant.part(described.task_schema.as_ref(), compiled.task.as_ref()))
        })
    }
}

/// Compares the variants of two revisions that are live alone.
pub(super) fn pair(comparer: &Comparer, old: &Prepared, new: &Prepared) -> Pairing {
    let mut pairing = Pairing { proved: true, findings: Vec::new(), candidates: Candidates::default(), compared: 0 };
    let (before, after): (Vec<_>, Vec<_>) = (variants(old).collect(), variants(new).collect());
    let acceptance = |prepared: &Prepared| prepared.bundle.revisions[0].acceptance;
    let all = |prepared, count: usize| acceptance(prepared) == Acceptance::All && count > 1;
    let (old_all, new_all) = (all(old, before.len()), all(new, after.len()));
    // A variant that is alone may be renamed.
    let counterpart = |variant: &Variant<'_>, others: &[Variant<'_>], own: usize| {
        let same = |other: &Variant<'_>| other.described.name == variant.described.name;
        others.iter().position(same).or((own == 1 && others.len() == 1).then_some(0))
    };
    for variant in &before {
        let frames = samples(&variant.applies_when(), &variant.task(), comparer.effort);
        pairing.candidates.frames.extend(frames);
        let second = variant.constraints().map(|(_, payload, _)| payload).next().unwrap_or_else(Part::any);
        pairing.candidates.payloads.extend(samples(&variant.payload(), &second, comparer.effort));
        match counterpart(variant, &after, before.len()) {
            Some(index) => compare(comparer, variant, &after[index], old_all || new_all, &mut pairing),
            None => {
                pairing.proved = false;
                let name = &variant.described.name;
                let message = format!("the variant {name} is gone: tasks that only it accepted are refused now");
                pairing.findings.push(of(name, finding(Effect::Unknown, "", message)));
            }
        }
    }
    for variant in after.iter().filter(|variant| counterpart(variant, &before, after.len()).is_none()) {
        let name = &variant.described.name;
        pairing.proved &= !new_all;
        let (effect, message) = if new_all {
            (Effect::Unknown, format!("the variant {name} is new, and every variant that applies must accept a task"))
        } else {
            (Effect::Loosened, format!("the variant {name} is new: tasks that it accepts are accepted now"))
        };
        pairing.findings.push(of(name, finding(effect, "", message)));
    }
    if new_all && !old_all {
        pairing.proved = false;
        let message = "every variant that applies must accept a task now; before, one was enough";
        pairing.findings.push(finding(Effect::Unknown, "", message));
    }
    pairing.candidates.frames.push(json!({}));
    pairing
}

fn of(name: &str, finding: Finding) -> Finding {
    Finding { variant: Some(name.to_owned()), ..finding }
}

/// Whether the new variant applies to and accepts whatever the old one does.
fn compare(comparer: &Comparer, old: &Variant<'_>, new: &Variant<'_>, exactly: bool, pairing: &mut Pairing) {
    let mut told = Told { comparer, name: &new.described.name, pairing };
    let (before, after) = (old.applies_when(), new.applies_when());
    if !before.is(&after) {
        told.pair(&before, &after, "", "/appliesWhen");
        // A variant that applies to more tasks refuses more where all must accept.
        told.pairing.proved &= !exactly;
    }
    told.pair(&old.task(), &new.task(), "", "");
    told.pair(&old.payload(), &new.payload(), "/payload", "");
    let known: Vec<_> = old.constraints().collect();
    for (constraints, payload, task) in new.constraints() {
        let same = |known: &Part<'_>, part: &Part<'_>| known.is(part);
        if !known.iter().any(|(_, known, _)| same(known, &payload)) {
            told.pair(&old.payload(), &payload, "/payload", "/constraints/payloadSchema");
        }
        if !known.iter().any(|(_, _, known)| same(known, &task)) {
            told.pair(&old.task(), &task, "", "/constraints/taskSchema");
        }
        let rules: Vec<&ResolvedRule> = known.iter().flat_map(|(constraints, ..)| &constraints.rules).collect();
        constraints.rules.iter().for_each(|rule| told.rule(&rules, rule));
    }
}

/// Where findings go.
struct Told<'a> {
    comparer: &'a Comparer,
    name: &'a str,
    pairing: &'a mut Pairing,
}

impl Told<'_> {
    /// Compares two schemas of the value at `at`; `schema` is the place of the new one in the variant.
    fn pair(&mut self, old: &Part<'_>, new: &Part<'_>, at: &str, schema: &str) {
        if old.is(new) {
            return;
        }
        self.pairing.compared += 1;
        if self.pairing.compared > PAIRS {
            self.pairing.proved = false;
            let message = format!("more than {PAIRS} schemas differ: this one was not compared");
            self.pairing.findings.push(of(self.name, finding(Effect::Unknown, at, message)));
            return;
        }
        let decision: Arc<Decision> = self.comparer.pairs.compare(old, new, self.comparer.effort);
        self.pairing.proved &= decision.verdict == CompatibilityVerdict::Compatible;
        let placed = decision.findings.iter().cloned().map(|mut finding| {
            finding.pointer.insert_str(0, at);
            let places = [&mut finding.old_schema_pointer, &mut finding.new_schema_pointer];
            places.into_iter().flatten().for_each(|place| place.insert_str(0, schema));
            of(self.name, finding)
        });
        self.pairing.findings.extend(placed);
        if let Some(witness) = &decision.witness {
            let candidates = &mut self.pairing.candidates;
            let group = if at.is_empty() { &mut candidates.frames } else { &mut candidates.payloads };
            group.insert(0, witness.clone());
        }
    }

    fn rule(&mut self, known: &[&ResolvedRule], rule: &ResolvedRule) {
        let implied = known.iter().any(|known| match (known, rule) {
            (ResolvedRule::AtMost { path, limit }, ResolvedRule::AtMost { path: other, limit: most }) => {
                path == other && Decimal::new(limit) <= Decimal::new(most)
            }
            (known, rule) => *known == rule,
        });
        if implied {
            return;
        }
        self.pairing.proved = false;
        let (path, message) = match rule {
            ResolvedRule::AtMost { path, limit } => {
                let before = known.iter().find_map(|known| match known {
                    ResolvedRule::AtMost { path: other, limit } if other == path => Some(format!("; before: {limit}")),
                    _ => None,
                });
                (path, format!("must be at most {limit}{}", before.unwrap_or_default()))
            }
            ResolvedRule::NotAfter { path, other } => (path, format!("must not be after {other}")),
        };
        self.pairing.findings.push(of(self.name, finding(Effect::Unknown, path, message)));
        self.exceed(rule);
    }

    /// Payloads that break the rule, made from those at hand.
    fn exceed(&mut self, rule: &ResolvedRule) {
        let (path, value) = match rule {
            ResolvedRule::AtMost { path, limit } => match limit.as_str().parse::<i128>() {
                Ok(limit) => (path, json!(i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX))),
                Err(_) => (path, json!(limit.as_f64().unwrap_or(f64::MAX) + 1.0)),
            },
            ResolvedRule::NotAfter { path, .. } => (path, json!("9999-12-31T00:00:00.000Z")),
        };
        let Some(path) = path.strip_prefix("/payload") else { return };
        let placed = |payload: &Value| {
            let mut payload = payload.clone();
            let place = payload.pointer_mut(path)?;
            *place = value.clone();
            Some(payload)
        };
        let made: Vec<Value> = self.pairing.candidates.payloads.iter().filter_map(placed).collect();
        self.pairing.candidates.payloads.extend(made);
    }
}
