//! `wm apply`: plan everything, show it, publish what differs.

use crate::cli::ApplyArgs;
use crate::commands::folder_of;
use crate::connection::connect;
use crate::plan::{self, Plan, Publishing};
use crate::report;
use crate::terminal::NAME;
use crate::{Exit, Failure, Terminal};
use serde_json::json;
use worker_manager_client::PublishOptions;

pub async fn run(args: &ApplyArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let folder = folder_of(&args.folder, terminal)?;
    let client = connect(&args.server)?;
    let options = PublishOptions {
        message: args.message.clone(),
        replace_rollout: args.replace_rollout,
        allow_breaking: args.allow_breaking,
        ..PublishOptions::default()
    };
    let mut plan = plan::compare(&folder, &client, terminal).await?;
    plan::examine(&mut plan, &folder, &client, &options, terminal).await?;
    if !terminal.is_json() {
        for line in plan::text(&plan, &folder, &args.folder.display().to_string()) {
            terminal.line(line)?;
        }
    }
    let goes_on = !plan.has_errors() && !args.dry_run && !plan.is_same();
    let exit = if plan.has_errors() {
        Exit::Negative
    } else if goes_on {
        plan::publish(&mut plan, &Publishing { folder: &folder, client: &client, options: &options }, terminal).await
    } else {
        Exit::Success
    };
    if terminal.is_json() {
        let mut document = plan::json(&plan, &folder);
        document["applied"] = json!(goes_on);
        terminal.json(&document)?;
    } else {
        tell(&plan, &folder, args, goes_on, terminal)?;
    }
    Ok(exit)
}

fn tell(
    plan: &Plan,
    folder: &crate::folder::Folder,
    args: &ApplyArgs,
    applied: bool,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if plan.has_errors() && !applied {
        return terminal.line(format!("{NAME}Nothing was published: all of it has to pass first.{NAME:#}"));
    }
    if args.dry_run && !plan.is_same() {
        return terminal.line(format!("{NAME}Nothing was published (--dry-run).{NAME:#}"));
    }
    for change in &plan.changes {
        let Some(line) = plan::outcome(change) else { continue };
        terminal.line(line)?;
        if let Some(sourced) = change.sourced(folder) {
            for item in &change.errors {
                terminal.line(report::item(&sourced.spot_of(item), item))?;
            }
        }
    }
    Ok(())
}
