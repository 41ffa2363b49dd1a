//! Releases: published once, read by name, and the worker types that use them.

use crate::error::{ReadError, WriteError};
use crate::list::{ListFilter, ListPage};
use crate::live::Entry;
use crate::precondition::MarkPrecondition;
use crate::publish::{WriteContext, author, warnings_text};
use crate::registry::Registry;
use crate::release::{Changes, LiveRelease};
use crate::store::{Marked, ReleaseMark, ReleaseRecord};
use payload_schema::Contract;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use worker_types::{Compatibility, ReleaseId, ReleaseState, content_hash};

/// An implementation that has releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImplementationSummary {
    /// Its name.
    pub name: String,
    /// Its releases' versions, oldest first.
    pub versions: Vec<String>,
    /// How many live worker types run it by one of its releases or by naming it.
    pub worker_types: usize,
}

impl Registry {
    /// Publishes a release. Publishing the same content again answers what is there: a retry is safe.
    ///
    /// # Errors
    /// The gate's findings, another content under this id, the database.
    pub async fn publish_release(
        self: &Arc<Self>,
        id: ReleaseId,
        content: Value,
        dry_run: bool,
        context: WriteContext,
    ) -> Result<(LiveRelease, bool), WriteError> {
        self.blocking(move |registry| registry.publish_release_now(id, &content, dry_run, &context)).await
    }

    fn publish_release_now(
        &self,
        id: ReleaseId,
        content: &Value,
        dry_run: bool,
        context: &WriteContext,
    ) -> Result<(LiveRelease, bool), WriteError> {
        let report = self.gate().release(content, &id);
        if !report.ok() {
            return Err(WriteError::InvalidRelease(report));
        }
        let author = author(context);
        let record = ReleaseRecord {
            content_hash: content_hash(content),
            content: content.to_string(),
            warnings: warnings_text(&report.warnings),
            published_at: author.at,
            published_by: author.name.clone(),
            message: author.message.clone(),
            mark: None,
            id,
        };
        let hash = record.content_hash.clone();
        let (stored, created, sequence) = if dry_run {
            let there = self.store.release(&record.id)?;
            let created = there.is_none();
            (there.unwrap_or(record), created, None)
        } else {
            let (stored, sequence) = self.store.publish_release(&record, &author)?;
            (stored, sequence.is_some(), sequence)
        };
        if stored.content_hash != hash {
            return Err(WriteError::ReleaseExists(stored.id));
        }
        if !dry_run {
            if created {
                tracing::info!(release = %stored.id, "published");
            }
            self.catch_up_after_write(sequence);
        }
        Ok((LiveRelease::build(stored)?, created))
    }

    /// Deprecates or withdraws a release, or takes that back (`active`). The release itself stays as it is, and so does
    /// what uses it.
    ///
    /// The same words again answer what is there, whatever the precondition: a retry is safe.
    ///
    /// # Errors
    /// No precondition; there is no such release, or not as the precondition says; the database.
    pub async fn mark_release(
        self: &Arc<Self>,
        id: ReleaseId,
        state: ReleaseState,
        replaced_by: Option<ReleaseId>,
        precondition: Option<MarkPrecondition>,
        context: WriteContext,
    ) -> Result<LiveRelease, WriteError> {
        let precondition = precondition.ok_or(WriteError::MarkPreconditionRequired)?;
        self.blocking(move |registry| {
            let author = author(&context);
            let mark = (state != ReleaseState::Active).then(|| ReleaseMark {
                state,
                reason: author.message.clone(),
                replaced_by,
                at: author.at,
                by: author.name.clone(),
            });
            let holds = |there: &ReleaseRecord| {
                // What cannot be built has no entity tag that anybody could have seen.
                let etag =
                    LiveRelease::build(there.clone()).map(|live| live.document.identity.etag).unwrap_or_default();
                precondition.holds(there.mark.is_some(), &etag)
            };
            let marked = registry.store.mark_release(&id, mark.as_ref(), &author, &holds)?;
            match marked.ok_or_else(|| registry.unknown_release(&id))? {
                Marked::Same(record) => {
                    registry.catch_up_after_write(None);
                    Ok(LiveRelease::build(record)?)
                }
                Marked::Written(record, sequence) => {
                    tracing::info!(release = %id, state = state.as_str(), "marked");
                    registry.catch_up_after_write(Some(sequence));
                    Ok(LiveRelease::build(record)?)
                }
                Marked::Refused(record) => {
                    let etag = LiveRelease::build(record)?.document.identity.etag;
                    Err(WriteError::ReleaseChanged { id, etag })
                }
            }
        })
        .await
    }

    fn unknown_release(&self, id: &ReleaseId) -> ReadError {
        let similar = crate::resolve::Releases::similar(&**self.snapshot(), id);
        ReadError::UnknownRelease { id: id.clone(), similar }
    }

    /// One release.
    ///
    /// # Errors
    /// There is none.
    pub fn release(&self, id: &ReleaseId) -> Result<Arc<LiveRelease>, ReadError> {
        let snapshot = self.snapshot();
        snapshot.releases.get(id).cloned().ok_or_else(|| self.unknown_release(id))
    }

