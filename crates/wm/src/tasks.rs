//! What is to be judged: the tasks and payloads that stand in files, each with its place.

mod forms;
mod lines;
mod taskgraph;

use crate::documents::{Document, DocumentError, FileFormat, Format, Part, ReadError, name_of, read_bytes};
use crate::folder::{Spot, part_of};
use forms::Form;
use jiff::Timestamp;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use worker_types::Item;

/// One task or payload in a file.
#[derive(Debug)]
pub struct Subject {
    document: Arc<Document>,
    /// Where it stands in the document.
    pointer: String,
    /// Its line in an NDJSON file; 0 in others.
    line: u32,
    /// Its key in a graph.
    pub label: Option<String>,
    /// Whether it is a payload without its task.
    pub is_payload: bool,
    /// As it is judged.
    pub value: Value,
}

impl Subject {
    /// What messages call its file.
    pub fn file(&self) -> &str {
        self.document.name()
    }

    /// By what messages call it: its file, and where in it, unless the file holds nothing else.
    pub fn name(&self) -> String {
        match (&self.label, self.pointer.is_empty()) {
            (Some(label), _) => format!("{}: {label}", self.file()),
            (None, true) if self.line == 0 => self.file().to_owned(),
            _ => format!("{}:{}", self.file(), self.spot().place.line),
        }
    }

    /// Where it begins.
    pub fn spot(&self) -> Spot {
        self.at("", Part::Value)
    }

    /// Where the token stands that an item of its verdict speaks of.
    pub fn spot_of(&self, item: &Item) -> Spot {
        // Verdicts speak of the task, also where only its payload was given.
        let below = if self.is_payload { item.pointer.strip_prefix("/payload") } else { Some(item.pointer.as_str()) };
        self.at(below.unwrap_or_default(), part_of(item))
    }

    fn at(&self, below: &str, part: Part) -> Spot {
        let place = self.document.place(&format!("{}{below}", self.pointer), part);
        Spot { file: self.document.name().to_owned(), place }
    }
}

/// What a file gives, one after the other.
pub type Subjects = Box<dyn Iterator<Item = Result<Subject, ReadError>> + Send>;

/// The tasks and payloads in the file at `path`. `payloads`: what is no task is a payload.
///
/// # Errors
/// The file cannot be read, or holds neither tasks nor payloads. A fault of one line is an item.
pub fn open(path: &Path, payloads: bool) -> Result<Subjects, ReadError> {
    if FileFormat::by_name(path) == Some(FileFormat::Ndjson) && path != Path::new("-") {
        return lines::of_file(path, payloads);
    }
    let bytes = read_bytes(path)?;
    let name = name_of(path);
    let format = match FileFormat::of(path, &bytes) {
        FileFormat::Ndjson => return Ok(lines::of_bytes(name, bytes, payloads)),
        FileFormat::Json => Format::Json,
        FileFormat::Yaml => Format::Yaml,
    };
    let document = Arc::new(Document::parse(&name, &bytes, format)?);
    drop(bytes);
    let forms = forms::find(document.value(), payloads).map_err(|message| fault(&document, message))?;
    Ok(Box::new(forms.into_iter().map(move |form| Ok(subject(&document, form)))))
}

fn fault(document: &Document, message: String) -> DocumentError {
    DocumentError { file: document.name().to_owned(), place: document.place("", Part::Value), message }
}

fn subject(document: &Arc<Document>, form: Form) -> Subject {
    let value = document.value().pointer(&form.pointer).cloned().unwrap_or_default();
    let value = if form.from_taskgraph { taskgraph::resolved(value, Timestamp::now()) } else { value };
    Subject {
        document: Arc::clone(document),
        pointer: form.pointer,
        line: 0,
        label: form.label,
        is_payload: form.is_payload,
        value,
    }
}
