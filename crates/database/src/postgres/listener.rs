//! Wakes up when another process has committed, and wakes the others: one thread with a connection of its own.
//!
//! Announcements are sent here, after the commit and many as one: inside the transactions they would make them queue.
//! They only save time. Who waits for changes looks for them regardless after a while.

use super::Server;
use super::outage::Outage;
use crate::changes::Changes;
use crate::{DatabaseError, classify};
use diesel::sql_types::{Integer, Text};
use diesel::{PgConnection, QueryableByName, RunQueryDsl, sql_query};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often the socket is looked at. libpq does not say when; a look costs one `recv`.
const LOOK: Duration = Duration::from_millis(20);
/// Announcements that follow one another more closely go out as one.
const GAP: Duration = Duration::from_millis(10);
/// A connection that is silent this long is asked whether it lives.
const HEARTBEAT: Duration = Duration::from_secs(15);
const RECONNECT: Duration = Duration::from_secs(1);

pub(crate) struct Listener {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    server: Server,
    channel: &'static str,
    changes: Arc<Changes>,
    announce: AtomicBool,
    stop: AtomicBool,
}

impl Listener {
    /// Starts the thread, which connects by itself, now and whenever the connection is lost.
    pub fn start(server: Server, channel: &'static str, changes: Arc<Changes>) -> Result<Self, DatabaseError> {
        let (announce, stop) = (AtomicBool::new(false), AtomicBool::new(false));
        let shared = Arc::new(Shared { server, channel, changes, announce, stop });
        let worker = Arc::clone(&shared);
        let named = thread::Builder::new().name("database-listener".to_owned());
        let thread = named.spawn(move || worker.run()).map_err(|error| DatabaseError::Unavailable {
            message: format!("cannot start the thread that listens for changes: {error}"),
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Tells the other processes, soon.
    pub fn announce(&self) {
        let is_due_already = self.shared.announce.swap(true, Ordering::AcqRel);
        if let Some(thread) = self.thread.as_ref().filter(|_| !is_due_already) {
            thread.thread().unpark();
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It ends within a statement's timeout; a panic in it has been reported already.
            drop(thread.join());
        }
    }
}

impl Shared {
    fn run(&self) {
        let mut outage = Outage::default();
        while !self.stopped() {
            if let Err(error) = self.listen(&mut outage) {
                if outage.began(Instant::now()) {
                    tracing::warn!(
                        error = %error,
                        "lost the connection that listens for changes; it is tried every second, and told when it is back"
                    );
                }
                let until = Instant::now() + RECONNECT;
                while !self.stopped() && Instant::now() < until {
                    thread::park_timeout(until.saturating_duration_since(Instant::now()));
                }
            }
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    fn listen(&self, outage: &mut Outage) -> Result<(), DatabaseError> {
        let mut connection = self.server.connect()?;
        sql_query(format!("LISTEN {}", self.channel)).execute(&mut connection)?;
        let own: Backend = sql_query("SELECT pg_backend_pid() AS pid").get_result(&mut connection)?;
        if let Some(lasted) = outage.ended(Instant::now()) {
            let elapsed_ms = u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX);
            tracing::info!(elapsed_ms, "the connection that listens for changes is back");
        }
        // Whatever was announced while nobody listened.
        self.changes.bump();
        let mut spoke = Instant::now();
        let mut next = spoke;
        while !self.stopped() {
            self.hear(&mut connection, own.pid)?;
            if Instant::now() >= next && self.tell(&mut connection)? {
                spoke = Instant::now();
                next = spoke + GAP;
            } else if spoke.elapsed() > HEARTBEAT {
                sql_query("SELECT 1").execute(&mut connection)?;
                spoke = Instant::now();
            }
            let is_due = self.announce.load(Ordering::Acquire);
            let rest = if is_due { next.saturating_duration_since(Instant::now()) } else { LOOK };
            thread::park_timeout(rest);
        }
        // What was committed just before the end need not wait until the others look.
        self.tell(&mut connection).map(drop)
    }

    /// Sends the announcement that is due, if one is; says whether it did.
    fn tell(&self, connection: &mut PgConnection) -> Result<bool, DatabaseError> {
        if !self.announce.swap(false, Ordering::AcqRel) {
            return Ok(false);
        }
        let told = sql_query("SELECT pg_notify($1, '')").bind::<Text, _>(self.channel).execute(connection);
        told.inspect_err(|_| self.announce.store(true, Ordering::Release))?;
        Ok(true)
    }

    fn hear(&self, connection: &mut PgConnection, own: i32) -> Result<(), DatabaseError> {
        let mut heard = false;
        for notification in connection.notifications_iter() {
            let notification = notification
                .map_err(|error| DatabaseError::Unavailable { message: classify::one_line(&error.to_string()) })?;
            heard |= notification.process_id != own;
        }
        if heard {
            self.changes.bump();
        }
        Ok(())
    }
}

#[derive(QueryableByName)]
struct Backend {
    #[diesel(sql_type = Integer)]
    pid: i32,
}
