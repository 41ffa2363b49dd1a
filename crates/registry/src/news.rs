//! How a registry's memory keeps up with its database: what is new there is applied in the order of the feed, whoever wrote it.

use crate::live::Entry;
use crate::registry::{Contact, Registry};
use crate::release::LiveRelease;
use crate::snapshot::Snapshot;
use crate::store::{EventRecord, FeedBounds, StoreError};
use crate::written::Commit;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use worker_types::{EventKind, WorkerTypeId};

/// Events that are applied together.
const BATCH: usize = 1_000;

impl Registry {
    /// Asks the database for news until the future is dropped, and forgets old events.
    pub async fn follow(self: Arc<Self>) {
        let mut compacted = Instant::now();
        loop {
            let registry = self.clone();
            let due = compacted.elapsed() > Duration::from_secs(60);
            let round = tokio::task::spawn_blocking(move || registry.round(due)).await;
            if due {
                compacted = Instant::now();
            }
            if !matches!(round, Ok(true)) {
                tokio::time::sleep(self.settings.poll).await;
            }
        }
    }

    fn round(&self, compact: bool) -> bool {
        self.store.wait_for_change(self.settings.poll);
        let caught_up = self.catch_up();
        if caught_up.is_ok() {
            self.complete_due_rollouts(jiff::Timestamp::now());
        }
        if compact && caught_up.is_ok() {
            self.compact();
        }
        caught_up.is_ok()
    }

    fn compact(&self) {
        let age = jiff::SignedDuration::try_from(self.settings.event_age).unwrap_or(jiff::SignedDuration::MAX);
        let Ok(oldest) = jiff::Timestamp::now().checked_sub(age) else { return };
        match self.store.compact_events(oldest, self.settings.event_count) {
            Ok(0) => {}
            Ok(forgotten) => tracing::info!(forgotten, "old events were forgotten"),
            Err(error) => tracing::warn!(%error, "old events could not be forgotten"),
        }
    }

    /// Applies every event that the database holds beyond the snapshot. Blocks.
    pub(crate) fn catch_up(&self) -> Result<(), StoreError> {
        self.catch_up_to(None)
    }

    /// Sees to it that reads show what was just written, whose event has this sequence; without one, what was there already,
    /// which may be another server's. The write is safe in the database; what can fail here is only that this replica's
    /// reads lag, and that is logged.
    pub(crate) fn catch_up_after_write(&self, sequence: Option<u64>) {
        self.answered.fetch_max(sequence.unwrap_or_default(), Ordering::AcqRel);
        // `catch_up_to` records its own failures.
        let _ = self.catch_up_to(sequence);
    }

    /// As [`Self::catch_up_after_write`], with what was written.
    pub(crate) fn catch_up_with(&self, commit: Commit) {
        let (id, generation, sequence) = (commit.record.id.clone(), commit.record.generation, commit.event.sequence);
        self.just_written.put(commit);
        self.catch_up_after_write(Some(sequence));
        // It is there still where it could not be applied.
        self.just_written.take(sequence);
        let snapshot = self.snapshot();
        let is_shown = snapshot.worker_types.get(&id).is_some_and(|entry| entry.record().generation >= generation);
        if !is_shown && snapshot.applied >= sequence && !snapshot.unreadable.contains(&id) {
            // The place in the feed was passed before, by another change: the database has gone back since.
            self.catch_up_after_write(None);
        }
    }

    fn catch_up_to(&self, sequence: Option<u64>) -> Result<(), StoreError> {
        let applied = self.apply_news(sequence);
        let mut contact = self.contact.lock().unwrap_or_else(PoisonError::into_inner);
        match &applied {
            Ok(()) => {
                if let Some(since) = contact.failing_since {
                    let elapsed_ms = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
                    tracing::info!(elapsed_ms, "the database gives news again");
                }
                *contact = Contact::now();
            }
            Err(error) => {
                let reason = error.to_string();
                // Once for each reason: the one that ends an outage may be another than the one that began it.
                if contact.error.as_ref() != Some(&reason) {
                    tracing::error!(error = reason, "the database gives no news; live reads go on");
                }
                contact.failing_since.get_or_insert_with(Instant::now);
                contact.error = Some(reason);
            }
        }
        applied
    }

