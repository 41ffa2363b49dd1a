//! Sees from time to time to what is kept no longer.

use crate::queue::Queue;
use crate::store::Swept;
use tokio::time::{MissedTickBehavior, interval};

impl Queue {
    /// Removes what is kept no longer, now and then at intervals, for ever.
    pub(crate) async fn keep_house(self) {
        let mut ticks = interval(self.settings().retention.every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.sweep().await;
        }
    }

    /// Removes everything that is kept no longer, a batch at a time.
    pub(crate) async fn sweep(&self) {
        loop {
            match self.store().sweep(self.settings().retention, self.settings().recording.clone(), self.now()).await {
                Ok(swept) => {
                    if swept != Default::default() {
                        let Swept { tasks, groups, refusals, recorded } = swept;
                        tracing::info!(tasks, groups, refusals, recorded, "removed what is kept no longer");
                    }
                    if !swept.is_full() {
                        return;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "what is kept no longer could not be removed; it will be tried again");
                    return;
                }
            }
        }
    }
}
