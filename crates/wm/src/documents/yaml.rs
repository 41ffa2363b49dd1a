//! YAML 1.2 in its core schema, read from the parser's events into a JSON value and the places of its parts.
//!
//! It takes one document, keys that are text, and the core schema's tags. What JSON cannot say is refused, and so is
//! what readers of YAML disagree on: a key twice, merge keys, `%YAML 1.1`.

mod anchors;
mod builder;
mod scalar;
#[cfg(test)]
mod tests;
mod words;
mod write;

pub use write::to_yaml;

use super::error::Fault;
use super::places::{Node, Place};
use super::source::place;
use builder::Builder;
use granit_parser::{Event, Marker, Parser, Span};
use serde_json::Value;

pub(super) fn parse(text: &str) -> Result<(Value, Node), Fault> {
    let mut builder = Builder::default();
    let mut documents = 0;
    for next in Parser::new_from_str(text) {
        let (event, span) = next.map_err(|error| Fault::new(start(error.marker()), words::of(&error)))?;
        if let Event::DocumentStart(_, version) = event {
            documents += 1;
            check_document(documents, version, &span)?;
        } else {
            take(&mut builder, event, &span)?;
        }
    }
    builder.finish().ok_or_else(|| Fault::new(Place::START, "the file is empty"))
}

fn check_document(number: usize, version: Option<granit_parser::YamlVersion>, span: &Span) -> Result<(), Fault> {
    if number > 1 {
        return Err(Fault::new(start(&span.start), "a second document begins here; a file holds one"));
    }
    match version {
        Some(version) if (version.major, version.minor) < (1, 2) => Err(Fault::new(
            start(&span.start),
            format!(
                "the file says %YAML {}.{}, and is read as YAML 1.2, where `yes`, `on` and `012` mean other things; remove the directive",
                version.major, version.minor
            ),
        )),
        _ => Ok(()),
    }
}

fn take(builder: &mut Builder, event: Event<'_>, span: &Span) -> Result<(), Fault> {
    let at = start(&span.start);
    match event {
        Event::Scalar(text, style, anchor, tag) => {
            let scalar = scalar::Scalar { text: &text, style, tag: tag.as_deref() };
            builder.scalar(&scalar, anchor, at)
        }
        Event::SequenceStart(_, anchor, tag) => {
            scalar::check_collection_tag(tag.as_deref(), "seq", at)?;
            builder.begin_sequence(anchor, at)
        }
        Event::MappingStart(_, anchor, tag) => {
            scalar::check_collection_tag(tag.as_deref(), "map", at)?;
            builder.begin_mapping(anchor, at)
        }
        Event::SequenceEnd | Event::MappingEnd => builder.end(),
        Event::Alias(anchor) => builder.alias(anchor, at),
        // Marks of the stream, and kinds of presentation that were not asked for.
        _ => Ok(()),
    }
}

fn start(marker: &Marker) -> Place {
    place(marker.line().saturating_sub(1), marker.col())
}
