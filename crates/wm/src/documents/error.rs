//! Why a file was not taken as a document.

use super::Place;
use std::{io, path::PathBuf};
use thiserror::Error;

/// A fault in a document, at its place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}:{place}: {message}")]
pub struct DocumentError {
    /// What messages call the file.
    pub file: String,
    /// Where reading stopped.
    pub place: Place,
    /// What is wrong, and what to do.
    pub message: String,
}

/// A file that was not read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot read {path}: {source}", path = .path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It holds no document.
    #[error(transparent)]
    Document(#[from] DocumentError),
}

/// A fault of a text whose file is not known yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }

    /// The fault in the file `name`, where `lines_before` stand before the text.
    pub(crate) fn within(self, name: &str, lines_before: u32) -> DocumentError {
        DocumentError { file: name.to_owned(), place: self.place.below(lines_before), message: self.message }
    }
}
