//! One line of an export: what it holds, written and read.

use crate::export::Export;
use crate::store::{ReleaseMark, ReleaseRecord, RevisionRecord, WorkerTypeRecord, WorkerTypeState};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use std::collections::BTreeMap;
use std::sync::Arc;
use worker_types::{
    ContentHash, Definition, Generation, Item, JsonLimits, Release, ReleaseId, ReleaseState, RevisionNumber,
    WorkerTypeId, content_hash, parse_json,
};

const FORMAT: u32 = 1;

/// A line. Exactly the fields of its kind are set.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    format: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    worker_type_id: Option<WorkerTypeId>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    release: Option<ReleaseId>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    generation: Option<Generation>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    last_revision: Option<RevisionNumber>,
    /// Of a worker type: the newest live revision; none for a tombstone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    live: Option<RevisionNumber>,
    /// Of a worker type in a rollout: the older live revision.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    older: Option<RevisionNumber>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    deleted_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    deleted_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    revision: Option<RevisionNumber>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    content_hash: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    published_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    published_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rollback_of: Option<RevisionNumber>,
    /// The definition or the release, as its author wrote it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    content: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    warnings: Option<Box<RawValue>>,
    /// Of a revision: the comparison with what was live before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    compatibility: Option<Box<RawValue>>,
    /// Of a release: what was said of it afterwards.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    mark: Option<Mark>,
}

/// What was said of a release.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Mark {
    state: ReleaseState,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    replaced_by: Option<ReleaseId>,
    at: Timestamp,
    by: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Header,
    Release,
    WorkerType,
    Revision,
}

impl Line {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            format: None,
            worker_type_id: None,
            release: None,
            generation: None,
            last_revision: None,
            live: None,
            older: None,
            deleted_at: None,
            deleted_by: None,
            revision: None,
            content_hash: None,
            published_at: None,
            published_by: None,
            message: None,
            rollback_of: None,
            content: None,
            warnings: None,
            compatibility: None,
            mark: None,
        }
    }

    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl Mark {
    fn of(mark: &ReleaseMark) -> Self {
        let ReleaseMark { state, reason, replaced_by, at, by } = mark.clone();
        Self { state, reason, replaced_by, at, by }
    }

    fn record(self) -> ReleaseMark {
        let Self { state, reason, replaced_by, at, by } = self;
        ReleaseMark { state, reason, replaced_by, at, by }
    }
}

/// Stored text is JSON: it was parsed before it was stored.
fn raw(text: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(text.to_owned()).ok()
}

pub(super) fn header() -> String {
    Line { format: Some(FORMAT), ..Line::new(Kind::Header) }.text()
}

pub(super) fn release(record: &ReleaseRecord) -> String {
    Line {
        release: Some(record.id.clone()),
        content_hash: Some(record.content_hash.clone()),
        published_at: Some(record.published_at),
        published_by: Some(record.published_by.clone()),
        message: record.message.clone(),
        content: raw(&record.content),
        warnings: raw(&record.warnings),
        mark: record.mark.as_ref().map(Mark::of),
        ..Line::new(Kind::Release)
    }
    .text()
}

/// The worker type's own line, then one for each revision.
pub(super) fn worker_type(record: &WorkerTypeRecord, revisions: &[RevisionRecord]) -> String {
    let mut line = Line {
        worker_type_id: Some(record.id.clone()),
        generation: Some(record.generation),
        last_revision: Some(record.last_revision),
        ..Line::new(Kind::WorkerType)
    };
    match &record.state {
        WorkerTypeState::Live { revision, older } => {
            line.live = Some(revision.revision);
            line.older = older.as_ref().map(|older| older.revision);
        }
        WorkerTypeState::Deleted { at, by } => {
            line.deleted_at = Some(*at);
            line.deleted_by = Some(by.clone());
        }
    }
    let revisions = revisions.iter().map(|revision| self::revision(&record.id, revision));
    std::iter::once(line.text()).chain(revisions).collect()
}

fn revision(id: &WorkerTypeId, record: &RevisionRecord) -> String {
    Line {
        worker_type_id: Some(id.clone()),
        revision: Some(record.revision),
        content_hash: Some(record.content_hash.clone()),
        published_at: Some(record.published_at),
        published_by: Some(record.published_by.clone()),
        message: record.message.clone(),
        rollback_of: record.rollback_of,
        content: raw(&record.definition),
        warnings: raw(&record.warnings),
        compatibility: record.compatibility.as_deref().and_then(raw),
        ..Line::new(Kind::Revision)
    }
    .text()
}

/// The releases that a stored definition names.
pub(super) fn releases_named(definition: &str) -> Vec<ReleaseId> {
    let value: Value = serde_json::from_str(definition).unwrap_or_default();
    let variants = value.get("variants").and_then(Value::as_array).into_iter().flatten();
    variants.filter_map(|variant| variant.get("release")?.as_str()?.parse().ok()).collect()
}

/// Reads the lines of an export.
///
/// # Errors
/// Every line that cannot be read, and every history that has a gap, each with its line number.
pub(super) fn parse(ndjson: &[u8]) -> Result<Vec<Export>, Vec<Item>> {
    let mut reader = Reader::default();
    for (index, line) in ndjson.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if let Err(message) = reader.line(line) {
            let message = format!("line {}: {message}", index + 1);
            reader.faults.push(Item::new("import-line", "", message).contrast(format!("line {}", index + 1), ""));
        }
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    header: bool,
    worker_types: BTreeMap<WorkerTypeId, (Line, Vec<RevisionRecord>)>,
    releases: Vec<ReleaseRecord>,
    faults: Vec<Item>,
}

