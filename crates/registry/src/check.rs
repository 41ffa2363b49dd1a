//! Verdicts on tasks, and what a proposed definition would come to: nothing here is stored.

use crate::compatibility::Standing;
use crate::contract;
use crate::error::ReadError;
use crate::gate::GateReport;
use crate::live::Entry;
use crate::registry::Registry;
use crate::snapshot::Snapshot;
use payload_schema::{Input, Prepared};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;
use worker_types::{
    Compatibility, DocumentationCoverage, Item, Outcome, RevisionNumber, Rollout, Task, UncheckedReason, Verdict,
    WorkerTypeId,
};

/// What publishing a definition would come to.
#[derive(Clone, Debug)]
pub struct Check {
    /// The gate's findings, the compatibility policy's among them.
    pub gate: GateReport,
    /// The comparison with what is live, whatever the policy; none where nothing is, or where what the definition asks of
    /// tasks cannot be read.
    pub compatibility: Option<Compatibility>,
    /// What authors would find of it; none where the gate refuses the definition's shape.
    pub documentation: Option<DocumentationCoverage>,
    /// The verdict of the proposed definition on each task, in order; none where the gate refuses it.
    pub verdicts: Option<Vec<Verdict>>,
}

/// What tasks for one worker type are held against.
pub enum Contract {
    /// What is live, compiled.
    Live(Arc<Prepared>),
    /// Nothing is live: the verdict on every task.
    Nothing(Box<Verdict>),
}

impl Registry {
    /// The verdict of what is live on a task, or on a payload alone.
    ///
    /// A worker type that does not exist or was deleted is `unchecked`, with the reason.
    ///
    /// # Errors
    /// The live definition cannot be evaluated by this version.
    pub fn verdict(&self, id: &WorkerTypeId, input: Input<'_>) -> Result<Verdict, ReadError> {
        Ok(match self.contract(id)? {
            Contract::Live(prepared) => prepared.evaluate(input).into_owned(),
            Contract::Nothing(verdict) => *verdict,
        })
    }

    /// What tasks for `id` are held against.
    ///
    /// # Errors
    /// The live definition cannot be evaluated by this version.
    pub fn contract(&self, id: &WorkerTypeId) -> Result<Contract, ReadError> {
        let snapshot = self.snapshot();
        self.contract_in(&snapshot, id, snapshot.worker_types.get(id).map(|entry| &**entry))
    }

