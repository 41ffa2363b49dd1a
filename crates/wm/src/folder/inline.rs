//! `documentation: {file: x.md}`: the text of a file beside the definition, in the place of its name.

use super::sourced::Sourced;
use super::{Files, at_start};
use crate::documents::{Document, DocumentError, Part};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The largest text, in bytes: as large as the service takes one.
const LARGEST: usize = 500_000;

/// Reads the files that definitions name.
pub(super) struct Inliner<'a> {
    pub(super) files: &'a dyn Files,
    /// Which were read.
    pub(super) read: BTreeSet<String>,
}

impl<'a> Inliner<'a> {
    pub(super) fn new(files: &'a dyn Files) -> Self {
        Self { files, read: BTreeSet::new() }
    }

    /// `document`, which stands at `path`, with the texts that it names; and what is wrong with them.
    pub(super) fn inline(&mut self, path: &str, document: Document) -> (Sourced, Vec<DocumentError>) {
        let mut value = document.value().clone();
        let (mut inlined, mut faults) = (BTreeMap::new(), Vec::new());
        for pointer in pointers(&value) {
            let Some(field) = value.pointer_mut(&pointer) else { continue };
            match self.text(path, field) {
                None => {}
                Some(Ok((file, text))) => {
                    *field = Value::from(text);
                    inlined.insert(pointer, self.files.name_of(&file));
                }
                Some(Err((below, message))) => {
                    let place = document.place(&format!("{pointer}{below}"), Part::Value);
                    faults.push(DocumentError { place, ..at_start(document.name(), message) });
                }
            }
        }
        (Sourced::new(document, value, inlined), faults)
    }

    /// The text that `field` names; none when it is the documentation itself.
    fn text(&mut self, path: &str, field: &Value) -> Option<Result<Text, Misnamed>> {
        let members = field.as_object()?;
        let name = match members.get("file") {
            Some(Value::String(name)) if members.len() == 1 => name,
            Some(Value::String(_)) => return Some(Err(("", "only \"file\" may stand here".to_owned()))),
            Some(_) => return Some(Err(("/file", "the name of a file must be text".to_owned()))),
            None => return Some(Err(("", "documentation is Markdown, or {file: NAME} beside this file".to_owned()))),
        };
        Some(self.read(path, name).map_err(|message| ("/file", message)))
    }

    fn read(&mut self, path: &str, name: &str) -> Result<Text, String> {
        let file = beside(path, name)?;
        let bytes = self.files.read(&file).map_err(|error| format!("cannot read {name}: {error}"))?;
        if bytes.len() > LARGEST {
            return Err(format!("{name} has {} bytes; documentation has at most {LARGEST}", bytes.len()));
        }
        let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8"))?;
        // The same text on every checkout, whatever git does to line ends.
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        self.read.insert(file.clone());
        Ok((file, text))
    }
}

/// A file's path and its text.
type Text = (String, String);

/// Where below the field something is wrong, and what.
type Misnamed = (&'static str, String);

/// The path of the file that `name` means in the file at `path`.
fn beside(path: &str, name: &str) -> Result<String, String> {
    if name.is_empty() || name.starts_with('/') || name.contains(['\\', '\0']) {
        return Err(format!("{name:?} must be a path relative to this file, with / between its parts"));
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => return Err(format!("{name} lies outside the folder of definitions")),
            ".." => {}
            _ => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// Where documentation may stand: of the whole, and of each variant.
fn pointers(value: &Value) -> Vec<String> {
    let variants = value.get("variants").and_then(Value::as_array).map_or(0, Vec::len);
    let of_variants = (0..variants).map(|index| format!("/variants/{index}/documentation"));
    std::iter::once("/documentation".to_owned()).chain(of_variants).collect()
}
