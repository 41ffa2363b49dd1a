//! Faults that a build with the feature `failpoints` has on purpose, each switched on by its name in the variable
//! `FAILPOINTS` as in `feed-loses=5%return`. The robustness suite has to find them out.

use crate::cursor::Cursor;
use crate::publish::{Publish, Published, WriteContext};
use crate::store::{EventRecord, Loaded, WorkerTypeState};
use crate::{Registry, error::WriteError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use worker_types::{RevisionNumber, WorkerTypeId};

/// How long the write comes after an early acknowledgement.
const LATE: Duration = Duration::from_millis(200);

fn strikes(name: &str) -> bool {
    fail::eval(name, |_| ()).is_some()
}

/// An event that has to wait for the one after it.
static OVERTAKEN: Mutex<Option<EventRecord>> = Mutex::new(None);

/// Events on their way to those who watch: now and then one is lost, told twice, overtaken by the next, says something else,
/// or has the number of the one before.
pub(crate) fn in_feed(mut events: Vec<EventRecord>) -> Vec<EventRecord> {
    if strikes("feed-loses") {
        events.pop();
    }
    if strikes("feed-repeats") {
        events.extend(events.last().cloned());
    }
    if strikes("feed-doubles")
        && let Some(last) = events.last_mut().filter(|last| last.sequence > 1)
    {
        last.sequence -= 1;
    }
    if strikes("feed-alters")
        && let Some(last) = events.last_mut()
    {
        last.revision = last.revision.map(RevisionNumber::next);
    }
    let mut overtaken = OVERTAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    match overtaken.take() {
        Some(late) => events.push(late),
        None if strikes("feed-swaps") => *overtaken = events.pop(),
        None => {}
    }
    events
}

/// Now and then a reader goes on one change too far.
pub(crate) fn begun_at(cursor: Cursor, applied: u64) -> Cursor {
    let skips = cursor.sequence < applied && strikes("resume-skips");
    Cursor { sequence: cursor.sequence + u64::from(skips), ..cursor }
}

/// Now and then a reader that has heard of everything is told a place that nothing has come to yet.
pub(crate) fn heard_up_to(cursor: Cursor) -> Cursor {
    let ahead = strikes("bookmark-ahead");
    Cursor { sequence: cursor.sequence + u64::from(ahead), ..cursor }
}

/// Now and then a server that starts overlooks a worker type.
pub(crate) fn loaded(mut loaded: Loaded) -> Loaded {
    if strikes("start-overlooks") {
        // One whose rollout nobody would end is not chosen.
        let at_rest = |state: &WorkerTypeState| matches!(state, WorkerTypeState::Live { older: None, .. });
        let found = loaded.worker_types.iter().rposition(|record| at_rest(&record.state));
        found.map(|index| loaded.worker_types.remove(index));
    }
    loaded
}

impl Registry {
    /// Now and then a publish is acknowledged before it is made, or is made and said to be refused.
    pub(crate) async fn answered_wrongly(
        self: &Arc<Self>,
        id: &WorkerTypeId,
        request: &Publish,
        context: &WriteContext,
    ) -> Option<Result<Published, WriteError>> {
        match self.acknowledged_early(id, request, context).await {
            None if !request.dry_run && strikes("publish-denies") => Some(self.denied(id, request, context).await),
            early => early,
        }
    }

    async fn denied(
        self: &Arc<Self>,
        id: &WorkerTypeId,
        request: &Publish,
        context: &WriteContext,
    ) -> Result<Published, WriteError> {
        let (named, request, context) = (id.clone(), request.clone(), context.clone());
        let made = self.blocking(move |registry| registry.publish_now(&named, request, &context)).await?;
        Err(WriteError::PreconditionFailed { id: id.clone(), current: Some(made.generation) })
    }

    async fn acknowledged_early(
        self: &Arc<Self>,
        id: &WorkerTypeId,
        request: &Publish,
        context: &WriteContext,
    ) -> Option<Result<Published, WriteError>> {
        if request.dry_run || !strikes("publish-acknowledges-early") {
            return None;
        }
        let (registry, id, request, context) = (self.clone(), id.clone(), request.clone(), context.clone());
        let (preview_of, preview_context) = (id.clone(), context.clone());
        let preview = Publish { dry_run: true, ..request.clone() };
        let answer = self.blocking(move |registry| registry.publish_now(&preview_of, preview, &preview_context)).await;
        tokio::task::spawn_blocking(move || {
            std::thread::sleep(LATE);
            if let Err(error) = registry.publish_now(&id, request, &context) {
                tracing::warn!(%error, "what was acknowledged early was never made");
            }
        });
        Some(answer)
    }
}
