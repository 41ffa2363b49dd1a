//! What the calls that change something have in common: the text, the precondition, the options.

use crate::call::Call;
use reqwest::header;
use serde_json::Value;
use worker_types::Generation;

/// The state that a writer has seen, so that nobody's change is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// This generation is the current one: `If-Match: "g<generation>"`.
    Generation(Generation),
    /// Whatever is there, also nothing: `If-Match: *`.
    Any,
    /// Nothing is there: `If-None-Match: *`.
    Absent,
}

impl Precondition {
    pub(crate) fn apply(self, call: Call) -> Call {
        match self {
            Self::Generation(generation) => call.header(header::IF_MATCH, Some(&format!("\"g{generation}\""))),
            Self::Any => call.header(header::IF_MATCH, Some("*")),
            Self::Absent => call.header(header::IF_NONE_MATCH, Some("*")),
        }
    }
}

/// How to publish.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishOptions {
    /// Why, for the history.
    pub message: Option<String>,
    /// Run every stage and store nothing.
    pub dry_run: bool,
    /// Replace the newer of two live revisions while a rollout is open.
    pub replace_rollout: bool,
    /// Publish although compatibility is required and tasks may newly be refused; needs a message.
    pub allow_breaking: bool,
}

impl PublishOptions {
    pub(crate) fn apply(&self, call: Call) -> Call {
        call.query("message", self.message.as_deref())
            .query("dryRun", self.dry_run.then_some("true"))
            .query("rollout", self.replace_rollout.then_some("replace"))
            .query("allowBreaking", self.allow_breaking.then_some("true"))
    }

    /// Those that a release knows: it replaces nothing.
    pub(crate) fn apply_to_release(&self, call: Call) -> Call {
        call.query("message", self.message.as_deref()).query("dryRun", self.dry_run.then_some("true"))
    }
}

/// One JSON document as text. Definitions and releases are kept as their authors wrote them, so text is sent as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(pub(crate) String);

impl From<&Value> for JsonText {
    fn from(value: &Value) -> Self {
        Self(value.to_string())
    }
}

impl From<Value> for JsonText {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

impl From<String> for JsonText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for JsonText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}
