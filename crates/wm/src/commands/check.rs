//! `wm check`: a folder of definitions against the publish gate and what is live, and tasks that were or are to be run
//! against the definitions. Only reads, so that it runs where nobody may publish.

mod gate;
mod pending;
mod recording;
mod replay;
mod words;

use crate::cli::CheckArgs;
use crate::commands::folder_of;
use crate::connection::connect;
use crate::folder::Folder;
use crate::plan::Subject;
use crate::{Exit, Failure, Terminal, report};
use gate::Checking;
use recording::Recording;
use replay::Replay;
use worker_manager_client::{Client, ClientError};
use worker_types::{Compatibility, CompatibilityVerdict, DocumentationCoverage, Item, content_hash};

/// What was found about one release or worker type.
pub struct Finding {
    pub subject: Subject,
    /// Why it would be refused.
    pub errors: Vec<Item>,
    pub warnings: Vec<Item>,
    /// The comparison with what is live; none for releases, where nothing is live, and where its contract cannot be read.
    pub compatibility: Option<Compatibility>,
    /// What authors would find; none for releases, and where the shape is refused.
    pub documentation: Option<DocumentationCoverage>,
    /// What would become of its tasks; none where none were replayed, or where the server does not say.
    pub replay: Option<Replay>,
}

impl Finding {
    fn of(subject: Subject) -> Self {
        Self {
            subject,
            errors: Vec::new(),
            warnings: Vec::new(),
            compatibility: None,
            documentation: None,
            replay: None,
        }
    }

    /// An open rollout keeps everything but its replacement out; what is live already is no change.
    fn note_rollout(&mut self, is_live: bool, is_replaced: bool) {
        let (open, others): (Vec<Item>, _) =
            std::mem::take(&mut self.warnings).into_iter().partition(report::is_rollout_open);
        self.warnings = others;
        let told = open.into_iter().filter(|_| !is_live);
        let told = told.map(|item| Item { message: report::in_flags(&item.message), ..item });
        if is_replaced { self.warnings.extend(told) } else { self.errors.extend(told) }
    }

    fn breaks(&self) -> bool {
        let is_breaking = |report: &Compatibility| report.verdict == CompatibilityVerdict::Breaking;
        let refuses = |replay: &Replay| !replay.newly_refused.is_empty();
        !self.errors.is_empty()
            || self.compatibility.as_ref().is_some_and(is_breaking)
            || self.replay.as_ref().is_some_and(refuses)
    }

    fn is_undecided(&self) -> bool {
        let is_unknown = |report: &Compatibility| report.verdict == CompatibilityVerdict::Unknown;
        let is_silent = |replay: &Replay| replay.unanswered > 0;
        self.compatibility.as_ref().is_some_and(is_unknown) || self.replay.as_ref().is_some_and(is_silent)
    }
}

pub async fn run(args: &CheckArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let folder = folder_of(&args.folder, terminal)?;
    let recording = args.tasks.as_deref().map(Recording::open).transpose()?;
    let client = connect(&args.server)?;
    let mut checking = Checking::new(&folder, &client, terminal).await?;
    let mut unread = recording::Unread::default();
    if let Some(recording) = recording {
        unread = recording.replay(&mut checking).await?;
    }
    if let Some(url) = &args.queue_url {
        pending::replay(url, &args.server, &mut checking).await?;
    }
    let mut findings = checking.into_findings();
    for finding in findings.iter_mut().filter(|finding| finding.warnings.iter().any(report::is_rollout_open)) {
        let is_live = is_live(&finding.subject, &folder, &client).await?;
        finding.note_rollout(is_live, args.replace_rollout);
    }
    if terminal.is_json() {
        terminal.json(&words::json(&findings, &folder, &unread))?;
    } else {
        for line in words::text(&findings, &folder, &unread) {
            terminal.line(line)?;
        }
    }
    Ok(if !unread.unreadable.is_empty() {
        Exit::Usage
    } else if findings.iter().any(Finding::breaks) {
        Exit::Negative
    } else if findings.iter().any(Finding::is_undecided) {
        Exit::Unknown
    } else {
        Exit::Success
    })
}

/// Whether the newest live revision says the same as the folder.
async fn is_live(subject: &Subject, folder: &Folder, client: &Client) -> Result<bool, Failure> {
    let Subject::WorkerType(id) = subject else { return Ok(false) };
    let Some(definition) = folder.worker_types.get(id) else { return Ok(false) };
    match client.worker_type(id).await {
        Ok(live) => Ok(live.content_hash == content_hash(definition.value())),
        // Whoever may check may be one who may not read; and it may be gone meanwhile.
        Err(ClientError::Problem(answer)) if matches!(answer.status, 403 | 404 | 410) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
