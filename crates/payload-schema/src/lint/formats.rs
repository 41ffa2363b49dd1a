//! Formats that nobody knows, and formats and encodings that nobody checks.

use super::Subschema;
use crate::formats::{self, FORMATS};
use crate::{dialect, excerpt};
use serde_json::Value;
use worker_types::{Item, closest};

pub(super) fn lint(subschema: &Subschema<'_>, warnings: &mut Vec<Item>) {
    let dialect = subschema.dialect();
    if dialect::ref_stands_alone(dialect) && subschema.keywords.contains_key("$ref") {
        return;
    }
    if let Some(format) = subschema.keywords.get("format").and_then(Value::as_str) {
        let shown = excerpt::text(format);
        let here = dialect::named(dialect);
        let warning = if formats::known(dialect, format).is_some() {
            if formats::are_asserted(dialect) {
                return;
            }
            let message = format!("format {shown} only describes in {here}: values that do not fit are accepted");
            subschema.warn("format-not-asserted", "format", message)
        } else if let Some((_, since)) = FORMATS.iter().find(|(name, _)| *name == format) {
            let message = format!(
                "format {shown} came with {} and is not checked in {here}; a pattern would be",
                dialect::named(*since)
            );
            subschema.warn("format-not-asserted", "format", message)
        } else {
            let names = FORMATS.iter().filter(|(_, since)| *since <= dialect).map(|(name, _)| *name);
            let close =
                if format == "url" { Some("uri") } else { closest(format, names).filter(|_| format.len() <= 40) };
            let meant = close.map(|close| format!("; did you mean {close}?")).unwrap_or_default();
            let message = format!("format {shown} is not known: values are not checked against it{meant}");
            subschema.warn("unknown-format", "format", message).suggest(close)
        };
        warnings.push(warning);
    }
    for keyword in ["contentEncoding", "contentMediaType"] {
        if subschema.keywords.contains_key(keyword) {
            let message = format!("{keyword} only describes: values are not decoded or checked against it");
            warnings.push(subschema.warn("content-not-checked", keyword, message));
        }
    }
}
