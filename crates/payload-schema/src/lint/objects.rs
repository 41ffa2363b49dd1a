//! Objects that no value can be, and objects that a value need not be.

use super::Subschema;
use crate::excerpt;
use crate::model::Rule;
use serde_json::Value;
use worker_types::{Item, closest};

pub(super) fn lint(subschema: &Subschema<'_>, warnings: &mut Vec<Item>) {
    required_and_refused(subschema, warnings);
    not_only_objects(subschema, warnings);
}

/// A property that is required here and refused by `additionalProperties: false` beside it.
fn required_and_refused(subschema: &Subschema<'_>, warnings: &mut Vec<Item>) {
    let rules = &subschema.model.node(subschema.id).rules;
    let closed = rules.iter().find_map(|rule| match rule {
        Rule::Members(members) if members.additional.is_some_and(|schema| subschema.model.is_never(schema)) => {
            Some(members)
        }
        _ => None,
    });
    let Some(members) = closed else { return };
    let required = subschema.keywords.get("required").and_then(Value::as_array);
    for (index, name) in required.into_iter().flatten().enumerate() {
        let Some(name) = name.as_str() else { continue };
        let matches = |id| subschema.model.pattern(id).matcher().is_none_or(|matcher| matcher.is_match(name));
        if members.named.contains_key(name) || members.patterns.iter().any(|(id, _)| matches(*id)) {
            continue;
        }
        let close = (name.len() <= 100).then(|| closest(name, members.named.keys().take(1000).map(AsRef::as_ref)));
        let close = close.flatten().map(str::to_owned);
        let meant =
            close.as_deref().map(|close| format!("; did you mean {}?", excerpt::text(close))).unwrap_or_default();
        let message = format!(
            "the property {} is required, and additionalProperties beside it refuses it: no value is accepted{meant}",
            excerpt::text(name)
        );
        let warning = subschema.warn("required-and-refused", "required", message).suggest(close);
        let pointer = crate::pointer::join(&warning.pointer, &index.to_string());
        warnings.push(Item { pointer, ..warning });
    }
}

/// `properties` and `required` where no `type` says that the value is an object: a list is accepted, too.
fn not_only_objects(subschema: &Subschema<'_>, warnings: &mut Vec<Item>) {
    let has = |name: &str| subschema.keywords.contains_key(name);
    if !(has("properties") && has("required"))
        || ["type", "$ref", "enum", "const", "allOf", "anyOf", "oneOf"].into_iter().any(has)
    {
        return;
    }
    // Inside these, the schema around says the type.
    let keyword = subschema.model.node(subschema.id).relative.split('/').nth(1).unwrap_or("").to_owned();
    let own_value =
        ["", "properties", "patternProperties", "additionalProperties", "items", "prefixItems", "additionalItems"];
    if own_value.contains(&keyword.as_str()) {
        let message = "properties and required say nothing about a value that is not an object, so a list or a text is \
                       accepted; add \"type\": \"object\" if only objects are meant";
        warnings.push(subschema.warn("not-only-objects", "properties", message.to_owned()));
    }
}
