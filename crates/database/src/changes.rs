//! Counts what may have changed, so that a waiter misses nothing between looking and waiting.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct Changes {
    count: Mutex<u64>,
    changed: Condvar,
}

impl Changes {
    pub fn count(&self) -> u64 {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn bump(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_all();
    }

    /// Waits until the count is beyond `seen`, or `timeout` has passed. Answers the count.
    pub fn wait(&self, seen: u64, timeout: Duration) -> u64 {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(count, timeout, |count| *count <= seen);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;
    use std::time::{Duration, Instant};

    #[test]
    fn what_changed_before_the_wait_ends_it_at_once() {
        let changes = Changes::default();
        let seen = changes.count();
        changes.bump();
        let start = Instant::now();
        assert_eq!(changes.wait(seen, Duration::from_secs(60)), seen + 1);
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(changes.wait(seen + 1, Duration::from_millis(1)), seen + 1);
    }
}
