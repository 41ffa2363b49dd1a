//! The gate, asked for a whole folder: the server's own, and a workbench for releases that are not published yet and
//! what rests on them.

use super::Finding;
use super::replay::{Answer, Replayed};
use crate::folder::{Folder, Sourced};
use crate::plan::{AT_ONCE, Subject, Workbench, conflict, releases_of};
use crate::{Failure, Terminal, report};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use worker_manager_client::{BatchAnswer, CheckReport, Client, ClientError};
use worker_types::{Outcome, Problem, ReleaseId, Task, WorkerTypeId, content_hash};

/// A folder that is being checked.
pub struct Checking<'a> {
    folder: &'a Folder,
    client: &'a Client,
    workbench: Workbench,
    /// Releases that only the folder has.
    new: BTreeSet<ReleaseId>,
    releases: Vec<Finding>,
    worker_types: BTreeMap<WorkerTypeId, Finding>,
}

impl<'a> Checking<'a> {
    /// Holds everything in `folder` against the gate and what is live.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn new(folder: &'a Folder, client: &'a Client, terminal: &Terminal) -> Result<Self, Failure> {
        let bar = terminal.progress(folder.releases.len() + folder.worker_types.len(), "checking");
        let workbench = Workbench::new()?;
        let (releases, worker_types) = (Vec::new(), BTreeMap::new());
        let mut checking = Self { folder, client, workbench, new: BTreeSet::new(), releases, worker_types };
        for (id, release) in &folder.releases {
            checking.release(id, release).await?;
            bar.inc(1);
        }
        let (resting, others): (Vec<_>, Vec<_>) =
            folder.worker_types.iter().partition(|(_, definition)| checking.rests_on_new(definition.value()));
        let by_server = stream::iter(others).map(|(id, definition)| {
            let bar = &bar;
            async move {
                let finding = of_server(id, definition.value(), client).await;
                bar.inc(1);
                finding.map(|finding| (id.clone(), finding))
            }
        });
        checking.worker_types = by_server.buffered(AT_ONCE).try_collect().await?;
        for (id, definition) in resting {
            let finding = checking.of_workbench(id, definition.value()).await?;
            checking.worker_types.insert(id.clone(), finding);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(checking)
    }

    /// Whether the folder defines a worker type.
    pub fn defines(&self, id: &WorkerTypeId) -> bool {
        self.worker_types.contains_key(id)
    }

    /// The worker types of the folder.
    pub fn worker_types(&self) -> Vec<WorkerTypeId> {
        self.worker_types.keys().cloned().collect()
    }

