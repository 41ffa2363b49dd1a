//! The gate follows the change feed: what changed is stale, and fetched again if tasks use it.

use crate::gate::core::Core;
use crate::gate::known::Expected;
use crate::gate::shelf::lock;
use crate::{Change, FeedEvent, Watch, WatchSettings};
use std::sync::{Arc, Weak};
use tokio::time::Instant;
use worker_types::ReleaseId;

/// Runs until the gate is gone.
pub(crate) async fn follow(gate: Weak<Core>) {
    let Some(core) = gate.upgrade() else { return };
    // The list itself is not wanted, only the place in the feed at which it was made.
    let settings = WatchSettings { list: false, heartbeat: core.settings.heartbeat, ..WatchSettings::default() };
    let mut watch = Watch::new(core.client.clone(), settings);
    drop(core);
    loop {
        let change = watch.next().await;
        let Some(core) = gate.upgrade() else { return };
        apply(&core, change);
    }
}

fn apply(core: &Arc<Core>, change: Change) {
    if !matches!(change, Change::Interrupted(_)) {
        core.heard();
    }
    match change {
        Change::Listed(_) => lock(&core.shelf).doubt(),
        Change::Connected => {
            core.feed_connected();
            tracing::info!("the change feed of worker-manager is connected");
        }
        Change::Event(event) => changed(core, &event),
        Change::Bookmark => lock(&core.shelf).sweep(Instant::now(), &core.settings),
        Change::Interrupted(interruption) => {
            if core.feed_interrupted(interruption.cause.clone()) {
                tracing::warn!(cause = %interruption.cause, "the change feed of worker-manager is interrupted");
            }
        }
    }
}

fn changed(core: &Arc<Core>, event: &FeedEvent) {
    if let Some(release) = &event.release {
        marked(core, release);
    }
    let Some(id) = &event.worker_type_id else { return };
    let slot = {
        let mut shelf = lock(&core.shelf);
        let Some(slot) = shelf.find(id) else { return shelf.announce(id, Expected::by(event, Instant::now())) };
        slot
    };
    let kept = {
        let mut slot = lock(&slot);
        slot.changed(event, Instant::now());
        slot.is_worth_keeping()
    };
    if kept {
        core.refresh_in_background(id.clone(), slot);
    }
}

/// What was said of a release stands in the bundles of all that use it, whose generations stay the same.
fn marked(core: &Arc<Core>, release: &ReleaseId) {
    let users = lock(&core.shelf).users_of(release);
    for (id, slot) in users {
        lock(&slot).marked();
        core.refresh_in_background(id, slot);
    }
}
