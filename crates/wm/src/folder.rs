//! A folder of definitions, as it stands in git: `worker-types/<provisionerId>/<workerType>.yml`,
//! `releases/<name>/<version>.yml`, `defaults.yml`, and Markdown beside them.
//!
//! It reads files into definitions that remember their files. Whether a definition is right is the server's to say.

mod files;
mod inline;
mod names;
mod sourced;
#[cfg(test)]
mod tests;

pub use files::{Files, Folder as FolderOnDisk, Listed};
pub use sourced::{Sourced, Spot, part_of};

use crate::documents::{Document, DocumentError, FileFormat, Format, Place};
use inline::Inliner;
use names::Named;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use worker_types::{ReleaseId, WorkerTypeId};

/// The file that is merged under every definition.
const DEFAULTS: [&str; 3] = ["defaults.yml", "defaults.yaml", "defaults.json"];

/// What a folder holds.
#[derive(Debug, Default)]
pub struct Folder {
    /// In the order of their ids.
    pub releases: BTreeMap<ReleaseId, Sourced>,
    /// In the order of their ids.
    pub worker_types: BTreeMap<WorkerTypeId, Sourced>,
    /// Files that nothing reads, and names that are almost right.
    pub warnings: Vec<String>,
}

impl Folder {
    /// Reads all of `files`.
    ///
    /// # Errors
    /// Every fault of every file.
    pub fn load(files: &dyn Files) -> Result<Self, Vec<DocumentError>> {
        let listed = files.list().map_err(|error| vec![at_start(&files.name_of(""), error.to_string())])?;
        let mut reading = Reading { inliner: Inliner::new(files), folder: Self::default(), faults: Vec::new() };
        let defaults = reading.defaults(&listed);
        for path in &listed.files {
            match names::of(path) {
                Named::WorkerType(id) => reading.worker_type(path, id, defaults.as_ref()),
                Named::Release(id) => reading.release(path, id),
                Named::Wrong(message) => reading.faults.push(at_start(&files.name_of(path), message)),
                Named::Other => {}
            }
        }
        reading.finish(&listed)
    }

    /// Reads one release, whose Markdown stands beside it.
    ///
    /// # Errors
    /// Every fault of the file.
    pub fn load_release(file: &Path) -> Result<Sourced, Vec<DocumentError>> {
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let files = FolderOnDisk::new(parent);
        let mut reading = Reading { inliner: Inliner::new(&files), folder: Self::default(), faults: Vec::new() };
        let sourced = reading.document(&name).map(|document| reading.inlined(&name, document));
        sourced.filter(|_| reading.faults.is_empty()).ok_or(reading.faults)
    }
}

fn at_start(file: &str, message: impl Into<String>) -> DocumentError {
    DocumentError { file: file.to_owned(), place: Place::START, message: message.into() }
}

/// A folder that is being read.
struct Reading<'a> {
    inliner: Inliner<'a>,
    folder: Folder,
    faults: Vec<DocumentError>,
}

impl Reading<'_> {
    fn document(&mut self, path: &str) -> Option<Document> {
        let name = self.inliner.files.name_of(path);
        let bytes = match self.inliner.files.read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.faults.push(at_start(&name, error.to_string()));
                return None;
            }
        };
        let format = match FileFormat::of(Path::new(path), &bytes) {
            FileFormat::Yaml => Format::Yaml,
            FileFormat::Json | FileFormat::Ndjson => Format::Json,
        };
        Document::parse(&name, &bytes, format).map_err(|fault| self.faults.push(fault)).ok()
    }

    fn inlined(&mut self, path: &str, document: Document) -> Sourced {
        let (sourced, faults) = self.inliner.inline(path, document);
        self.faults.extend(faults);
        sourced
    }

    fn defaults(&mut self, listed: &Listed) -> Option<Arc<Sourced>> {
        let mut found = DEFAULTS.into_iter().filter(|name| listed.files.iter().any(|file| file == name));
        let first = found.next()?;
        if let Some(second) = found.next() {
            let message = format!("both {first} and {second} are here; keep one");
            self.faults.push(at_start(&self.inliner.files.name_of(second), message));
        }
        let document = self.document(first)?;
        if !document.value().is_object() {
            self.faults.push(at_start(document.name(), "the defaults must be a mapping of a definition's fields"));
            return None;
        }
        Some(Arc::new(self.inlined(first, document)))
    }

    fn worker_type(&mut self, path: &str, id: WorkerTypeId, defaults: Option<&Arc<Sourced>>) {
        let Some(document) = self.document(path) else { return };
        let sourced = self.inlined(path, document).over(defaults);
        if let Some(other) = self.folder.worker_types.get(&id) {
            let message = format!("{} defines {id} too; keep one", other.file());
            self.faults.push(at_start(sourced.file(), message));
            return;
        }
        self.folder.worker_types.insert(id, sourced);
    }

    fn release(&mut self, path: &str, id: ReleaseId) {
        let Some(document) = self.document(path) else { return };
        let sourced = self.inlined(path, document);
        if let Some(other) = self.folder.releases.get(&id) {
            let message = format!("{} is {id} too; keep one", other.file());
            self.faults.push(at_start(sourced.file(), message));
            return;
        }
        self.folder.releases.insert(id, sourced);
    }

    fn finish(mut self, listed: &Listed) -> Result<Folder, Vec<DocumentError>> {
        let files = self.inliner.files;
        for path in listed.files.iter().filter(|path| names::is_stray(path, &self.inliner.read)) {
            self.folder.warnings.push(format!("{}: nothing reads this file", files.name_of(path)));
        }
        self.folder
            .warnings
            .extend(names::almost(listed).map(|(found, meant)| {
                format!("{}: nothing reads this; did you mean {meant:?}?", files.name_of(found))
            }));
        if self.folder.releases.is_empty() && self.folder.worker_types.is_empty() && self.faults.is_empty() {
            self.faults.push(at_start(
                &files.name_of(""),
                "no definitions here; they stand in worker-types/<provisionerId>/<workerType>.yml and releases/<name>/<version>.yml",
            ));
        }
        if self.faults.is_empty() { Ok(self.folder) } else { Err(self.faults) }
    }
}
