//! Moving many worker types to a release, planned first: what each would break, told once for each distinct pair of
//! contracts; then each published by itself, all or nothing, on the state that was planned on. And all of it back.

use crate::compatibility::Standing;
use crate::error::{ReadError, WriteError};
use crate::gate::proposed_bundle;
use crate::live::{Entry, LiveWorkerType};
use crate::precondition::Precondition;
use crate::publish::{Publish, Published, WriteContext};
use crate::registry::Registry;
use crate::store::StoreError;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use worker_types::{
    Bundle, Compatibility, CompatibilityPolicy, CompatibilityVerdict, ContentHash, Generation, Item, ReleaseId,
    RevisionNumber, WorkerTypeId, content_hash,
};

/// Which worker types are moved. Everything that is set must hold.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// The part of the id before the slash.
    pub provisioner_id: Option<String>,
    /// They have this tag.
    pub tag: Option<String>,
    /// They are among these; all where there are none.
    pub worker_types: Vec<WorkerTypeId>,
    /// They use one of these releases now; any other of the implementation where there are none.
    pub from: Vec<ReleaseId>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Adopt {
    /// The release that they are moved to, or back from.
    pub release: ReleaseId,
    /// Which worker types.
    pub which: Which,
    /// Back to what was live before they were moved.
    pub roll_back: bool,
    /// Publish; otherwise it is planned only.
    pub apply: bool,
    /// The generations that an earlier plan showed: others are left alone, and these must still be there.
    pub generations: Option<BTreeMap<WorkerTypeId, Generation>>,
    /// Publish although compatibility is required and broken.
    pub allow_breaking: bool,
}

/// What becomes, or became, of one worker type.
#[derive(Clone, Debug)]
pub enum AdoptionOutcome {
    /// Nothing stands in the way.
    Planned,
    /// It is live, as this revision.
    Published(RevisionNumber),
    /// The gate or the policy says no.
    Refused(Vec<Item>),
    /// Somebody else changed it first.
    LostRace(String),
    /// The caller lacks the scope.
    Forbidden(String),
    /// The database; publishing again is safe.
    Failed(String),
}

/// One worker type.
#[derive(Clone, Debug)]
pub struct Adoption {
    /// Which.
    pub id: WorkerTypeId,
    /// The state that was planned on.
    pub generation: Generation,
    /// The releases that it leaves.
    pub from: Vec<ReleaseId>,
    /// When rolling back: the revision whose content comes back.
    pub back_to: Option<RevisionNumber>,
    /// Which of the reports is about it; none where the gate refuses it.
    pub report: Option<usize>,
    /// What becomes of it.
    pub outcome: AdoptionOutcome,
}

/// A comparison, and how many worker types it is about.
#[derive(Clone, Debug)]
pub struct AdoptionReport {
    /// What the move does to tasks.
    pub compatibility: Compatibility,
    /// How many have this pair of contracts.
    pub worker_types: usize,
}

/// The plan, and what came of it.
#[derive(Clone, Debug, Default)]
pub struct Adopted {
    /// In the order of their ids.
    pub changes: Vec<Adoption>,
    /// One for each distinct pair of contracts.
    pub reports: Vec<AdoptionReport>,
}

impl Registry {
    /// Plans the move of many worker types to a release, or back from it, and makes it where that is asked for.
    ///
    /// # Errors
    /// There is no such release; the database, while it is planned. What happens to one worker type stands in the answer.
    pub async fn adopt(self: &Arc<Self>, request: Adopt, context: WriteContext) -> Result<Adopted, WriteError> {
        self.blocking(move |registry| registry.adopt_now(&request, &context)).await
    }

    fn adopt_now(&self, request: &Adopt, context: &WriteContext) -> Result<Adopted, WriteError> {
        // A plan is of the newest state, or of none.
        self.catch_up()?;
        self.release(&request.release)?;
        let entries: Vec<Arc<Entry>> = self.snapshot().worker_types.values().cloned().collect();
        let mut planning = Planning { registry: self, adopted: Adopted::default(), known: BTreeMap::new() };
        for entry in &entries {
            let Entry::Live(live) = &**entry else { continue };
            if !request.which.takes(live) || !request.was_planned(&live.record.id) {
                continue;
            }
            let Some(step) = self.step(live, request)? else { continue };
            let mut change = planning.plan(live, &step, request);
            if request.apply && matches!(change.outcome, AdoptionOutcome::Planned) {
                change.outcome = self.take(&step, &change, request, context);
            }
            planning.adopted.changes.push(change);
        }
        Ok(planning.adopted)
    }

    /// What the worker type would become; none where nothing of it changes.
    fn step(&self, live: &LiveWorkerType, request: &Adopt) -> Result<Option<Step>, StoreError> {
        let stored = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        if !request.roll_back {
            return Ok(moved(&stored(&live.revision.definition), &request.release, &request.which.from));
        }
        let Some(number) = live.revision.revision.0.checked_sub(1).filter(|number| *number > 0).map(RevisionNumber)
        else {
            return Ok(None);
        };
        let Some(earlier) = self.store.revision(&live.record.id, number)? else { return Ok(None) };
        let before = stored(&earlier.definition);
        // Only what a move has made is taken back: a later edit is somebody's work.
        let was_moved = moved(&before, &request.release, &request.which.from)
            .filter(|step| content_hash(&step.definition) == live.revision.content_hash);
        Ok(was_moved.map(|step| Step { definition: before, back_to: Some(number), ..step }))
    }

