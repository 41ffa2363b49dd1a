//! Follows pool configurations through the change feed.

use crate::read::{Read, read_each, read_one};
use crate::{PoolConfig, PoolError, PoolList};
use std::time::Duration;
use tokio::time::sleep;
use worker_manager_client::{Change, Client, ClientError, FeedEvent, FeedKind, Interruption, Watch, WatchSettings};
use worker_types::{EventKind, Generation, WorkerTypeId};

/// How long a server may need that has not heard of a change yet.
const LAG: Duration = Duration::from_millis(100);
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
    One(Announced),
}

/// A worker type of which the feed tells, as it has to be read at least: replicas may lag behind the feed.
#[derive(Clone)]
struct Announced {
    id: WorkerTypeId,
    generation: Option<Generation>,
    deleted: bool,
}

impl Announced {
    fn by(event: FeedEvent) -> Option<Self> {
        let deleted = event.kind == FeedKind::Known(EventKind::WorkerTypeDeleted);
        Some(Self { id: event.worker_type_id?, generation: event.generation, deleted })
    }

    /// Whether an answer has seen the change; what is read of a worker type that is gone by now has.
    fn is_met_by(&self, read: &Read) -> bool {
        match read.generation {
            Some(generation) => self.generation.is_none_or(|announced| generation >= announced),
            None => self.deleted,
        }
    }
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
                    Ok(Some(change)) => {
                        self.pending = None;
                        return change;
                    }
                    Ok(None) => {
                        sleep(LAG).await;
                        continue;
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
                Change::Event(event) => self.pending = Announced::by(event).map(Pending::One),
                Change::Connected => return PoolChange::Connected,
                Change::Bookmark => {}
                Change::Interrupted(Interruption { cause, .. }) => return PoolChange::Interrupted { cause },
            }
        }
    }

    /// None where the answer is of a server that has not heard of the change yet.
    async fn read(&self, pending: Pending) -> Result<Option<PoolChange>, ClientError> {
        let announced = match pending {
            Pending::All(ids) => return Ok(Some(PoolChange::Listed(read_each(&self.client, ids).await?))),
            Pending::One(announced) => announced,
        };
        let read = read_one(&self.client, &announced.id).await?;
        if !announced.is_met_by(&read) {
            return Ok(None);
        }
        Ok(Some(match read.pool {
            Ok(Some(pool)) => PoolChange::Changed(Box::new(pool)),
            Ok(None) => PoolChange::Gone(announced.id),
            Err(error) => PoolChange::Faulty(error),
        }))
    }
}
