//! Export and import: the whole registry as NDJSON, with its history, and the same registry again from it.

mod lines;

use crate::error::WriteError;
use crate::export::Export;
use crate::gate::GateReport;
use crate::publish::{WriteContext, author};
use crate::registry::Registry;
use crate::store::StoreError;
use std::sync::Arc;
use worker_types::{Item, ReleaseId, WorkerTypeId};

/// Which records an export has, in order: worker types first, so that a release that they name is never missing.
#[derive(Clone, Debug)]
pub enum ExportStep {
    /// A worker type with its history.
    WorkerType(WorkerTypeId),
    /// A release.
    Release(ReleaseId),
}

/// What an import came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Records that were read.
    pub records: usize,
    /// Records that were not there before.
    pub new: usize,
}

impl Registry {
    /// The first line of an export.
    pub fn export_header(&self) -> String {
        lines::header()
    }

    /// The records of an export that begins now.
    pub fn export_plan(&self) -> Vec<ExportStep> {
        self.snapshot().worker_types.keys().cloned().map(ExportStep::WorkerType).collect()
    }

    /// The releases that an export ends with, asked for after its worker types were written.
    pub fn export_releases(&self) -> Vec<ExportStep> {
        self.snapshot().releases.keys().cloned().map(ExportStep::Release).collect()
    }

    /// The lines of one record, each with its line end.
    ///
    /// # Errors
    /// The database.
    pub async fn export_lines(self: &Arc<Self>, step: ExportStep) -> Result<String, StoreError> {
        self.blocking(move |registry| match &step {
            ExportStep::WorkerType(id) => {
                let history = registry.store.history(id)?;
                Ok(history.map(|(record, revisions)| lines::worker_type(&record, &revisions)).unwrap_or_default())
            }
            ExportStep::Release(id) => {
                let record = registry.store.release(id)?;
                Ok(record.map(|record| lines::release(&record)).unwrap_or_default())
            }
        })
        .await
    }

    /// Takes an export in: all of it or nothing. Records that are there already, equal in everything, are passed over.
    ///
    /// # Errors
    /// Lines that cannot be read, records that contradict what is there, the database.
    pub async fn import(self: &Arc<Self>, ndjson: Vec<u8>, context: WriteContext) -> Result<Imported, WriteError> {
        self.blocking(move |registry| registry.import_now(&ndjson, &context)).await
    }

    fn import_now(&self, ndjson: &[u8], context: &WriteContext) -> Result<Imported, WriteError> {
        let refuse = |errors| WriteError::InvalidImport(GateReport { errors, ..GateReport::default() });
        let records = lines::parse(ndjson).map_err(refuse)?;
        let dangling = self.dangling_releases(&records);
        if !dangling.is_empty() {
            return Err(refuse(dangling));
        }
        let (sequence, new) = match self.store.import(&records, &author(context)) {
            Ok(done) => done,
            Err(StoreError::ImportConflict(message)) => {
                return Err(refuse(vec![Item::new("import-conflict", "", message)]));
            }
            Err(error) => return Err(error.into()),
        };
        if sequence.is_some() {
            tracing::info!(records = records.len(), new, "imported");
        }
        self.catch_up_after_write(sequence);
        Ok(Imported { records: records.len(), new })
    }

    /// An error for each worker type whose live definition names a release that neither the import nor the registry has.
    fn dangling_releases(&self, records: &[Export]) -> Vec<Item> {
        let snapshot = self.snapshot();
        let known = |id: &ReleaseId| {
            snapshot.releases.contains_key(id)
                || records.iter().any(|record| matches!(record, Export::Release(release) if release.id == *id))
        };
        let mut faults = Vec::new();
        for record in records {
            let Export::WorkerType { record, revisions } = record else { continue };
            for id in revisions.iter().flat_map(|revision| lines::releases_named(&revision.definition)) {
                if !known(&id) {
                    let message =
                        format!("{} names the release {id}, which neither the import nor the registry has", record.id);
                    faults.push(Item::new("unknown-release", "", message));
                }
            }
        }
        faults.dedup();
        faults
    }
}
