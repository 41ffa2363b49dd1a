//! From a file to text: reading, the byte order mark, and what is not UTF-8.

use super::error::{Fault, ReadError};
use super::places::Place;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of the file at `path`, or of standard input for `-`.
///
/// # Errors
/// The operating system's refusal.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let read = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|source| ReadError::Io { path: path.to_owned(), source })
}

/// What messages call the file at `path`.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// `bytes` as text, without a byte order mark.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Fault::new(Place::START, "the file is UTF-16; save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count());
        Fault::new(place(line, column), "a byte that is not UTF-8; save the file as UTF-8")
    })
}

/// The place of an offset that is counted from 0.
pub(super) fn place(line: usize, column: usize) -> Place {
    let from_one = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).saturating_add(1);
    Place { line: from_one(line), column: from_one(column) }
}
