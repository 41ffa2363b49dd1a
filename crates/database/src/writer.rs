//! The thread that writes a SQLite file.
//!
//! One connection writes, so writers follow one another anyway. Were each to write on its own thread, the file would lie
//! idle between two of them until the next thread has woken up: on a busy machine for a fifth of the time.

use crate::DatabaseError;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::time::{Duration, Instant};

/// One thread, and the line in front of it.
pub(crate) struct Writer {
    thread: ThreadPool,
    patience: Duration,
}

impl Writer {
    /// Starts the thread. Whoever comes to their turn after more than `patience` is told so.
    pub fn start(patience: Duration) -> Result<Self, DatabaseError> {
        let builder = ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "sqlite-writer".to_owned());
        let thread = builder.build().map_err(|error| DatabaseError::Unavailable {
            message: format!("cannot start the thread that writes: {error}"),
        })?;
        Ok(Self { thread, patience })
    }

    /// Runs `work` there, after everything that came before, and waits for its end. A panic in it goes on here.
    pub fn run<T: Send, E: From<DatabaseError> + Send>(
        &self,
        work: impl FnOnce() -> Result<T, E> + Send,
    ) -> Result<T, E> {
        let came = Instant::now();
        // What is logged there belongs to the request that asked.
        let span = tracing::Span::current();
        self.thread.install(|| {
            if came.elapsed() > self.patience {
                let message = format!("other writes took more than {:?}", self.patience);
                return Err(DatabaseError::Unavailable { message }.into());
            }
            span.in_scope(work)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Writer;
    use crate::DatabaseError;
    use std::time::Duration;

    #[test]
    fn all_who_write_do_so_on_one_thread_one_after_the_other() {
        let writer = Writer::start(Duration::from_secs(60)).unwrap();
        let name = || Ok::<_, DatabaseError>(std::thread::current().name().map(str::to_owned));
        let names = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| writer.run(name).unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(names, vec![Some("sqlite-writer".to_owned()); 8]);
    }

    #[test]
    fn whoever_waits_too_long_is_told_and_writes_nothing() {
        let writer = Writer::start(Duration::ZERO).unwrap();
        let error = writer.run(|| -> Result<(), DatabaseError> { panic!("it came too late to write") }).unwrap_err();
        assert!(error.is_transient(), "{error}");
        assert!(error.to_string().contains("other writes took more than"), "{error}");
    }

    #[test]
    fn a_panic_goes_on_where_the_write_was_asked_for_and_the_next_one_writes() {
        let writer = Writer::start(Duration::from_secs(60)).unwrap();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            writer.run(|| -> Result<(), DatabaseError> { panic!("on purpose") })
        }));
        assert!(panicked.is_err());
        assert_eq!(writer.run(|| Ok::<_, DatabaseError>(1)).unwrap(), 1);
    }
}
