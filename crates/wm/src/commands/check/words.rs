//! Findings as people and programs read them.

use super::Finding;
use super::recording::Unread;
use super::replay::{Refused, Replay};
use crate::comparison;
use crate::folder::{Folder, Sourced, Spot};
use crate::plan::Subject;
use crate::report;
use crate::terminal::{BAD, FAINT, GOOD, NAME, WARN};
use serde_json::{Value, json as value};
use worker_types::{DocumentationCoverage, Item};

fn sourced<'a>(subject: &Subject, folder: &'a Folder) -> Option<&'a Sourced> {
    match subject {
        Subject::Release(id) => folder.releases.get(id),
        Subject::WorkerType(id) => folder.worker_types.get(id),
    }
}

pub fn text(findings: &[Finding], folder: &Folder, unread: &Unread) -> Vec<String> {
    let mut lines = unread.unreadable.clone();
    for finding in findings {
        let files = sourced(&finding.subject, folder);
        let placed = |item: &Item, before: &str| {
            let words = Item { message: format!("{before}{}", item.message), ..item.clone() };
            files.map_or_else(|| words.message.clone(), |files| report::item(&files.spot_of(item), &words))
        };
        lines.push(head(finding));
        lines.extend(finding.errors.iter().map(|item| placed(item, "")));
        let warned = format!("{WARN}warning:{WARN:#} ");
        let warnings = finding.warnings.iter().filter(|item| !comparison::is_in_brief(item));
        lines.extend(warnings.map(|item| placed(item, &warned)));
        lines.extend(finding.compatibility.iter().flat_map(|report| comparison::brief(report, files)));
        lines.extend(finding.documentation.iter().filter_map(undocumented));
        lines.extend(finding.replay.iter().flat_map(|replay| &replay.newly_refused).map(refused));
    }
    if unread.elsewhere > 0 {
        lines.push(format!("{FAINT}{} recorded tasks are for other worker types{FAINT:#}", unread.elsewhere));
    }
    lines
}

fn head(finding: &Finding) -> String {
    let subject = &finding.subject;
    let tasks = finding.replay.as_ref().map(replayed).unwrap_or_default();
    // The word says what the exit status says of this one.
    let (style, word) = if !finding.errors.is_empty() {
        (BAD, "refused")
    } else if finding.breaks() {
        (BAD, "breaks")
    } else if finding.is_undecided() {
        (WARN, "undecided")
    } else {
        (GOOD, "passes")
    };
    format!("{style}{word}{style:#} {NAME}{subject}{NAME:#}{tasks}")
}

fn replayed(replay: &Replay) -> String {
    let count = |count: u64| if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") };
    if replay.checked == 0 {
        return format!(": {} not replayed", count(replay.unanswered));
    }
    let refused = replay.newly_refused.len();
    let style = if refused == 0 { FAINT } else { BAD };
    format!(
        ": {} replayed, {style}{refused} newly refused{style:#}, {} newly accepted",
        count(replay.checked),
        replay.newly_accepted
    )
}

/// What authors would look for in vain, in numbers; nothing where all of it is there.
fn undocumented(coverage: &DocumentationCoverage) -> Option<String> {
    let parts = [
        (coverage.undescribed.len(), "undescribed", coverage.undescribed.first()),
        (coverage.unmentioned.len(), "unmentioned", coverage.unmentioned.first()),
        (coverage.without_example.len(), "without example", coverage.without_example.first()),
        (coverage.dead_links.len(), "dead links", coverage.dead_links.first()),
    ];
    let missing: Vec<String> = parts
        .into_iter()
        .filter_map(|(count, words, first)| {
            Some(format!("{count} {words} ({}{})", first?, if count > 1 { ", …" } else { "" }))
        })
        .collect();
    let total = coverage.properties;
    (!missing.is_empty())
        .then(|| format!("    {FAINT}documentation: {total} properties, {}{FAINT:#}", missing.join(", ")))
}

/// A task with its first error, and how many more there are.
fn refused(task: &Refused) -> String {
    let name = task.name.as_ref().map(|name| format!(" {FAINT}({name}){FAINT:#}")).unwrap_or_default();
    let more = match task.errors.len() {
        0 | 1 => String::new(),
        count => format!(" {FAINT}and {} more{FAINT:#}", count - 1),
    };
    let label = task.label.as_deref().unwrap_or("the task");
    match task.errors.first() {
        Some((Some(spot), item)) => {
            let words = Item { message: format!("{}{name}{more}", item.message), description: None, ..item.clone() };
            report::item(spot, &words)
        }
        Some((None, item)) => format!("{NAME}{label}:{NAME:#} {}{name}{more}", item.message),
        None => format!("{NAME}{label}:{NAME:#} is refused{name}"),
    }
}

pub fn json(findings: &[Finding], folder: &Folder, unread: &Unread) -> Value {
    let findings: Vec<Value> = findings.iter().map(|finding| finding_json(finding, folder)).collect();
    value!({"checked": findings, "tasksElsewhere": unread.elsewhere, "unreadable": unread.unreadable})
}

fn finding_json(finding: &Finding, folder: &Folder) -> Value {
    let (kind, id) = match &finding.subject {
        Subject::Release(id) => ("release", id.to_string()),
        Subject::WorkerType(id) => ("worker-type", id.to_string()),
    };
    let files = sourced(&finding.subject, folder);
    let placed = |items: &[Item]| -> Vec<Value> {
        items.iter().map(|item| placed_json(files.map(|files| files.spot_of(item)).as_ref(), item)).collect()
    };
    let replay = finding.replay.as_ref().map(|replay| {
        let refused: Vec<Value> = replay.newly_refused.iter().map(refused_json).collect();
        value!({
            "checked": replay.checked, "newlyRejected": refused, "newlyAccepted": replay.newly_accepted,
            "unanswered": replay.unanswered,
        })
    });
    value!({
        "kind": kind, "id": id, "ok": finding.errors.is_empty(), "errors": placed(&finding.errors),
        "warnings": placed(&finding.warnings), "compatibility": finding.compatibility, "documentation": finding.documentation,
        "replay": replay,
    })
}

fn refused_json(task: &Refused) -> Value {
    let errors: Vec<Value> = task.errors.iter().map(|(spot, item)| placed_json(spot.as_ref(), item)).collect();
    let (file, line) = task.spot.as_ref().map(|spot| (spot.file.clone(), spot.place.line)).unzip();
    value!({"file": file, "line": line, "label": task.label, "name": task.name, "errors": errors})
}

fn placed_json(spot: Option<&Spot>, item: &Item) -> Value {
    spot.map_or_else(|| value!(item), |spot| report::json(spot, item))
}
