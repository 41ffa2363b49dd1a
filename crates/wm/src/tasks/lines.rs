//! NDJSON: one task on each line, read line by line.

use super::{Subject, Subjects, fault, forms, subject};
use crate::documents::{Document, ReadError, name_of};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn of_file(path: &Path, payloads: bool) -> Result<Subjects, ReadError> {
    let file = File::open(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    Ok(Box::new(Lines { source: BufReader::new(file), name: name_of(path), read: 0, payloads, ended: false }))
}

pub(super) fn of_bytes(name: String, bytes: Vec<u8>, payloads: bool) -> Subjects {
    Box::new(Lines { source: Cursor::new(bytes), name, read: 0, payloads, ended: false })
}

struct Lines<R> {
    source: R,
    name: String,
    /// Lines that were read.
    read: u32,
    payloads: bool,
    ended: bool,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Subject, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let mut line = Vec::new();
            match self.source.read_until(b'\n', &mut line) {
                Ok(0) => self.ended = true,
                Ok(_) => {
                    let end = line.trim_ascii_end().len();
                    line.truncate(end);
                    let before = self.read;
                    self.read = before.saturating_add(1);
                    if !line.trim_ascii().is_empty() {
                        return Some(self.subject(&line, before));
                    }
                }
                Err(source) => {
                    self.ended = true;
                    return Some(Err(ReadError::Io { path: PathBuf::from(&self.name), source }));
                }
            }
        }
        None
    }
}

impl<R> Lines<R> {
    fn subject(&self, line: &[u8], before: u32) -> Result<Subject, ReadError> {
        let document = Arc::new(Document::parse_line(&self.name, line, before)?);
        let forms = forms::find(document.value(), self.payloads).map_err(|message| fault(&document, message))?;
        let mut forms = forms.into_iter();
        match (forms.next(), forms.next()) {
            (Some(form), None) => Ok(Subject { line: before.saturating_add(1), ..subject(&document, form) }),
            _ => Err(fault(&document, "a line holds one task; this one holds a graph".to_owned()).into()),
        }
    }
}
