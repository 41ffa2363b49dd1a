//! `wm diff`: what `wm apply` would change, and what that would break. Only reads.

use crate::cli::DiffArgs;
use crate::commands::folder_of;
use crate::connection::connect;
use crate::plan;
use crate::{Exit, Failure, Terminal};

pub async fn run(args: &DiffArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let folder = folder_of(&args.folder, terminal)?;
    let client = connect(&args.server)?;
    let mut plan = plan::compare(&folder, &client, terminal).await?;
    plan::foresee(&mut plan, &folder, &client).await?;
    if terminal.is_json() {
        terminal.json(&plan::json(&plan, &folder))?;
    } else {
        for line in plan::text(&plan, &folder, &args.folder.display().to_string()) {
            terminal.line(line)?;
        }
    }
    Ok(if plan.is_same() { Exit::Success } else { Exit::Different })
}
