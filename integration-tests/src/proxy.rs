//! A proxy that a test puts before a server, and that misbehaves when told to.

mod connection;

use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the proxy does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Hands bytes on, both ways.
    Forward,
    /// Hands bytes on, each time after a moment.
    Slow,
    /// Answers 500.
    Error500,
    /// Answers with what is no HTTP, and ends the connection.
    Rubbish,
    /// Answers 200 with JSON that is not what was asked for.
    WrongJson,
    /// Answers one byte a second.
    OneByteASecond,
    /// Takes connections and says nothing.
    BlackHole,
    /// Ends connections, and new ones at once.
    Refuse,
}

/// A running proxy.
pub struct Proxy {
    shared: Arc<Shared>,
    /// The root URL that clients are given.
    pub url: String,
}

/// What the proxy and its connections know of one another.
struct Shared {
    state: Mutex<State>,
    upstream: String,
}

struct State {
    mood: Mood,
    /// The clients' connections, as far as they are not known to be over.
    open: Vec<TcpStream>,
    cut: usize,
}

impl Proxy {
    /// Before the server at `upstream` (`host:port`).
    ///
    /// # Panics
    /// No port is free.
    pub fn before(upstream: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let state = Mutex::new(State { mood: Mood::Forward, open: Vec::new(), cut: 0 });
        let shared = Arc::new(Shared { state, upstream: upstream.to_owned() });
        let taking = shared.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                taking.take(client);
            }
        });
        Self { shared, url: format!("http://{address}") }
    }

    /// Changes its mind. Connections that are open are ended, unless they can go on in the new mood.
    pub fn set(&self, mood: Mood) {
        let mut state = self.shared.state();
        let go_on = match mood {
            Mood::BlackHole | Mood::Slow => true,
            // Nothing was swallowed that the other side could miss.
            Mood::Forward => matches!(state.mood, Mood::Forward | Mood::Slow),
            _ => false,
        };
        if !go_on {
            // Before the mood: nothing goes through a connection of which something was swallowed.
            let ended = state.open.drain(..).filter(|stream| stream.shutdown(Shutdown::Both).is_ok()).count();
            state.cut += ended;
        }
        state.mood = mood;
    }

    /// How many open connections it has ended by changing its mind.
    pub fn cut(&self) -> usize {
        self.shared.state().cut
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn mood(&self) -> Mood {
        self.state().mood
    }

    /// A new connection, in the mood of this moment.
    fn take(self: &Arc<Self>, client: TcpStream) {
        let mut state = self.state();
        if state.mood == Mood::Refuse {
            // Gone already is as good.
            let _ = client.shutdown(Shutdown::Both);
            return;
        }
        let Ok(copy) = client.try_clone() else { return };
        state.open.retain(|stream| stream.peer_addr().is_ok());
        state.open.push(copy);
        drop(state);
        let shared = self.clone();
        std::thread::spawn(move || connection::serve(client, &shared));
    }
}
