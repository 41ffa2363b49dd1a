//! Follows pool configurations through the change feed.

use crate::read::{read_each, read_one};
use crate::{PoolConfig, PoolError, PoolList};
use std::time::Duration;
use tokio::time::sleep;
use worker_manager_client::{Change, Client, ClientError, Interruption, Watch, WatchSettings};
use worker_types::WorkerTypeId;

/// How long to wait after an answer that did not come.
const PAUSE: Duration = Duration::from_secs(1);

/// What a watch of pools has to tell.
#[derive(Clone, Debug, PartialEq)]
pub enum PoolChange {
    /// Where things stand: at the beginning, and whenever changes may have been missed. It replaces what was known.
    Listed(PoolList),
    /// The feed is connected; from here on every change arrives.
    Connected,
    /// A pool is new, or another than it was.
    Changed(Box<PoolConfig>),
    /// A pool was changed, and cannot be used. The one from before is no longer what its owner wants.
    Faulty(PoolError),
    /// A worker type has no pool, or no longer.
    Gone(WorkerTypeId),
    /// The feed or an answer did not come; it is tried again by itself.
    Interrupted {
        /// Why, in words.
        cause: String,
    },
}

/// A watch of the pools that the caller may see. An event about a worker type whose pool stays as it was is told, too.
pub struct PoolWatch {
    client: Client,
    watch: Watch,
    pending: Option<Pending>,
}

/// What is to be read before the watch goes on.
#[derive(Clone)]
enum Pending {
    All(Vec<WorkerTypeId>),
    One(WorkerTypeId),
}

impl PoolWatch {
    /// A watch that begins with a list, at the first call of [`PoolWatch::next`].
    pub fn new(client: Client, settings: WatchSettings) -> Self {
        let settings = WatchSettings { list: true, ..settings };
        Self { watch: Watch::new(client.clone(), settings), client, pending: None }
    }

    /// Waits for the next thing to tell. Never fails and never ends; may be dropped and called again at any time without
    /// missing a change.
    pub async fn next(&mut self) -> PoolChange {
        loop {
            if let Some(pending) = self.pending.clone() {
                match self.read(pending).await {
                    Ok(change) => {
                        self.pending = None;
                        return change;
                    }
                    Err(error) => {
                        sleep(PAUSE).await;
                        return PoolChange::Interrupted { cause: error.to_string() };
                    }
                }
            }
            match self.watch.next().await {
                Change::Listed(all) => {
                    self.pending = Some(Pending::All(all.into_iter().map(|summary| summary.worker_type_id).collect()));
                }
                Change::Event(event) => self.pending = event.worker_type_id.map(Pending::One),
                Change::Connected => return PoolChange::Connected,
                Change::Bookmark => {}
                Change::Interrupted(Interruption { cause, .. }) => return PoolChange::Interrupted { cause },
            }
        }
    }

    async fn read(&self, pending: Pending) -> Result<PoolChange, ClientError> {
        Ok(match pending {
            Pending::All(ids) => PoolChange::Listed(read_each(&self.client, ids).await?),
            Pending::One(id) => match read_one(&self.client, &id).await? {
                Ok(Some(pool)) => PoolChange::Changed(Box::new(pool)),
                Ok(None) => PoolChange::Gone(id),
                Err(error) => PoolChange::Faulty(error),
            },
        })
    }
}
