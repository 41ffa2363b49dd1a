//! Load over keep-alive connections; the processor time that a process spent meanwhile, and the memory that it has.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

/// Connections that send at the same time.
const CONNECTIONS: usize = 4;

/// Processor time of a process in microseconds (proc(5): fields 14 and 15 of `stat`, in ticks of 10 ms).
pub fn cpu_micros(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process runs");
    let (_, fields) = stat.rsplit_once(')').expect("stat names the process in brackets");
    let ticks = |index: usize| {
        fields.split_whitespace().nth(index).and_then(|text| text.parse::<f64>().ok()).expect("a number of ticks")
    };
    (ticks(11) + ticks(12)) * 10_000.0
}

/// Resident memory of a process, in kB.
pub fn resident(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("the kernel tells");
    line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).expect("a number of kB")
}

/// Sends `requests` GETs, and answers the server's processor time per request in microseconds and the rate per second.
pub fn get(pid: u32, url: &str, requests: usize) -> (f64, f64) {
    let (host, path) = url.trim_start_matches("http://").split_once('/').expect("the URL has a path");
    let head = format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\n\r\n");
    let (before, start) = (cpu_micros(pid), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            let (host, head) = (host, head.as_bytes());
            scope.spawn(move || one_connection(host, head, requests / CONNECTIONS));
        }
    });
    let elapsed = start.elapsed().as_secs_f64();
    ((cpu_micros(pid) - before) / requests as f64, requests as f64 / elapsed)
}

fn one_connection(host: &str, request: &[u8], count: usize) {
    let mut connection = Connection::open(host);
    for _ in 0..count {
        assert_eq!(connection.exchange(request), 200);
    }
}

/// A connection that is kept, and the least that a client can do with it.
pub struct Connection {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
    line: String,
    body: Vec<u8>,
}

impl Connection {
    /// To a server at `host:port`.
    pub fn open(host: &str) -> Self {
        let stream = TcpStream::connect(host).expect("the server listens");
        stream.set_nodelay(true).expect("a socket option");
        let reader = BufReader::with_capacity(64 * 1024, stream.try_clone().expect("a second handle"));
        Self { stream, reader, line: String::new(), body: Vec::new() }
    }

    /// Sends a request as it stands, reads the whole answer, and says its status.
    pub fn exchange(&mut self, request: &[u8]) -> u16 {
        self.stream.write_all(request).expect("the server reads");
        let (mut length, mut status) = (0, 0);
        for number in 0.. {
            self.line.clear();
            self.reader.read_line(&mut self.line).expect("the server answers");
            if number == 0 {
                status = self.line.get(9..12).and_then(|digits| digits.parse().ok()).expect("a status line");
            }
            if let Some(text) = self.line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = text.trim().parse().expect("a length");
            }
            if self.line == "\r\n" {
                break;
            }
        }
        self.body.resize(length, 0);
        self.reader.read_exact(&mut self.body).expect("the whole body");
        status
    }
}
