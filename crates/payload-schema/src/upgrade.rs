//! A schema of any draft as an equal one of 2020-12, or of draft-07 for editors that know no later one.
//!
//! It is written from the model, not by changing the author's text: what a draft does not know is not in the model and
//! so cannot wake up in a later one, and every reference is resolved before it is written again. Identifiers go,
//! definitions stand under one roof; that is what lets several schemas share a document.

mod annotations;
mod definitions;
mod filled;
mod keywords;
mod writer;

pub(crate) use definitions::Definitions;
pub(crate) use filled::Filled;
pub(crate) use writer::Writer;

use crate::dialect;
use crate::inspect::{Extent, examine};
use crate::model::{Model, Read};
use crate::{Limits, Surroundings, metaschema};
use serde_json::{Map, Value};
use std::collections::HashMap;
use thiserror::Error;
use worker_types::{Dialect, Item};

/// The draft that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// 2020-12: says everything that the older drafts say.
    Draft202012,
    /// draft-07: most editors know no later one. Some keywords of later drafts cannot be said in it.
    Draft07,
}

impl Target {
    /// The draft.
    pub fn dialect(self) -> Dialect {
        match self {
            Self::Draft202012 => Dialect::Draft202012,
            Self::Draft07 => Dialect::Draft07,
        }
    }

    /// What `$schema` says.
    pub(crate) fn uri(self) -> &'static str {
        dialect::metaschema_uri(self.dialect())
    }

    /// The keyword that holds definitions.
    pub(crate) fn definitions(self) -> &'static str {
        match self {
            Self::Draft202012 => "$defs",
            Self::Draft07 => "definitions",
        }
    }
}

/// Why a schema cannot be written in another draft.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refused {
    /// It is no usable schema in its own draft.
    #[error("the schema is not usable: {}", .0.first().map_or("", |fault| &fault.message))]
    Faulty(Vec<Item>),
    /// It declares a metaschema of its own, which may take keywords away.
    #[error("the schema has a metaschema of its own; only schemas of the five drafts are taken")]
    OwnMetaschema,
    /// A keyword has no counterpart.
    #[error("{keyword} at {} cannot be said in {}: {why}", place(.pointer), dialect::named(*.target))]
    Inexpressible {
        /// Its name.
        keyword: &'static str,
        /// JSON Pointer of the subschema that has it, from the root of the schema that was given.
        pointer: String,
        /// The draft that was to be written.
        target: Dialect,
        /// Why not, and what to do.
        why: &'static str,
    },
}

fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "the root" } else { pointer }
}

/// `schema` as an equal one of 2020-12.
///
/// `dialect` counts when it names no `$schema`; without either it is read as draft-07. Equal means: the same values are
/// valid, where a reader asserts every `format` that stands in the result. Formats that the schema's own draft does not
/// assert do not stand in it.
///
/// # Errors
/// It is no usable schema, or it looks through several resources for a dynamic reference.
pub fn upgrade(schema: &Value, dialect: Option<Dialect>, limits: &Limits) -> Result<Value, Refused> {
    rewrite(schema, dialect, Target::Draft202012, limits, Surroundings::default())
}

/// As [`upgrade`], for any target, and for a schema among documents that are known beforehand.
///
/// # Errors
/// As [`upgrade`]; for draft-07 also where a keyword of a later draft has no counterpart there.
pub fn rewrite(
    schema: &Value,
    dialect: Option<Dialect>,
    target: Target,
    limits: &Limits,
    surroundings: Surroundings<'_>,
) -> Result<Value, Refused> {
    let source = Source::read(schema, dialect, limits, surroundings)?;
    let mut definitions = Definitions::new(target);
    let root = Writer::at_root(&source, &mut definitions).root()?;
    Ok(document(root, definitions))
}

/// A whole document: what it is written in, what it says, and its definitions.
pub(crate) fn document(root: Value, definitions: Definitions) -> Value {
    let mut document = Map::new();
    document.insert("$schema".to_owned(), definitions.target().uri().into());
    match root {
        Value::Object(members) => document.extend(members),
        // As an object, so that it can say its draft.
        Value::Bool(false) => drop(document.insert("not".to_owned(), Value::Object(Map::new()))),
        _ => {}
    }
    definitions.finish(&mut document);
    Value::Object(document)
}

/// A schema that was read and found usable, with the values that its nodes were read from.
pub(crate) struct Source<'v> {
    schema: &'v Value,
    documents: Option<&'v HashMap<String, Value>>,
    read: Read,
}

impl<'v> Source<'v> {
    pub(crate) fn read(
        schema: &'v Value,
        dialect: Option<Dialect>,
        limits: &Limits,
        surroundings: Surroundings<'v>,
    ) -> Result<Self, Refused> {
        let Surroundings { documents, assert_formats } = surroundings;
        let examined = examine(schema, dialect, &Extent { documents, assert_formats, limits });
        if examined.has_own_metaschema {
            return Err(Refused::OwnMetaschema);
        }
        match examined.read {
            Some(read) if examined.errors.is_empty() => Ok(Self { schema, documents, read }),
            _ => Err(Refused::Faulty(examined.errors)),
        }
    }

    fn model(&self) -> &Model {
        &self.read.model
    }

    /// The value at a place as [`Model::pointer`] writes it.
    fn value(&self, pointer: &str) -> Option<&Value> {
        let Some((uri, below)) = pointer.split_once('#').filter(|(uri, _)| !uri.is_empty() && !uri.starts_with('/'))
        else {
            return self.schema.pointer(pointer);
        };
        let known = self.documents.and_then(|documents| documents.get(uri)).or_else(|| metaschema::document(uri));
        known?.pointer(below)
    }
}
