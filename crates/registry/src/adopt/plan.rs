//! What would become of each worker type, and one comparison for each distinct pair of contracts.

use super::step::{Step, moved};
use super::{Adopt, Adopted, Adoption, AdoptionOutcome, AdoptionReport, Which};
use crate::compatibility::{Judgement, Standing};
use crate::error::{ReadError, WriteError};
use crate::live::{Entry, LiveWorkerType};
use crate::registry::Registry;
use crate::store::WorkerTypeState;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use worker_types::{
    Bundle, Caller, Compatibility, CompatibilityVerdict, ContentHash, Generation, Item, RevisionNumber, Rollout,
    RolloutPolicy, WorkerTypeId, content_hash,
};

/// A row, and the step that it stands for where there is one to take.
pub(super) type Planned = (Adoption, Option<Step>);

pub(super) struct Planning<'a> {
    pub(super) registry: &'a Registry,
    pub(super) request: &'a Adopt,
    pub(super) adopted: Adopted,
    caller: &'a Caller,
    /// Which report is about a pair of contracts.
    known: BTreeMap<(ContentHash, ContentHash), usize>,
}

impl<'a> Planning<'a> {
    pub(super) fn new(registry: &'a Registry, request: &'a Adopt, caller: &'a Caller) -> Self {
        Self { registry, request, caller, adopted: Adopted::default(), known: BTreeMap::new() }
    }

    /// The move of one worker type; none where it is not meant or has nothing to move.
    pub(super) fn forward(&mut self, id: &WorkerTypeId, entry: Option<&Entry>) -> Option<Planned> {
        let planned_on = self.request.generations.as_ref().and_then(|given| given.get(id)).copied();
        let live = match entry {
            Some(Entry::Live(live)) => live,
            // It was there when it was planned.
            gone => return Some((vanished(id, planned_on?, gone), None)),
        };
        let step = moved(&stored(&live.revision.definition), &self.request.release, &self.request.which.from);
        if let Some(planned_on) = planned_on.filter(|planned_on| *planned_on != live.record.generation) {
            let is_made = step.is_none() && live.record.generation == planned_on.next();
            let outcome = if is_made && live.summary.releases.contains(&self.request.release.to_string()) {
                AdoptionOutcome::Unchanged(live.revision.revision)
            } else {
                lost_race(live)
            };
            return Some((Adoption::without(id, planned_on, outcome), None));
        }
        let step = step.filter(|_| self.request.which.takes(live))?;
        Some((self.row(live, &step, None), Some(step)))
    }

    /// A worker type of which the caller may know nothing: a row only where the caller named it with its generation.
    pub(super) fn not_readable(&mut self, id: &WorkerTypeId, entry: Option<&Entry>) {
        let left = self.request.back.as_ref().and_then(|back| back.get(id)).map(|left| left.generation);
        let named = left.or_else(|| self.request.generations.as_ref().and_then(|given| given.get(id)).copied());
        if let Some(generation) = named {
            let words = format!("the caller lacks the scope worker-manager:get:{id}");
            self.adopted.changes.push(Adoption::without(id, generation, AdoptionOutcome::Forbidden(words)));
            return;
        }
        let Some(Entry::Live(live)) = entry else { return };
        let step = moved(&stored(&live.revision.definition), &self.request.release, &self.request.which.from);
        self.adopted.not_shown += usize::from(step.is_some() && self.request.which.takes(live));
    }

    /// What will become of one worker type.
    pub(super) fn row(&mut self, live: &LiveWorkerType, step: &Step, back_to: Option<RevisionNumber>) -> Adoption {
        let mut row = Adoption {
            id: live.record.id.clone(),
            generation: live.record.generation,
            generation_after: None,
            revision_before: Some(live.revision.revision),
            from: step.from.clone(),
            back_to,
            report: None,
            outcome: AdoptionOutcome::Planned,
        };
        row.outcome = match self.obstacle(live, step, &mut row) {
            Some(obstacle) => obstacle,
            None => {
                row.generation_after = Some(row.generation.next());
                AdoptionOutcome::Planned
            }
        };
        row
    }

