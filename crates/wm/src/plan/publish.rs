//! The change itself: each with the state that it was planned on, and all of them, whatever becomes of one.

use super::examine::{is_refusal, precondition};
use super::{Action, Change, Outcome, Plan, Subject};
use crate::folder::{Folder, Sourced};
use crate::{Exit, Terminal, report};
use std::time::Duration;
use worker_manager_client::{Client, ClientError, PublishOptions};

/// How often an answer is waited for: publishing the same again is safe.
const ATTEMPTS: u32 = 3;

/// What is needed to publish.
pub struct Publishing<'a> {
    /// Where the definitions come from.
    pub folder: &'a Folder,
    /// Where they go.
    pub client: &'a Client,
    /// Why, and how.
    pub options: &'a PublishOptions,
}

/// Publishes every change of `plan`, and notes what came of each.
pub async fn publish(plan: &mut Plan, how: &Publishing<'_>, terminal: &Terminal) -> Exit {
    let due = plan.changes.iter().filter(|change| change.action != Action::Same).count();
    let bar = terminal.progress(due, "publishing");
    for change in plan.changes.iter_mut().filter(|change| change.action != Action::Same) {
        if let Some(sourced) = change.sourced(how.folder) {
            publish_one(change, sourced, how).await;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    exit(plan)
}

async fn publish_one(change: &mut Change, sourced: &Sourced, how: &Publishing<'_>) {
    let mut attempt = 1;
    let answer = loop {
        match put(change, sourced, how).await {
            Err(error) if error.is_transient() && attempt < ATTEMPTS => {
                tokio::time::sleep(Duration::from_millis(200 << attempt)).await;
                attempt += 1;
            }
            answer => break answer,
        }
    };
    change.outcome = Some(match answer {
        Ok(outcome) => outcome,
        Err(ClientError::Problem(answer)) if answer.status == 412 => {
            Outcome::LostRace { message: answer.detail.clone().unwrap_or_else(|| answer.title.clone()) }
        }
        Err(ClientError::Problem(answer)) if is_refusal(answer.status) => {
            change.errors = report::items_of(&answer);
            Outcome::Refused
        }
        Err(error) => Outcome::Failed { message: error.to_string() },
    });
}

async fn put(change: &Change, sourced: &Sourced, how: &Publishing<'_>) -> Result<Outcome, ClientError> {
    let value = sourced.value();
    match &change.subject {
        Subject::Release(id) => {
            how.client.put_release(id, value, how.options).await?;
            Ok(Outcome::Published { revision: None, rollout: None })
        }
        Subject::WorkerType(id) => {
            let written = how.client.put_worker_type(id, value, precondition(change.action), how.options).await?;
            Ok(Outcome::Published { revision: Some(written.value.revision), rollout: written.value.rollout })
        }
    }
}

/// What has to be mended counts before what has to be waited for, and that before what has to be done again.
fn exit(plan: &Plan) -> Exit {
    let any = |what: fn(&Outcome) -> bool| plan.changes.iter().filter_map(|change| change.outcome.as_ref()).any(what);
    if any(|outcome| *outcome == Outcome::Refused) {
        Exit::Negative
    } else if any(|outcome| matches!(outcome, Outcome::Failed { .. })) {
        Exit::Unavailable
    } else if any(|outcome| matches!(outcome, Outcome::LostRace { .. })) {
        Exit::LostRace
    } else {
        Exit::Success
    }
}
