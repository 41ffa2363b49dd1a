//! The proxy that misbehaves for other tests does so as it says, in each of its moods.

use integration_tests::proxy::{Mood, Proxy};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// So long a connection has to say nothing to count as silent.
const SILENCE: Duration = Duration::from_millis(300);
/// What is answered at once takes no longer.
const HANG: Duration = Duration::from_secs(10);

/// A proxy before a server that says everything twice.
fn before_an_echo() -> Proxy {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for mut client in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                let mut buffer = [0; 64];
                while let Ok(read) = client.read(&mut buffer) {
                    if read == 0 || client.write_all(&buffer[..read].repeat(2)).is_err() {
                        return;
                    }
                }
            });
        }
    });
    Proxy::before(&address)
}

fn connect(proxy: &Proxy) -> TcpStream {
    let stream = TcpStream::connect(proxy.url.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    stream
}

fn heard(stream: &mut TcpStream, said: &str) -> String {
    stream.write_all(said.as_bytes()).unwrap();
    let mut buffer = [0; 256];
    let read = stream.read(&mut buffer).unwrap();
    String::from_utf8_lossy(&buffer[..read]).into_owned()
}

/// Whether the other side has ended it. A connection that is only silent runs into its timeout instead.
fn is_over(stream: &mut TcpStream) -> bool {
    match stream.read_to_end(&mut Vec::new()) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    }
}

fn is_silent(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(SILENCE)).unwrap();
    // It may be over already.
    let _ = stream.write_all(b"anyone?");
    let silent = stream.read(&mut [0; 16]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    stream.set_read_timeout(Some(HANG)).unwrap();
    silent
}

#[test]
fn a_proxy_that_forwards_hands_everything_on() {
    assert_eq!(heard(&mut connect(&before_an_echo()), "hello"), "hellohello");
}

#[test]
fn a_proxy_that_is_slow_hands_everything_on_later_and_ends_nothing() {
    let proxy = before_an_echo();
    let mut stream = connect(&proxy);
    assert_eq!(heard(&mut stream, "one"), "oneone");
    proxy.set(Mood::Slow);
    let start = Instant::now();
    assert_eq!(heard(&mut stream, "two"), "twotwo");
    assert!(start.elapsed() >= Duration::from_millis(60), "late both ways");
    proxy.set(Mood::Forward);
    assert_eq!(heard(&mut stream, "three"), "threethree");
    assert_eq!(proxy.cut(), 0);
}

#[test]
fn a_proxy_that_refuses_ends_open_connections_and_new_ones_at_once() {
    let proxy = before_an_echo();
    let mut open = connect(&proxy);
    assert_eq!(heard(&mut open, "one"), "oneone");
    proxy.set(Mood::Refuse);
    assert!(is_over(&mut open));
    assert!(is_over(&mut connect(&proxy)));
    assert_eq!(proxy.cut(), 1);
    proxy.set(Mood::Forward);
    assert_eq!(heard(&mut connect(&proxy), "two"), "twotwo");
}

#[test]
fn a_black_hole_keeps_connections_and_says_nothing_and_what_it_swallowed_never_comes() {
    let proxy = before_an_echo();
    let mut open = connect(&proxy);
    assert_eq!(heard(&mut open, "one"), "oneone");
    proxy.set(Mood::BlackHole);
    let mut new = connect(&proxy);
    assert!(is_silent(&mut open) && is_silent(&mut new));
    proxy.set(Mood::Forward);
    assert!(is_over(&mut open) && is_over(&mut new), "both had swallowed something");
}

#[test]
fn a_proxy_that_answers_itself_answers_as_its_mood_is() {
    let proxy = before_an_echo();
    for (mood, begins) in [
        (Mood::Error500, "HTTP/1.1 500 "),
        (Mood::WrongJson, "HTTP/1.1 200 OK\r\ncontent-type: application/json"),
        (Mood::Rubbish, "\u{0}\u{1} what"),
    ] {
        proxy.set(mood);
        let answer = heard(&mut connect(&proxy), "GET / HTTP/1.1\r\n\r\n");
        assert!(answer.starts_with(begins), "{mood:?}: {answer:?}");
    }
    let mut stream = connect(&proxy);
    heard(&mut stream, "GET / HTTP/1.1\r\n\r\n");
    assert!(is_over(&mut stream), "what talks rubbish ends the connection");
    proxy.set(Mood::OneByteASecond);
    let mut stream = connect(&proxy);
    assert_eq!(heard(&mut stream, "GET / HTTP/1.1\r\n\r\n"), "H");
    let start = Instant::now();
    stream.read_exact(&mut [0; 1]).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(800));
}
