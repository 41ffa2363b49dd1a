//! How a fault is shown: `file:line:col: message`, and what helps with it, so that editors and people find the token.

use crate::folder::Spot;
use crate::terminal::{BAD, FAINT, NAME};
use serde_json::{Value, json};
use worker_manager_client::ProblemAnswer;
use worker_types::{Item, Problem};

/// An item at its place, on one line and, where the schema describes the place, a second.
pub fn item(spot: &Spot, item: &Item) -> String {
    let hint = hint(item).unwrap_or_default();
    let variant = item.variant.as_ref().map(|name| format!(" {FAINT}[{name}]{FAINT:#}")).unwrap_or_default();
    let description = item.description.as_ref().map(|words| format!("\n    {FAINT}{}{FAINT:#}", one_line(words)));
    format!("{NAME}{spot}:{NAME:#} {}{hint}{variant}{}", item.message, description.unwrap_or_default())
}

/// What was probably meant, unless the message says it.
fn hint(item: &Item) -> Option<String> {
    // The words on a marked release say themselves what to use instead.
    let meant = item.suggestion.as_ref().filter(|_| !item.problem.ends_with("-release"))?;
    (!item.message.contains("did you mean") && !item.message.contains("misspelling"))
        .then(|| format!("; did you mean {BAD}{meant:?}{BAD:#}?"))
}

/// The first paragraph of a description, on one line.
fn one_line(words: &str) -> String {
    const LIMIT: usize = 160;
    let paragraph = words.split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LIMIT { line } else { line.chars().take(LIMIT).chain("…".chars()).collect() }
}

/// An item with its place, for programs.
pub fn json(spot: &Spot, item: &Item) -> Value {
    let mut value = json!(item);
    if let Value::Object(members) = &mut value {
        members.insert("file".to_owned(), spot.file.clone().into());
        members.insert("line".to_owned(), spot.place.line.into());
        members.insert("column".to_owned(), spot.place.column.into());
    }
    value
}

/// A refusal's words for those who type flags instead of query parameters.
pub fn in_flags(words: &str) -> String {
    words
        .replace("?allowBreaking=true&message=<why>", "--allow-breaking and --message <why>")
        .replace("?rollout=replace", "--replace-rollout")
}

/// Whether a check's warning says that a rollout is open.
pub fn is_rollout_open(item: &Item) -> bool {
    item.problem == Problem::RolloutOpen.name()
}

/// The faults of a refusal; the refusal itself where it lists none.
pub fn items_of(answer: &ProblemAnswer) -> Vec<Item> {
    if answer.errors.is_empty() {
        let words = answer.detail.as_ref().unwrap_or(&answer.title);
        vec![Item::new(answer.problem.clone(), "", in_flags(words))]
    } else {
        answer.errors.clone()
    }
}
