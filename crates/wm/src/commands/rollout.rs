//! `wm rollout`: what is being rolled out, and its end.

use crate::cli::{RolloutAbortArgs, RolloutCompleteArgs, RolloutListArgs, RolloutShowArgs, ServerUrl};
use crate::connection::connect;
use crate::terminal::{FAINT, GOOD, NAME};
use crate::{Exit, Failure, Terminal, report};
use serde_json::json;
use worker_manager_client::{ClientError, ListQuery, Precondition, RolloutRef};
use worker_types::{Problem, RolloutEnd, RolloutPolicy, WorkerTypeId};

pub async fn list(args: &RolloutListArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let everything = ListQuery { limit: Some(1000), ..ListQuery::default() };
    let listed = connect(&args.server)?.worker_types(&everything).all().await?;
    let open: Vec<(&WorkerTypeId, &RolloutRef)> =
        listed.iter().filter_map(|entry| Some((&entry.worker_type_id, entry.rollout.as_ref()?))).collect();
    if terminal.is_json() {
        let each = |(id, rollout): &(&WorkerTypeId, &RolloutRef)| json!({"workerTypeId": id, "rollout": rollout});
        terminal.json(&json!({"rollouts": open.iter().map(each).collect::<Vec<_>>()}))?;
        return Ok(Exit::Success);
    }
    if open.is_empty() {
        terminal.say("No rollout is open.");
    }
    let width = open.iter().map(|(id, _)| id.as_str().len()).max().unwrap_or_default();
    for (id, rollout) in open {
        let id = id.as_str();
        let policy = rollout.policy.map(RolloutPolicy::as_str).unwrap_or_default();
        let (from, to, completes) = (rollout.from, rollout.to, completes(rollout));
        terminal.line(format!(
            "{NAME}{id:width$}{NAME:#}  {from} → {to}  {policy:7}  {FAINT}completes {completes}{FAINT:#}"
        ))?;
    }
    Ok(Exit::Success)
}

fn completes(rollout: &RolloutRef) -> &str {
    rollout.completes_at.as_deref().unwrap_or("when somebody completes it")
}

pub async fn show(args: &RolloutShowArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let rollout = connect(&args.server)?.rollout(&args.id).await?;
    if terminal.is_json() {
        terminal.json(&rollout)?;
        return Ok(Exit::Success);
    }
    let id = &args.id;
    terminal.line(format!("{NAME}{id}{NAME:#}  revisions {} and {} are live", rollout.from, rollout.to))?;
    let mut field = |name: &str, words: &str| terminal.line(format!("  {FAINT}{name:<14}{FAINT:#}{words}"));
    if let Some(policy) = rollout.policy {
        field("policy", &format!("{policy}: {}", in_words(policy)))?;
    }
    if let Some(at) = &rollout.started_at {
        field("started", at)?;
    }
    field("completes", completes(&rollout))?;
    Ok(Exit::Success)
}

fn in_words(policy: RolloutPolicy) -> &'static str {
    match policy {
        RolloutPolicy::Strict => "both must accept a task",
        RolloutPolicy::Lenient | RolloutPolicy::Immediate => "a task is accepted if either accepts it",
    }
}

pub async fn complete(args: &RolloutCompleteArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let ending = Ending { end: RolloutEnd::Completed, allow_breaking: args.allow_breaking };
    end(&args.id, &args.server, args.message.as_deref(), ending, terminal).await
}

pub async fn abort(args: &RolloutAbortArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let ending = Ending { end: RolloutEnd::Aborted, allow_breaking: false };
    end(&args.id, &args.server, args.message.as_deref(), ending, terminal).await
}

struct Ending {
    end: RolloutEnd,
    allow_breaking: bool,
}

async fn end(
    id: &WorkerTypeId,
    server: &ServerUrl,
    message: Option<&str>,
    Ending { end, allow_breaking }: Ending,
    terminal: &mut Terminal,
) -> Result<Exit, Failure> {
    let client = connect(server)?;
    // What ends is the rollout that is open now: one that somebody else opens meanwhile goes on.
    let seen = client.worker_type(id).await?.generation;
    let ended = client.end_rollout(id, end, Precondition::Generation(seen), message, allow_breaking).await;
    let live = ended.map_err(in_own_words)?;
    if terminal.is_json() {
        terminal.json(&live)?;
        return Ok(Exit::Success);
    }
    let (revision, generation) = (live.revision, live.generation);
    let done = end.participle();
    terminal.line(format!(
        "{NAME}{id}{NAME:#}  {GOOD}{done}{GOOD:#}: revision {revision} is live alone (generation {generation})"
    ))?;
    Ok(Exit::Success)
}

/// Here one completes, and does not publish; and there are flags.
fn in_own_words(error: ClientError) -> Failure {
    match &error {
        ClientError::Problem(answer) if error.problem() == Some(Problem::Incompatible) => {
            Failure::Refused(report::in_flags(&answer.to_string()).replace("or publish with", "or complete it with"))
        }
        _ => error.into(),
    }
}