impl Reader {
    fn line(&mut self, bytes: &[u8]) -> Result<(), String> {
        parse_json(bytes, JsonLimits::default()).map_err(|error| error.to_string())?;
        let line: Line = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if !self.header {
            self.header = true;
            return match (line.kind, line.format) {
                (Kind::Header, Some(FORMAT)) => Ok(()),
                (Kind::Header, _) => Err(format!("this version reads exports of format {FORMAT}")),
                _ => Err("the first line of an export is its header".to_owned()),
            };
        }
        match line.kind {
            Kind::Header => Err("a header stands at the beginning only".to_owned()),
            Kind::Release => self.release(line),
            Kind::WorkerType => self.worker_type(line),
            Kind::Revision => self.revision(line),
        }
    }

    fn release(&mut self, line: Line) -> Result<(), String> {
        let id = need(line.release, "release")?;
        let (content, content_hash) = content(line.content, line.content_hash)?;
        let value: Value = serde_json::from_str(&content).map_err(|error| error.to_string())?;
        Release::read(&value, &id).map_err(first_fault)?;
        self.releases.push(ReleaseRecord {
            id,
            content_hash,
            content,
            warnings: line.warnings.map_or_else(|| "[]".to_owned(), |raw| raw.get().to_owned()),
            published_at: need(line.published_at, "publishedAt")?,
            published_by: need(line.published_by, "publishedBy")?,
            message: line.message,
            mark: line.mark.map(Mark::record),
        });
        Ok(())
    }

    fn worker_type(&mut self, line: Line) -> Result<(), String> {
        let id = need(line.worker_type_id.clone(), "workerTypeId")?;
        if self.worker_types.contains_key(&id) {
            return Err(format!("the worker type {id} stands twice"));
        }
        self.worker_types.insert(id, (line, Vec::new()));
        Ok(())
    }

    fn revision(&mut self, line: Line) -> Result<(), String> {
        let id = need(line.worker_type_id, "workerTypeId")?;
        let (definition, content_hash) = content(line.content, line.content_hash)?;
        let value: Value = serde_json::from_str(&definition).map_err(|error| error.to_string())?;
        Definition::read(&value, &id).map_err(first_fault)?;
        let record = RevisionRecord {
            revision: need(line.revision, "revision")?,
            content_hash,
            definition,
            warnings: line.warnings.map_or_else(|| "[]".to_owned(), |raw| raw.get().to_owned()),
            published_at: need(line.published_at, "publishedAt")?,
            published_by: need(line.published_by, "publishedBy")?,
            message: line.message,
            rollback_of: line.rollback_of,
            compatibility: line.compatibility.map(|raw| raw.get().to_owned()),
        };
        let Some((_, revisions)) = self.worker_types.get_mut(&id) else {
            return Err(format!("a revision of {id} stands before its worker type"));
        };
        if record.revision.0 as usize != revisions.len() + 1 {
            return Err(format!(
                "revision {} of {id} is out of order: they go up from 1 without gaps",
                record.revision
            ));
        }
        revisions.push(record);
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Export>, Vec<Item>> {
        if !self.header {
            self.faults.push(Item::new("import-line", "", "the import has no lines"));
        }
        let mut records: Vec<Export> = self.releases.into_iter().map(Export::Release).collect();
        for (id, (line, revisions)) in self.worker_types {
            match record(&id, &line, &revisions) {
                Ok(record) => records.push(Export::WorkerType { record, revisions }),
                Err(message) => {
                    self.faults.push(Item::new("import-line", "", format!("the worker type {id}: {message}")));
                }
            }
        }
        if self.faults.is_empty() { Ok(records) } else { Err(self.faults) }
    }
}

fn record(id: &WorkerTypeId, line: &Line, revisions: &[RevisionRecord]) -> Result<WorkerTypeRecord, String> {
    let last_revision = need(line.last_revision, "lastRevision")?;
    if last_revision.0 as usize != revisions.len() {
        return Err(format!("its last revision is {last_revision}, and {} are there", revisions.len()));
    }
    let find = |number: RevisionNumber| {
        let found = revisions.get((number.0 as usize).wrapping_sub(1)).cloned();
        found.map(Arc::new).ok_or_else(|| format!("its live revision {number} is not there"))
    };
    let state = match (line.live, line.deleted_at) {
        (Some(live), None) => WorkerTypeState::Live { revision: find(live)?, older: line.older.map(find).transpose()? },
        (None, Some(at)) => WorkerTypeState::Deleted { at, by: need(line.deleted_by.clone(), "deletedBy")? },
        _ => return Err("it must have either \"live\" or \"deletedAt\"".to_owned()),
    };
    Ok(WorkerTypeRecord { id: id.clone(), generation: need(line.generation, "generation")?, last_revision, state })
}

fn need<T>(value: Option<T>, field: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("the field {field:?} is missing"))
}

/// The content's text, once its hash is what the line says.
fn content(content: Option<Box<RawValue>>, hash: Option<ContentHash>) -> Result<(String, ContentHash), String> {
    let text = need(content, "content")?.get().to_owned();
    let hash = need(hash, "contentHash")?;
    let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let actual = content_hash(&value);
    if actual == hash { Ok((text, hash)) } else { Err(format!("the content's hash is {actual}, not {hash}")) }
}

fn first_fault(faults: Vec<Item>) -> String {
    faults.into_iter().next().map_or_else(String::new, |fault| fault.message)
}
