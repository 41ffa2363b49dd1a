//! `wm list`: the worker types that an author can use.

use crate::cli::ListArgs;
use crate::connection::connect;
use crate::terminal::{FAINT, NAME, WARN};
use crate::{Exit, Failure, Terminal};
use serde_json::json;
use worker_manager_client::{ListQuery, WorkerTypeSummary};
use worker_types::LifecycleState;

pub async fn run(args: &ListArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let query = ListQuery {
        query: (!args.words.is_empty()).then(|| args.words.join(" ")),
        provisioner_id: args.provisioner_id.clone(),
        implementation: args.implementation.clone(),
        release: args.release.clone(),
        lifecycle: args.lifecycle,
        tag: args.tag.clone(),
        limit: Some(1000),
    };
    let listed = connect(&args.server)?.worker_types(&query).all().await?;
    if terminal.is_json() {
        terminal.json(&json!({"workerTypes": listed}))?;
        return Ok(Exit::Success);
    }
    if listed.is_empty() {
        terminal.say(if query == (ListQuery { limit: query.limit, ..ListQuery::default() }) {
            "There are no worker types yet; `wm apply` publishes a folder of them."
        } else {
            "No worker type fits."
        });
    }
    let width = listed.iter().map(|entry| entry.worker_type_id.as_str().len()).max().unwrap_or_default();
    for entry in &listed {
        terminal.line(line(entry, width))?;
    }
    Ok(Exit::Success)
}

fn line(entry: &WorkerTypeSummary, width: usize) -> String {
    let id = entry.worker_type_id.as_str();
    let state = match entry.lifecycle {
        LifecycleState::Active => String::new(),
        state => format!("{WARN}[{}]{WARN:#} ", state.as_str()),
    };
    let rollout = match &entry.rollout {
        Some(rollout) => format!("{WARN}[rollout {} → {}]{WARN:#} ", rollout.from, rollout.to),
        None => String::new(),
    };
    let mode = entry.validation.as_str();
    format!("{NAME}{id:width$}{NAME:#}  {FAINT}{mode:7}{FAINT:#}  {state}{rollout}{}", entry.description)
}
