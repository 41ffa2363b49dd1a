//! A plan as people and programs read it.

use super::{Action, Change, Outcome, Plan, Subject};
use crate::comparison;
use crate::folder::{Folder, Spot};
use crate::report;
use crate::terminal::{BAD, FAINT, GOOD, NAME, WARN};
use serde_json::{Value, json as value};
use worker_manager_client::RolloutRef;
use worker_types::Item;

/// How many worker types that are not in the folder are named one by one.
const NAMED: usize = 12;

/// The plan, line by line: `+` comes into being, `~` changes, `=` stays, `!` would be refused.
pub fn text(plan: &Plan, folder: &Folder, folder_name: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for change in &plan.changes {
        lines.push(head(change));
        if matches!(change.action, Action::Update { .. } | Action::Conflict) {
            lines.extend(change.diff.lines().map(coloured));
        }
        lines.extend(items(change, folder, &change.errors, ""));
        let warnings: Vec<Item> =
            change.warnings.iter().filter(|item| !comparison::is_in_brief(item)).cloned().collect();
        lines.extend(items(change, folder, &warnings, &format!("{WARN}warning:{WARN:#} ")));
        lines.extend(change.compatibility.iter().flat_map(|report| comparison::brief(report, change.sourced(folder))));
    }
    if let Some(line) = elsewhere(plan, folder_name) {
        lines.push(line);
    }
    lines.push(summary(plan));
    lines
}

fn head(change: &Change) -> String {
    let (style, sign, words) = match change.action {
        _ if !change.errors.is_empty() => (BAD, '!', ": would be refused"),
        Action::Create => (GOOD, '+', ""),
        Action::Update { .. } => (WARN, '~', ""),
        Action::Same => (FAINT, '=', ""),
        Action::Conflict => (BAD, '!', ": is published with another content"),
    };
    format!("{style}{sign} {}{style:#}{words}", change.subject)
}

/// A line of a unified diff.
fn coloured(line: &str) -> String {
    let style = match line.as_bytes().first() {
        Some(b'+') => GOOD,
        Some(b'-') => BAD,
        _ => FAINT,
    };
    format!("    {style}{line}{style:#}")
}

fn items<'a>(
    change: &'a Change,
    folder: &'a Folder,
    items: &'a [Item],
    before: &'a str,
) -> impl Iterator<Item = String> + 'a {
    items.iter().map(move |item| {
        let words = Item { message: format!("{before}{}", item.message), ..item.clone() };
        spot(change, folder, item).map_or_else(|| words.message.clone(), |spot| report::item(&spot, &words))
    })
}

fn spot(change: &Change, folder: &Folder, item: &Item) -> Option<Spot> {
    Some(change.sourced(folder)?.spot_of(item))
}

fn elsewhere(plan: &Plan, folder_name: &str) -> Option<String> {
    let names: Vec<&str> = plan.elsewhere.iter().take(NAMED).map(|id| id.as_str()).collect();
    let more = plan.elsewhere.len() - names.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!names.is_empty())
        .then(|| format!("{FAINT}not in {folder_name}, left as they are: {}{more}{FAINT:#}", names.join(", ")))
}

/// The plan in numbers.
fn summary(plan: &Plan) -> String {
    let count = |what: fn(&Change) -> bool| plan.changes.iter().filter(|change| what(change)).count();
    let refused = count(|change| !change.errors.is_empty() || change.action == Action::Conflict);
    let fine = |change: &Change| change.errors.is_empty();
    let create = plan.changes.iter().filter(|change| fine(change) && change.action == Action::Create).count();
    let update =
        plan.changes.iter().filter(|change| fine(change) && matches!(change.action, Action::Update { .. })).count();
    let same = count(|change| change.action == Action::Same);
    let refused = if refused == 0 { String::new() } else { format!(", {BAD}{refused} refused{BAD:#}") };
    format!("{NAME}{create} to create, {update} to change, {same} the same{refused}{NAME:#}")
}

/// What came of a change, on one line; none where nothing was done.
pub fn outcome(change: &Change) -> Option<String> {
    let subject = &change.subject;
    Some(match change.outcome.as_ref()? {
        Outcome::Published { revision: Some(revision), rollout } => {
            format!("{GOOD}published{GOOD:#} {subject}, revision {revision}{}", opened(rollout.as_ref()))
        }
        Outcome::Published { revision: None, .. } => format!("{GOOD}published{GOOD:#} {subject}"),
        Outcome::Refused => format!("{BAD}refused{BAD:#} {subject}"),
        Outcome::LostRace { message } => {
            format!(
                "{BAD}not published{BAD:#} {subject}: somebody else changed it first ({message}); look at `wm diff`, and apply again"
            )
        }
        Outcome::Failed { message } => format!("{BAD}not known{BAD:#} {subject}: {message}; applying again is safe"),
    })
}

/// Who reads that something was published takes it for live alone.
fn opened(rollout: Option<&RolloutRef>) -> String {
    let Some(rollout) = rollout else { return String::new() };
    let policy = rollout.policy.map(|policy| format!("{policy} ")).unwrap_or_default();
    let end = rollout.completes_at.as_ref().map(|at| format!(", which completes at {at}")).unwrap_or_default();
    format!(", beside revision {}: a {WARN}{policy}rollout{WARN:#} is open{end}", rollout.from)
}

/// The plan, and what came of it, for programs.
pub fn json(plan: &Plan, folder: &Folder) -> Value {
    let changes: Vec<Value> = plan.changes.iter().map(|change| change_json(change, folder)).collect();
    value!({"changes": changes, "notInFolder": plan.elsewhere})
}

fn change_json(change: &Change, folder: &Folder) -> Value {
    let (kind, id) = match &change.subject {
        Subject::Release(id) => ("release", id.to_string()),
        Subject::WorkerType(id) => ("worker-type", id.to_string()),
    };
    let action = match change.action {
        Action::Same => "same",
        Action::Create => "create",
        Action::Update { .. } => "update",
        Action::Conflict => "conflict",
    };
    let (outcome, revision, message) = match &change.outcome {
        None => (None, None, None),
        Some(Outcome::Published { revision, .. }) => (Some("published"), *revision, None),
        Some(Outcome::Refused) => (Some("refused"), None, None),
        Some(Outcome::LostRace { message }) => (Some("lost-race"), None, Some(message)),
        Some(Outcome::Failed { message }) => (Some("failed"), None, Some(message)),
    };
    let rollout = match &change.outcome {
        Some(Outcome::Published { rollout, .. }) => rollout.as_ref(),
        _ => None,
    };
    let placed = |items: &[Item]| -> Vec<Value> {
        let placed = items.iter().map(|item| match spot(change, folder, item) {
            Some(spot) => report::json(&spot, item),
            None => value!(item),
        });
        placed.collect()
    };
    value!({
        "kind": kind, "id": id, "action": action, "diff": change.diff, "errors": placed(&change.errors),
        "warnings": placed(&change.warnings), "compatibility": change.compatibility, "outcome": outcome, "revision": revision, "rollout": rollout, "message": message,
    })
}
