//! The gate, before anything is published: the server's own by a dry run, and a workbench for what rests on releases
//! that are only in the folder.

use super::workbench::{Workbench, releases_of};
use super::{Action, Plan, Subject};
use crate::folder::Folder;
use crate::{Failure, Terminal, comparison, report};
use std::collections::BTreeSet;
use worker_manager_client::{Client, ClientError, Precondition, ProblemAnswer, PublishOptions};
use worker_types::{Compatibility, CompatibilityVerdict, Item, ReleaseId};

/// Fills in what the gate says about each change of `plan`.
///
/// # Errors
/// The server does not answer.
pub async fn examine(
    plan: &mut Plan,
    folder: &Folder,
    client: &Client,
    options: &PublishOptions,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let options = PublishOptions { dry_run: true, ..options.clone() };
    let new: BTreeSet<ReleaseId> = plan.changes.iter().filter_map(new_release).collect();
    let mut workbench = if new.is_empty() { None } else { Some(Workbench::new()?) };
    let bar = terminal.progress(plan.changes.len(), "checking");
    for change in &mut plan.changes {
        bar.inc(1);
        if change.action == Action::Same {
            continue;
        }
        let Some(sourced) = change.sourced(folder) else { continue };
        let value = sourced.value();
        let found = match (&change.subject, change.action) {
            (Subject::Release(id), Action::Conflict) => Found { errors: vec![conflict(id)], ..Found::default() },
            (Subject::Release(id), _) => {
                let answer = client.put_release(id, value, &options).await;
                let found = found(answer.map(|written| Found::remarked(written.value.warnings)))?;
                if let (true, Some(workbench)) = (found.errors.is_empty(), &mut workbench) {
                    // The same gate has just passed it.
                    drop(workbench.add(id, value.clone()).await);
                }
                found
            }
            (Subject::WorkerType(id), action) => match &mut workbench {
                Some(workbench) if !releases_of(value).is_disjoint(&new) => {
                    let check = workbench.check(id, value, Vec::new(), client).await?;
                    let is_allowed = |item: &Item| options.allow_breaking && comparison::is_in_brief(item);
                    let errors = check.gate.errors.into_iter().filter(|item| !is_allowed(item));
                    let (errors, warnings) = (errors.collect(), check.gate.warnings);
                    Found { errors, warnings, compatibility: check.compatibility }
                }
                _ => {
                    let precondition = precondition(action);
                    let written = client.put_worker_type(id, value, precondition, &options).await;
                    found(written.map(|written| {
                        let compatibility = written.value.compatibility;
                        Found { compatibility, ..Found::remarked(written.value.warnings) }
                    }))?
                }
            },
        };
        change.warnings.extend(found.warnings);
        (change.errors, change.compatibility) = (found.errors, found.compatibility);
    }
    bar.finish_and_clear();
    Ok(())
}

fn new_release(change: &super::Change) -> Option<ReleaseId> {
    match (&change.subject, change.action) {
        (Subject::Release(id), Action::Create) => Some(id.clone()),
        _ => None,
    }
}

/// The state that `action` was planned on.
pub(super) fn precondition(action: Action) -> Precondition {
    match action {
        Action::Update { generation } => Precondition::Generation(generation),
        _ => Precondition::Absent,
    }
}

/// The error for a version that is published with another content.
pub fn conflict(id: &ReleaseId) -> Item {
    let message =
        format!("{id} is published with another content; releases are immutable, so publish this under a new version");
    Item::new("release-exists", "", message)
}

/// What is said of a change.
#[derive(Default)]
struct Found {
    /// Why it would be refused.
    errors: Vec<Item>,
    warnings: Vec<Item>,
    compatibility: Option<Compatibility>,
}

impl Found {
    fn remarked(warnings: Vec<Item>) -> Self {
        Self { warnings, ..Self::default() }
    }
}

/// The server's answer, or what it has against the change. A race that is lost already is told when publishing.
fn found(answer: Result<Found, ClientError>) -> Result<Found, Failure> {
    match answer {
        Ok(found) => Ok(found),
        Err(ClientError::Problem(answer)) if answer.status == 412 => Ok(Found::default()),
        Err(ClientError::Problem(answer)) if is_refusal(answer.status) => {
            let errors = match &answer.compatibility {
                // The report says the rest.
                Some(report) => vec![refused(report, &answer)],
                None => report::items_of(&answer),
            };
            Ok(Found { errors, compatibility: answer.compatibility.map(|report| *report), ..Found::default() })
        }
        Err(error) => Err(error.into()),
    }
}

/// At the place where the definition asks for it: the policy, or a rollout that ends by itself.
fn refused(report: &Compatibility, answer: &ProblemAnswer) -> Item {
    let at_once = report.verdict != CompatibilityVerdict::Compatible;
    let pointer = if at_once { "/compatibility" } else { "/rollout/completeAfter" };
    Item::new(answer.problem.clone(), pointer, report::in_flags(&answer.to_string()))
}

/// Whether a status means that the content was looked at and not taken.
pub(super) fn is_refusal(status: u16) -> bool {
    matches!(status, 400 | 409 | 413 | 422)
}
