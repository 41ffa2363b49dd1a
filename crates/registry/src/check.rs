//! Verdicts on tasks, and what a proposed definition would come to: nothing here is stored.

use crate::error::ReadError;
use crate::gate::{GateReport, proposed_bundle};
use crate::registry::Registry;
use payload_schema::Input;
use serde_json::Value;
use std::sync::Arc;
use worker_types::{Item, Outcome, RevisionNumber, Task, UncheckedReason, Verdict, WorkerTypeId};

/// What publishing a definition would come to.
#[derive(Clone, Debug)]
pub struct Check {
    /// The gate's findings.
    pub gate: GateReport,
    /// The verdict of the proposed definition on each task, in order; none where the gate refuses it.
    pub verdicts: Option<Vec<Verdict>>,
}

impl Registry {
    /// The verdict of what is live on a task, or on a payload alone.
    ///
    /// A worker type that does not exist or was deleted is `unchecked`, with the reason.
    ///
    /// # Errors
    /// The live definition cannot be evaluated by this version.
    pub fn verdict(&self, id: &WorkerTypeId, input: Input<'_>) -> Result<Verdict, ReadError> {
        let live = match self.live(id) {
            Ok(live) => live,
            Err(ReadError::UnknownWorkerType { similar, .. }) => return Ok(unknown(id, similar)),
            Err(ReadError::Deleted { generation, .. }) => {
                let verdict = Verdict::unchecked(id.clone(), UncheckedReason::Deleted);
                return Ok(Verdict { generation: Some(generation), ..verdict });
            }
            Err(error) => return Err(error),
        };
        let prepared = self
            .prepared(&live)
            .map_err(|error| ReadError::NotEvaluable { id: id.clone(), message: error.to_string() })?;
        Ok(prepared.evaluate(input).into_owned())
    }

    /// Holds a proposed definition against the gate and, where it passes, tasks against it.
    pub async fn check(self: &Arc<Self>, id: WorkerTypeId, definition: Value, tasks: Vec<Task>) -> Check {
        let registry = self.clone();
        let checked = tokio::task::spawn_blocking(move || registry.check_now(&id, &definition, &tasks)).await;
        checked.unwrap_or_else(|error| {
            let item = Item::new("internal", "", format!("the check did not finish: {error}"));
            Check { gate: GateReport { errors: vec![item], warnings: Vec::new() }, verdicts: None }
        })
    }

    fn check_now(&self, id: &WorkerTypeId, definition: &Value, tasks: &[Task]) -> Check {
        let gate = self.inspect_definition(definition, id);
        let snapshot = self.snapshot();
        let next = snapshot.worker_types.get(id).map_or(RevisionNumber(1), |entry| entry.record().last_revision.next());
        let bundle = if gate.ok() { proposed_bundle(definition, id, next, &**snapshot) } else { None };
        let prepared = bundle.and_then(|bundle| self.evaluator.prepare(Arc::new(bundle)).ok());
        let verdicts = prepared
            .map(|prepared| tasks.iter().map(|task| prepared.evaluate(Input::Task(task)).into_owned()).collect());
        Check { gate, verdicts }
    }
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
