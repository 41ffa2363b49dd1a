//! One fault at one place: the single item shape of `errors[]` and `warnings[]`, in answers, reports and on the terminal.

use serde::{Deserialize, Serialize};

/// A fault or a warning, the place it stands at, and what to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Item {
    /// Short name: a JSON Schema keyword (`type`, `required`) for errors of a verdict, else a kebab-case name.
    pub problem: String,
    /// JSON Pointer (RFC 6901) from the document's root; for verdicts from the task (`/payload/…`).
    pub pointer: String,
    /// JSON Pointer into the schema that refused, where one did.
    pub schema_pointer: Option<String>,
    /// What is wrong, for people.
    pub message: String,
    /// What the place asks for.
    pub expected: Option<String>,
    /// What stood there, as JSON, shortened.
    pub actual: Option<String>,
    /// Did you mean.
    pub suggestion: Option<String>,
    /// The schema's own description of the place.
    pub description: Option<String>,
    /// The variant whose contract refused.
    pub variant: Option<String>,
    /// The revision whose contract refused.
    pub revision: Option<u32>,
}

impl Item {
    /// An item with the three fields that every item has.
    pub fn new(problem: impl Into<String>, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { problem: problem.into(), pointer: pointer.into(), message: message.into(), ..Self::default() }
    }

    /// Adds what the author probably meant.
    #[must_use]
    pub fn suggest(mut self, suggestion: Option<impl Into<String>>) -> Self {
        self.suggestion = suggestion.map(Into::into);
        self
    }

    /// Adds what the place asks for and what stood there.
    #[must_use]
    pub fn contrast(mut self, expected: impl Into<String>, actual: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self.actual = Some(actual.into());
        self
    }

    /// Puts `prefix` before the pointer: for a document that stands inside another.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }
}
