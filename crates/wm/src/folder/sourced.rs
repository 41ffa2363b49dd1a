//! A value that was put together from several files, and the file and place of each of its parts.

use crate::documents::{Document, Part, Place};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use worker_types::Item;

/// A definition or a release, with where it comes from.
#[derive(Debug)]
pub struct Sourced {
    document: Document,
    value: Value,
    /// The files whose text stands at a pointer.
    inlined: BTreeMap<String, String>,
    /// The fields that only the defaults have.
    defaults: Option<(Arc<Sourced>, Vec<String>)>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// What messages call the file.
    pub file: String,
    /// Where in it.
    pub place: Place,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.place)
    }
}

impl Sourced {
    /// `document`, in which the texts of `inlined` have taken their places in `value`.
    pub(super) fn new(document: Document, value: Value, inlined: BTreeMap<String, String>) -> Self {
        Self { document, value, inlined, defaults: None }
    }

    /// The value over `defaults`: fields that it does not have itself come from there.
    #[must_use]
    pub(super) fn over(mut self, defaults: Option<&Arc<Self>>) -> Self {
        let (Some(defaults), Value::Object(members)) = (defaults, &mut self.value) else { return self };
        let mut taken = Vec::new();
        for (name, value) in defaults.value.as_object().into_iter().flatten() {
            if !members.contains_key(name) {
                members.insert(name.clone(), value.clone());
                taken.push(name.clone());
            }
        }
        self.defaults = Some((Arc::clone(defaults), taken));
        self
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// What messages call its own file.
    pub fn file(&self) -> &str {
        self.document.name()
    }

    /// Where the part at `pointer` comes from.
    pub fn spot(&self, pointer: &str, part: Part) -> Spot {
        if let Some((defaults, names)) = &self.defaults
            && names.iter().any(|name| is_below(pointer, name))
        {
            return defaults.spot(pointer, part);
        }
        match self.inlined.get(pointer) {
            Some(file) => Spot { file: file.clone(), place: Place::START },
            None => Spot { file: self.file().to_owned(), place: self.document.place(pointer, part) },
        }
    }

    /// Where the token stands that an item of the server speaks of.
    pub fn spot_of(&self, item: &Item) -> Spot {
        self.spot(&item.pointer, part_of(item))
    }
}

/// Whether `pointer` is that of the top-level field `name` or leads into it.
fn is_below(pointer: &str, name: &str) -> bool {
    let first = pointer.strip_prefix('/').and_then(|rest| rest.split('/').next());
    first.is_some_and(|first| first == name.replace('~', "~0").replace('/', "~1"))
}

/// Whether an item speaks of a member's key or of its value.
pub fn part_of(item: &Item) -> Part {
    const OF_KEYS: [&str; 7] = [
        "unknown-field",
        "unknown-keyword",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "contract-and-release",
        "duplicate-key",
    ];
    if OF_KEYS.contains(&item.problem.as_str()) { Part::Key } else { Part::Value }
}
