//! Findings as people and programs read them.

use super::recording::Recording;
use super::{Finding, Replay};
use crate::folder::{Folder, Sourced};
use crate::plan::Subject;
use crate::report;
use crate::tasks;
use crate::terminal::{BAD, FAINT, GOOD, NAME, WARN};
use serde_json::{Value, json as value};
use worker_types::Item;

fn sourced<'a>(subject: &Subject, folder: &'a Folder) -> Option<&'a Sourced> {
    match subject {
        Subject::Release(id) => folder.releases.get(id),
        Subject::WorkerType(id) => folder.worker_types.get(id),
    }
}

/// The recorded tasks of a subject.
fn recorded<'a>(subject: &Subject, recording: &'a Recording) -> &'a [tasks::Subject] {
    match subject {
        Subject::Release(_) => &[],
        Subject::WorkerType(id) => recording.of(id),
    }
}

pub fn text(findings: &[Finding], folder: &Folder, recording: &Recording) -> Vec<String> {
    let mut lines = recording.unreadable.clone();
    for finding in findings {
        let files = sourced(&finding.subject, folder);
        let placed = |item: &Item, before: &str| {
            let words = Item { message: format!("{before}{}", item.message), ..item.clone() };
            files.map_or_else(|| words.message.clone(), |files| report::item(&files.spot_of(item), &words))
        };
        lines.push(head(finding));
        lines.extend(finding.errors.iter().map(|item| placed(item, "")));
        let warned = format!("{WARN}warning:{WARN:#} ");
        lines.extend(finding.warnings.iter().map(|item| placed(item, &warned)));
        let tasks = recorded(&finding.subject, recording);
        for (index, errors) in finding.replay.iter().flat_map(|replay| &replay.newly_refused) {
            let Some(task) = tasks.get(*index) else { continue };
            lines.extend(errors.iter().map(|item| report::item(&task.spot_of(item), item)));
        }
    }
    if recording.elsewhere > 0 {
        lines.push(format!("{FAINT}{} recorded tasks are for other worker types{FAINT:#}", recording.elsewhere));
    }
    lines
}

fn head(finding: &Finding) -> String {
    let subject = &finding.subject;
    let tasks = finding.replay.as_ref().map(replayed).unwrap_or_default();
    if finding.errors.is_empty() {
        format!("{GOOD}passes{GOOD:#} {NAME}{subject}{NAME:#}{tasks}")
    } else {
        format!("{BAD}refused{BAD:#} {NAME}{subject}{NAME:#}")
    }
}

fn replayed(replay: &Replay) -> String {
    let tasks = if replay.checked == 1 { "task" } else { "tasks" };
    let refused = replay.newly_refused.len();
    let style = if refused == 0 { FAINT } else { BAD };
    format!(
        ": {} recorded {tasks}, {style}{refused} newly refused{style:#}, {} newly accepted",
        replay.checked, replay.newly_accepted
    )
}

pub fn json(findings: &[Finding], folder: &Folder, recording: &Recording) -> Value {
    let findings: Vec<Value> = findings.iter().map(|finding| finding_json(finding, folder, recording)).collect();
    value!({"checked": findings, "tasksElsewhere": recording.elsewhere, "unreadable": recording.unreadable})
}

fn finding_json(finding: &Finding, folder: &Folder, recording: &Recording) -> Value {
    let (kind, id) = match &finding.subject {
        Subject::Release(id) => ("release", id.to_string()),
        Subject::WorkerType(id) => ("worker-type", id.to_string()),
    };
    let files = sourced(&finding.subject, folder);
    let placed = |items: &[Item]| -> Vec<Value> {
        items
            .iter()
            .map(|item| files.map_or_else(|| value!(item), |files| report::json(&files.spot_of(item), item)))
            .collect()
    };
    let tasks = recorded(&finding.subject, recording);
    let replay = finding.replay.as_ref().map(|replay| {
        let refused = replay.newly_refused.iter().filter_map(|(index, errors)| {
            let task = tasks.get(*index)?;
            let spot = task.spot();
            let errors: Vec<Value> = errors.iter().map(|item| report::json(&task.spot_of(item), item)).collect();
            Some(value!({"file": spot.file, "line": spot.place.line, "label": task.label, "errors": errors}))
        });
        let refused: Vec<Value> = refused.collect();
        value!({"checked": replay.checked, "newlyRejected": refused, "newlyAccepted": replay.newly_accepted})
    });
    value!({
        "kind": kind, "id": id, "ok": finding.errors.is_empty(), "errors": placed(&finding.errors),
        "warnings": placed(&finding.warnings), "replay": replay,
    })
}
