//! `wm validate`: what the live worker types say to tasks and payloads in files.

mod findings;
mod words;

use crate::cli::ValidateArgs;
use crate::connection::connect;
use crate::{Exit, Failure, Terminal, judge, tasks};
use findings::{Findings, Tally};

pub async fn run(args: &ValidateArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    let counter = terminal.counter("tasks judged");
    let mut findings = Findings::default();
    for path in &args.files {
        findings.begin();
        match tasks::open(path, args.worker_type.is_some()) {
            Err(error) => findings.take(Err(error), terminal)?,
            Ok(subjects) => {
                let mut take = |judged| {
                    counter.inc(1);
                    counter.suspend(|| findings.take(judged, terminal))
                };
                match &args.worker_type {
                    Some(id) => judge::for_worker_type(&client, subjects, id, &mut take).await?,
                    None => judge::tasks(&client, subjects, &mut take).await?,
                }
            }
        }
        findings.end(&crate::documents::name_of(path), terminal)?;
    }
    counter.finish_and_clear();
    if terminal.is_json() {
        terminal.json(&findings.document())?;
    } else if args.files.len() > 1 {
        terminal.line(words::total(&findings.total))?;
    }
    Ok(exit(&findings.total))
}

/// What cannot be read leaves the question open, what is invalid answers it, what is unchecked does neither.
fn exit(total: &Tally) -> Exit {
    match total {
        Tally { unreadable: 1.., .. } => Exit::Usage,
        Tally { invalid: 1.., .. } => Exit::Negative,
        Tally { unchecked: 1.., .. } => Exit::Unknown,
        _ => Exit::Success,
    }
}