    /// As [`Self::contract`], for many ids. Each contract among thousands has to be fetched from memory, in several steps;
    /// the same step is done for all, so that a processor waits for many at once.
    ///
    /// # Errors
    /// In the place of a contract: as [`Self::contract`].
    pub fn contracts<'i>(&self, ids: impl Iterator<Item = &'i WorkerTypeId>) -> Vec<Result<Contract, ReadError>> {
        let snapshot = self.snapshot();
        let entries: Vec<(&WorkerTypeId, Option<&Entry>)> =
            ids.map(|id| (id, snapshot.worker_types.get(id).map(|entry| &**entry))).collect();
        for (_, entry) in &entries {
            if let Some(Entry::Live(live)) = entry {
                live.prepared.fetch();
            }
        }
        let contracts: Vec<_> = entries.into_iter().map(|(id, entry)| self.contract_in(&snapshot, id, entry)).collect();
        for contract in &contracts {
            if let Ok(Contract::Live(prepared)) = contract {
                prepared.fetch();
            }
        }
        contracts
    }

    fn contract_in(
        &self,
        snapshot: &Snapshot,
        id: &WorkerTypeId,
        entry: Option<&Entry>,
    ) -> Result<Contract, ReadError> {
        let nothing = |verdict| Ok(Contract::Nothing(Box::new(verdict)));
        match entry {
            Some(Entry::Live(live)) => self
                .prepared(live)
                .map(Contract::Live)
                .map_err(|error| ReadError::NotEvaluable { id: id.clone(), message: error.to_string() }),
            Some(Entry::Tombstone(record)) => {
                let verdict = Verdict::unchecked(id.clone(), UncheckedReason::Deleted);
                nothing(Verdict { generation: Some(record.generation), ..verdict })
            }
            None => nothing(unknown(id, snapshot.similar_worker_type(id.as_str()))),
        }
    }

    /// Holds a proposed definition against the gate and, as far as its contract can be read, against what is live; and tasks
    /// against it.
    pub async fn check(self: &Arc<Self>, id: WorkerTypeId, definition: Value, tasks: Vec<Task>) -> Check {
        let entry = self.snapshot().worker_types.get(&id).cloned();
        let standing = entry.and_then(|entry| match &*entry {
            Entry::Live(live) => Some(Standing::of(live)),
            Entry::Tombstone(_) => None,
        });
        self.check_against(standing, id, definition, tasks).await
    }

    /// As [`Self::check`], where what is live is known from elsewhere.
    pub async fn check_against(
        self: &Arc<Self>,
        standing: Option<Standing>,
        id: WorkerTypeId,
        definition: Value,
        tasks: Vec<Task>,
    ) -> Check {
        let registry = self.clone();
        let work = move || registry.check_now(standing.as_ref(), &id, &definition, &tasks);
        let checked = tokio::task::spawn_blocking(work).await;
        checked.unwrap_or_else(|error| {
            let item = Item::new("internal", "", format!("the check did not finish: {error}"));
            let gate = GateReport { errors: vec![item], ..GateReport::default() };
            Check { gate, compatibility: None, documentation: None, verdicts: None }
        })
    }

    fn check_now(&self, standing: Option<&Standing>, id: &WorkerTypeId, definition: &Value, tasks: &[Task]) -> Check {
        let mut gate = self.inspect_definition(definition, id);
        let documentation = self.coverage_of(id, definition);
        // What is wrong elsewhere keeps nobody from seeing what the change does to tasks.
        let passes = gate.ok();
        let contract = if passes { Cow::Borrowed(definition) } else { Cow::Owned(contract::alone(definition)) };
        let next = standing.map_or(RevisionNumber(1), |standing| standing.last_revision.next());
        let proposed = self.proposed(id, &contract, next);
        gate.warnings.extend(standing.filter(|standing| standing.is_rolling()).map(rollout_open));
        let compared = standing.filter(|_| passes || proposed.is_some());
        let compatibility = compared.map(|standing| self.check_compatibility(standing, &contract, &mut gate));
        let judge =
            |proposed: Prepared| tasks.iter().map(|task| proposed.evaluate(Input::Task(task)).into_owned()).collect();
        Check { gate, compatibility, documentation, verdicts: proposed.filter(|_| passes).map(judge) }
    }

    /// Compares, and adds to the gate's findings what the policy says.
    fn check_compatibility(&self, standing: &Standing, definition: &Value, gate: &mut GateReport) -> Compatibility {
        let rollout = Rollout::of(definition).policy;
        let Some(judgement) = self.judge(standing, definition, rollout) else {
            return self.compare(standing, definition, rollout);
        };
        let refuses = judgement.refuses() && !standing.has_newest(definition);
        let findings = if refuses { &mut gate.errors } else { &mut gate.warnings };
        findings.extend(judgement.remarks());
        judgement.report
    }
}

fn rollout_open(standing: &Standing) -> Item {
    let numbers: Vec<String> = standing.bundle.revisions.iter().map(|each| each.revision.to_string()).collect();
    let message = format!(
        "a rollout is open, revisions {} are live: publishing is refused until it is completed or aborted, unless it is to replace the newer one (?rollout=replace)",
        numbers.join(" and ")
    );
    Item::new("rollout-open", "/rollout", message)
}

fn unknown(id: &WorkerTypeId, similar: Option<String>) -> Verdict {
    let mut verdict = Verdict::unchecked(id.clone(), UncheckedReason::UnknownWorkerType);
    let hint = similar.as_ref().map(|other| format!("; did you mean {other}?")).unwrap_or_default();
    let item = Item::new("unknown-worker-type", "", format!("there is no worker type {id}{hint}"));
    verdict.warnings.push(item.suggest(similar));
    verdict
}

impl Check {
    /// The tasks that the proposed definition refuses: their index and why.
    pub fn refused(&self) -> impl Iterator<Item = (usize, &Verdict)> {
        let verdicts = self.verdicts.iter().flatten().enumerate();
        verdicts.filter(|(_, verdict)| verdict.verdict == Outcome::Invalid)
    }
}
