//! Verdicts in the words of a terminal.

use super::findings::Tally;
use crate::documents::DocumentError;
use crate::judge::Judgement;
use crate::report;
use crate::tasks::Subject;
use crate::terminal::{BAD, GOOD, NAME, WARN};
use worker_types::{Item, Outcome, UncheckedReason, Verdict};

/// A line about a subject.
pub enum Line {
    /// To be shown in any case.
    Now(String),
    /// To be shown if the file has no other subject.
    Later(String),
}

/// What became of `subject`.
pub fn about(subject: &Subject, judgement: &Judgement) -> Vec<Line> {
    let name = subject.name();
    match judgement {
        Judgement::NoTask(items) => {
            let head = format!("{NAME}{name}:{NAME:#} {BAD}invalid{BAD:#}: it is not a task that can be created");
            std::iter::once(Line::Now(head)).chain(placed(subject, items, "").map(Line::Now)).collect()
        }
        Judgement::Verdict(verdict) => {
            let warned = format!("{WARN}warning:{WARN:#} ");
            let warnings = placed(subject, &verdict.warnings, &warned).map(Line::Now);
            let errors = named(verdict);
            let errors = placed(subject, &errors, "").map(Line::Now);
            let more = (verdict.more_errors > 0).then(|| Line::Now(format!("    and {} more", verdict.more_errors)));
            std::iter::once(head(&name, verdict)).chain(errors).chain(more).chain(warnings).collect()
        }
    }
}

fn head(name: &str, verdict: &Verdict) -> Line {
    let id = &verdict.worker_type_id;
    match verdict.verdict {
        Outcome::Valid => Line::Later(format!("{NAME}{name}:{NAME:#} {GOOD}valid{GOOD:#} for {id}")),
        Outcome::Invalid => {
            let mode = verdict.validation.map(|mode| format!(" (validation: {mode})")).unwrap_or_default();
            Line::Now(format!("{NAME}{name}:{NAME:#} {BAD}invalid{BAD:#} for {id}{mode}"))
        }
        Outcome::Unchecked => {
            let why = verdict.reason.map_or("the server does not say why", reason);
            Line::Now(format!("{NAME}{name}:{NAME:#} {WARN}unchecked{WARN:#} for {id}: {why}"))
        }
    }
}

fn reason(reason: UncheckedReason) -> &'static str {
    match reason {
        UncheckedReason::NoSchema => "it has no schema yet; only that the payload is an object was checked",
        UncheckedReason::NeedsTask => "the rest of the task decides, and only a payload was given",
        UncheckedReason::UnknownWorkerType => "there is no such worker type",
        UncheckedReason::Deleted => "this worker type was deleted",
        UncheckedReason::Unavailable => "worker-manager is away, and nothing is known from before",
        UncheckedReason::Off => "its validation is off",
    }
}

/// The errors; where two revisions are live, each with the one whose contract refused.
fn named(verdict: &Verdict) -> Vec<Item> {
    let two = verdict.revisions.len() > 1;
    let name = |item: &Item| {
        let (variant, revision) = (item.variant.as_ref()?, item.revision.filter(|_| two)?);
        Some(format!("{variant}, revision {revision}"))
    };
    let errors =
        verdict.errors.iter().map(|item| Item { variant: name(item).or_else(|| item.variant.clone()), ..item.clone() });
    errors.collect()
}

fn placed<'a>(subject: &'a Subject, items: &'a [Item], before: &'a str) -> impl Iterator<Item = String> + 'a {
    items.iter().map(move |item| {
        let item = Item { message: format!("{before}{}", item.message), ..item.clone() };
        report::item(&subject.spot_of(&item), &item)
    })
}

/// What is wrong with a file, or with a line of one.
pub fn fault(fault: &DocumentError) -> String {
    format!("{NAME}{}:{}:{NAME:#} {}", fault.file, fault.place, fault.message)
}

/// A file of several tasks.
pub fn of_file(name: &str, tally: &Tally) -> String {
    format!("{NAME}{name}:{NAME:#} {}", counted(tally))
}

/// All files.
pub fn total(tally: &Tally) -> String {
    format!("{NAME}in all:{NAME:#} {}", counted(tally))
}

fn counted(tally: &Tally) -> String {
    let all = tally.valid + tally.invalid + tally.unchecked + tally.unreadable;
    let parts = [
        (tally.valid, "valid", GOOD),
        (tally.invalid, "invalid", BAD),
        (tally.unchecked, "unchecked", WARN),
        (tally.unreadable, "cannot be read", BAD),
    ];
    let shown = parts.iter().filter(|(count, ..)| *count > 0);
    let words: Vec<String> = shown.map(|(count, word, style)| format!("{style}{count} {word}{style:#}")).collect();
    let tasks = if all == 1 { "1 task".to_owned() } else { format!("{all} tasks") };
    if words.is_empty() { tasks } else { format!("{tasks}: {}", words.join(", ")) }
}
