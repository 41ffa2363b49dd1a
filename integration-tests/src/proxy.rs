//! A proxy that a test puts before a server, and that misbehaves when told to.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What the proxy does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mood {
    /// Hands bytes on, both ways.
    Forward,
    /// Hands bytes on, each time after a moment.
    Slow,
    /// Answers 500.
    Error500,
    /// Answers with what is no HTTP.
    Rubbish,
    /// Answers 200 with JSON that is not what was asked for.
    WrongJson,
    /// Answers one byte a second.
    OneByteASecond,
    /// Takes connections and says nothing.
    BlackHole,
    /// Ends connections at once.
    Refuse,
}

const MOODS: [Mood; 8] = [
    Mood::Forward,
    Mood::Slow,
    Mood::Error500,
    Mood::Rubbish,
    Mood::WrongJson,
    Mood::OneByteASecond,
    Mood::BlackHole,
    Mood::Refuse,
];

/// A running proxy.
pub struct Proxy {
    mood: Arc<AtomicU8>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    /// The root URL that clients are given.
    pub url: String,
}

impl Proxy {
    /// Before the server at `upstream` (`host:port`).
    ///
    /// # Panics
    /// No port is free.
    pub fn before(upstream: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let (mood, open) = (Arc::new(AtomicU8::new(Mood::Forward as u8)), Arc::new(Mutex::new(Vec::new())));
        let (upstream, shared_mood, shared_open) = (upstream.to_owned(), mood.clone(), open.clone());
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if let Ok(copy) = client.try_clone() {
                    shared_open.lock().unwrap_or_else(PoisonError::into_inner).push(copy);
                }
                let (upstream, mood) = (upstream.clone(), shared_mood.clone());
                std::thread::spawn(move || serve(client, &upstream, &mood));
            }
        });
        Self { mood, open, url: format!("http://{address}") }
    }

    /// Changes its mind. Connections that are open are ended, except for the moods that they can go on in.
    pub fn set(&self, mood: Mood) {
        self.mood.store(mood as u8, Ordering::SeqCst);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(mood, Mood::BlackHole | Mood::Slow) {
            for stream in open.drain(..) {
                // Gone already is as good.
                let _ = stream.shutdown(std::net::Shutdown::Both);
            }
        }
    }
}

fn current(mood: &AtomicU8) -> Mood {
    MOODS[usize::from(mood.load(Ordering::SeqCst))]
}

/// Errors of single connections are what this proxy is for.
fn serve(mut client: TcpStream, upstream: &str, mood: &Arc<AtomicU8>) {
    if matches!(current(mood), Mood::Forward | Mood::Slow) {
        forward(client, upstream, mood);
        return;
    }
    let mut request = [0_u8; 4096];
    let head = |length: usize| {
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n")
    };
    while current(mood) != Mood::Refuse && client.read(&mut request).is_ok_and(|read| read > 0) {
        let answered = match current(mood) {
            Mood::Error500 => client.write_all(b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\n\r\noops"),
            Mood::Rubbish => client.write_all(b"\x00\x01 what is HTTP?\r\n\r\n{{{{"),
            Mood::WrongJson => client.write_all((head(11) + r#"{"a":"why"}"#).as_bytes()),
            Mood::OneByteASecond => drip(&mut client, &(head(1_000) + "{")),
            Mood::BlackHole => {
                std::thread::sleep(Duration::from_secs(3_600));
                return;
            }
            Mood::Forward | Mood::Slow | Mood::Refuse => return,
        };
        if answered.is_err() || current(mood) == Mood::Rubbish {
            return;
        }
    }
}

fn drip(client: &mut TcpStream, text: &str) -> std::io::Result<()> {
    for byte in text.as_bytes() {
        client.write_all(&[*byte])?;
        client.flush()?;
        std::thread::sleep(Duration::from_secs(1));
    }
    Ok(())
}

fn forward(client: TcpStream, upstream: &str, mood: &Arc<AtomicU8>) {
    let Ok(server) = TcpStream::connect(upstream) else { return };
    let (Ok(client_copy), Ok(server_copy)) = (client.try_clone(), server.try_clone()) else { return };
    let other = mood.clone();
    let back = std::thread::spawn(move || pump(server_copy, client_copy, &other));
    pump(client, server, mood);
    // The other direction ends with its connection.
    let _ = back.join();
}

/// How late bytes are while the mood is slow.
const LATE: Duration = Duration::from_millis(30);

/// Copies bytes until one side ends, and swallows them while the mood is a black hole.
fn pump(mut from: TcpStream, mut to: TcpStream, mood: &AtomicU8) {
    let mut buffer = [0_u8; 16 * 1024];
    while let Ok(read) = from.read(&mut buffer) {
        if read == 0 {
            break;
        }
        if current(mood) == Mood::Slow {
            std::thread::sleep(LATE);
        }
        if current(mood) != Mood::BlackHole && to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    // Ends the other direction too.
    let _ = to.shutdown(std::net::Shutdown::Both);
    let _ = from.shutdown(std::net::Shutdown::Both);
}
