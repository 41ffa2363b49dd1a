//! Faults that a build with the feature `failpoints` has on purpose, each switched on by its name in the variable
//! `FAILPOINTS` as in `feed-loses=5%return`. The robustness suite has to find them out.

use crate::publish::{Publish, Published, WriteContext};
use crate::{Registry, error::WriteError, store::EventRecord};
use std::sync::Arc;
use std::time::Duration;
use worker_types::WorkerTypeId;

/// How long the write comes after an early acknowledgement.
const LATE: Duration = Duration::from_millis(200);

fn strikes(name: &str) -> bool {
    fail::eval(name, |_| ()).is_some()
}

/// Events on their way to those who watch: now and then one is lost, told twice, or has the number of the one before.
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
    events
}

impl Registry {
    /// Now and then a publish is acknowledged first and made afterwards.
    pub(crate) async fn acknowledged_early(
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
