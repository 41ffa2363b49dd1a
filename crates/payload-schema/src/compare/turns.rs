//! Comparisons take whole processors: only so many run at once that serving goes on beside them, and none waits longer
//! than two schemas may take. However many pairs of schemas are asked for at once, the processors are free again after
//! twice that time; a definition with many variants holds its turn longer.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

pub(super) struct Turns {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Turns {
    /// Turns for half of the processors, at least one.
    pub(super) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self { free: Mutex::new((processors / 2).max(1)), freed: Condvar::new() }
    }

    /// Waits for a turn, which ends when it is dropped; none if there is none within `longest`.
    pub(super) fn take(&self, longest: Duration) -> Option<Turn<'_>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_timeout_while(free, longest, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *free = free.checked_sub(1)?;
        Some(Turn(self))
    }
}

/// The right to compare.
pub(super) struct Turn<'a>(&'a Turns);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn only_so_many_have_a_turn_at_once() {
        let turns = Turns::new();
        let most = *turns.free.lock().unwrap();
        let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 * most {
                scope.spawn(|| {
                    let _turn = turns.take(Duration::MAX).unwrap();
                    peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(peak.into_inner() <= most);
        assert_eq!(*turns.free.lock().unwrap(), most);
    }

    #[test]
    fn nobody_waits_for_ever() {
        let turns = Turns::new();
        let most = *turns.free.lock().unwrap();
        let taken: Vec<_> = (0..most).filter_map(|_| turns.take(Duration::ZERO)).collect();
        assert_eq!(taken.len(), most);
        assert!(turns.take(Duration::from_millis(10)).is_none());
        drop(taken);
        assert!(turns.take(Duration::ZERO).is_some());
    }
}
