//! How much of everything there is.

use crate::live::Entry;
use crate::snapshot::Snapshot;
use std::collections::BTreeMap;
use worker_types::{LifecycleState, ValidationMode};

/// How much of everything there is. Every word of a vocabulary has its number, also where it is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Worker types that are live.
    pub live: usize,
    /// Worker types that were deleted: their history stays.
    pub deleted: usize,
    /// Live ones, by where they stand in their life.
    pub by_lifecycle: Vec<(&'static str, usize)>,
    /// Live ones, by what a queue does now with a payload that does not fit.
    pub by_validation: Vec<(&'static str, usize)>,
    /// Revisions of all worker types, deleted ones included.
    pub revisions: u64,
    /// Releases of implementations.
    pub releases: usize,
}

impl Counts {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let (mut lifecycles, mut modes) = (BTreeMap::new(), BTreeMap::new());
        let (mut live, mut revisions) = (0, 0);
        for entry in snapshot.worker_types.values() {
            // They are numbered from 1 without a gap, and stay for ever.
            revisions += u64::from(entry.record().last_revision.0);
            if let Entry::Live(worker_type) = &**entry {
                live += 1;
                *lifecycles.entry(worker_type.summary.lifecycle.as_str()).or_insert(0) += 1;
                *modes.entry(worker_type.validation.validation.as_str()).or_insert(0) += 1;
            }
        }
        let deleted = snapshot.worker_types.len() - live;
        let (by_lifecycle, by_validation) =
            (numbered(LifecycleState::NAMES, &lifecycles), numbered(ValidationMode::NAMES, &modes));
        Self { live, deleted, by_lifecycle, by_validation, revisions, releases: snapshot.releases.len() }
    }
}

fn numbered(names: &[&'static str], counted: &BTreeMap<&str, usize>) -> Vec<(&'static str, usize)> {
    names.iter().map(|name| (*name, counted.get(name).copied().unwrap_or(0))).collect()
}
