//! The gate, asked for a whole folder: the server's own, and a workbench for releases that are not published yet and
//! what rests on them.

use super::recording::Recording;
use super::{Finding, Replay};
use crate::folder::{Folder, Sourced};
use crate::plan::{AT_ONCE, Subject, Workbench, conflict, releases_of};
use crate::tasks::Subject as Recorded;
use crate::{Failure, Terminal, report};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use std::collections::BTreeSet;
use worker_manager_client::{BatchAnswer, Client, ClientError};
use worker_types::{Outcome, Problem, ReleaseId, Task, WorkerTypeId, content_hash};

/// The most tasks, and bytes of them, that go with one request.
const TASKS: usize = 1000;
const BYTES: usize = 16 << 20;

/// Holds everything in `folder` against the gate, and `recording` against its definitions.
///
/// # Errors
/// The server does not answer.
pub async fn check(
    folder: &Folder,
    recording: &Recording,
    client: &Client,
    terminal: &Terminal,
) -> Result<Vec<Finding>, Failure> {
    let bar = terminal.progress(folder.releases.len() + folder.worker_types.len(), "checking");
    let mut workbench = Workbench::new()?;
    let (mut findings, mut new) = (Vec::new(), BTreeSet::new());
    for (id, release) in &folder.releases {
        let (finding, is_new) = of_release(id, release, &mut workbench, client).await?;
        if is_new {
            new.insert(id.clone());
        }
        findings.push(finding);
        bar.inc(1);
    }
    let rests_on_new = |definition: &Sourced| !releases_of(definition.value()).is_disjoint(&new);
    let (resting, others): (Vec<_>, Vec<_>) =
        folder.worker_types.iter().partition(|(_, definition)| rests_on_new(definition));
    let by_server = stream::iter(others).map(|(id, definition)| {
        let bar = &bar;
        async move {
            let finding = by_server(id, definition.value(), recording.of(id), client).await;
            bar.inc(1);
            finding
        }
    });
    let mut of_worker_types: Vec<Finding> = by_server.buffered(AT_ONCE).try_collect().await?;
    for (id, definition) in resting {
        of_worker_types.push(by_workbench(id, definition.value(), recording.of(id), &mut workbench, client).await?);
        bar.inc(1);
    }
    of_worker_types.sort_by_key(|finding| finding.subject.to_string());
    findings.append(&mut of_worker_types);
    bar.finish_and_clear();
    Ok(findings)
}

/// What the gate says of a release, and whether it is one that the server does not have.
async fn of_release(
    id: &ReleaseId,
    release: &Sourced,
    workbench: &mut Workbench,
    client: &Client,
) -> Result<(Finding, bool), ClientError> {
    let subject = Subject::Release(id.clone());
    let finding = |errors, warnings| Finding { subject, errors, warnings, replay: None };
    match client.release(id).await {
        Ok(there) if there.content_hash == content_hash(release.value()) => {
            Ok((finding(Vec::new(), Vec::new()), false))
        }
        Ok(_) => Ok((finding(vec![conflict(id)], Vec::new()), false)),
        Err(error) if matches!(error.problem(), Some(Problem::UnknownRelease | Problem::UnknownImplementation)) => {
            Ok(match workbench.add(id, release.value().clone()).await {
                Ok(warnings) => (finding(Vec::new(), warnings), true),
                Err(errors) => (finding(errors, Vec::new()), true),
            })
        }
        Err(error) => Err(error),
    }
}

async fn by_server(
    id: &WorkerTypeId,
    definition: &Value,
    tasks: &[Recorded],
    client: &Client,
) -> Result<Finding, ClientError> {
    let mut finding =
        Finding { subject: Subject::WorkerType(id.clone()), errors: Vec::new(), warnings: Vec::new(), replay: None };
    for (first, part) in parts(tasks) {
        let sent = if tasks.is_empty() { None } else { Some(part) };
        let report = match client.check(id, definition, sent.as_deref()).await {
            Ok(report) => report,
            Err(ClientError::Problem(answer)) if matches!(answer.status, 400 | 413 | 422) => {
                finding.errors = report::items_of(&answer);
                return Ok(finding);
            }
            Err(error) => return Err(error),
        };
        (finding.errors, finding.warnings) = (report.gate.errors, report.gate.warnings);
        let Some(replay) = report.replay else { break };
        let so_far = finding.replay.get_or_insert_default();
        so_far.checked += replay.checked;
        so_far.newly_accepted += replay.newly_accepted;
        let refused = replay.newly_rejected.into_iter().map(|task| (first + task.index, task.errors));
        so_far.newly_refused.extend(refused);
    }
    Ok(finding)
}

/// The tasks in parts that fit a request, each with the place of its first; one empty part where there are none.
fn parts(tasks: &[Recorded]) -> Vec<(usize, Vec<Value>)> {
    let mut parts: Vec<(usize, Vec<Value>)> = vec![(0, Vec::new())];
    let mut bytes = 0;
    for (index, task) in tasks.iter().enumerate() {
        let size = task.value.to_string().len();
        let is_full =
            parts.last().is_some_and(|(_, part)| part.len() >= TASKS || (bytes + size > BYTES && !part.is_empty()));
        if is_full {
            parts.push((index, Vec::new()));
            bytes = 0;
        }
        bytes += size;
        if let Some((_, part)) = parts.last_mut() {
            part.push(task.value.clone());
        }
    }
    parts
}

async fn by_workbench(
    id: &WorkerTypeId,
    definition: &Value,
    tasks: &[Recorded],
    workbench: &mut Workbench,
    client: &Client,
) -> Result<Finding, ClientError> {
    let normalised = tasks.iter().filter_map(|task| Task::normalised(task.value.clone()).ok()).collect();
    let check = workbench.check(id, definition, normalised, client).await?;
    let subject = Subject::WorkerType(id.clone());
    let mut finding = Finding { subject, errors: check.gate.errors, warnings: check.gate.warnings, replay: None };
    if let (Some(verdicts), false) = (check.verdicts, tasks.is_empty()) {
        let live = live_outcomes(tasks, client).await?;
        let mut replay = Replay { checked: tasks.len() as u64, ..Replay::default() };
        for (index, (live, proposed)) in live.into_iter().zip(verdicts).enumerate() {
            match (live == Outcome::Invalid, proposed.verdict == Outcome::Invalid) {
                (false, true) => replay.newly_refused.push((index, proposed.errors)),
                (true, false) => replay.newly_accepted += 1,
                _ => {}
            }
        }
        finding.replay = Some(replay);
    }
    Ok(finding)
}

/// What the live definition says to each of `tasks`.
async fn live_outcomes(tasks: &[Recorded], client: &Client) -> Result<Vec<Outcome>, ClientError> {
    let lines: Vec<bytes::Bytes> = tasks.iter().map(|task| (task.value.to_string() + "\n").into()).collect();
    let answers = client.validate_batch(stream::iter(lines)).await?;
    let outcome = |answer| match answer {
        BatchAnswer::Verdict(verdict) => verdict.verdict,
        BatchAnswer::Broken { .. } => Outcome::Invalid,
    };
    answers.map_ok(|line| outcome(line.answer)).try_collect().await
}