    /// Makes one step.
    fn take(&self, step: &Step, change: &Adoption, request: &Adopt, context: &WriteContext) -> AdoptionOutcome {
        let id = &change.id;
        let scope = format!("worker-manager:publish:{id}");
        if !context.caller.has(&scope) {
            return AdoptionOutcome::Forbidden(format!("the caller lacks the scope {scope}"));
        }
        let planned_on = request.generations.as_ref().and_then(|given| given.get(id)).copied();
        let precondition = Some(Precondition::Generation(planned_on.unwrap_or(change.generation)));
        let context = WriteContext { precondition, ..context.clone() };
        let published = match step.back_to {
            Some(number) => self.rollback_now(id, number, &context),
            None => {
                let definition = step.definition.clone();
                let publish = Publish { definition, allow_breaking: request.allow_breaking, ..Publish::default() };
                self.publish_now(id, publish, &context)
            }
        };
        outcome(published)
    }
}

/// What one worker type would become.
struct Step {
    definition: Value,
    from: Vec<ReleaseId>,
    back_to: Option<RevisionNumber>,
}

/// The definition with `release` in the place of others of its implementation (of those in `from`, if there are any).
fn moved(definition: &Value, release: &ReleaseId, from: &[ReleaseId]) -> Option<Step> {
    let mut definition = definition.clone();
    let mut left: Vec<ReleaseId> = Vec::new();
    for variant in definition.get_mut("variants")?.as_array_mut()? {
        let Some(named) = variant.get_mut("release") else { continue };
        let Some(old) = named.as_str().and_then(|text| text.parse::<ReleaseId>().ok()) else { continue };
        let is_meant = from.is_empty() || from.contains(&old);
        if old.implementation() == release.implementation() && old != *release && is_meant {
            *named = release.to_string().into();
            left.push(old);
        }
    }
    left.sort();
    left.dedup();
    (!left.is_empty()).then_some(Step { definition, from: left, back_to: None })
}

impl Which {
    fn takes(&self, live: &LiveWorkerType) -> bool {
        let id = &live.record.id;
        self.provisioner_id.as_deref().is_none_or(|wanted| id.provisioner_id() == wanted)
            && self.tag.as_ref().is_none_or(|tag| live.summary.tags.contains(tag))
            && (self.worker_types.is_empty() || self.worker_types.contains(id))
    }
}

impl Adopt {
    fn was_planned(&self, id: &WorkerTypeId) -> bool {
        self.generations.as_ref().is_none_or(|given| given.contains_key(id))
    }
}

struct Planning<'a> {
    registry: &'a Registry,
    adopted: Adopted,
    /// Which report is about a pair of contracts.
    known: BTreeMap<(ContentHash, ContentHash), usize>,
}

impl Planning<'_> {
    fn plan(&mut self, live: &LiveWorkerType, step: &Step, request: &Adopt) -> Adoption {
        let id = live.record.id.clone();
        let mut change = Adoption {
            generation: live.record.generation,
            from: step.from.clone(),
            back_to: step.back_to,
            report: None,
            outcome: AdoptionOutcome::Planned,
            id,
        };
        // What was live once is taken as it is.
        if step.back_to.is_none() {
            let gate = self.registry.inspect_definition(&step.definition, &change.id);
            if !gate.ok() {
                change.outcome = AdoptionOutcome::Refused(gate.errors);
                return change;
            }
        }
        let standing = Standing::of(live);
        let index = self.report(&standing, &step.definition);
        change.report = index;
        let report = index.and_then(|index| self.adopted.reports.get(index));
        let is_required = standing.policy == CompatibilityPolicy::Require && step.back_to.is_none();
        if let Some(AdoptionReport { compatibility, .. }) = report
            && is_required
            && !request.allow_breaking
            && compatibility.verdict != CompatibilityVerdict::Compatible
        {
            let message = format!("compatibility is required; {}", compatibility.summary());
            change.outcome = AdoptionOutcome::Refused(vec![Item::new("incompatible", "/compatibility", message)]);
        }
        change
    }

    /// The report on a pair of contracts, made once.
    fn report(&mut self, standing: &Standing, definition: &Value) -> Option<usize> {
        let registry = self.registry;
        let old = &standing.bundle;
        let number = old.revisions.last()?.revision.next();
        let new = proposed_bundle(definition, &old.worker_type_id, number, &**registry.snapshot())?;
        let pair = (contract_hash(old), contract_hash(&new));
        let reports = &mut self.adopted.reports;
        let index = *self.known.entry(pair).or_insert_with(|| {
            let compatibility = registry.compare(standing, definition);
            // It is about several worker types, whose revisions have numbers of their own.
            let compatibility = Compatibility { against: Vec::new(), ..compatibility };
            reports.push(AdoptionReport { compatibility, worker_types: 0 });
            reports.len() - 1
        });
        reports.get_mut(index)?.worker_types += 1;
        Some(index)
    }
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

fn outcome(published: Result<Published, WriteError>) -> AdoptionOutcome {
    match published {
        Ok(published) => AdoptionOutcome::Published(published.revision),
        Err(WriteError::InvalidDefinition(report)) => AdoptionOutcome::Refused(report.errors),
        Err(error @ WriteError::PreconditionFailed { .. }) => AdoptionOutcome::LostRace(error.to_string()),
        Err(error @ (WriteError::Store(_) | WriteError::Read(ReadError::Store(_)))) => {
            tracing::warn!(%error, "a worker type was not moved");
            AdoptionOutcome::Failed("the database cannot be reached; asking for the same again is safe".to_owned())
        }
        Err(error) => AdoptionOutcome::Refused(vec![Item::new("refused", "", error.to_string())]),
    }
}
