//! A small pool of connections: first come, first served, and a failure to connect is told at once in its own words.
//! (`docs/decisions/0002-database-access.md` says why it is not r2d2.)

use crate::DatabaseError;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

type Connect<C> = Box<dyn Fn() -> Result<C, DatabaseError> + Send + Sync>;

pub(crate) struct Pool<C> {
    connect: Connect<C>,
    size: usize,
    timeout: Duration,
    state: Mutex<State<C>>,
}

struct State<C> {
    idle: Vec<C>,
    /// How many more may be in use at the same time.
    free: usize,
    /// Who waits, in order of arrival.
    waiting: VecDeque<Thread>,
}

/// What becomes of a connection after its use.
pub(crate) enum Fate {
    /// It goes back into the pool.
    Keep,
    /// It is closed, and the idle ones too: what broke this one has most likely broken them.
    Discard,
}

/// A place among the connections in use; dropped, it goes to the next who waits.
struct Place<'a, C>(&'a Pool<C>);

impl<C> Pool<C> {
    pub fn new(size: usize, timeout: Duration, connect: Connect<C>) -> Self {
        let size = size.max(1);
        let state = State { idle: Vec::new(), free: size, waiting: VecDeque::new() };
        Self { connect, size, timeout, state: Mutex::new(state) }
    }

    /// Puts in a connection that was made beforehand.
    pub fn add_idle(&self, connection: C) {
        self.lock().idle.push(connection);
    }

    /// Lends a connection to `work`, made anew if none is idle; `work` hears whether it was used before (and may have
    /// died since). A connection whose user panics is closed, which ends its transaction.
    pub fn with<T>(&self, work: impl FnOnce(&mut C, bool) -> (T, Fate)) -> Result<T, DatabaseError> {
        let (_place, idle) = self.wait_for_turn()?;
        let reused = idle.is_some();
        let mut connection = match idle {
            Some(connection) => connection,
            None => (self.connect)()?,
        };
        let (answer, fate) = work(&mut connection, reused);
        match fate {
            Fate::Keep => self.add_idle(connection),
            Fate::Discard => {
                let idle = std::mem::take(&mut self.lock().idle);
                drop((connection, idle));
            }
        }
        Ok(answer)
    }

    fn wait_for_turn(&self) -> Result<(Place<'_, C>, Option<C>), DatabaseError> {
        let deadline = Instant::now() + self.timeout;
        let me = thread::current();
        let mut state = self.lock();
        state.waiting.push_back(me.clone());
        loop {
            let first = state.waiting.front().is_some_and(|front| front.id() == me.id());
            if first && state.free > 0 {
                state.waiting.pop_front();
                state.free -= 1;
                let (next, idle) = (state.next(), state.idle.pop());
                drop(state);
                wake(next);
                return Ok((Place(self), idle));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.waiting.retain(|thread| thread.id() != me.id());
                let next = state.next();
                drop(state);
                wake(next);
                let message =
                    format!("no connection became free within {:?}: all {} are in use", self.timeout, self.size);
                return Err(DatabaseError::Unavailable { message });
            }
            drop(state);
            thread::park_timeout(left);
            state = self.lock();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> State<C> {
    /// Whose turn it is, if there is room.
    fn next(&self) -> Option<Thread> {
        self.waiting.front().filter(|_| self.free > 0).cloned()
    }
}

/// Without the lock: whoever wakes up takes it at once.
fn wake(next: Option<Thread>) {
    if let Some(next) = next {
        next.unpark();
    }
}

impl<C> Drop for Place<'_, C> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.free += 1;
        let next = state.next();
        drop(state);
        wake(next);
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, Pool};
    use crate::DatabaseError;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn counting(size: usize, timeout: Duration) -> (Pool<usize>, Arc<AtomicUsize>) {
        let made = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&made);
        (Pool::new(size, timeout, Box::new(move || Ok(counter.fetch_add(1, Ordering::SeqCst)))), made)
    }

    #[test]
    fn connections_are_reused_and_a_broken_one_takes_the_idle_ones_with_it() {
        let (pool, made) = counting(2, Duration::from_secs(60));
        pool.with(|_, reused| {
            assert!(!reused);
            pool.with(|_, _| ((), Fate::Keep)).unwrap();
            ((), Fate::Keep)
        })
        .unwrap();
        assert_eq!(made.load(Ordering::SeqCst), 2);
        assert!(pool.with(|_, reused| (reused, Fate::Discard)).unwrap());
        assert!(!pool.with(|_, reused| (reused, Fate::Keep)).unwrap());
        assert_eq!(made.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn a_panic_closes_the_connection_and_frees_its_place() {
        let (pool, made) = counting(1, Duration::from_secs(60));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.with(|_, _| -> ((), Fate) { panic!("on purpose") })
        }));
        assert!(panicked.is_err());
        assert!(!pool.with(|_, reused| (reused, Fate::Keep)).unwrap());
        assert_eq!(made.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_failure_to_connect_is_told_at_once_and_frees_the_place() {
        let refuse = || Err(DatabaseError::Unavailable { message: "connection refused".to_owned() });
        let pool: Pool<()> = Pool::new(1, Duration::from_secs(60), Box::new(refuse));
        for _ in 0..3 {
            assert_eq!(pool.with(|(), _| ((), Fate::Keep)).unwrap_err().to_string(), "connection refused");
        }
    }

    #[test]
    fn whoever_waits_too_long_is_told_and_does_not_hold_up_the_others() {
        let (pool, _) = counting(1, Duration::from_millis(20));
        pool.with(|_, _| {
            let error = std::thread::scope(|scope| {
                let waiter = scope.spawn(|| pool.with(|_, _| ((), Fate::Keep)).unwrap_err().to_string());
                waiter.join().unwrap()
            });
            assert!(error.contains("all 1 are in use"), "{error}");
            ((), Fate::Keep)
        })
        .unwrap();
        pool.with(|_, _| ((), Fate::Keep)).unwrap();
    }

    #[test]
    fn all_who_wait_get_their_turn() {
        let (pool, made) = counting(2, Duration::from_secs(60));
        let served = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        pool.with(|_, _| ((), Fate::Keep)).unwrap();
                        served.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(served.load(Ordering::SeqCst), 16 * 200);
        assert!(made.load(Ordering::SeqCst) <= 2);
    }
}
