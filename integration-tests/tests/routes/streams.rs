//! Bodies pass as they come: large ones, endless ones, both ways at once, and connections that are no HTTP any more.

use super::routed;
use super::upstream::{Upstream, websocket_echo};
use integration_tests::http;
use integration_tests::server::Server;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::Message;

pub fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.url.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// The whole answer to a request as it is written here.
pub fn raw(server: &Server, request: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Reads the body of an answer until it is `expected`, in whatever chunks it comes: a server on the way may cut them
/// anew (RFC 9112 §7.1).
fn read_body(reader: &mut impl BufRead, expected: &str) {
    let mut body = Vec::new();
    while body.len() < expected.len() {
        let mut size = String::new();
        reader.read_line(&mut size).unwrap();
        let length = usize::from_str_radix(size.trim_end(), 16).unwrap();
        let mut chunk = vec![0; length + "\r\n".len()];
        reader.read_exact(&mut chunk).unwrap();
        body.extend_from_slice(&chunk[..length]);
    }
    assert_eq!(String::from_utf8_lossy(&body), expected);
}

/// Reads lines until one holds `words`; all of them.
pub fn read_until(reader: &mut impl BufRead, words: &str) -> String {
    let mut text = String::new();
    while !text.contains(words) {
        assert!(reader.read_line(&mut text).unwrap() > 0, "it ended after {text:?}");
    }
    text
}

#[test]
fn ten_megabytes_pass_unchanged_with_their_length_and_without() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let body: Vec<u8> = (0..10_u32 << 20).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let known = http::send(http::request("POST", &server.at("/api/queue/whole")).body(body.clone())).expect(200);
    assert_eq!(known.header("content-length"), body.len().to_string());
    assert!(known.bytes == body, "{} bytes came back", known.bytes.len());
    let unknown = reqwest::blocking::Body::new(std::io::Cursor::new(body.clone()));
    let chunked = http::send(http::request("POST", &server.at("/api/queue/whole")).body(unknown)).expect(200);
    assert!(chunked.bytes == body, "{} bytes came back", chunked.bytes.len());
}

#[test]
fn a_line_is_answered_before_the_next_is_sent() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let mut stream = connect(&server);
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    stream
        .write_all(b"POST /api/queue/lines HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
        .unwrap();
    for (index, line) in ["one\n", "two\n", "three\n"].into_iter().enumerate() {
        write!(stream, "{:x}\r\n{line}\r\n", line.len()).unwrap();
        if index == 0 {
            read_until(&mut reader, "\r\n\r\n");
        }
        read_body(&mut reader, line);
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    read_until(&mut reader, "0\r\n");
}

#[test]
fn events_arrive_while_they_are_written_and_end_with_the_reader() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let response = http::request("GET", &server.at("/api/queue/events")).send().unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut reader = BufReader::new(response);
    for number in 1..=3 {
        upstream.say(&format!("data: {number}\n\n"));
        read_until(&mut reader, &format!("data: {number}\n"));
    }
    drop(reader);
    // Whoever wrote them is told that nobody reads any more.
    integration_tests::wait::wait_for("the stream to be given up", || {
        upstream.say("data: more\n\n");
        upstream.readers().eq(&0).then_some(())
    });
}

#[test]
fn a_websocket_passes_and_ends_with_either_side() {
    let target = websocket_echo();
    let server = routed(&[&format!("/api/live={target}")]);
    let url = format!("{}/api/live/socket", server.url.replace("http://", "ws://"));
    let (mut socket, answer) = tungstenite::connect(&url).unwrap();
    assert_eq!(answer.status(), 101);
    for text in ["one", "two"] {
        socket.send(Message::text(text)).unwrap();
        assert_eq!(socket.read().unwrap(), Message::text(text));
    }
    let large = vec![7_u8; 1 << 20];
    socket.send(Message::binary(large.clone())).unwrap();
    assert!(socket.read().unwrap() == Message::binary(large));
    // The other side closes when it is asked to.
    socket.send(Message::text("close")).unwrap();
    assert!(matches!(socket.read().unwrap(), Message::Close(_)));
}

#[test]
fn a_server_that_stops_ends_the_streams_that_it_passes_on() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let response = http::request("GET", &server.at("/api/queue/events")).send().unwrap();
    upstream.say("data: 1\n\n");
    let mut reader = BufReader::new(response);
    read_until(&mut reader, "data: 1\n");
    server.signal("TERM");
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    assert_eq!(rest.trim(), "", "the stream ends in order");
}
