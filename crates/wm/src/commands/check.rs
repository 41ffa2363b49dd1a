//! `wm check`: a folder of definitions against the publish gate, and recorded tasks against the definitions. Only reads,
//! so that it runs where nobody may publish.

mod gate;
mod recording;
mod words;

use crate::cli::CheckArgs;
use crate::commands::folder_of;
use crate::connection::connect;
use crate::plan::Subject;
use crate::{Exit, Failure, Terminal};
use recording::Recording;
use worker_types::Item;

/// What was found about one release or worker type.
pub struct Finding {
    pub subject: Subject,
    /// Why it would be refused.
    pub errors: Vec<Item>,
    pub warnings: Vec<Item>,
    /// What would become of its tasks; none where none were recorded, or where the server does not say.
    pub replay: Option<Replay>,
}

/// What would become of recorded tasks.
#[derive(Default)]
pub struct Replay {
    pub checked: u64,
    /// By their place among the worker type's tasks.
    pub newly_refused: Vec<(usize, Vec<Item>)>,
    pub newly_accepted: u64,
}

pub async fn run(args: &CheckArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let folder = folder_of(&args.folder, terminal)?;
    let recording = match &args.tasks {
        Some(path) => Recording::read(path, &folder)?,
        None => Recording::default(),
    };
    let client = connect(&args.server)?;
    let findings = gate::check(&folder, &recording, &client, terminal).await?;
    if terminal.is_json() {
        terminal.json(&words::json(&findings, &folder, &recording))?;
    } else {
        for line in words::text(&findings, &folder, &recording) {
            terminal.line(line)?;
        }
    }
    Ok(exit(&findings, &recording))
}

fn exit(findings: &[Finding], recording: &Recording) -> Exit {
    let refuses = |finding: &Finding| {
        !finding.errors.is_empty() || finding.replay.as_ref().is_some_and(|replay| !replay.newly_refused.is_empty())
    };
    let is_silent = |finding: &Finding| match &finding.subject {
        Subject::WorkerType(id) => {
            !recording.of(id).is_empty() && finding.errors.is_empty() && finding.replay.is_none()
        }
        Subject::Release(_) => false,
    };
    if !recording.unreadable.is_empty() {
        Exit::Usage
    } else if findings.iter().any(refuses) {
        Exit::Negative
    } else if findings.iter().any(is_silent) {
        Exit::Unknown
    } else {
        Exit::Success
    }
}
