//! An open database: what services and stores hold.

use crate::changes::Changes;
use crate::pool::{Fate, Pool};
use crate::sqlite::ServerLock;
use crate::transaction::{self, Ended, Mode};
use crate::url::Target;
use crate::writer::Writer;
use crate::{AnyConnection, Backend, DatabaseError, DatabaseUrl, Failure, Migrations, Options};
use crate::{migrations, postgres, sqlite};
use diesel::{RunQueryDsl, sql_query};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How often a write is tried when other transactions are in its way.
const ATTEMPTS: u32 = 5;

/// One open database. All calls block: make them where blocking is allowed, such as tokio's `spawn_blocking`.
pub struct Database {
    url: DatabaseUrl,
    backend: Backend,
    writers: Pool<AnyConnection>,
    /// Where a file is written; none where everybody writes on their own thread.
    writer: Option<Writer>,
    /// None when reads go through the writers' connections.
    readers: Option<Pool<AnyConnection>>,
    changes: Arc<Changes>,
    listener: Option<postgres::Listener>,
    _lock: Option<ServerLock>,
}

impl Database {
    /// Connects, takes the server lock of a SQLite file, and sees to the migrations.
    ///
    /// `url` is `sqlite://FILE` (relative, or absolute as `sqlite:///…`; made if it does not exist, its folder is not),
    /// `sqlite::memory:` (for tests: gone when this value is dropped), `postgres://…` or `postgresql://…` with libpq's
    /// own parameters (`sslmode`, `sslrootcert`, several hosts …).
    ///
    /// # Errors
    /// Each says what is wrong and how to mend it. [`DatabaseError::is_transient`] tells those that pass by themselves.
    pub fn open(url: &str, migrations: &Migrations, options: &Options) -> Result<Self, DatabaseError> {
        let url: DatabaseUrl = url.parse()?;
        let opened = match url.target() {
            Target::File(path) => Self::open_file(&url, path, migrations, options),
            Target::Memory => Self::open_memory(&url, migrations, options),
            Target::Postgresql(address) => Self::open_postgres(&url, address, migrations, options),
        }?;
        tracing::debug!(database = %url, "opened");
        Ok(opened)
    }

    fn open_file(
        url: &DatabaseUrl,
        path: &Path,
        migrations: &Migrations,
        options: &Options,
    ) -> Result<Self, DatabaseError> {
        let path = sqlite::prepare(path)?;
        let lock = ServerLock::take(&path)?;
        let mut first = AnyConnection::Sqlite(sqlite::connect_writer(&path, options)?);
        migrations::settle(&mut first, &url.to_string(), migrations, options.pending_migrations)?;

        let settings = (path.clone(), options.clone());
        let connect = move || {
            Ok(AnyConnection::Sqlite(sqlite::connect_writer(&settings.0, &settings.1).map_err(|error| away(&error))?))
        };
        let writers = Pool::new(1, options.acquire_timeout, Box::new(connect));
        writers.add_idle(first);

        let settings = (path, options.clone());
        let connect = move || {
            Ok(AnyConnection::Sqlite(sqlite::connect_reader(&settings.0, &settings.1).map_err(|error| away(&error))?))
        };
        let readers = Some(Pool::new(options.pool_size, options.acquire_timeout, Box::new(connect)));
        let writer = Some(Writer::start(options.acquire_timeout)?);
        Ok(Self { _lock: Some(lock), readers, writer, ..Self::with(url, Backend::Sqlite, writers) })
    }

    fn open_memory(url: &DatabaseUrl, migrations: &Migrations, options: &Options) -> Result<Self, DatabaseError> {
        let mut only = AnyConnection::Sqlite(sqlite::connect_memory()?);
        migrations::settle(&mut only, &url.to_string(), migrations, options.pending_migrations)?;
        let lost = || Err(DatabaseError::Unavailable { message: "the database in memory is gone".to_owned() });
        let writers = Pool::new(1, options.acquire_timeout, Box::new(lost));
        writers.add_idle(only);
        Ok(Self::with(url, Backend::Sqlite, writers))
    }

    fn open_postgres(
        url: &DatabaseUrl,
        address: &str,
        migrations: &Migrations,
        options: &Options,
    ) -> Result<Self, DatabaseError> {
        let server = postgres::Server::new(url, address, options);
        let mut first = AnyConnection::Postgresql(server.open()?);
        migrations::settle(&mut first, &url.to_string(), migrations, options.pending_migrations)?;
        let (pooled, listened) = (server.clone(), server);
        let connect = move || Ok(AnyConnection::Postgresql(pooled.connect()?));
        let writers = Pool::new(options.pool_size, options.acquire_timeout, Box::new(connect));
        writers.add_idle(first);
        let opened = Self::with(url, Backend::Postgresql, writers);
        let listener = options
            .channel
            .map(|channel| postgres::Listener::start(listened, channel, Arc::clone(&opened.changes)))
            .transpose()?;
        Ok(Self { listener, ..opened })
    }

