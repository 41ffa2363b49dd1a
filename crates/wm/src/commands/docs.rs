//! `wm docs`: a worker type's documentation, as its owner and its implementation's maintainers wrote it.

use crate::cli::DocsArgs;
use crate::connection::connect;
use crate::{Exit, Failure, Terminal};
use serde_json::json;

pub async fn run(args: &DocsArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let documentation = connect(&args.server)?.documentation(&args.id, args.revision).await?;
    if terminal.is_json() {
        terminal.json(&json!({"workerTypeId": args.id, "documentation": documentation}))?;
    } else {
        terminal.line(documentation.trim_end())?;
    }
    Ok(Exit::Success)
}
