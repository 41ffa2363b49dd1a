//! Whether a registry's history is whole: each revision has its event, each event its audit row, what stands is what the
//! events lead to, and nothing else is there.

mod rows;

use crate::state::State;
pub use rows::{Audited, Change, Entry, Revision, Standing};
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of change by which a revision becomes live.
const PUBLISHES: [&str; 3] = ["worker-type-published", "worker-type-rolled-back", "rollout-started"];

/// What was written, read straight from the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Of the feed.
    pub epoch: String,
    /// By worker type and number.
    pub revisions: Vec<Revision>,
    /// In the order of their sequence.
    pub events: Vec<Change>,
    /// In the order of their sequence.
    pub audit: Vec<Audited>,
    /// Where each worker type stands.
    pub standing: Vec<Standing>,
}

impl History {
    /// Reads it, at one moment, from the database with this URL.
    ///
    /// # Panics
    /// It cannot be read.
    pub fn read(url: &str) -> Self {
        rows::read(url)
    }

    /// The entries of the audit that are those of the events, if all is well.
    pub fn is_audited(&self) -> bool {
        self.events.iter().map(|event| &event.entry).eq(self.audit.iter().map(|audited| &audited.entry))
    }

    /// Everything that does not match one to one.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.unpublished();
        if !self.is_audited() {
            faults.push(format!("{} events and {} audit rows do not match", self.events.len(), self.audit.len()));
        }
        if !self.events.iter().zip(1..).all(|(event, expected)| event.entry.sequence == expected) {
            faults.push("the sequence of events has a gap".to_owned());
        }
        faults.extend(self.led_elsewhere());
        faults
    }

    /// Revisions without their one event, and events without their revision.
    fn unpublished(&self) -> Vec<String> {
        let revisions: BTreeSet<_> =
            self.revisions.iter().map(|revision| (&revision.worker_type, revision.number)).collect();
        let events = self.events.iter().filter(|event| PUBLISHES.contains(&event.entry.kind.as_str()));
        let named: Vec<_> = events.filter_map(|event| Some((&event.entry.subject, event.revision?))).collect();
        let published: BTreeSet<_> = named.iter().copied().collect();
        let mut faults = Vec::new();
        if published.len() != named.len() {
            faults.push("a revision was published twice".to_owned());
        }
        let without = revisions.difference(&published);
        faults.extend(without.map(|(id, number)| format!("revision {number} of {id} has no event")));
        let without = published.difference(&revisions);
        faults.extend(
            without.map(|(id, number)| format!("an event names revision {number} of {id}, which is not there")),
        );
        faults
    }

    /// Events that cannot follow one another, and worker types that stand elsewhere than where their events lead.
    fn led_elsewhere(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut states: BTreeMap<&str, State> = BTreeMap::new();
        for event in &self.events {
            let (Some(generation), Some(revision)) = (event.generation, event.revision) else { continue };
            let state = states.entry(&event.entry.subject).or_default();
            if let Err(fault) = state.change(&event.entry.kind, generation, revision) {
                faults.push(format!("of {}: {fault}", event.entry.subject));
            }
        }
        let standing = self.standing.iter().map(|standing| (standing.worker_type.as_str(), standing.state.clone()));
        let standing: BTreeMap<&str, State> = standing.collect();
        if standing != states {
            faults.push(format!("the events lead to {states:?}, and there stands {standing:?}"));
        }
        faults
    }
}
