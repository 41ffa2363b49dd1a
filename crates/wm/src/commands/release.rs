//! `wm release`: what maintainers of worker implementations publish.

mod adopt;

pub use adopt::run as adopt;

use crate::cli::{ReleaseListArgs, ReleaseMarkArgs, ReleasePublishArgs};
use crate::connection::connect;
use crate::documents::{DocumentError, Part};
use crate::folder::{Folder, FolderOnDisk, Sourced};
use crate::report;
use crate::terminal::{FAINT, GOOD, NAME};
use crate::{Exit, Failure, Terminal};
use serde_json::{Value, json};
use std::path::Path;
use worker_manager_client::{Client, ClientError, PublishOptions};
use worker_types::{Problem, ReleaseId};

pub async fn list(args: &ReleaseListArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    if let Some(name) = &args.implementation {
        let releases = client.releases(name).await?;
        if terminal.is_json() {
            terminal.json(&json!({"releases": releases}))?;
            return Ok(Exit::Success);
        }
        for release in releases {
            let message = release.message.map(|message| format!(": {message}")).unwrap_or_default();
            terminal.line(format!(
                "{NAME}{}{NAME:#}  {FAINT}{} by {}{FAINT:#}{message}",
                release.release, release.published_at, release.published_by
            ))?;
        }
        return Ok(Exit::Success);
    }
    let implementations = client.implementations().await?;
    if terminal.is_json() {
        terminal.json(&json!({"implementations": implementations}))?;
        return Ok(Exit::Success);
    }
    if implementations.is_empty() {
        terminal.say("There are no releases yet; `wm release publish` publishes one.");
    }
    for implementation in implementations {
        let used = match implementation.worker_types {
            1 => "1 worker type".to_owned(),
            count => format!("{count} worker types"),
        };
        let versions = implementation.versions.join(" ");
        terminal.line(format!("{NAME}{}{NAME:#}  {versions}  {FAINT}{used}{FAINT:#}", implementation.name))?;
    }
    Ok(Exit::Success)
}

pub async fn publish(args: &ReleasePublishArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let releases = load(args)?;
    let client = connect(&args.server)?;
    let options = PublishOptions { message: args.message.clone(), dry_run: args.dry_run, ..PublishOptions::default() };
    let mut results = Vec::new();
    let mut exit = Exit::Success;
    for (id, release) in &releases {
        match client.put_release(id, release.value(), &options).await {
            Ok(written) => {
                for item in &written.value.warnings {
                    terminal.warn(report::item(&release.spot_of(item), item));
                }
                let what = match (args.dry_run, written.created) {
                    (false, true) => "published",
                    (true, _) if is_new(&client, id).await? => "would be published",
                    _ => "unchanged",
                };
                if !terminal.is_json() {
                    terminal.line(format!("{NAME}{id}{NAME:#}  {GOOD}{what}{GOOD:#}"))?;
                }
                results.push(json!({"release": id, "result": what, "warnings": written.value.warnings}));
            }
            Err(ClientError::Problem(answer)) if matches!(answer.status, 409 | 413 | 422) => {
                exit = Exit::Negative;
                let items = report::items_of(&answer);
                let placed: Vec<Value> = items.iter().map(|item| report::json(&release.spot_of(item), item)).collect();
                if !terminal.is_json() {
                    terminal.line(format!("{NAME}{id}{NAME:#}  refused"))?;
                    for item in &items {
                        terminal.line(report::item(&release.spot_of(item), item))?;
                    }
                }
                results.push(json!({"release": id, "result": "refused", "errors": placed}));
            }
            Err(error) => return Err(error.into()),
        }
    }
    if terminal.is_json() {
        terminal.json(&json!({"dryRun": args.dry_run, "releases": results}))?;
    }
    Ok(exit)
}

pub async fn mark(args: &ReleaseMarkArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    let (reason, replaced_by) = (args.message.as_deref(), args.replaced_by.as_ref());
    let release = client.mark_release(&args.release, args.state, reason, replaced_by, None).await?;
    let users = client.release_used_by(&args.release).await?;
    if terminal.is_json() {
        terminal.json(&json!({"release": release.release, "mark": release.mark, "usedBy": users}))?;
        return Ok(Exit::Success);
    }
    terminal.line(format!("{NAME}{}{NAME:#}  {GOOD}{}{GOOD:#}", args.release, args.state))?;
    for user in users {
        terminal.line(format!("  {FAINT}used by{FAINT:#} {}", user.worker_type_id))?;
    }
    Ok(Exit::Success)
}

/// Whether the server does not have the release: the answer to a dry run does not say.
async fn is_new(client: &Client, id: &ReleaseId) -> Result<bool, ClientError> {
    match client.release(id).await {
        Ok(_) => Ok(false),
        Err(error) if matches!(error.problem(), Some(Problem::UnknownRelease | Problem::UnknownImplementation)) => {
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

/// The releases that `args` name.
fn load(args: &ReleasePublishArgs) -> Result<Vec<(ReleaseId, Sourced)>, Failure> {
    if args.path.is_dir() {
        if args.id.is_some() {
            return Err(Failure::Usage(
                "--id is for one file; a folder's releases are named by their places".to_owned(),
            ));
        }
        let folder = Folder::load(&FolderOnDisk::new(&args.path)).map_err(Failure::Documents)?;
        if folder.releases.is_empty() {
            return Err(Failure::Usage(format!("{} holds no releases/<name>/<version>.yml", args.path.display())));
        }
        return Ok(folder.releases.into_iter().collect());
    }
    let release = Folder::load_release(&args.path).map_err(Failure::Documents)?;
    let id = match &args.id {
        Some(id) => id.clone(),
        None => id_of(&args.path, &release)?,
    };
    Ok(vec![(id, release)])
}

/// The id that the release says, or else the one that its place says.
fn id_of(path: &Path, release: &Sourced) -> Result<ReleaseId, Failure> {
    if let Some(Value::String(written)) = release.value().get("release") {
        return written.parse().map_err(|error| {
            let spot = release.spot("/release", Part::Value);
            Failure::Documents(vec![DocumentError { file: spot.file, place: spot.place, message: format!("{error}") }])
        });
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let version = absolute.file_stem().and_then(|stem| stem.to_str());
    let name = absolute.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let id = name.zip(version).and_then(|(name, version)| ReleaseId::new(name, version).ok());
    id.ok_or_else(|| {
        Failure::Usage(format!(
            "which release is {}? Name it with --id NAME@VERSION, or in its field `release`",
            path.display()
        ))
    })
}