    /// The releases of one implementation, oldest first.
    ///
    /// # Errors
    /// It has none.
    pub fn releases_of(&self, implementation: &str) -> Result<Vec<Arc<LiveRelease>>, ReadError> {
        let snapshot = self.snapshot();
        let mut releases: Vec<_> = snapshot
            .releases
            .values()
            .filter(|release| release.record.id.implementation() == implementation)
            .cloned()
            .collect();
        if releases.is_empty() {
            return Err(ReadError::UnknownImplementation(implementation.to_owned()));
        }
        releases.sort_by_key(|release| release.record.published_at);
        Ok(releases)
    }

    /// What a release changed since the version before it; none for the first. As slow as a comparison of each
    /// of its variants, for the first who asks.
    pub fn changes(&self, live: &LiveRelease) -> Option<Changes> {
        if let Some(known) = live.since.get() {
            return Some(known.clone());
        }
        let id = &live.record.id;
        let others = self.releases_of(id.implementation()).ok()?;
        let older =
            others.into_iter().filter(|other| version_key(other.record.id.version()) < version_key(id.version()));
        let before = older.max_by_key(|other| version_key(other.record.id.version()))?;
        let (old, new) = (&before.release.variants, &live.release.variants);
        let gone = old.iter().filter(|variant| new.iter().all(|other| other.name != variant.name));
        let compared = new.iter().map(|variant| {
            let before = old.iter().find(|other| other.name == variant.name);
            (variant.name.clone(), before.and_then(|before| self.compare_payloads(&before.contract, &variant.contract)))
        });
        let variants = compared.chain(gone.map(|variant| (variant.name.clone(), None))).collect();
        let changes = Changes { before: before.record.id.clone(), variants };
        let is_final =
            |(_, found): &(String, Option<Compatibility>)| found.as_ref().is_none_or(|one| !one.is_provisional);
        if changes.variants.iter().all(is_final) {
            return Some(live.since.get_or_init(|| changes).clone());
        }
        Some(changes)
    }

    fn compare_payloads(&self, old: &worker_types::Contract, new: &worker_types::Contract) -> Option<Compatibility> {
        let anything = json!({"type": "object"});
        let [old, new] = [old, new].map(|contract| Contract {
            schema: contract.payload_schema.as_deref().unwrap_or(&anything),
            dialect: contract.dialect,
        });
        // Both were compiled when they were published.
        self.comparer.schemas(old, new).ok()
    }

    /// Every implementation that has a release or that a live worker type names.
    pub fn implementations(&self) -> Vec<ImplementationSummary> {
        let snapshot = self.snapshot();
        let mut found: BTreeMap<String, ImplementationSummary> = BTreeMap::new();
        let blank = |name: &str| ImplementationSummary { name: name.to_owned(), versions: Vec::new(), worker_types: 0 };
        let mut by_time: Vec<_> = snapshot.releases.values().collect();
        by_time.sort_by_key(|release| release.record.published_at);
        for release in by_time {
            let name = release.record.id.implementation();
            let entry = found.entry(name.to_owned()).or_insert_with(|| blank(name));
            entry.versions.push(release.record.id.version().to_owned());
        }
        for entry in snapshot.worker_types.values() {
            let Entry::Live(live) = &**entry else { continue };
            let mut names: Vec<&str> = live.summary.implementations.iter().map(|(name, _)| name.as_str()).collect();
            names.dedup();
            for name in names {
                found.entry(name.to_owned()).or_insert_with(|| blank(name)).worker_types += 1;
            }
        }
        found.into_values().collect()
    }

    /// A page of the live worker types whose definition names this release.
    ///
    /// # Errors
    /// There is no such release, or the continuation token belongs to another query.
    pub fn used_by(&self, id: &ReleaseId, limit: usize, continuation: Option<&str>) -> Result<ListPage, ReadError> {
        self.release(id)?;
        let filter = ListFilter { release: Some(id.to_string()), ..ListFilter::default() };
        self.list(&filter, limit, continuation)
    }
}

/// Orders versions as people count them: numbers as numbers, what comes before a release (`2.0-rc1`) before it.
fn version_key(version: &str) -> (Vec<(bool, u64, String)>, bool, String) {
    let (core, rest) = version.split_once('-').map_or((version, None), |(core, rest)| (core, Some(rest)));
    let part = |part: &str| match part.parse::<u64>() {
        Ok(number) => (true, number, String::new()),
        Err(_) => (false, 0, part.to_owned()),
    };
    (core.split('.').map(part).collect(), rest.is_none(), rest.unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::version_key;

    #[test]
    fn versions_are_ordered_as_people_count_them() {
        let ordered = ["9.0", "43.9.1", "44.0-rc1", "44.0-rc2", "44.0", "44.0.1", "44.10"];
        assert!(ordered.is_sorted_by_key(|version| version_key(version)));
    }
}
