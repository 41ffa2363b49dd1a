//! The folder against what is live. Only reads.

use super::workbench::{Workbench, releases_of};
use super::{Action, Change, Plan, Subject, lines};
use crate::folder::{Folder, Sourced};
use crate::{Failure, Terminal};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use std::collections::BTreeSet;
use worker_manager_client::{Client, ClientError, ListQuery};
use worker_types::{Item, Problem, ReleaseId, WorkerTypeId, content_hash};

/// Requests under way at once.
pub const AT_ONCE: usize = 8;

/// Holds `folder` against what `client`'s server has.
///
/// # Errors
/// The server does not answer.
pub async fn compare(folder: &Folder, client: &Client, terminal: &Terminal) -> Result<Plan, Failure> {
    let bar = terminal.progress(folder.releases.len() + folder.worker_types.len(), "comparing");
    let bar = &bar;
    let releases = stream::iter(&folder.releases).map(|(id, release)| async move {
        let change = release_change(id, release, client).await;
        bar.inc(1);
        change
    });
    let mut changes: Vec<Change> = releases.buffered(AT_ONCE).try_collect().await?;
    let worker_types = stream::iter(&folder.worker_types).map(|(id, definition)| async move {
        let change = worker_type_change(id, definition, client).await;
        bar.inc(1);
        change
    });
    changes.append(&mut worker_types.buffered(AT_ONCE).try_collect().await?);
    bar.finish_and_clear();
    let listed = client.worker_types(&ListQuery { limit: Some(1000), ..ListQuery::default() }).all().await?;
    let elsewhere = listed.into_iter().map(|entry| entry.worker_type_id);
    let elsewhere = elsewhere.filter(|id| !folder.worker_types.contains_key(id)).collect();
    Ok(Plan { changes, elsewhere })
}

async fn release_change(id: &ReleaseId, release: &Sourced, client: &Client) -> Result<Change, ClientError> {
    let subject = Subject::Release(id.clone());
    let new = release.value();
    let there = match client.release(id).await {
        Ok(there) => there,
        Err(error) if is(&error, &[Problem::UnknownRelease, Problem::UnknownImplementation]) => {
            return Ok(Change::new(subject, Action::Create, lines::added(new, release.file())));
        }
        Err(error) => return Err(error),
    };
    if there.content_hash == content_hash(new) {
        return Ok(Change::new(subject, Action::Same, String::new()));
    }
    let diff = lines::unified(&there.content, new, &format!("{id}, as it was published"), release.file());
    Ok(Change::new(subject, Action::Conflict, diff))
}

async fn worker_type_change(id: &WorkerTypeId, definition: &Sourced, client: &Client) -> Result<Change, ClientError> {
    let subject = Subject::WorkerType(id.clone());
    let new = definition.value();
    let live = match client.worker_type(id).await {
        Ok(live) => live,
        Err(error) if is(&error, &[Problem::UnknownWorkerType, Problem::Deleted]) => {
            let mut change = Change::new(subject, Action::Create, lines::added(new, definition.file()));
            if is(&error, &[Problem::Deleted]) {
                let words = format!("{id} was deleted; publishing it brings it back, and its numbering goes on");
                change.warnings.push(Item::new("deleted", "", words));
            }
            return Ok(change);
        }
        Err(error) => return Err(error),
    };
    if live.content_hash == content_hash(new) {
        return Ok(Change::new(subject, Action::Same, String::new()));
    }
    let hides_pool = live.definition.get("pool").is_none() && content_hash(&live.definition) != live.content_hash;
    let mut old = live.definition;
    if let (true, Value::Object(members), Some(pool)) = (hides_pool, &mut old, new.get("pool")) {
        // The caller may not see the live pool; showing all of it as new would be wrong.
        members.insert("pool".to_owned(), pool.clone());
    }
    let diff = lines::unified(&old, new, &format!("{id}, revision {}", live.revision), definition.file());
    let mut change = Change::new(subject, Action::Update { generation: live.generation }, diff);
    if hides_pool {
        let words = "the live pool configuration is hidden from this caller, so a difference in it is not shown";
        change.warnings.push(Item::new("hidden-pool", "/pool", words));
    }
    Ok(change)
}

/// Fills in what each change of a worker type would break. The gate is not asked about: where it refuses, there is none.
///
/// # Errors
/// The server does not answer.
pub async fn foresee(plan: &mut Plan, folder: &Folder, client: &Client) -> Result<(), Failure> {
    // The server does not know the releases that are only in the folder.
    let mut workbench = Workbench::new()?;
    let mut new = BTreeSet::new();
    for change in plan.changes.iter().filter(|change| change.action == Action::Create) {
        let (Subject::Release(id), Some(sourced)) = (&change.subject, change.sourced(folder)) else { continue };
        if workbench.add(id, sourced.value().clone()).await.is_ok() {
            new.insert(id.clone());
        }
    }
    for change in plan.changes.iter_mut().filter(|change| matches!(change.action, Action::Update { .. })) {
        let (Subject::WorkerType(id), Some(sourced)) = (&change.subject, change.sourced(folder)) else { continue };
        if !releases_of(sourced.value()).is_disjoint(&new) {
            change.compatibility = workbench.check(id, sourced.value(), Vec::new(), client).await?.compatibility;
            continue;
        }
        change.compatibility = match client.check(id, sourced.value(), None).await {
            Ok(report) => report.compatibility,
            // Whoever may read may be one who may not check.
            Err(ClientError::Problem(answer)) if matches!(answer.status, 400 | 403 | 413 | 422) => None,
            Err(error) => return Err(error.into()),
        };
    }
    Ok(())
}

fn is(error: &ClientError, problems: &[Problem]) -> bool {
    error.problem().is_some_and(|problem| problems.contains(&problem))
}
