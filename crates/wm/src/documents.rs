//! JSON and YAML files as values whose parts know where they stand, so that a fault is shown at its line and column.
//!
//! JSON is read by JSON's rules and YAML by those of YAML 1.2; neither is read as the other. What the values mean is
//! not known here.

mod error;
mod format;
mod json;
#[cfg(test)]
mod laws;
mod places;
mod source;
mod yaml;

pub use error::{DocumentError, ReadError};
pub use format::{FileFormat, Format};
pub use places::{Part, Place};
pub use source::{name_of, read_bytes};
pub use yaml::to_yaml;

use places::Node;
use serde_json::Value;
use std::path::Path;
use std::sync::OnceLock;

/// How deep arrays and objects may stand inside one another: as deep as the service reads.
const DEPTH: usize = 100;

/// A file's one value, and where each part of it stands.
#[derive(Debug)]
pub struct Document {
    name: String,
    value: Value,
    /// Of JSON; places are looked for when the first fault asks for one.
    text: String,
    places: OnceLock<Node>,
    /// The line of the file that is the text's first, counted from 0.
    lines_before: u32,
}

impl Document {
    /// Reads `bytes` in `format`. `name` is what messages call the file.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn parse(name: &str, bytes: &[u8], format: Format) -> Result<Self, DocumentError> {
        let parsed = source::text(bytes).and_then(|text| match format {
            Format::Json => json::parse(text).map(|value| (value, text.to_owned(), OnceLock::new())),
            Format::Yaml => yaml::parse(text).map(|(value, node)| (value, String::new(), OnceLock::from(node))),
        });
        let (value, text, places) = parsed.map_err(|fault| fault.within(name, 0))?;
        Ok(Self { name: name.to_owned(), value, text, places, lines_before: 0 })
    }

    /// Reads one line of NDJSON, of which `lines_before` stand before it in its file.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn parse_line(name: &str, line: &[u8], lines_before: u32) -> Result<Self, DocumentError> {
        let parsed = source::text(line).and_then(|text| json::parse(text).map(|value| (value, text.to_owned())));
        let (value, text) = parsed.map_err(|fault| fault.within(name, lines_before))?;
        Ok(Self { name: name.to_owned(), value, text, places: OnceLock::new(), lines_before })
    }

    /// Reads the file at `path`, or standard input for `-`.
    ///
    /// # Errors
    /// It cannot be read, or its first fault.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let bytes = read_bytes(path)?;
        let format = match FileFormat::of(path, &bytes) {
            FileFormat::Json | FileFormat::Ndjson => Format::Json,
            FileFormat::Yaml => Format::Yaml,
        };
        Ok(Self::parse(&name_of(path), &bytes, format)?)
    }

    /// What messages call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Where the value at `pointer` (RFC 6901), or its key, stands; for one that is not there, what would hold it.
    pub fn place(&self, pointer: &str, part: Part) -> Place {
        let place = self.places.get_or_init(|| json::places(&self.text)).find(&self.value, pointer, part);
        place.below(self.lines_before)
    }
}