    /// Holds tasks against the folder's definition of their worker type and against the live one.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn replay(&mut self, id: &WorkerTypeId, tasks: Vec<Replayed>) -> Result<(), Failure> {
        let Some(definition) = self.folder.worker_types.get(id).map(Sourced::value) else { return Ok(()) };
        let values: Vec<Value> = tasks.iter().map(|task| task.value.clone()).collect();
        let answer = if self.rests_on_new(definition) {
            self.replay_on_workbench(id, definition, &values).await?
        } else {
            replay_on_server(id, definition, &values, self.client).await?
        };
        if let Some(finding) = self.worker_types.get_mut(id) {
            finding.replay.get_or_insert_default().add(&tasks, answer);
        }
        Ok(())
    }

    /// Releases first, each in the order of their ids.
    pub fn into_findings(self) -> Vec<Finding> {
        self.releases.into_iter().chain(self.worker_types.into_values()).collect()
    }

    fn rests_on_new(&self, definition: &Value) -> bool {
        !releases_of(definition).is_disjoint(&self.new)
    }

    async fn release(&mut self, id: &ReleaseId, release: &Sourced) -> Result<(), ClientError> {
        let mut finding = Finding::of(Subject::Release(id.clone()));
        match self.client.release(id).await {
            Ok(there) if there.content_hash == content_hash(release.value()) => {}
            Ok(_) => finding.errors = vec![conflict(id)],
            Err(error) if matches!(error.problem(), Some(Problem::UnknownRelease | Problem::UnknownImplementation)) => {
                self.new.insert(id.clone());
                match self.workbench.add(id, release.value().clone()).await {
                    Ok(warnings) => finding.warnings = warnings,
                    Err(errors) => finding.errors = errors,
                }
            }
            Err(error) => return Err(error),
        }
        self.releases.push(finding);
        Ok(())
    }

    async fn of_workbench(&mut self, id: &WorkerTypeId, definition: &Value) -> Result<Finding, ClientError> {
        let check = self.workbench.check(id, definition, Vec::new(), self.client).await?;
        let mut finding = Finding::of(Subject::WorkerType(id.clone()));
        (finding.errors, finding.warnings) = (check.gate.errors, check.gate.warnings);
        finding.compatibility = check.compatibility;
        finding.documentation = check.documentation;
        Ok(finding)
    }

    async fn replay_on_workbench(
        &mut self,
        id: &WorkerTypeId,
        definition: &Value,
        tasks: &[Value],
    ) -> Result<Option<Answer>, ClientError> {
        let normalised = tasks.iter().filter_map(|task| Task::normalised(task.clone()).ok()).collect();
        let check = self.workbench.check(id, definition, normalised, self.client).await?;
        let Some(verdicts) = check.verdicts else { return Ok(None) };
        let live = live_outcomes(tasks, self.client).await?;
        let mut answer = Answer::default();
        for (index, (live, proposed)) in live.into_iter().zip(verdicts).enumerate() {
            match (live == Outcome::Invalid, proposed.verdict == Outcome::Invalid) {
                (false, true) => answer.newly_refused.push((index, proposed.errors)),
                (true, false) => answer.newly_accepted += 1,
                _ => {}
            }
        }
        Ok(Some(answer))
    }
}

async fn of_server(id: &WorkerTypeId, definition: &Value, client: &Client) -> Result<Finding, ClientError> {
    let mut finding = Finding::of(Subject::WorkerType(id.clone()));
    match asked(id, definition, None, client).await? {
        Ok(report) => {
            (finding.errors, finding.warnings) = (report.gate.errors, report.gate.warnings);
            finding.compatibility = report.compatibility;
            finding.documentation = report.documentation;
        }
        Err(errors) => finding.errors = errors,
    }
    Ok(finding)
}

async fn replay_on_server(
    id: &WorkerTypeId,
    definition: &Value,
    tasks: &[Value],
    client: &Client,
) -> Result<Option<Answer>, ClientError> {
    let report = asked(id, definition, Some(tasks), client).await?;
    let replay = report.ok().and_then(|report| report.replay);
    Ok(replay.map(|replay| Answer {
        newly_refused: replay.newly_rejected.into_iter().map(|task| (task.index, task.errors)).collect(),
        newly_accepted: replay.newly_accepted,
    }))
}

/// The server's report, or why it does not look at the definition.
async fn asked(
    id: &WorkerTypeId,
    definition: &Value,
    tasks: Option<&[Value]>,
    client: &Client,
) -> Result<Result<CheckReport, Vec<worker_types::Item>>, ClientError> {
    match client.check(id, definition, tasks).await {
        Ok(report) => Ok(Ok(report)),
        Err(ClientError::Problem(answer)) if matches!(answer.status, 400 | 413 | 422) => {
            Ok(Err(report::items_of(&answer)))
        }
        Err(error) => Err(error),
    }
}

/// What the live definition says to each of `tasks`.
async fn live_outcomes(tasks: &[Value], client: &Client) -> Result<Vec<Outcome>, ClientError> {
    let lines: Vec<bytes::Bytes> = tasks.iter().map(|task| (task.to_string() + "\n").into()).collect();
    let answers = client.validate_batch(stream::iter(lines)).await?;
    let outcome = |answer| match answer {
        BatchAnswer::Verdict(verdict) => verdict.verdict,
        BatchAnswer::Broken { .. } => Outcome::Invalid,
    };
    answers.map_ok(|line| outcome(line.answer)).try_collect().await
}
