//! Keywords that the draft does not know, and keywords that a `$ref` makes meaningless.

use super::Subschema;
use crate::{dialect, excerpt, vocabulary};
use worker_types::{Item, closest};

/// Words of other vocabularies: OpenAPI's and those of editors. They are meant as they are.
const DELIBERATE: &[&str] = &[
    "$vocabulary",
    "defaultSnippets",
    "deprecationMessage",
    "discriminator",
    "doNotSuggest",
    "enumDescriptions",
    "errorMessage",
    "example",
    "externalDocs",
    "markdownDescription",
    "markdownEnumDescriptions",
    "note",
    "notes",
    "nullable",
    "patternErrorMessage",
    "xml",
];

/// Bytes of a name that can be a misspelt keyword.
const NAME_BYTES: usize = 40;

pub(super) fn lint(subschema: &Subschema<'_>, warnings: &mut Vec<Item>) {
    let dialect = subschema.dialect();
    let alone = dialect::ref_stands_alone(dialect) && subschema.keywords.contains_key("$ref");
    for name in subschema.keywords.keys() {
        if let Some(keyword) = vocabulary::find_in(name, dialect) {
            let meaningless = alone && name != "$ref" && name != "$schema" && !keyword.tells;
            if meaningless {
                let message = format!(
                    "{name} beside $ref is ignored in {}; put both into allOf, or declare draft 2019-09 or later",
                    dialect::named(dialect)
                );
                warnings.push(subschema.warn("ref-sibling-ignored", name, message));
            }
        } else if let Some(keyword) = vocabulary::find(name) {
            if !keyword.tells {
                warnings.push(of_another_draft(subschema, name, keyword));
            }
        } else if !is_deliberate(name) {
            let meant = if name.len() > NAME_BYTES { None } else { closest(name, vocabulary::names(dialect)) };
            let help = match meant {
                Some(meant) => format!("did you mean {meant}?"),
                None => "if it is a note for people or for other tools, begin its name with x-".to_owned(),
            };
            let (shown, here) = (excerpt::text(name), dialect::named(dialect));
            let message = format!("{shown} is not a keyword of {here} and is ignored; {help}");
            warnings.push(subschema.warn("unknown-keyword", name, message).suggest(meant));
        }
    }
}

fn of_another_draft(subschema: &Subschema<'_>, name: &str, keyword: &vocabulary::Keyword) -> Item {
    let dialect = subschema.dialect();
    let here = dialect::named(dialect);
    let (history, suggestion) = match name {
        "id" => ("it is called $id since draft-06".to_owned(), Some("$id")),
        "$id" => ("it is called id in draft-04".to_owned(), Some("id")),
        "additionalItems" => ("items says it since draft 2020-12".to_owned(), Some("items")),
        "$recursiveRef" => ("draft 2020-12 has $dynamicRef".to_owned(), Some("$dynamicRef")),
        "$recursiveAnchor" => ("draft 2020-12 has $dynamicAnchor".to_owned(), Some("$dynamicAnchor")),
        "prefixItems" => ("a list under items says it before draft 2020-12".to_owned(), Some("items")),
        _ => (format!("it came with {}", dialect::named(keyword.since)), None),
    };
    let message = format!("{name} is not a keyword of {here} and is ignored; {history}");
    subschema.warn("keyword-of-another-draft", name, message).suggest(suggestion)
}

/// Whether a name says by itself that it is an extension.
fn is_deliberate(name: &str) -> bool {
    let start = |mark: &str| name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(mark));
    DELIBERATE.contains(&name) || start("x-") || start("x_")
}
