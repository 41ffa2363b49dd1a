//! A crude HTTP server: it reads requests properly and answers what it is told to, byte by byte if need be.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinSet,
};

/// A request that was read whole.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub method: String,
    /// Path and query, below the API.
    pub target: String,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap()
    }

    pub fn query(&self, name: &str) -> Option<String> {
        let url = format!("http://x{}", self.target).parse::<reqwest::Url>().unwrap();
        url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }
}

/// One thing to do with a connection.
pub enum Step {
    Send(Vec<u8>),
    Wait(Duration),
    /// Says nothing more and keeps the connection open.
    Hang,
    /// Sends without end, as fast as it is read.
    Flood,
    /// Sends what comes.
    Relay(mpsc::UnboundedReceiver<String>),
}

pub type Handler = Arc<dyn Fn(&Request) -> Vec<Step> + Send + Sync>;

/// The server.
pub struct Fake {
    pub address: SocketAddr,
    handler: Handler,
    log: Arc<Mutex<Vec<Request>>>,
    running: JoinSet<()>,
}

const API: &str = "/api/worker-manager/v1";

impl Fake {
    pub async fn start(handler: Handler) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut fake = Self { address, handler, log: Arc::default(), running: JoinSet::new() };
        fake.run(listener);
        fake
    }

    fn run(&mut self, listener: TcpListener) {
        let (handler, log) = (Arc::clone(&self.handler), Arc::clone(&self.log));
        self.running.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                connections.spawn(serve(stream, Arc::clone(&handler), Arc::clone(&log)));
            }
        });
    }

    /// As if it were killed: connections break, new ones are refused.
    pub async fn stop(&mut self) {
        self.running.shutdown().await;
    }

    /// Comes back at the same address.
    pub async fn restart(&mut self) {
        // Meanwhile the port may serve as the near end of somebody's connection.
        let guard = std::time::Instant::now() + Duration::from_secs(30);
        let listener = loop {
            match TcpListener::bind(self.address).await {
                Ok(listener) => break listener,
                Err(error) => assert!(std::time::Instant::now() < guard, "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        self.run(listener);
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.log.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, handler: Handler, log: Arc<Mutex<Vec<Request>>>) {
    let Some(request) = read_request(&mut stream).await else { return };
    log.lock().unwrap().push(request.clone());
    for step in handler(&request) {
        let done = match step {
            Step::Send(bytes) => stream.write_all(&bytes).await,
            Step::Wait(time) => {
                tokio::time::sleep(time).await;
                Ok(())
            }
            Step::Hang => loop {
                // Until the other side has enough.
                if matches!(stream.read(&mut [0; 64]).await, Ok(0) | Err(_)) {
                    return;
                }
            },
            Step::Flood => loop {
                if stream.write_all(&[b'x'; 1 << 16]).await.is_err() {
                    return;
                }
            },
            Step::Relay(mut texts) => relay(&mut stream, &mut texts).await,
        };
        if done.is_err() {
            return;
        }
    }
    let _ = stream.shutdown().await;
}

async fn relay(stream: &mut TcpStream, texts: &mut mpsc::UnboundedReceiver<String>) -> std::io::Result<()> {
    let mut byte = [0; 1];
    loop {
        tokio::select! {
            text = texts.recv() => match text {
                Some(text) => stream.write_all(text.as_bytes()).await?,
                None => return Ok(()),
            },
            read = stream.read(&mut byte) => if read? == 0 { return Ok(()) },
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        read_more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let mut request = Request {
        method: first.next()?.to_owned(),
        target: first.next()?.strip_prefix(API).unwrap().to_owned(),
        headers,
        body: String::new(),
    };
    let mut body = bytes.split_off(end + 4);
    if request.header("transfer-encoding").is_some() {
        while !body.ends_with(b"0\r\n\r\n") {
            read_more(stream, &mut body).await?;
        }
        request.body = unchunk(&String::from_utf8(body).unwrap());
    } else {
        let length = request.header("content-length").map_or(0, |value| value.parse().unwrap());
        while body.len() < length {
            read_more(stream, &mut body).await?;
        }
        request.body = String::from_utf8(body).unwrap();
    }
    Some(request)
}

async fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut buffer = [0; 4096];
    let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
    bytes.extend_from_slice(&buffer[..read]);
    Some(())
}

fn unchunk(mut text: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        body.push_str(&rest[..size]);
        text = &rest[(size + 2).min(rest.len())..];
    }
    body
}

/// A whole answer.
pub fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<Step> {
    let body = body.as_ref();
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = if status == 304 { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let head = format!("HTTP/1.1 {status} Status\r\n{headers}{length}connection: close\r\n\r\n");
    vec![Step::Send([head.as_bytes(), body].concat())]
}

pub fn json(status: u16, body: &serde_json::Value) -> Vec<Step> {
    answer(status, &[("content-type", "application/json")], body.to_string())
}

/// A problem document as worker-manager sends it.
pub fn problem(status: u16, name: &str, detail: &str, suggestion: Option<&str>) -> Vec<Step> {
    let body = serde_json::json!({
        "type": format!("https://example.com/problems/{name}"), "title": "A title", "status": status, "detail": detail,
        "problem": name, "code": "InputError", "message": detail, "requestId": "r-1",
        "errors": [{"problem": name, "pointer": "", "message": detail}], "suggestion": suggestion, "generation": 7,
    });
    answer(status, &[("content-type", "application/problem+json")], body.to_string())
}