    fn with(url: &DatabaseUrl, backend: Backend, writers: Pool<AnyConnection>) -> Self {
        let changes = Arc::new(Changes::default());
        Self { url: url.clone(), backend, writers, writer: None, readers: None, changes, listener: None, _lock: None }
    }

    /// The URL as people may see it: without passwords.
    pub fn url(&self) -> &DatabaseUrl {
        &self.url
    }

    /// Which kind it is.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Runs `work` on one unchanging moment of the database.
    ///
    /// # Errors
    /// Those of `work`; [`DatabaseError::Unavailable`] when no connection can be had.
    pub fn read<T, E: Failure>(&self, work: impl FnOnce(&mut AnyConnection) -> Result<T, E>) -> Result<T, E> {
        let mut work = Some(work);
        self.attempt(Mode::Read, &mut |connection| match work.take() {
            Some(work) => work(connection),
            None => Err(DatabaseError::Unavailable { message: "the transaction could not begin".to_owned() }.into()),
        })
    }

    /// Runs `work` in a transaction that is committed if it answers `Ok`, and rolled back if it answers `Err` or panics.
    /// On SQLite writers follow one another; on PostgreSQL they run side by side (READ COMMITTED), so `work` takes the
    /// locks it needs, and is called again when a serialization failure or a deadlock undid it.
    ///
    /// `work` hands on the error of a query that failed: on PostgreSQL nothing after it counts, short of a savepoint
    /// (`connection.transaction(…)`) around that query.
    ///
    /// # Errors
    /// Those of `work`; [`DatabaseError::Unavailable`] when no connection can be had;
    /// [`DatabaseError::OutcomeUnknown`] when the connection was lost during the commit.
    pub fn write<T: Send, E: Failure + Send>(
        &self,
        mut work: impl FnMut(&mut AnyConnection) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        let mut attempt = 1;
        loop {
            let mut once = || self.attempt(Mode::Write, &mut work);
            let ended = match &self.writer {
                Some(writer) => writer.run(once),
                None => once(),
            };
            match ended {
                Err(error) if attempt < ATTEMPTS && is_contended(&error) => {
                    tracing::debug!(attempt, "a transaction was in the way of another; trying again");
                    std::thread::sleep(Duration::from_millis(5 << attempt));
                    attempt += 1;
                }
                ended => return ended,
            }
        }
    }

    /// Wakes those who wait for changes in other processes, if the options name a channel. Call it after a write that they
    /// look for. This process knows what it wrote.
    pub fn announce(&self) {
        if let Some(listener) = &self.listener {
            listener.announce();
        }
    }

    /// A count to hand to [`Database::wait_for_change`]: take it before looking for changes.
    pub fn changes(&self) -> u64 {
        self.changes.count()
    }

    /// Waits until another process announced something since `seen` was taken, or `timeout` has passed. Answers the count now.
    pub fn wait_for_change(&self, seen: u64, timeout: Duration) -> u64 {
        self.changes.wait(seen, timeout)
    }

    /// Asks the database for an answer.
    ///
    /// # Errors
    /// Why there is none.
    pub fn ping(&self) -> Result<(), DatabaseError> {
        self.read(|connection| Ok(sql_query("SELECT 1").execute(connection).map(drop)?))
    }

    fn attempt<T, E: Failure>(
        &self,
        mode: Mode,
        work: &mut dyn FnMut(&mut AnyConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        let pool = match mode {
            Mode::Read => self.readers.as_ref().unwrap_or(&self.writers),
            Mode::Write => &self.writers,
        };
        loop {
            let ended = pool.with(|connection, reused| {
                let ended = transaction::run(connection, mode, &mut *work);
                let usable = match &ended {
                    Ended::Committed(_) => true,
                    Ended::Failed { usable, .. } | Ended::NotBegun { usable, .. } => *usable,
                };
                ((ended, reused), if usable { Fate::Keep } else { Fate::Discard })
            })?;
            match ended {
                (Ended::Committed(value), _) => return Ok(value),
                (Ended::Failed { error, .. }, _) => return Err(error),
                // It died in the pool, as all do when a server restarts. The others are closed by now.
                (Ended::NotBegun { error, usable: false }, true) => {
                    tracing::debug!(%error, "a pooled connection was dead");
                }
                (Ended::NotBegun { error, .. }, _) => return Err(error.into()),
            }
        }
    }
}

fn is_contended<E: Failure>(error: &E) -> bool {
    matches!(error.database(), Some(DatabaseError::Contended { .. }))
}

/// A file that could be opened before, and cannot now.
fn away(error: &DatabaseError) -> DatabaseError {
    DatabaseError::Unavailable { message: error.to_string() }
}
