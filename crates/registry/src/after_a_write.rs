//! Reads after writes on any server: a write's answer names its place in the feed, and a read that brings it waits until
//! this server has applied it.

use crate::cursor::Cursor;
use crate::registry::Registry;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use thiserror::Error;
use tokio::task::spawn_blocking;

/// Why a read does not wait any longer.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WaitError {
    /// It cannot be read.
    #[error("this is no cursor: give back, unchanged, the one that the answer to a write carried")]
    InvalidCursor,
    /// It is of another feed.
    #[error("the cursor is of another database: what was written there cannot be waited for here")]
    Foreign,
    /// It names an event that the database does not hold.
    #[error(
        "the cursor stands at change {wanted}, and the newest that the database holds is change {newest}: the database was put back to an earlier state, or the cursor is of another server"
    )]
    Future {
        /// Where the cursor stands.
        wanted: u64,
        /// The newest that there is.
        newest: u64,
    },
    /// The change has not come.
    #[error(
        "this server has not heard of the change within {} ms: it reads up to event {applied}, and the change is event {wanted}",
        patience.as_millis()
    )]
    Behind {
        /// The newest event that reads see.
        applied: u64,
        /// The one that was waited for.
        wanted: u64,
        /// For how long.
        patience: Duration,
    },
}

impl Registry {
    /// The place in the feed behind the last write that this server has answered, and behind all that its reads see.
    pub fn written(&self) -> Cursor {
        let here = self.snapshot().cursor();
        Cursor { sequence: here.sequence.max(self.answered.load(Ordering::Acquire)), ..here }
    }

    /// Returns once reads of this server see the event at `cursor`.
    ///
    /// # Errors
    /// The cursor is none of this feed, or the event does not come within `patience`.
    pub async fn wait_for(self: &Arc<Self>, cursor: &Cursor, patience: Duration) -> Result<(), WaitError> {
        let wanted = cursor.sequence;
        {
            let snapshot = self.snapshot();
            if *cursor.epoch != *snapshot.epoch {
                return Err(WaitError::Foreign);
            }
            if wanted <= snapshot.applied {
                return Ok(());
            }
        }
        let mut news = self.news();
        tokio::select! {
            // The feed ends with the registry, which is held here.
            _ = news.wait_for(|applied| *applied >= wanted) => Ok(()),
            // The database was asked after the question came: what it does not hold, no server has written.
            () = self.ask(wanted) => {
                let newest = self.snapshot().applied;
                if newest >= wanted { Ok(()) } else { Err(WaitError::Future { wanted, newest }) }
            }
            () = tokio::time::sleep(patience) => {
                Err(WaitError::Behind { applied: self.snapshot().applied, wanted, patience })
            }
        }
    }

    /// Asks the database for news once. Does not return while it is away: then the feed is what is listened to.
    async fn ask(self: &Arc<Self>, wanted: u64) {
        // One at a time: whoever else waits is served by the same news, and a database that does not answer holds one thread.
        let Ok(turn) = self.asking.clone().acquire_owned().await else { return std::future::pending().await };
        if self.snapshot().applied >= wanted {
            return;
        }
        let registry = self.clone();
        let asked = spawn_blocking(move || {
            let _turn = turn;
            registry.catch_up()
        });
        if !matches!(asked.await, Ok(Ok(()))) {
            std::future::pending::<()>().await;
        }
    }
}
