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
use crate::plan::Subject;
use crate::{Exit, Failure, Terminal, report};
use gate::Checking;
use recording::Recording;
use replay::Replay;
use worker_types::{Compatibility, CompatibilityVerdict, DocumentationCoverage, Item};

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

    /// An open rollout keeps everything but its replacement out.
    fn note_rollout(&mut self, is_replaced: bool) {
        let (open, others) = std::mem::take(&mut self.warnings).into_iter().partition(report::is_rollout_open);
        self.warnings = others;
        let open: Vec<Item> = open;
        let in_flags = |item: Item| Item { message: report::in_flags(&item.message), ..item };
        let place = if is_replaced { &mut self.warnings } else { &mut self.errors };
        place.extend(open.into_iter().map(in_flags));
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
    findings.iter_mut().for_each(|finding| finding.note_rollout(args.replace_rollout));
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
