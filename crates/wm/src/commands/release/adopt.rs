//! `wm release adopt`: many worker types move to a release, planned first, and back.

use crate::cli::ReleaseAdoptArgs;
use crate::comparison;
use crate::connection::connect;
use crate::terminal::{BAD, FAINT, GOOD, NAME, WARN};
use crate::{Exit, Failure, Terminal};
use std::path::Path;
use worker_manager_client::{AdoptReport, AdoptRequest, AdoptWhere, AdoptedWorkerType};
use worker_types::{CompatibilityVerdict, ReleaseId};

pub async fn run(args: &ReleaseAdoptArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    let mut request = AdoptRequest {
        r#where: chosen(&args.conditions)?,
        roll_back: args.rollback.as_deref().map(|file| made(file, &args.release)).transpose()?,
        allow_breaking: args.allow_breaking,
        message: args.message.clone(),
        ..AdoptRequest::default()
    };
    let mut report = client.adopt_release(&args.release, &request).await?;
    if !terminal.is_json() {
        show(&report, args.rollback.is_some(), terminal)?;
    }
    let planned = report.worker_types.iter().filter(|one| one.outcome == "planned");
    let planned = planned.map(|one| (one.worker_type_id.clone(), one.generation));
    if args.apply && report.worker_types.iter().any(|one| one.outcome == "planned") {
        // Just what was shown, and only while it is as it was shown.
        if request.roll_back.is_none() {
            request.generations = Some(planned.collect());
        }
        request.apply = true;
        let refused = report.worker_types.iter().filter(|one| one.outcome != "planned").cloned().collect::<Vec<_>>();
        let not_shown = report.not_shown;
        report = client.adopt_release(&args.release, &request).await?;
        report.not_shown = not_shown;
        if !terminal.is_json() {
            for one in &report.worker_types {
                terminal.line(line(one))?;
            }
        }
        // A rollback names them all again; an adoption only those that it moves.
        let missing =
            |one: &AdoptedWorkerType| report.worker_types.iter().all(|row| row.worker_type_id != one.worker_type_id);
        let refused: Vec<_> = refused.into_iter().filter(missing).collect();
        report.worker_types.extend(refused);
        report.worker_types.sort_by(|one, other| one.worker_type_id.cmp(&other.worker_type_id));
    } else if !args.apply && !terminal.is_json() && !report.worker_types.is_empty() {
        terminal.line(format!("{NAME}Nothing was published; --apply does it.{NAME:#}"))?;
    }
    if terminal.is_json() {
        terminal.json(&report)?;
    }
    Ok(exit(&report))
}

/// What an adoption made, as its answer tells it.
fn made(file: &Path, release: &ReleaseId) -> Result<Vec<AdoptedWorkerType>, Failure> {
    let wrong = |words: String| Failure::Usage(format!("--rollback {}: {words}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let report: AdoptReport = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("this is not what `wm release adopt --output json` prints: {error}")))?;
    if report.release != *release {
        return Err(wrong(format!("this is the adoption of {}, not of {release}", report.release)));
    }
    Ok(report.worker_types)
}

/// Reads `provisionerId=…`, `tag=…`, `workerType=…` and `from=…`.
fn chosen(conditions: &[String]) -> Result<AdoptWhere, Failure> {
    let mut chosen = AdoptWhere::default();
    for condition in conditions {
        let wrong = |words: &str| Failure::Usage(format!("--where {condition}: {words}"));
        let (name, value) = condition.split_once('=').ok_or_else(|| wrong("write NAME=VALUE"))?;
        match name {
            "provisionerId" => chosen.provisioner_id = Some(value.to_owned()),
            "tag" => chosen.tag = Some(value.to_owned()),
            "workerType" => {
                chosen.worker_types.push(value.parse().map_err(|error| wrong(&format!("{error}")))?);
            }
            "from" => chosen.from.push(value.parse().map_err(|error| wrong(&format!("{error}")))?),
            _ => return Err(wrong("known are provisionerId, tag, workerType and from")),
        }
    }
    Ok(chosen)
}

fn show(report: &AdoptReport, roll_back: bool, terminal: &mut Terminal) -> Result<(), Failure> {
    if report.worker_types.is_empty() && report.not_shown == 0 {
        let what = if roll_back { "was moved by this adoption" } else { "uses another release of it" };
        return terminal.line(format!("No worker type {what}: there is nothing to do for {}.", report.release));
    }
    for (index, pair) in report.reports.iter().enumerate() {
        let (verdict, count) = (pair.compatibility.verdict, pair.worker_types);
        let style = comparison::style(verdict);
        let worker_types = if count == 1 { "1 worker type".to_owned() } else { format!("{count} worker types") };
        terminal.line(format!("{style}{verdict}{style:#} for {NAME}{worker_types}{NAME:#}:"))?;
        for one in report.worker_types.iter().filter(|one| one.report == Some(index)) {
            terminal.line(format!("  {}", line(one)))?;
        }
        for reason in comparison::reasons(&pair.compatibility) {
            terminal.line(reason)?;
        }
    }
    for one in report.worker_types.iter().filter(|one| one.report.is_none()) {
        terminal.line(line(one))?;
    }
    match report.not_shown {
        0 => Ok(()),
        count => terminal.line(format!("{FAINT}{count} more that you may not read{FAINT:#}")),
    }
}

fn line(one: &AdoptedWorkerType) -> String {
    let id = &one.worker_type_id;
    let from: Vec<String> = one.from.iter().map(ToString::to_string).collect();
    let from = from.join(", ");
    let errors: String = one.errors.iter().map(|item| format!("\n      {}", item.message)).collect();
    match (one.outcome.as_str(), one.back_to, one.revision) {
        ("planned", Some(back), _) => format!("{WARN}~{WARN:#} {id} {FAINT}back to revision {back}{FAINT:#}"),
        ("planned", None, _) => format!("{WARN}~{WARN:#} {id} {FAINT}from {from}{FAINT:#}"),
        ("unchanged", _, Some(revision)) => format!("{GOOD}unchanged{GOOD:#} {id}, revision {revision}"),
        ("published", _, Some(revision)) => format!("{GOOD}published{GOOD:#} {id}, revision {revision}"),
        // What is behind an answer of a newer server is told by its name.
        (outcome, ..) => format!("{BAD}{outcome}{BAD:#} {id}{errors}"),
    }
}

/// What has to be mended counts before what has to be waited for, and that before what has to be done again.
fn exit(report: &AdoptReport) -> Exit {
    let any = |outcome: &str| report.worker_types.iter().any(|one| one.outcome == outcome);
    let breaks = |verdict| report.reports.iter().any(|pair| pair.compatibility.verdict == verdict);
    if any("refused") || any("forbidden") {
        Exit::Negative
    } else if any("failed") {
        Exit::Unavailable
    } else if any("lost-race") {
        Exit::LostRace
    } else if report.applied {
        Exit::Success
    } else if breaks(CompatibilityVerdict::Breaking) {
        Exit::Negative
    } else if breaks(CompatibilityVerdict::Unknown) {
        Exit::Unknown
    } else {
        Exit::Success
    }
}