    /// What stands in the way; everything that publishing would say.
    fn obstacle(&mut self, live: &LiveWorkerType, step: &Step, row: &mut Adoption) -> Option<AdoptionOutcome> {
        let scope = format!("worker-manager:publish:{}", row.id);
        if !self.caller.has(&scope) {
            return Some(AdoptionOutcome::Forbidden(format!("the caller lacks the scope {scope}")));
        }
        let standing = Standing::of(live);
        // What was live once is taken as it is, and ends a rollout.
        if row.back_to.is_some() {
            row.report = self.report(&standing, &step.definition, RolloutPolicy::Immediate);
            return None;
        }
        if let WorkerTypeState::Live { revision, older: Some(older) } = &live.record.state {
            return Some(AdoptionOutcome::Refused(vec![rollout_open(older.revision, revision.revision)]));
        }
        let gate = self.registry.inspect_definition(&step.definition, &row.id);
        if !gate.ok() {
            return Some(AdoptionOutcome::Refused(gate.errors));
        }
        let rollout = Rollout::of(&step.definition);
        row.report = self.report(&standing, &step.definition, rollout.policy);
        let report = &self.adopted.reports.get(row.report?)?.compatibility;
        let ends_by_itself = rollout.policy != RolloutPolicy::Immediate && rollout.complete_after.is_some();
        let judgement = Judgement { report: report.clone(), policy: standing.policy, ends_by_itself };
        let refuses = judgement.refuses() && !self.request.allow_breaking;
        refuses.then(|| AdoptionOutcome::Refused(vec![incompatible(&row.id, Box::new(judgement.report))]))
    }

    /// The report on a pair of contracts, made once.
    fn report(&mut self, standing: &Standing, definition: &Value, rollout: RolloutPolicy) -> Option<usize> {
        let registry = self.registry;
        let new = standing.published(definition, rollout, &**registry.snapshot())?;
        let pair = (contract_hash(&standing.bundle), contract_hash(&new));
        let reports = &mut self.adopted.reports;
        let index = match self.known.get(&pair) {
            Some(known) => *known,
            None => {
                let compatibility = of_many(registry.compare(standing, definition, rollout));
                // The next worker type of the same pair may have its turn.
                if !compatibility.is_provisional {
                    self.known.insert(pair, reports.len());
                }
                reports.push(AdoptionReport { compatibility, worker_types: 0 });
                reports.len() - 1
            }
        };
        reports.get_mut(index)?.worker_types += 1;
        Some(index)
    }
}

impl Which {
    fn takes(&self, live: &LiveWorkerType) -> bool {
        let id = &live.record.id;
        self.provisioner_id.as_deref().is_none_or(|wanted| id.provisioner_id() == wanted)
            && self.tag.as_ref().is_none_or(|tag| live.summary.tags.contains(tag))
            && (self.worker_types.is_empty() || self.worker_types.contains(id))
    }
}

/// A report about several worker types, whose revisions have numbers of their own.
fn of_many(report: Compatibility) -> Compatibility {
    let after_rollout = report.after_rollout.map(|after| Box::new(of_many(*after)));
    Compatibility { against: Vec::new(), after_rollout, ..report }
}

/// A definition as it is stored.
pub(super) fn stored(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// Somebody else was there first.
pub(super) fn lost_race(live: &LiveWorkerType) -> AdoptionOutcome {
    let (id, current) = (live.record.id.clone(), Some(live.record.generation));
    AdoptionOutcome::LostRace(WriteError::PreconditionFailed { id, current }.to_string())
}

/// The row of a worker type that is not live any more.
pub(super) fn vanished(id: &WorkerTypeId, generation: Generation, entry: Option<&Entry>) -> Adoption {
    let words = match entry.map(Entry::record) {
        Some(record) => {
            let (last_revision, generation) = (record.last_revision, record.generation);
            ReadError::Deleted { id: id.clone(), last_revision, generation }.to_string()
        }
        None => ReadError::UnknownWorkerType { id: id.clone(), similar: None }.to_string(),
    };
    Adoption::without(id, generation, AdoptionOutcome::LostRace(words))
}

fn rollout_open(from: RevisionNumber, to: RevisionNumber) -> Item {
    let message = format!("a rollout from revision {from} to revision {to} is open; complete or abort it first");
    Item::new("rollout-open", "/rollout", message)
}

/// Of everything in a bundle that decides about tasks.
fn contract_hash(bundle: &Bundle) -> ContentHash {
    let revisions = bundle.revisions.iter().map(|revision| {
        let variants = revision.variants.iter().map(|variant| {
            let (applies, task, payload) = (&variant.applies_when, &variant.task_schema, &variant.payload_schema);
            json!([variant.name, applies, task, payload, variant.constraints])
        });
        json!([revision.acceptance, revision.lifecycle, variants.collect::<Vec<_>>()])
    });
    content_hash(&json!([bundle.rollout, revisions.collect::<Vec<_>>()]))
}

/// As publishing says it.
pub(super) fn incompatible(id: &WorkerTypeId, report: Box<Compatibility>) -> Item {
    let at_once = report.verdict != CompatibilityVerdict::Compatible;
    let pointer = if at_once { "/compatibility" } else { "/rollout/completeAfter" };
    let refusal = WriteError::Incompatible { id: id.clone(), report };
    Item::new("incompatible", pointer, refusal.to_string())
}
