//! One connection of the proxy, until it is ended. Errors of single connections are what the proxy is for.

use super::{Mood, Shared};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// How late bytes are while the mood is slow.
const LATE: Duration = Duration::from_millis(30);

/// Serves it to its end. The proxy has a handle of its own: only a shutdown ends it.
pub(super) fn serve(mut client: TcpStream, shared: &Arc<Shared>) {
    if matches!(shared.mood(), Mood::Forward | Mood::Slow) {
        forward(&client, shared);
    } else {
        answer(&mut client, shared);
    }
    let _ = client.shutdown(Shutdown::Both);
}

fn answer(client: &mut TcpStream, shared: &Shared) {
    let mut request = [0_u8; 4096];
    let head = |length: usize| {
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n")
    };
    while client.read(&mut request).is_ok_and(|read| read > 0) {
        let answered = match shared.mood() {
            Mood::Error500 => client.write_all(b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\n\r\noops"),
            Mood::Rubbish => {
                // It is over whether they were taken or not.
                let _ = client.write_all(b"\x00\x01 what is HTTP?\r\n\r\n{{{{");
                return;
            }
            Mood::WrongJson => client.write_all((head(11) + r#"{"a":"why"}"#).as_bytes()),
            Mood::OneByteASecond => drip(client, &(head(1_000) + "{")),
            Mood::BlackHole => Ok(()),
            Mood::Forward | Mood::Slow | Mood::Refuse => return,
        };
        if answered.is_err() {
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

fn forward(client: &TcpStream, shared: &Arc<Shared>) {
    let Ok(server) = TcpStream::connect(&shared.upstream) else { return };
    let (Ok(client), Ok(client_copy), Ok(server_copy)) = (client.try_clone(), client.try_clone(), server.try_clone())
    else {
        return;
    };
    let other = shared.clone();
    let back = std::thread::spawn(move || pump(server_copy, client_copy, &other));
    pump(client, server, shared);
    // The other direction ends with its connection.
    let _ = back.join();
}

/// Copies bytes until one side ends, and swallows them while the mood is a black hole.
fn pump(mut from: TcpStream, mut to: TcpStream, shared: &Shared) {
    let mut buffer = [0_u8; 16 * 1024];
    while let Ok(read) = from.read(&mut buffer) {
        if read == 0 {
            break;
        }
        let mood = shared.mood();
        if mood == Mood::Slow {
            std::thread::sleep(LATE);
        }
        if mood != Mood::BlackHole && to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    // Ends the other direction too.
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
