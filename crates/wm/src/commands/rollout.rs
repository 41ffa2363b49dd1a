//! `wm rollout`: what is being rolled out, and its end.

use crate::cli::{RolloutEndArgs, RolloutShowArgs};
use crate::connection::connect;
use crate::terminal::{FAINT, GOOD, NAME};
use crate::{Exit, Failure, Terminal};
use worker_manager_client::Precondition;
use worker_types::{RolloutEnd, RolloutPolicy};

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
    field("completes", rollout.completes_at.as_deref().unwrap_or("when somebody completes it"))?;
    Ok(Exit::Success)
}

fn in_words(policy: RolloutPolicy) -> &'static str {
    match policy {
        RolloutPolicy::Strict => "both must accept a task",
        RolloutPolicy::Lenient | RolloutPolicy::Immediate => "a task is accepted if either accepts it",
    }
}

pub async fn end(args: &RolloutEndArgs, end: RolloutEnd, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    // What ends is the rollout that is open now: one that somebody else opens meanwhile goes on.
    let seen = client.worker_type(&args.id).await?.generation;
    let live = client
        .end_rollout(&args.id, end, Precondition::Generation(seen), args.message.as_deref(), args.allow_breaking)
        .await?;
    if terminal.is_json() {
        terminal.json(&live)?;
        return Ok(Exit::Success);
    }
    let (id, revision, generation) = (&args.id, live.revision, live.generation);
    let done = match end {
        RolloutEnd::Completed => "completed",
        RolloutEnd::Aborted => "aborted",
    };
    terminal.line(format!(
        "{NAME}{id}{NAME:#}  {GOOD}{done}{GOOD:#}: revision {revision} is live alone (generation {generation})"
    ))?;
    Ok(Exit::Success)
}
