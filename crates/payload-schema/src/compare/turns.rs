//! Comparisons take whole processors: only so many run at once that serving goes on beside them.

use std::sync::{Condvar, Mutex, PoisonError};

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

    /// Waits for a turn; it ends when it is dropped.
    pub(super) fn take(&self) -> Turn<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Turn(self)
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

    #[test]
    fn only_so_many_have_a_turn_at_once() {
        let turns = Turns::new();
        let most = *turns.free.lock().unwrap();
        let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 * most {
                scope.spawn(|| {
                    let _turn = turns.take();
                    peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(peak.into_inner() <= most);
        assert_eq!(*turns.free.lock().unwrap(), most);
    }
}
