//! What a value must be beside its type: bounds, lengths, values, examples.

use super::words::{excerpt, number_of};
use maud::{Markup, html};
use payload_schema::{Layer, first_keyword};
use serde_json::Value;

/// Values that are listed openly; more are folded away.
const OPEN: usize = 12;

/// A list of what is to be known, empty where there is nothing.
pub(super) fn list(layers: &[Layer<'_>]) -> Markup {
    let rows = [
        ("must be", one("const", layers)),
        ("one of", values("enum", layers)),
        ("default", one("default", layers)),
        ("value", range(layers)),
        ("multiple of", one("multipleOf", layers)),
        ("length", span(layers, "minLength", "maxLength", "character")),
        ("pattern", text("pattern", layers)),
        ("format", text("format", layers)),
        ("holds", elements(layers)),
        ("holds", span(layers, "minProperties", "maxProperties", "property")),
        ("also needs", dependent(layers)),
        ("examples", values("examples", layers)),
    ];
    let rows: Vec<_> = rows.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    html! {
        @if !rows.is_empty() {
            dl.facts { @for (name, value) in rows { div { dt { (name) } dd { (value) } } } }
        }
    }
}

fn one(keyword: &str, layers: &[Layer<'_>]) -> Option<Markup> {
    first_keyword(layers, keyword).map(|value| html! { code { (excerpt(value)) } })
}

fn text(keyword: &str, layers: &[Layer<'_>]) -> Option<Markup> {
    first_keyword(layers, keyword).and_then(Value::as_str).map(|value| html! { code { (value) } })
}

fn values(keyword: &str, layers: &[Layer<'_>]) -> Option<Markup> {
    let values = first_keyword(layers, keyword).and_then(Value::as_array).filter(|values| !values.is_empty())?;
    let listed = |values: &[Value]| html! { @for value in values { code { (excerpt(value)) } " " } };
    let (open, more) = values.split_at(values.len().min(OPEN));
    Some(html! {
        (listed(open))
        @if !more.is_empty() { details { summary { (more.len()) " more" } (listed(more)) } }
    })
}

fn range(layers: &[Layer<'_>]) -> Option<Markup> {
    let bound = |keyword| first_keyword(layers, keyword).filter(|value| value.is_number());
    let exclusive = |keyword| first_keyword(layers, keyword) == Some(&Value::Bool(true));
    let least = match (bound("minimum"), bound("exclusiveMinimum")) {
        (_, Some(limit)) => Some(format!("more than {limit}")),
        (Some(limit), None) if exclusive("exclusiveMinimum") => Some(format!("more than {limit}")),
        (Some(limit), None) => Some(format!("at least {limit}")),
        (None, None) => None,
    };
    let most = match (bound("maximum"), bound("exclusiveMaximum")) {
        (_, Some(limit)) => Some(format!("less than {limit}")),
        (Some(limit), None) if exclusive("exclusiveMaximum") => Some(format!("less than {limit}")),
        (Some(limit), None) => Some(format!("at most {limit}")),
        (None, None) => None,
    };
    let words: Vec<String> = least.into_iter().chain(most).collect();
    (!words.is_empty()).then(|| html! { (words.join(", ")) })
}

fn span(layers: &[Layer<'_>], least: &str, most: &str, what: &str) -> Option<Markup> {
    let words = span_words(layers, least, most, what)?;
    Some(html! { (words) })
}

fn span_words(layers: &[Layer<'_>], least: &str, most: &str, what: &str) -> Option<String> {
    let bound = |keyword| first_keyword(layers, keyword).filter(|value| value.is_number());
    match (bound(least), bound(most)) {
        (None, None) => None,
        (Some(least), None) => Some(format!("at least {}", number_of(least, what))),
        (None, Some(most)) => Some(format!("at most {}", number_of(most, what))),
        (Some(least), Some(most)) if least == most => Some(format!("exactly {}", number_of(most, what))),
        (Some(least), Some(most)) => Some(format!("{least} to {}", number_of(most, what))),
    }
}

fn elements(layers: &[Layer<'_>]) -> Option<Markup> {
    let count = span_words(layers, "minItems", "maxItems", "element");
    let unique = first_keyword(layers, "uniqueItems") == Some(&Value::Bool(true));
    let words: Vec<String> = count.into_iter().chain(unique.then(|| "no two alike".to_owned())).collect();
    (!words.is_empty()).then(|| html! { (words.join(", ")) })
}

/// Properties that bring others with them.
fn dependent(layers: &[Layer<'_>]) -> Option<Markup> {
    let maps = ["dependentRequired", "dependencies"].into_iter().filter_map(|name| first_keyword(layers, name));
    let pairs: Vec<(&String, Vec<&str>)> = maps
        .filter_map(Value::as_object)
        .flatten()
        .filter_map(|(name, needed)| Some((name, needed.as_array()?.iter().filter_map(Value::as_str).collect())))
        .collect();
    (!pairs.is_empty()).then(|| {
        html! {
            @for (name, needed) in pairs {
                "with " code { (name) } ": " @for other in needed { code { (other) } " " }
            }
        }
    })
}