    /// Applies what is new, up to `sequence` at least: whoever waited for the lock finds that it was applied with others'.
    /// What was committed here is at hand; the database is asked for everything else.
    fn apply_news(&self, sequence: Option<u64>) -> Result<(), StoreError> {
        let _one_at_a_time = self.applying.lock().unwrap_or_else(PoisonError::into_inner);
        let applied = self.snapshot.load().applied;
        match sequence {
            Some(sequence) if sequence <= applied => return Ok(()),
            Some(_) => {}
            None => {
                let bounds = self.store.feed()?;
                if self.is_of_another_past(&bounds) {
                    return self.start_over(&bounds);
                }
                if bounds.newest == applied {
                    return Ok(());
                }
            }
        }
        loop {
            let current = self.snapshot.load_full();
            let at_hand = self.just_written.events_after(current.applied);
            let is_at_hand = !at_hand.is_empty();
            let events = if is_at_hand { at_hand } else { self.store.events(current.applied, BATCH)? };
            self.contact.lock().unwrap_or_else(PoisonError::into_inner).at = Instant::now();
            let next = match events.first() {
                Some(first) => first.sequence,
                None if self.store.feed()?.compacted <= current.applied => return Ok(()),
                // Everything that this replica has not seen is forgotten.
                None => u64::MAX,
            };
            if next != current.applied + 1 {
                // Compaction overtook this replica: only the whole is certain.
                self.reload()?;
                continue;
            }
            let next = self.applied(&current, &events)?;
            let complete = match sequence {
                Some(sequence) if is_at_hand => sequence <= next.applied,
                _ => !is_at_hand && events.len() < BATCH,
            };
            self.snapshot.store(Arc::new(next));
            self.feed.publish(&current.epoch, events);
            if complete {
                return Ok(());
            }
        }
    }

    /// Whether the database is not the one that this replica knew, or has lost what this replica has seen: a backup was
    /// brought back, or a standby took over that had not received everything.
    fn is_of_another_past(&self, bounds: &FeedBounds) -> bool {
        let here = self.snapshot.load();
        *bounds.epoch != *here.epoch || bounds.newest < here.applied
    }

    /// Shows what the database holds now. Where its feed still goes by the old name, it gets a new one: the places in it
    /// that were given out mean other changes now, and their holders have to list anew.
    fn start_over(&self, bounds: &FeedBounds) -> Result<(), StoreError> {
        let seen = self.snapshot.load().applied;
        if *bounds.epoch == *self.snapshot.load().epoch {
            self.store.rename_feed(&bounds.epoch, seen)?;
        }
        tracing::error!(
            seen,
            feed.newest = bounds.newest,
            "the database holds less than it did, or is another one; everything is read anew, and whoever watches starts over"
        );
        self.reload()?;
        self.answered.store(self.snapshot.load().applied, Ordering::Release);
        Ok(())
    }

    fn reload(&self) -> Result<(), StoreError> {
        let snapshot = Snapshot::build(self.store.load()?, &self.shelf)?;
        let applied = snapshot.applied;
        // Whoever hears the bell finds the new state.
        self.snapshot.store(Arc::new(snapshot));
        self.feed.restart(applied);
        Ok(())
    }

    fn applied(&self, current: &Snapshot, events: &[EventRecord]) -> Result<Snapshot, StoreError> {
        let mut next = current.clone();
        for unknown in events.iter().filter(|event| event.kind == EventKind::Unknown) {
            // A newer version writes to the same database. What the event names is read anew, whatever has changed.
            tracing::warn!(
                event.sequence = unknown.sequence,
                "passed over a change of a kind that only a newer version knows"
            );
        }
        for id in events.iter().filter_map(|event| event.release.as_ref()) {
            if let Some(record) = readable(self.store.release(id))? {
                next.show_release(id, record.and_then(LiveRelease::build))?;
            }
        }
        let users_of_marks = next.users_of_marks_since(current).into_iter();
        let mut changed: BTreeMap<_, _> =
            users_of_marks.map(|record| (record.id.clone(), Ok((record, None)))).collect();
        for (id, commit) in self.last_commits(events) {
            let state = match commit {
                // A read of the database for an earlier event may have seen more than this one says.
                Some(commit) if current.shows_more_than(&commit.record) => continue,
                Some(commit) => Some(Ok((commit.record, commit.parsed))),
                None => readable(self.store.worker_type(id))?.map(|record| record.map(|record| (record, None))),
            };
            changed.extend(state.map(|state| (id.clone(), state)));
        }
        for (id, state) in changed {
            let releases = self.newest_releases(&next);
            let entry = state.and_then(|(record, parsed)| Entry::build(record, parsed, &releases, &self.shelf));
            next.show(id, entry)?;
        }
        next.applied = events.last().map_or(next.applied, |event| event.sequence);
        Ok(next)
    }

    /// The worker types that events name, each with what was committed here for the last of its events.
    fn last_commits<'e>(&self, events: &'e [EventRecord]) -> BTreeMap<&'e WorkerTypeId, Option<Commit>> {
        let of_worker_types = events.iter().filter_map(|event| Some((event.worker_type_id.as_ref()?, event.sequence)));
        of_worker_types.map(|(id, sequence)| (id, self.just_written.take(sequence))).collect()
    }
}

/// A row that cannot be read is there, and is no more a reason to stop than a definition that cannot be read.
fn readable<T>(found: Result<Option<T>, StoreError>) -> Result<Option<Result<T, StoreError>>, StoreError> {
    match found {
        Err(corrupt @ StoreError::Corrupt { .. }) => Ok(Some(Err(corrupt))),
        found => found.map(|found| found.map(Ok)),
    }
}
