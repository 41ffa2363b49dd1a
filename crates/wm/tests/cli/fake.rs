//! A server that answers as a test wants it to.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request, as far as tests look at it.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// With its query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn is_dry_run(&self) -> bool {
        self.path.contains("dryRun=true")
    }
}

/// An answer: status, media type, body.
pub type Answer = (u16, &'static str, String);

/// A server, and what it was asked.
pub struct Fake {
    pub url: String,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Fake {
    /// A server that gives the answers of `answer`.
    pub fn new(answer: impl Fn(&Request) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        let asked: Arc<Mutex<Vec<Request>>> = Arc::default();
        let noted = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                // A client that goes away is no failure of the server.
                let _ = serve(stream, &answer, &noted);
            }
        });
        Self { url, asked }
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Request> {
        self.asked.lock().expect("no test panics while it holds the lock").clone()
    }
}

fn serve(stream: TcpStream, answer: &impl Fn(&Request) -> Answer, noted: &Mutex<Vec<Request>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(request) = read(&mut reader)? else { return Ok(()) };
    noted.lock().expect("no test panics while it holds the lock").push(request.clone());
    let (status, media_type, body) = answer(&request);
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status} Answer\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { method, path, headers, body: String::new() };
    let mut body = Vec::new();
    if request.header("transfer-encoding") == Some("chunked") {
        read_chunks(reader, &mut body)?;
    } else if let Some(length) = request.header("content-length").and_then(|length| length.parse().ok()) {
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
    }
    request.body = String::from_utf8_lossy(&body).into_owned();
    Ok(Some(request))
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> std::io::Result<()> {
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).unwrap_or_default();
        let mut chunk = vec![0; length + 2];
        reader.read_exact(&mut chunk)?;
        if length == 0 {
            return Ok(());
        }
        body.extend_from_slice(&chunk[..length]);
    }
}
