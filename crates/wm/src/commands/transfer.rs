//! `wm export` and `wm import`: the whole registry, as NDJSON.

use crate::cli::{ExportArgs, ImportArgs};
use crate::connection::connect;
use crate::documents::ReadError;
use crate::terminal::GOOD;
use crate::{Exit, Failure, Terminal};
use futures_util::{StreamExt, stream};
use serde_json::json;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use tokio::sync::mpsc;
use worker_manager_client::ClientError;

/// How much of a file is read at once.
const PART: usize = 64 << 10;

pub async fn export(args: &ExportArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    let mut parts = client.export().await?;
    let Some(path) = &args.file else {
        while let Some(part) = parts.next().await {
            terminal.raw(&part?)?;
        }
        return Ok(Exit::Success);
    };
    let failed = |source| Failure::Write { path: path.display().to_string(), source };
    // Beside its place until it is whole, so that a broken export is never taken for one.
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let counter = terminal.counter("bytes");
    let (mut bytes, mut lines) = (0_u64, 0_usize);
    while let Some(part) = parts.next().await {
        let part = part?;
        file.write_all(&part).map_err(failed)?;
        bytes += part.len() as u64;
        lines += part.iter().filter(|byte| **byte == b'\n').count();
        counter.set_position(bytes);
    }
    counter.finish_and_clear();
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    if terminal.is_json() {
        terminal.json(&json!({"file": path, "lines": lines, "bytes": bytes}))?;
    } else {
        terminal.say(format!("{GOOD}exported{GOOD:#} {lines} lines to {}", path.display()));
    }
    Ok(Exit::Success)
}

pub async fn import(args: &ImportArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    let source = open(&args.file)?;
    let (send, parts) = mpsc::channel::<io::Result<Vec<u8>>>(4);
    tokio::task::spawn_blocking(move || read_parts(source, &send));
    // A file that breaks off must not look like one that ends: its last part is then a line that is no record.
    let body = stream::unfold(parts, |mut parts| async move {
        let part = parts.recv().await?;
        Some((part.unwrap_or_else(|error| format!("\nthe file broke off: {error}\n").into_bytes()).into(), parts))
    });
    let report = client.import(body).await.map_err(|error| told(error, args))?;
    if terminal.is_json() {
        terminal.json(&report)?;
    } else {
        let (records, new) = (report.records, report.new);
        terminal.say(format!("{GOOD}imported{GOOD:#} {records} records, {new} of them new"));
    }
    Ok(Exit::Success)
}

fn open(path: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    Ok(Box::new(file))
}

fn read_parts(mut source: impl Read, send: &mpsc::Sender<io::Result<Vec<u8>>>) {
    loop {
        let mut part = vec![0; PART];
        let read = source.read(&mut part);
        let ended = !matches!(&read, Ok(1..));
        let sent = match read {
            Ok(0) => return,
            Ok(length) => {
                part.truncate(length);
                send.blocking_send(Ok(part))
            }
            Err(error) => send.blocking_send(Err(error)),
        };
        if ended || sent.is_err() {
            return;
        }
    }
}

/// A refused import with the faults of its lines.
fn told(error: ClientError, args: &ImportArgs) -> Failure {
    match error {
        ClientError::Problem(answer) if !answer.errors.is_empty() => {
            let file = crate::documents::name_of(&args.file);
            let faults = answer.errors.iter().map(|item| format!("\n{file}: {}", item.message));
            Failure::Refused(format!("{answer}{}", faults.collect::<String>()))
        }
        other => other.into(),
    }
}
