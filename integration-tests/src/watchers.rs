//! Very many readers of the change feed, each on a connection of its own, all driven by one thread; and one who never reads.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::{self, BufRead, Write};
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};

/// How long the readers may hear nothing before the test is hung.
const HANG: Duration = Duration::from_secs(120);
/// What a connection has in user space. The events of tests are smaller.
const BUFFER: usize = 2 << 10;
const BOOKMARK: &str = "bookmark";

/// Readers who began at the same place.
pub struct Watchers {
    ears: Arc<Ears>,
    heard: Receiver<Instant>,
    all_heard: usize,
    // Dropping it ends the connections.
    _runtime: Runtime,
}

/// What each reader has heard, and by how many each event was heard.
struct Ears {
    count: usize,
    heard_by: Mutex<Vec<usize>>,
    cursors: Vec<Mutex<Vec<String>>>,
    greeted: Sender<()>,
    complete: Sender<Instant>,
}

impl Watchers {
    /// Connects `count` readers to `path` at `address`, and waits until each was greeted.
    ///
    /// # Panics
    /// One of them is not.
    pub fn connect(address: &str, path: &str, count: usize) -> Self {
        // What is refused here, connecting tells.
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
        let (greeted, greetings) = channel();
        let (complete, heard) = channel();
        let cursors = (0..count).map(|_| Mutex::default()).collect();
        let ears = Arc::new(Ears { count, heard_by: Mutex::default(), cursors, greeted, complete });
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_io()
            .build()
            .unwrap_or_else(|error| panic!("no thread for the readers: {error}"));
        for reader in 0..count {
            let (ears, address, path) = (ears.clone(), address.to_owned(), path.to_owned());
            runtime.spawn(async move {
                let ended = ears.listen(reader, &address, &path).await;
                eprintln!("reader {reader} heard the end of its stream: {ended:?}");
            });
        }
        for greeted in 0..count {
            let greeting = greetings.recv_timeout(HANG);
            greeting.unwrap_or_else(|_| panic!("{greeted} of {count} readers were greeted, and no more"));
        }
        Self { ears, heard, all_heard: 0, _runtime: runtime }
    }

    /// Waits until every reader has heard `events` events since it connected, and tells when the last of them had.
    ///
    /// # Panics
    /// Some do not.
    pub fn all_have_heard(&mut self, events: usize) -> Instant {
        let mut at = Instant::now();
        while self.all_heard < events {
            at = match self.heard.recv_timeout(HANG) {
                Ok(at) => at,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("all heard of {} events, not of {events}: {:?}", self.all_heard, self.ears.heard_by)
                }
            };
            self.all_heard += 1;
        }
        at
    }

    /// The cursors of the events that each has heard.
    pub fn heard(&self) -> Vec<Vec<String>> {
        self.ears.cursors.iter().map(|cursors| locked(cursors).clone()).collect()
    }
}

impl Ears {
    /// Hears what comes, for ever.
    async fn listen(&self, reader: usize, address: &str, path: &str) -> io::Result<()> {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(request(address, path).as_bytes()).await?;
        let mut stream = BufReader::with_capacity(BUFFER, stream);
        let (mut line, mut lines) = (String::new(), Lines::default());
        while stream.read_line(&mut line).await? > 0 {
            if let Some(kind) = lines.kind(&line) {
                self.hear(reader, kind, &lines.cursor);
            }
            line.clear();
        }
        Ok(())
    }

    fn hear(&self, reader: usize, kind: &str, cursor: &str) {
        let mut cursors = locked(&self.cursors[reader]);
        if kind == BOOKMARK {
            if cursors.is_empty() {
                // Whoever connected them may have gone.
                let _ = self.greeted.send(());
            }
            return;
        }
        cursors.push(cursor.to_owned());
        let number = cursors.len();
        let mut heard_by = locked(&self.heard_by);
        if heard_by.len() < number {
            heard_by.resize(number, 0);
        }
        heard_by[number - 1] += 1;
        if heard_by[number - 1] == self.count {
            let _ = self.complete.send(Instant::now());
        }
    }
}

/// A reader who asks for the feed and then takes nothing, until it is told to.
pub struct Stuck {
    stream: std::net::TcpStream,
}

impl Stuck {
    /// Asks for `path` at `address`, on a connection that takes as little as the system allows.
    ///
    /// # Errors
    /// No connection is to be had.
    pub fn connect(address: &str, path: &str) -> io::Result<Self> {
        let server: SocketAddr = address.parse().map_err(io::Error::other)?;
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.set_recv_buffer_size(1)?;
            socket.connect(server).await?.into_std()
        })?;
        stream.set_nonblocking(false)?;
        (&stream).write_all(request(address, path).as_bytes())?;
        Ok(Self { stream })
    }

    /// Whether the server's side has bytes for it that cannot be sent (proc(5), `/proc/net/tcp`: `tx_queue`).
    ///
    /// # Errors
    /// The kernel does not tell.
    pub fn holds_the_server_up(&self) -> io::Result<bool> {
        let (here, there) = (self.stream.local_addr()?.port(), self.stream.peer_addr()?.port());
        let connections = std::fs::read_to_string("/proc/net/tcp")?;
        let waiting = connections.lines().find_map(|line| {
            let mut fields = line.split_whitespace().skip(1);
            let (local, remote, queues) = (fields.next()?, fields.next()?, fields.nth(1)?);
            let is_it = local.ends_with(&format!(":{there:04X}")) && remote.ends_with(&format!(":{here:04X}"));
            is_it.then(|| !queues.starts_with("00000000:"))
        });
        Ok(waiting.unwrap_or(false))
    }

    /// Reads until it has `events` events, and answers their cursors; fewer if the server ends the stream.
    ///
    /// # Errors
    /// The connection breaks.
    pub fn read(self, events: usize) -> io::Result<Vec<String>> {
        self.stream.set_read_timeout(Some(HANG))?;
        let mut stream = io::BufReader::new(&self.stream);
        let (mut line, mut lines, mut cursors) = (String::new(), Lines::default(), Vec::new());
        while cursors.len() < events && stream.read_line(&mut line)? > 0 {
            if lines.kind(&line).is_some_and(|kind| kind != BOOKMARK) {
                cursors.push(lines.cursor.clone());
            }
            line.clear();
        }
        Ok(cursors)
    }
}

/// The lines of a stream. The server writes whole events, so that none is torn by the chunks of HTTP.
#[derive(Default)]
struct Lines {
    /// The newest.
    cursor: String,
}

impl Lines {
    /// The kind of event that `line` names, whose cursor stood on the line before.
    fn kind<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        if let Some(id) = line.strip_prefix("id: ") {
            self.cursor.clear();
            self.cursor.push_str(id.trim_end());
        }
        line.strip_prefix("event: ").map(str::trim_end)
    }
}

fn request(address: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n")
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
