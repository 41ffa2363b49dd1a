//! A definition that was read, with every reference in it followed. Revisions and releases never change, so that it stays
//! true for as long as anybody keeps it.

use crate::resolve::{Releases, Resolved, resolve};
use crate::store::{RevisionRecord, StoreError};
use serde_json::Value;
use worker_types::{Definition, Item, WorkerTypeId};

/// What a revision's text says.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) definition: Definition,
    pub(crate) resolved: Resolved,
}

impl Parsed {
    /// Reads what is stored.
    pub(crate) fn of(
        id: &WorkerTypeId,
        revision: &RevisionRecord,
        releases: &dyn Releases,
    ) -> Result<Self, StoreError> {
        let corrupt =
            |message: String| StoreError::Corrupt { what: format!("revision {} of {id}", revision.revision), message };
        let first = |faults: Vec<Item>| faults.into_iter().next().map_or_else(String::new, |fault| fault.message);
        let value: Value = serde_json::from_str(&revision.definition).map_err(|error| corrupt(error.to_string()))?;
        let definition = Definition::read(&value, id).map_err(|faults| corrupt(first(faults)))?;
        let resolved = resolve(&definition, releases).map_err(|faults| corrupt(first(faults)))?;
        Ok(Self { definition, resolved })
    }
}
